# SPDX-License-Identifier: 0BSD
"""One run of a scenario of scripts/faults: makes its sources and sinks, runs it
under strace(1), and judges what they hold afterwards."""
import contextlib, errno, fcntl, functools, itertools, os, random, re, resource, select
import signal, socket, subprocess, tempfile, threading, time, tty

from faults.calls import MOVERS
from faults.judge import Log
from lib import ends

LIMIT = 150001          # RLIMIT_FSIZE, where a sink is to meet it

# A byte of 64 and three that count: each four tell where they are.
DATA = b"".join(bytes((64, 12 + n // 63 ** 2, 1 + n // 63 % 63, 1 + n % 63))
                for n in range(51000))
SMALL = {"small": DATA[-2003:], "small2": DATA[-2803:-2026], "small3": DATA[-2925:-2904]}
DATA = DATA[:200003]
SIZES = 1, 4095, 65536, 13, 90003, 4097, 32768     # of what a source is fed with
MANY = "small", "file", "small2", "fifo", "small3"

# Old and new names; None: at start, at exit, or what messages are said with.
PLAIN_NAME = {"openat": "open", "ppoll": "poll", "_llseek": "lseek",
              "pread64": "read", "pwrite64": "write"} | \
    dict.fromkeys(["execve", "arch_prctl", "set_tid_address", "mprotect",
                   "exit_group", "writev", "rt_sigaction", "rt_sigreturn"])
# GNU's words, which box uses, where a C library has others.
GNU = {"EIO": "Input/output error", "ENOMEM": "Cannot allocate memory",
       "EMFILE": "Too many open files", "EDQUOT": "Disk quota exceeded",
       "EOVERFLOW": "Value too large for defined data type"}
ERRORS = {os.strerror(n): n for n in errno.errorcode} | \
    {words: getattr(errno, name) for name, words in GNU.items()}

# Prints a file. SIGTERM changes the status alone.
COMMAND = """trap c=3 TERM
head -c 1000 "$0"; tail -c +1001 "$0" %s
echo end; exit ${c:-0}"""

STATIC = "file", "stdin", *SMALL, "big", "proc"     # sources that never change


@functools.cache
def static(directory, kind):
    """Puts that source into the directory of the runs. Returns its name there, and its
    contents, or None."""
    if kind == "proc":
        # How many use what it tells of may be another number in the next run.
        return "/proc/crypto" if os.path.exists("/proc/crypto") else "/proc/devices", None
    data = SMALL.get(kind, DATA)
    if kind == "big":
        block = random.Random(7).randbytes(1 << 20)
        data = b"".join(bytes((n,)) + block for n in range(17))
    with open(os.path.join(directory, kind), "wb") as f:
        f.write(data)
    return kind, data


def right(got, want):
    """Returns how many bytes of it are what is wanted, from the first on."""
    least = min(len(got), len(want))
    return least if got[:least] == want[:least] else \
        len(os.path.commonprefix([got, want]))


class Endpoint:
    """A source or a sink: what is known before the run, and what came of it."""
    def __init__(self, **known):
        self.name = None        # as the log calls it
        self.says = ()          # how messages about it begin
        self.data = DATA        # all that a source has
        self.proc = None        # where the kernel tells it
        self.head = b""         # what a file held before
        self.limit = None       # bytes that a sink takes
        self.path = None        # of a file to read afterwards
        self.must_fail = False     # a sink that fails in any case
        self.unobservable = False     # nobody can tell what it was given
        self.nonblock = False
        self.connection = False    # a stream socket
        self.taken = 0          # bytes that left a source, says the log
        self.given = 0          # bytes that went to a sink, says the log
        self.range_end = 0      # of what lseek has reserved of it
        self.got = bytearray()
        self.fd = None          # the open file, of which the box has another
        self.position = None    # where that is afterwards
        self.late = 0           # bytes that were left out of a sink, as it says
        self.dropped = False    # a sink that was given up, as it says
        self.log = None         # what is said of it
        self.__dict__.update(known)

    def log_bytes(self, want, late):
        """Says what a sink holds, and how much of it is right."""
        want, got, log = self.head + want[:self.limit], bytes(self.got), self.log
        if self.position is not None:
            log.position, log.end = self.position, len(got)
        if late:
            got = re.sub(rb"tee: \d+ bytes left out\n", b"", got)
            if log.spared:
                got = got[:got.rfind(b"\n") + 1]
            lines = iter(want.splitlines(True))
            log.due, log.got = len(want), len(got) + self.late
            log.wrong = any(line not in lines for line in got.splitlines(True))
        elif not self.unobservable:
            log.due, log.got = len(want), right(got, want)
            log.wrong = log.got < len(got)


class Run:
    """One run of a scenario: its endpoints, and what became of them. It is broken off
    once something can be read from the descriptor stop."""
    def __init__(self, box, directory, stop, scenario, fault):
        self.box, self.directory, self.stop, self.fault = box, directory, stop, fault
        self.log = os.path.join(directory, "log")
        applet, self.kind, sinks = scenario.split("/")
        self.applet, *words = applet.split()
        self.refused = [w[1:] for w in words if w[0] == "!"]
        self.arguments = [w for w in words if w[0] == "-"]
        self.command = "--run" in self.arguments
        self.limited = "limit" in sinks
        self.unlogged = False   # whether the log tells of all transfers
        self.hung, self.status = False, None
        self.stdin, self.stdout = None, None
        self.theirs, self.held = [], []     # to close after start, after exit
        self.feed, self.read = {}, {}       # what we write, and read into
        self.sources, self.sinks, self.made = [], [], []
        for sink in sinks.split("+"):
            self.add_sink(*sink.split("-"))
        if self.command:
            self.add_command()
        else:
            for kind in MANY if self.kind == "many" else [self.kind]:
                self.add_source(*kind.split("-"))
        size = len(self.want([]))
        for end in self.sinks:
            end.must_fail &= end.limit is None or end.limit < size

    def make(self, kind, make=lambda path: None):
        """Makes a file of that kind. Returns its name and its path."""
        name = "%s.%d" % (kind, len(self.made))
        self.made.append(os.path.join(self.directory, name))
        make(self.made[-1])
        return name, self.made[-1]

    def add_source(self, kind, how=""):
        end, name = Endpoint(nonblock=how == "nb"), None
        theirs, ours = None, None
        if kind in STATIC:
            name, data = static(self.directory, kind)
            end.data = data
            if data is None:
                end.data, end.proc = ends.contents(name), name
            if self.applet == "tee" or kind == "stdin":
                theirs = os.open(os.path.join(self.directory, name),
                                 os.O_RDONLY)
        elif kind == "fifo":
            name, path = self.make(kind, os.mkfifo)
            ours = os.open(path, os.O_RDWR)
            if self.applet == "tee":
                theirs = os.open(path, os.O_RDONLY)
        else:
            theirs, ours = ends.channel(kind)
            end.connection = kind == "socket"
        if kind == "tty":
            mode = tty.tcgetattr(theirs)
            mode[:4] = 0, 0, mode[2], tty.ICANON
            tty.tcsetattr(theirs, tty.TCSANOW, mode)
            end.data = b"".join(b"%0999d\n" % i for i in range(25))
        if ours is not None:
            bounds = [0, *itertools.takewhile(
                lambda at: at < len(end.data),
                itertools.accumulate(itertools.cycle(SIZES))), None]
            pieces = [end.data[i:j] for i, j in zip(bounds, bounds[1:])]
            if kind == "tty":
                pieces = [end.data, b"\4"]
            self.feed[ours] = pieces
        if theirs is None:
            end.name = name
            self.arguments.append(name)
        else:
            self.stdin = theirs
            self.theirs.append(theirs)
            os.set_blocking(theirs, not end.nonblock)
            if kind in STATIC:
                end.fd = os.dup(theirs)
        end.says = "tee: read error: ", "tee: standard input: "
        if self.applet == "cat":
            end.says = ("cat: %s: " % end.name,) if end.name else \
                ("cat: -: ", "cat: closing standard input: ")
        self.sources.append(end)

    def add_command(self):
        name, data = static(self.directory, self.kind)
        self.arguments.remove("--run")
        self.arguments += ["--run", "sh", "-c", COMMAND % (
            ">&2" if "--stderr" in self.arguments else ""), name]
        self.sources = [Endpoint(data=data + b"end\n",
                                 says=("tee: read error: ", "tee: sh: "))]

    def add_sink(self, kind, how=""):
        named = self.stdout is not None
        end, ours, theirs = Endpoint(), None, None
        if kind in ("full", "null"):
            end = Endpoint(name="/dev/" + kind, must_fail=kind == "full",
                           unobservable=True)
            theirs = os.open(end.name, os.O_WRONLY)
        elif kind in ("file", "append", "limit"):
            end.name, end.path = self.make(kind)
            end.head = b"head\n" if kind == "append" else b""
            with open(end.path, "wb") as f:
                f.write(end.head)
            theirs = os.open(end.path, os.O_WRONLY | os.O_APPEND *
                             (kind == "append"))
            end.must_fail = self.limited
            end.limit = LIMIT - len(end.head) if self.limited else None
            if not named and kind != "append":
                end.fd = os.dup(theirs)
        elif kind == "pty":
            theirs, ours = ends.channel(kind, out=True)
            end.name = os.ttyname(theirs)
            self.held.append(os.dup(theirs))
        elif named:
            end.name, path = self.make("fifo", os.mkfifo)
            ours = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        else:
            theirs, ours = ends.channel(
                kind if kind in ends.SOCKETS else "pipe", out=True)
            end.connection = kind == "socket"
            if end.connection:  # it takes no more at once
                with socket.socket(fileno=os.dup(theirs)) as connection:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32 << 10)
        if kind == "tiny":
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, 4096)
        if kind == "gone":
            os.close(ours)
            # Where SIGPIPE is ignored, tee goes on without such a reader.
            end.unobservable, end.must_fail = True, self.applet != "tee"
        elif ours is not None:
            self.read[ours] = end
        if theirs is not None:
            self.theirs.append(theirs)
        if named:
            self.arguments.append(end.name)
        else:
            self.stdout, end.name = theirs, None
            end.nonblock = how == "nb"
            os.set_blocking(theirs, not end.nonblock)
        end.says = {"cat": ("cat: write error: ", "cat: standard output: "),
                    "tee": ("tee: %s: " % end.name,) if end.name else
                           ("tee: 'standard output': ",
                            "tee: standard output: ")}[self.applet]
        self.sinks.append(end)

    def prepare(self):
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, most))

    def go(self):
        """Python ignores SIGPIPE and SIGXFSZ, and so does the box."""
        # strace has the limit of box, too, which is not for its log.
        to = f"|ulimit -Sf unlimited; exec cat >{self.log}" if self.limited \
            else self.log
        command = ["strace", "-I2", "-s0", "-e", "abbrev=!pipe2", "-o", to,
                   *self.fault.options]
        for calls in self.refused:
            command += ["-e", "inject=%s:error=EPERM:when=1+" % calls]
        command += [self.box, self.applet, *self.arguments]
        with open(self.log, "wb"), tempfile.TemporaryFile() as errors:
            child = ends.start(
                command, keep=True, stdin=self.stdin, stdout=self.stdout, stderr=errors,
                cwd=self.directory, restore_signals=False,
                preexec_fn=self.prepare if self.limited else None)
            for fd in self.theirs:
                os.close(fd)
            ended = os.pidfd_open(child.pid)
            watch = threading.Thread(target=self.watch, args=[child, ended])
            watch.start()
            self.pump(ended)
            watch.join()
            os.close(ended)
            self.status = child.wait()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)    # whom strace let go
            errors.seek(0)
            self.messages = errors.read().decode(errors="replace").splitlines()
        if self.command:    # which tells of its own failures, too
            self.messages = [m for m in self.messages if m.startswith("tee: ")]
        for fd in [*self.held, *self.feed]:
            os.close(fd)
        for fd in list(self.read):
            while self.take(fd):
                pass
        for end in self.sources + self.sinks:
            if end.fd is not None:
                with contextlib.suppress(OSError):      # of a pipe
                    if self.fault.call != "lseek":
                        end.position = os.lseek(end.fd, 0, os.SEEK_CUR)
                os.close(end.fd)
        for sink in self.sinks:
            if sink.path:
                with open(sink.path, "rb") as f:
                    sink.got += f.read()
        for path in self.made:
            os.unlink(path)
        with open(self.log, errors="replace") as f:
            self.follow(f)

    def watch(self, child, ended):
        """Ends what does not end by itself, strace last, which writes its log then. It
        is a thread of its own, as our own write to a pipe can hang too."""
        until = time.monotonic() + ends.LIMIT
        while not self.hung:
            if select.select([ended, self.stop], [], [], ends.LIMIT)[0]:
                break
            self.hung = time.monotonic() >= until
        child.terminate()
        try:
            child.wait(2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)

    def pump(self, ended):
        """Feeds and reads until the child has ended."""
        ready = []
        for fd in [*self.feed, *self.read]:
            os.set_blocking(fd, False)
        while ended not in ready:
            ready, hungry, _ = select.select([ended, *self.read], [*self.feed], [])
            for fd in hungry:
                self.give(fd)
            for fd in ready:
                if fd != ended:
                    self.take(fd)

    def give(self, fd):
        """Writes the next piece."""
        pieces = self.feed[fd]
        try:
            pieces[0] = pieces[0][os.write(fd, pieces[0]):]
        except BlockingIOError:
            return
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

    def take(self, fd):
        """Reads what there is. Returns whether there may be more."""
        try:
            data = os.read(fd, 1 << 20)
        except OSError:
            data = b""
        self.read[fd].got += data
        if not data:
            del self.read[fd]
            os.close(fd)
        return bool(data)

    def follow(self, log):
        """Learns from strace's log which calls were made, what has left each
        source, and which endpoints the faults were about."""
        failing = self.fault.call.split(",")
        at = {0: self.sources[-1], 1: self.sinks[0]}
        self.started, self.command_status = False, None
        signals = None      # a descriptor
        self.calls, self.hit, self.blamed = {}, False, []
        self.several = self.unlogged = self.late = self.stuck = False
        for line in log:
            self.hit |= "(DELAYED)" in line or \
                line.startswith("--- %s " % self.fault.kind)
            m = re.match(r"(\w+)\((.*?)\) += (?:(\d+)|-1|\?)", line)
            call = m and PLAIN_NAME.get(m[1], m[1])
            if not call:
                continue
            args, success, result = m[2].split(", "), bool(m[3]), int(m[3] or 0)
            self.calls[m[1]] = self.calls.get(m[1], 0) + 1
            # strace does not say when a signal comes that is blocked.
            self.hit |= self.fault.kind == "SIGHUP" and \
                self.fault.when == str(self.calls.get(self.fault.call))
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
            elif call == "fcntl" and args[1].startswith("F_DUPFD") and success:
                at[result] = about[0]
            elif call == "vfork":
                self.started = True
            elif call == "signalfd4":
                signals = result
            elif call == "pipe2" and self.command and not self.started:
                at[int(args[0].strip("["))] = self.sources[0]
            elif call == "waitid" and self.command and (
                    status := re.search(r"si_status=(\w+)", line)):
                self.command_status = int(status[1]) if status[1].isdigit() else \
                    128 + getattr(signal, status[1])
            elif call == "close":
                at.pop(int(args[0]), None)
            elif call == "mmap":
                about = self.sources
                self.unlogged |= args[4].isdigit() and \
                    at.get(int(args[4])) in self.sources
            elif call == "io_uring_enter":
                self.unlogged = True
            elif call == "lseek" and about[0] and success and args[1] != "0":
                about[0].range_end = result
            elif call in ("read", "recvfrom", *MOVERS) and about[0] in self.sources:
                # More than is reserved may be read, and is then left there.
                about[0].taken += result if m[1] != "pread64" else \
                    min(result, about[0].range_end - int(args[3]))
            if call in ("write", "sendto", *MOVERS) and about[-1] in self.sinks:
                about[-1].given += result
            if "(INJECTED)" in line and m[1] in failing:
                self.hit = True
                if m[1] == "pwrite64" and args[2] == "0":
                    continue    # it asks whether others may be made
                if call == "read" and args[0] == str(signals):
                    continue    # the next call asks for signals, too
                self.blamed += [end for end in about if end]
                # rw can repeat without a loss what fails before a byte has
                # moved, or since a sink was given up, or after the last byte,
                # which somebody else may have read. What copy_file_range(2)
                # leaves of a range is read and written at once.
                source = next((end for end in about if end in self.sources),
                              None)
                connection = self.fault.kind == "ECONNRESET"
                self.late |= not connection and call in ("splice", "sendfile") \
                    and (any(end.given for end in about if end in self.sinks)
                         if not source else
                         len(self.sinks) == 1 and
                         0 < source.taken < len(source.data))
                # A connection tells its error once.
                self.late |= connection and call == "splice" and any(
                    about) and all(not end or end.connection for end in about)
                # What is stuck in a pipe of our own is lost to every sink that
                # had not failed before.
                if call == "read" and about == [None] and \
                        not self.fault.harmless:
                    self.blamed += self.sinks
                    self.several = self.stuck = True
        if self.fault.harmless:
            self.blamed = []

    def want(self, failed):
        """Returns what every sink must get, given the sources that failed."""
        told = not self.unlogged or len(self.sources) > 1
        want = b"".join(source.data[:source.taken] if source in failed and told
                        else source.data for source in self.sources)
        if self.command and self.status == 128 + signal.SIGTERM:
            return b""      # it was not ready for the signal yet
        if "-n" not in self.arguments:
            return want
        return b"".join(b"%6d\t%s" % (i, line) for i, line in enumerate(
            re.findall(rb"[^\n]*\n|[^\n]+", want), 1))

    def is_late(self, message):
        """Returns whether it tells of a sink that may be late, and is."""
        late = re.search("late(, ([0-9]+) bytes left out)?$", message)
        end = late and next((end for end in self.sinks
                             if message.startswith(end.says)), None)
        if not end or not any(a.startswith("--lag") for a in self.arguments):
            return False
        end.late, end.dropped = int(late[2] or 0), not late[1]
        return True

    def must_tell(self):
        """Returns the ends of which one must be told."""
        fault = self.fault
        must = {end for end in self.blamed if fault.final or
                fault.fatal and self.late or
                fault.lost_write and end in self.sinks}
        if self.stuck and all(end.unobservable or end.got == self.want([])
                              for end in self.sinks):
            must -= set(self.sinks)
        # cat -n reads once more what might want an aligned buffer.
        if "-n" in self.arguments and fault.kind == "EINVAL" and \
           fault.when.isdigit():
            must = set()
        return must

    def log_exit(self):
        """Returns a log of how it has ended, and by which signal it may."""
        waits = self.started and self.command_status is None
        return Log(status=max(self.status, 0), signal=max(-self.status, 0),
                   said=len(self.messages), command=self.command_status or 0,
                   may_end_by=signal.SIGTERM if self.fault.kind == "SIGTERM" and not waits else 0)

    def log_messages(self, log):
        """Returns the ends that they are about."""
        ends = [*self.sources, *self.sinks, Endpoint(says=("",))]
        for end in ends:
            end.log = log.end(end.says[0].rstrip(": "), end in self.sinks)
        for message in self.messages:
            if not self.is_late(message):
                end = next(end for end in ends if message.startswith(end.says))
                end.log.told += 1
                end.log.error = ERRORS.get(message.rsplit(": ", 1)[-1], -1)
        ends[-1].log.name = "".join(self.messages[-1:]).encode()
        return [end for end in ends if end.log.told]

    def log_failures(self, log, must, certain):
        """Says what has failed, and whether a sink that must fail certainly has."""
        ends, fault = self.sources + self.sinks, self.fault
        once = fault.when.isdigit() and not self.several
        for failed in {frozenset(must), *map(frozenset, [self.blamed] if once else
                                             zip(self.blamed))} - {frozenset()}:
            log.failure(map(ends.index, failed), 0 if self.unlogged else fault.errno,
                        failed == must)
        for end in self.sinks:
            if end.must_fail:
                log.failure([ends.index(end)], 0, certain)

    def judge(self):
        """Returns what is wrong with the run, or None."""
        must, log = self.must_tell(), self.log_exit()
        if self.hung:
            return "hangs"
        if any(end.proc and ends.contents(end.proc) != end.data for end in self.sources):
            return None     # the kernel tells something else by now
        failed = self.log_messages(log)
        for end in self.sources:
            if not failed and end.position is not None:
                end.log.position, end.log.end = end.position, len(end.data)
        want = self.want(failed)
        source_failed = not set(failed).isdisjoint(self.sources)
        # What left the source by a ring or a mapping is not in the log.
        unknown = source_failed and self.unlogged or \
            self.command and self.status == -signal.SIGTERM
        for end in self.sinks:
            end.log.spared = unknown or end.dropped or end in failed and end in self.blamed
            # One that SIGTERM ends says nothing of its gaps.
            late = end.late or unknown and any(
                a.endswith(",skip") for a in self.arguments)
            end.log_bytes(want, late)
        certain = bool(want) and not unknown and not source_failed
        self.log_failures(log, must, certain)
        return log.judge()
