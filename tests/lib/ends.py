# SPDX-License-Identifier: 0BSD
"""The ends of a program, for the drivers of tests: makes them, starts the program on
them, feeds it, takes what comes, waits and compares. What is wrong ends a driver with
the case and the command that repeats it."""
import fcntl
import itertools
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
import tty

LIMIT = int(os.environ.get("HANG", "300"))    # seconds, after which a hang is called one
SOCKETS = {"socket": socket.SOCK_STREAM, "stream": socket.SOCK_STREAM,
           "dgram": socket.SOCK_DGRAM, "seqpacket": socket.SOCK_SEQPACKET,
           "messages": socket.SOCK_SEQPACKET}
CASE = []       # what a driver does now, in words
CHILDREN = []   # that it has started, and that have not ended


class Wrong(Exception):
    """What is wrong with a program."""


def wrong(what):
    raise Wrong(what)


# --- Ends ---

def connection(room=0):
    """Returns both ends of TCP: who has connected, and who has accepted. With a room of 1
    neither holds more than some 2 KiB."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        near = socket.socket()
        if room:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
            near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, room)
        near.connect(server.getsockname())
        return near, server.accept()[0]


def channel(kind, out=False, room=0):
    """Returns the program's end and ours, as numbers: of a pipe (packets with
    O_DIRECT) or of TCP that holds room, or as much as others; of a Unix socket, or of
    a terminal as it is at first (tty), or a raw one (pty). With out the program
    writes."""
    if kind in ("pipe", "packets"):
        ends = os.pipe2(os.O_DIRECT if kind == "packets" else 0)
        if room:
            fcntl.fcntl(ends[0], fcntl.F_SETPIPE_SZ, room)
        return ends[::-1] if out else ends
    if kind in ("tty", "pty"):
        ours, theirs = os.openpty()
        if kind == "pty":
            tty.setraw(theirs)
        return theirs, ours
    pair = connection(room) if kind == "tcp" else socket.socketpair(type=SOCKETS[kind])
    return tuple(end.detach() for end in pair)


def file_of(name, data=b"", flags=os.O_RDONLY):
    """Returns a descriptor of a new file that has the data."""
    with open(name, "wb") as file:
        file.write(data)
    return os.open(name, flags)


def contents(name):
    with open(name, "rb") as file:
        return file.read()


# --- The program ---

def start(command, keep=False, **how):
    """The program has a session of its own. Its ends are closed here, unless kept."""
    child = subprocess.Popen(command, start_new_session=True, **how)
    CHILDREN[:] = [one for one in CHILDREN if one.returncode is None] + [child]
    for end in {how.get("stdin"), how.get("stdout"), how.get("stderr")}:
        if not keep and isinstance(end, int) and end > 2:
            os.close(end)
    return child


def kill(child):
    """Ends a child and its group, unless it has ended."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def control(terminal):
    """Makes it the controlling one, in a program that is started."""
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def outcome(child):
    """Waits for the end. Returns the status, as a shell has it, and what came by pipes
    of Popen's own."""
    try:
        said = child.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        kill(child)
        wrong("it hangs")
    status = child.returncode
    return status if status >= 0 else 128 - status, *said


def finish(child, *statuses):
    """Waits for the end with one of these statuses of Popen's, or 0. Returns what came
    by pipes of its own."""
    said = outcome(child)[1:]
    if child.returncode not in (statuses or (0,)):
        wrong(f"status {child.returncode}: {said[1] or b''}")
    return said


def sleeps(child):
    """Whether it waits for something that may never come."""
    return b"\nState:\tS" in contents(f"/proc/{child.pid}/status")


# --- What goes in and comes out ---

class Background(threading.Thread):
    """Does work meanwhile."""
    def __init__(self, work, *args):
        super().__init__(target=self.do, args=(work, *args), daemon=True)
        self.value, self.failure = None, None
        self.start()

    def do(self, work, *args):
        try:
            self.value = work(*args)
        except (Wrong, OSError) as failure:
            self.failure = failure

    def result(self):
        self.join(LIMIT)
        if self.is_alive():
            wrong("it hangs")
        if self.failure:
            raise self.failure
        return self.value


def feed(fd, data, sizes=(1 << 20,), pauses=(0,)):
    """Writes data in pieces of these sizes with these pauses, again and again, as long
    as somebody reads, and closes the descriptor."""
    at, data = 0, memoryview(data)
    try:
        for size, pause in zip(itertools.cycle(sizes), itertools.cycle(pauses)):
            if at >= len(data):
                break
            at += os.write(fd, data[at:at + size])
            if pause:
                time.sleep(pause)
    except OSError:
        pass
    os.close(fd)


def held(fd):
    """How many bytes can be read from a pipe, a socket or a terminal."""
    return int.from_bytes(fcntl.ioctl(fd, termios.FIONREAD, bytes(4)), sys.byteorder)


def fill(fd, size=4096):
    """Writes pieces until nothing more is taken now, and returns how much was."""
    taken = 0
    os.set_blocking(fd, False)
    try:
        while True:
            taken += os.write(fd, bytes(size))
    except BlockingIOError:
        os.set_blocking(fd, True)
    return taken


def fill_until_stuck(fd, child):
    """Writes to the pipe that the child reads until it sleeps for its output. Returns
    how much was taken."""
    taken = 0

    def stuck():
        nonlocal taken
        waits = sleeps(child)
        more = fill(fd)
        taken += more
        return waits and not more

    until(stuck, lambda: taken)
    return taken


def pieces(fd, sizes=(1 << 20,), pauses=(0,), most=1 << 40):
    """Yields what each read gives, of these sizes and with these pauses, until nothing
    or the most has come."""
    left = most
    try:
        for size, pause in zip(itertools.cycle(sizes), itertools.cycle(pauses)):
            if left and not select.select([fd], [], [], LIMIT)[0]:
                wrong("nothing comes")
            piece = os.read(fd, min(size, left))
            if not piece:
                break
            yield piece
            left -= len(piece)
            if pause:
                time.sleep(pause)
    except OSError:     # a terminal that nobody has open, or a reset
        pass


def take(*args, **how):
    """Returns all of these pieces."""
    return list(pieces(*args, **how))


def expect(file, want):
    """That comes, though nothing more goes in."""
    got = b"".join(take(file.fileno(), most=len(want)))
    if got != want:
        wrong(f"{got!r} came, not {want!r}")


def compare(got, want, of=""):
    if got != want:
        right = len(os.path.commonprefix([bytes(got), bytes(want)]))
        wrong(f"{of}{len(got)} bytes, of which {right} are right, and not {len(want)}")


def until(condition, what=lambda: ""):
    """Waits as long as what() tells of something new."""
    said, end = None, 0
    while not condition():
        now = what()
        if now != said:
            said, end = now, time.monotonic() + LIMIT
        elif time.monotonic() > end:
            wrong(f"it hangs: {now}")
        time.sleep(0.002)


# --- The driver ---

def drive(work, *args, seed=None):
    """Does the work of a driver, and exits with the status that it returns, or with 125
    after what is wrong."""
    try:
        status = work(*args)
    except Wrong as what:
        name = os.path.basename(sys.argv[0])
        again = f"SEED={seed} " if seed is not None else ""
        print(": ".join([name, *map(str, CASE), str(what)]),
              f"again: {again}{shlex.join(sys.argv)}", sep="\n", file=sys.stderr)
        for child in CHILDREN:
            kill(child)
        status = 125
    sys.stdout.flush()
    # A thread may hang in a write.
    os._exit(status or 0)
