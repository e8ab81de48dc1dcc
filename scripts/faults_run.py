# SPDX-License-Identifier: 0BSD
"""One run of a scenario of scripts/faults: makes its ends, runs it under
strace(1), and judges what the ends hold afterwards."""
import errno, fcntl, itertools, os, random, re, resource, select, signal, socket
import subprocess, tempfile, threading, tty

HANG = 10               # seconds that a run may take
GLIMPSE = 0.15          # seconds that an endless run is looked at
LIMIT = 150001          # RLIMIT_FSIZE, where a sink is to meet it
RANDOM = random.Random(7).randbytes(17 << 20)
DATA = RANDOM[:200003]
MOVERS = "splice", "tee", "vmsplice", "sendfile", "copy_file_range"
LINES = {"short": ["y"], "odd": ["o" * 1200, "d" * 35], "page": ["p" * 4095],
         "long": [chr(97 + i) * 131000 for i in range(24)]}

# Old and new names; None: at start, at exit, or what messages are said with.
PLAIN_NAME = {"openat": "open", "ppoll": "poll"} | \
    dict.fromkeys(["execve", "arch_prctl", "set_tid_address", "mprotect",
                   "exit_group", "writev", "rt_sigaction", "rt_sigreturn"])
# GNU's words, which box uses, where a C library has others.
GNU = {"EIO": "Input/output error", "ENOMEM": "Cannot allocate memory",
       "EMFILE": "Too many open files", "EDQUOT": "Disk quota exceeded",
       "EOVERFLOW": "Value too large for defined data type",
       "NONE": os.strerror(errno.ENOSPC)}

STATIC = {}     # sources that never change: name in the folder, and contents


def fill(folder):
    """Puts the sources that never change into the folder of the runs."""
    STATIC.update({name: (name, data) for name, data in [
        ("file", DATA), ("small", RANDOM[-2003:]), ("small2", RANDOM[-777:]),
        ("small3", RANDOM[-21:]), ("big", RANDOM)]})
    for name, data in STATIC.values():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    STATIC["stdin"] = STATIC["file"]
    STATIC["zero"] = "/dev/zero", bytes(8000000)
    proc = "/proc/crypto" if os.path.exists("/proc/crypto") else "/proc/devices"
    with open(proc, "rb") as f:
        STATIC["proc"] = proc, f.read()


class End:
    """A source or a sink: what is known before the run, and what came of it."""
    def __init__(self, **known):
        self.name = None        # as the log calls it
        self.says = ()          # how messages about it begin
        self.data = DATA        # all that a source has
        self.head = b""         # what a file held before
        self.limit = None       # bytes that a sink takes
        self.path = None        # of a file to read afterwards
        self.doomed = False     # a sink that fails in any case
        self.unseen = False     # nobody can tell what it was given
        self.taken = 0          # bytes that left a source, says the log
        self.got = bytearray()
        self.__dict__.update(known)

    def problem(self, want, may_be_short):
        """Returns what is wrong with what a sink holds, or None."""
        want = self.head + want[:self.limit]
        if self.unseen or self.got == want or \
           may_be_short and want.startswith(self.got):
            return None
        right = os.path.commonprefix([bytes(self.got), want])
        return "%s: holds %d bytes, of which %d are right, and not %d" % (
            self.says[0], len(self.got), len(right), len(want))


class Run:
    """One run of a scenario: its ends, and afterwards what became of them."""
    def __init__(self, box, folder, scenario, fault):
        self.box, self.folder, self.fault = box, folder, fault
        applet, self.kind, sinks = scenario.split("/")
        self.applet, *words = applet.split()
        self.refused = [w[1:] for w in words if w[0] == "!"]
        self.arguments = [w for w in words if w[0] == "-"]
        self.endless = self.applet == "yes" or self.kind == "zero"
        self.limited = "limit" in sinks or self.endless and \
            not {"file", "append"}.isdisjoint(sinks.split("+"))
        self.glimpse = self.endless and sinks == "null"
        self.sigpipe = sinks == "quit"
        self.hung, self.stdin, self.stdout = False, None, None
        self.theirs, self.held = [], []     # to close after start, after exit
        self.feed, self.read = {}, {}       # what we write, and read into
        self.sources, self.sinks, self.made = [], [], []
        for sink in sinks.split("+"):
            self.add_sink(*sink.split("-"))
        if self.applet == "yes":
            self.arguments += LINES[self.kind]
            line = " ".join(self.arguments).encode() + b"\n"
            self.sources = [End(data=line * (7999999 // len(line) + 1))]
        else:
            for kind in ("small file small2 fifo small3" if self.kind == "many"
                         else self.kind).split():
                self.add_source(*kind.split("-"))
        size = len(self.want([]))
        for end in self.sinks:
            end.doomed &= end.limit is None or end.limit < size

    def make(self, kind, make=lambda path: None):
        """Makes a file of that kind. Returns its name and its path."""
        name = "%s.%d" % (kind, len(self.made))
        self.made.append(os.path.join(self.folder, name))
        make(self.made[-1])
        return name, self.made[-1]

    def add_source(self, kind, nonblock=False):
        end, name, theirs, ours = End(), None, None, None
        if kind in STATIC:
            name, end.data = STATIC[kind]
            if self.applet == "tee" or kind == "stdin":
                theirs = os.open(os.path.join(self.folder, name), os.O_RDONLY)
        elif kind == "fifo":
            name, path = self.make(kind, os.mkfifo)
            ours = os.open(path, os.O_RDWR)
            if self.applet == "tee":
                theirs = os.open(path, os.O_RDONLY)
        elif kind == "socket":
            ours, theirs = (s.detach() for s in socket.socketpair())
        elif kind == "tty":
            ours, theirs = os.openpty()
            mode = tty.tcgetattr(theirs)
            mode[:4] = 0, 0, mode[2], tty.ICANON
            tty.tcsetattr(theirs, tty.TCSANOW, mode)
            end.data = b"".join(b"%0999d\n" % i for i in range(25))
        else:
            theirs, ours = os.pipe()
        if ours is not None:
            sizes = itertools.cycle([1, 4095, 65536, 13, 90003, 4097, 32768])
            ends = [0, *itertools.takewhile(lambda at: at < len(end.data),
                                            itertools.accumulate(sizes)), None]
            self.feed[ours] = [end.data[i:j] for i, j in zip(ends, ends[1:])]
            if kind == "tty":
                self.feed[ours] = [end.data, b"\4"]
        if theirs is None:
            end.name = name
            self.arguments.append(name)
        else:
            self.stdin = theirs
            self.theirs.append(theirs)
            os.set_blocking(theirs, not nonblock)
        end.says = ("tee: read error: ", "tee: standard input: ",
                    "tee: memory: ")
        if self.applet == "cat":
            end.says = ("cat: %s: " % end.name,) if end.name else \
                ("cat: -: ", "cat: closing standard input: ")
        self.sources.append(end)

    def add_sink(self, kind, nonblock=False):
        named = self.stdout is not None
        end, ours, theirs = End(), None, None
        if kind in ("full", "null"):
            end = End(name="/dev/" + kind, doomed=kind == "full", unseen=True)
            theirs = os.open(end.name, os.O_WRONLY)
        elif kind in ("file", "append", "limit"):
            end.name, end.path = self.make(kind)
            end.head = b"head\n" if kind == "append" else b""
            with open(end.path, "wb") as f:
                f.write(end.head)
            theirs = os.open(end.path, os.O_WRONLY | os.O_APPEND *
                             (kind == "append"))
            end.doomed = self.limited
            end.limit = LIMIT - len(end.head) if self.limited else None
        elif kind == "pty":
            ours, theirs = os.openpty()
            tty.setraw(theirs)
            end.name = os.ttyname(theirs)
            self.held.append(os.dup(theirs))
        elif named:
            end.name, path = self.make("fifo", os.mkfifo)
            ours = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        elif kind == "socket":
            mine, other = socket.socketpair()
            other.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32 << 10)
            ours, theirs = mine.detach(), other.detach()
        else:
            ours, theirs = os.pipe()
        if kind == "tiny":
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, 4096)
        if kind == "gone":
            os.close(ours)
            end.unseen, end.doomed = True, "-p" not in self.arguments
        elif ours is not None:
            self.read[ours] = end
            if self.endless:    # then it is the reader that leaves
                end.limit = 7000003 if self.kind == "long" else 400009
                end.doomed = not self.sigpipe
        if theirs is not None:
            self.theirs.append(theirs)
        if named:
            self.arguments.append(end.name)
        else:
            self.stdout, end.name = theirs, None
            os.set_blocking(theirs, not nonblock)
        end.says = {"cat": ("cat: write error: ", "cat: standard output: "),
                    "tee": ("tee: %s: " % end.name,) if end.name else
                           ("tee: 'standard output': ",
                            "tee: standard output: "),
                    "yes": ("yes: standard output: ",)}[self.applet]
        self.sinks.append(end)

    def prepare(self):
        if self.limited:
            resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
        if self.kind == "long":     # arguments get a quarter of the stack
            most = resource.getrlimit(resource.RLIMIT_STACK)[1]
            wanted = 32 << 20 if most < 0 else min(most, 32 << 20)
            resource.setrlimit(resource.RLIMIT_STACK, (wanted, most))

    def go(self):
        """Python ignores SIGPIPE and SIGXFSZ, and so does the box unless told
        otherwise."""
        log = os.path.join(self.folder, "log")
        command = ["strace", "-s0", "-o", log, *self.fault.options]
        for calls in self.refused:
            command += ["-e", "inject=%s:error=EPERM:when=1+" % calls]
        command += [self.box, self.applet, *self.arguments]
        short = self.glimpse and not self.fault.fatal
        prepare = self.limited or self.kind == "long"
        with tempfile.TemporaryFile() as errors:
            child = subprocess.Popen(
                command, stdin=self.stdin, stdout=self.stdout, stderr=errors,
                cwd=self.folder, restore_signals=self.sigpipe, process_group=0,
                preexec_fn=self.prepare if prepare else None)
            for fd in self.theirs:
                os.close(fd)
            timer = threading.Timer(GLIMPSE if short else HANG, self.end,
                                    [child])
            timer.start()
            self.pump(child)
            timer.cancel()
            self.status = child.wait()
            errors.seek(0)
            self.messages = errors.read().decode(errors="replace").splitlines()
        for fd in [*self.held, *self.feed]:
            os.close(fd)
        for fd in list(self.read):
            while self.take(fd):
                pass
        for sink in self.sinks:
            if sink.path:
                with open(sink.path, "rb") as f:
                    sink.got += f.read()
        for path in self.made:
            os.unlink(path)
        with open(log, errors="replace") as f:
            self.follow(f)

    def end(self, child):
        """Ends what does not end by itself, strace last, which writes its log
        then. Called by a timer, as our own write to a pipe can hang too."""
        self.hung = True
        child.terminate()
        try:
            child.wait(2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)

    def pump(self, child):
        """Feeds and reads until the child has ended."""
        poll, ended = select.poll(), os.pidfd_open(child.pid)
        poll.register(ended, select.POLLIN)
        for fd in [*self.feed, *self.read]:
            os.set_blocking(fd, False)
            poll.register(fd, select.POLLOUT if fd in self.feed else
                          select.POLLIN)
        ready = []
        while ended not in ready:
            ready = [fd for fd, _ in poll.poll()]
            for fd in ready:
                if fd != ended and not (self.give if fd in self.feed else
                                        self.take)(fd):
                    poll.unregister(fd)
        os.close(ended)

    def give(self, fd):
        """Writes the next piece. Returns whether there are more."""
        pieces = self.feed[fd]
        try:
            pieces[0] = pieces[0][os.write(fd, pieces[0]):]
        except BlockingIOError:
            return True
        except OSError:
            pieces.clear()
        if pieces and not pieces[0]:
            del pieces[0]
        if not pieces:
            del self.feed[fd]
            if self.kind == "tty":      # hanging up would say another thing
                self.held.append(fd)
            else:
                os.close(fd)
        return bool(pieces)

    def take(self, fd):
        """Reads what there is. Returns whether there may be more."""
        end = self.read[fd]
        size = min(end.limit - len(end.got), 65521) if end.limit else 1 << 20
        try:
            data = os.read(fd, size)
        except OSError:
            data = b""
        end.got += data
        if data and len(end.got) != end.limit:
            return True
        del self.read[fd]
        os.close(fd)
        return False

    def follow(self, log):
        """Learns from strace's log which calls were made, what has left each
        source, and which ends the faults were about."""
        failing = self.fault.call.split(",")
        at = {0: self.sources[-1], 1: self.sinks[0]}
        self.calls, self.hit, self.blamed = {}, False, []
        self.several = self.unlogged = self.late = False
        for line in log:
            self.hit |= "(DELAYED)" in line or \
                line.startswith("--- %s " % self.fault.kind)
            m = re.match(r"(\w+)\((.*?)\) += (?:(\d+)|-1|\?)", line)
            call = m and PLAIN_NAME.get(m[1], m[1])
            if not call:
                continue
            args, success, result = m[2].split(", "), bool(m[3]), int(m[3] or 0)
            self.calls[m[1]] = self.calls.get(m[1], 0) + 1
            fds = {"splice": (0, 2), "copy_file_range": (0, 2), "tee": (0, 1),
                   "sendfile": (1, 0)}.get(call, (0,))
            about = [at.get(int(args[i])) if args[i].isdigit() else None
                     for i in fds]
            if call == "open":
                path = args[m[1] == "openat"].strip('"')
                about = [end for end in self.sources + self.sinks
                         if end.name == path]
                if success:
                    at[result] = about[0] if about else None
            elif call == "fcntl" and args[1] == "F_DUPFD" and success:
                at[result] = about[0]
            elif call == "close":
                at.pop(int(args[0]), None)
            elif call == "brk":
                about = self.sources
            elif call == "mmap":
                about = self.sources
                self.unlogged |= args[4] != "-1"
            elif call in ("read", *MOVERS) and about[0] in self.sources:
                about[0].taken += result
            if "(INJECTED)" in line and m[1] in failing:
                self.hit = True
                self.blamed += [end for end in about if end]
                # rw can repeat without a loss what fails before a byte has
                # moved, or since a sink was given up, or after the last byte.
                source = next((end for end in about if end in self.sources),
                              None)
                self.late |= call in ("splice", "sendfile", "copy_file_range") \
                    and any(about) and (not source or len(self.sinks) == 1 and
                                        0 < source.taken < len(source.data))
                # What is stuck in a pipe of our own is lost to every sink.
                if call == "read" and about == [None]:
                    self.blamed += self.sinks
                    self.several = True

    def want(self, failed):
        """Returns what every sink must get, given the sources that failed."""
        want = b"".join(source.data[:source.taken] if source in failed and
                        not self.unlogged else source.data
                        for source in self.sources)
        if "-n" not in self.arguments:
            return want
        return b"".join(b"%6d\t%s" % (i, line) for i, line in enumerate(
            re.findall(rb"[^\n]*\n|[^\n]+", want), 1))

    def judge(self):
        """Returns what is wrong with the run, or None."""
        fault, failed = self.fault, []
        blamed = [] if fault.harmless else self.blamed
        must = {end for end in blamed if fault.final or
                fault.fatal and (self.glimpse or self.late) or
                fault.lost_write and end in self.sinks}
        for message in self.messages:
            end = next((end for end in self.sources + self.sinks
                        if end not in failed and message.startswith(end.says)),
                       None)
            if not end or not (end.doomed or end in blamed):
                return "unexpected message: " + message
            if not end.doomed and not self.unlogged and \
               message.split(": ", 2)[2] != (GNU.get(fault.kind) or
                       os.strerror(getattr(errno, fault.kind))):
                return "wrong reason: " + message
            failed.append(end)
        source_failed = not set(failed).isdisjoint(self.sources)
        if self.hung and (not self.glimpse or must):
            return "hangs"
        if fault.when.isdigit() and not self.several and \
           len([end for end in failed if not end.doomed]) > 1:
            return "several messages for one failure"
        if must and must.isdisjoint(failed):
            return "a failure that was not reported"
        if self.hung:
            return None
        clean = -signal.SIGPIPE if self.sigpipe else 0
        if self.status != (1 if failed else clean):
            return "status %d" % self.status
        want = self.want(failed)
        # What left the source by a ring or a mapping is not in the log.
        unknown = source_failed and self.unlogged
        for end in self.sinks:
            if end.doomed and end not in failed and not source_failed:
                return "no message about the end that fails: " + end.says[0]
            problem = end.problem(want, unknown or
                                  end in failed and end in blamed)
            if problem:
                return problem
        return None


