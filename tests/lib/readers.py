#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND, a tee, with sinks that one reader takes from in turn. Says what
is wrong with what comes out, and else the most memory that COMMAND had, in KiB.

readers.py TURN SOURCE SINK... -- COMMAND
    TURN is "lines", "blocks" or a number of bytes: the reader takes so much from
    each sink before it goes to the next; or "first": it reads each sink to its end
    before the next. SOURCE is a "file", a "pipe", "pieces", which are small writes,
    "messages", which are not read together, "long" ones, "spliced", which begins
    with bytes that each have a buffer of a pipe, or a number of bytes: of the
    writes to a pipe of a page. A pipe holds all "pieces" and "messages", and all
    that is read "first". SINK is a "pipe", a "socket" or a "pty"; "page" is a pipe
    of a page, "two" one of two, "large" one of 256 KiB, "tcp" a connection with the
    least room, an "nb-pipe" is O_NONBLOCK, and a reader leaves a "leaving-pipe" in
    the middle. The first is standard output, which may keep messages apart, too, to
    be read by lines: "packets" is an O_DIRECT pipe, and "messages" a socket. The
    others are FIFOs and terminals that COMMAND opens.
"""
import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
import threading

import ends
from ends import LIMIT, SOCKETS, Background, channel, compare, file_of, start, wrong

PAGE = os.sysconf("SC_PAGE_SIZE")
SIZES = {"page": PAGE, "two": 2 * PAGE, "large": 1 << 18}  # bytes of a pipe
LINES = b"".join(b"%049d\n" % n for n in range(30000))
BLOCK = 3000            # bytes: no multiple or fraction of a page, but of all
PIECE = 48              # bytes
PIECES = 625            # of them: half of what a pipe holds
SMALL = 64              # bytes of a message, of which some fill a page
LONG = 9000             # bytes of one that is more than PIPE_BUF
ALL_SMALL = 64000       # bytes, which a pipe only holds if all pages are full
MESSAGE = 1 << 16       # bytes: the most that is read at once
LEAVES = 100000         # bytes, after which a reader leaves
FEW = 24576             # bytes, for what is slow: whole turns of 8 KiB
SINGLE = 16             # bytes that are spliced: the buffers of a pipe
WRITES = {"messages": SMALL, "long": LONG, "pieces": PIECE, "pipe": 1 << 20,
          "spliced": 1 << 20}           # bytes of each


def connection():
    """Two ends of TCP, of which neither holds more than some 2 KiB."""
    with socket.socket() as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        ear.bind(("127.0.0.1", 0))
        ear.listen()
        theirs = socket.socket()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        theirs.connect(ear.getsockname())
        return ear.accept()[0], theirs


class Sink:
    """A sink that COMMAND inherits or opens, and the end that is read."""
    def __init__(self, kind, number):
        self.name = None
        self.how, _, kind = kind.rpartition("-")
        if kind == "tcp":
            ours, self.theirs = (end.detach() for end in connection())
        elif kind in SOCKETS or kind == "pty" or not number:
            self.theirs, ours = channel(
                kind if kind in [*SOCKETS, "pty", "packets"] else "pipe", out=True)
            if kind == "pty":
                self.name = os.ttyname(self.theirs)
        else:
            self.name = f"fifo.{number}"
            os.mkfifo(self.name)
            ours = os.open(self.name, os.O_RDONLY | os.O_NONBLOCK)
            self.theirs = os.open(self.name, os.O_WRONLY)
            os.set_blocking(ours, True)
        if kind in SIZES:
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, SIZES[kind])
        if self.how == "nb":
            os.set_blocking(self.theirs, False)
        self.end, self.got = os.fdopen(ours, "rb", MESSAGE), bytearray()

    def begin(self):
        """Once something has come, COMMAND has it open, and we need not."""
        poll = select.poll()
        poll.register(self.end, select.POLLIN)
        came = poll.poll(1000 * LIMIT)
        os.close(self.theirs)
        return came

    def take(self, turn):
        """Reads a turn's worth. Returns whether there may be more."""
        piece = b""
        block = int(turn) if turn.isdigit() else BLOCK
        while turn == "first" or len(piece) < block:
            try:
                more = self.end.readline() if turn == "lines" else \
                    self.end.read1(65536 if turn == "first" else
                                   block - len(piece))
            except OSError:         # a terminal that nobody has open
                more = b""
            piece += more
            if not more or turn == "lines":
                break
        self.got += piece
        if self.how == "leaving" and len(self.got) > LEAVES:
            self.end.close()
            return False
        return bool(piece)


def feed(fd, data, by, spliced=0):
    if spliced:
        file = file_of("in", data)
        for at in range(spliced):
            os.splice(file, fd, 1, offset_src=at)
    ends.feed(fd, data[spliced:], [by])


def begin(command, source, data, sinks):
    if source == "file":
        stdin = file_of("in", data)
    else:
        stdin, ours = channel("seqpacket" if source in ("messages", "long") else "pipe",
                              room=PAGE if source.isdigit() else 0)
        by = WRITES.get(source) or int(source)
        Background(feed, ours, data, by, SINGLE if source == "spliced" else 0)
    # begin() of each sink closes what is theirs.
    return start([*command, *(sink.name for sink in sinks[1:])], stdin=stdin,
                 stdout=os.dup(sinks[0].theirs), stderr=subprocess.PIPE)


def most_memory(pid):
    """In KiB, while it runs: nothing else but the program itself is in it."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return max((int(line.split()[1]) for line in f
                    if line.startswith("VmHWM:")), default=0)


def watch(child, sinks, over):
    """Ends COMMAND once nobody gets anything any more."""
    before = -1
    while not over.wait(LIMIT):
        now = sum(len(sink.got) for sink in sinks)
        if now == before:
            child.kill()
        before = now


def main():
    dash = sys.argv.index("--")
    turn, source, *kinds = sys.argv[1:dash]
    sinks = [Sink(kind, i) for i, kind in enumerate(kinds)]
    data = LINES
    if source == "messages":
        data = LINES[:ALL_SMALL]
    elif "tcp" in kinds:
        data = LINES[:FEW]
    elif turn == "first" or source == "pieces":
        data = LINES[:PIECE * PIECES]
    child = begin(sys.argv[dash + 1:], source, data, sinks)
    over = threading.Event()
    threading.Thread(target=watch, args=(child, sinks, over), daemon=True).start()
    left = [sink for sink in sinks if sink.begin()]
    rounds = most = 0
    while left:
        if rounds % 50 == 0:
            most = most_memory(child.pid) or most
        left = [sink for sink in left if sink.take(turn)]
        rounds += 1
    said = child.communicate()[1].decode()
    over.set()
    if child.returncode == -signal.SIGKILL:
        wrong("it hangs: " + " ".join(str(len(sink.got)) for sink in sinks))
    if child.returncode or said:
        wrong(f"status {child.returncode}: {said}")
    for sink, kind in zip(sinks, kinds):
        if sink.how != "leaving" or not data.startswith(sink.got):
            compare(sink.got, data, f"{kind}: ")
    print(most)


if __name__ == "__main__":
    ends.drive(main)
