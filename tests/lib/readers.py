#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND, a tee, with sinks that are read in turn, or late. Says what is wrong with what
comes out, and else the most memory that COMMAND had, in KiB.

readers.py TURN SOURCE SINK... -- COMMAND
readers.py -- COMMAND <<LINES: once for "TURN SOURCE SINK..." of each line
    TURN is "lines", "blocks" or a number of bytes: the reader takes so much from each sink
    before it goes to the next; or "first": it reads each sink to its end before the next; or
    "late": a "stopped-" SINK is read once the others have all, or, with --lag=SIZE,drop, once
    COMMAND has ended. SOURCE is a "file", a "pipe", or, in small writes, "pieces", a "socket",
    "messages" or "long" ones, or a number of bytes: of the writes to a pipe of a page. SINK is
    a "file", a "pipe", a "socket" or a "pty"; "page" is a pipe of a page, "two" one of two,
    "large" one of 256 KiB, "tcp" a connection with the least room. The first is standard
    output, which may keep messages apart, too: "packets" is an O_DIRECT pipe, and "messages"
    a socket. The others are files, FIFOs and terminals that COMMAND opens.
"""
import fcntl
import os
import re
import select
import signal
import subprocess
import sys

import ends
from ends import LIMIT, SOCKETS, Background, channel, compare, contents, file_of, until, wrong

PAGE = os.sysconf("SC_PAGE_SIZE")
SIZES = {"page": PAGE, "two": 2 * PAGE, "large": 1 << 18}  # bytes of a pipe
LINES = [b"%07d " % n + b"x" * (n * 37 % (100 if n % 50 else 4000)) + b"\n"
         for n in range(16000)]
BLOCK = 3000            # bytes: no multiple or fraction of a page
MANY, FEW = 1500000, 30000      # bytes: whole turns; a pipe holds a few
SLOW = 24576            # bytes for what is slow: whole turns of 8 KiB
WRITES = {"pipe": 1 << 20, "pieces": 48, "socket": 1100, "messages": 64, "long": 9000}


class Sink:
    """A sink that COMMAND inherits or opens, and the end that is read."""
    def __init__(self, kind, number):
        self.late, _, self.kind = kind.rpartition("-")
        self.name, self.got = f"sink.{number}", bytearray()
        if self.kind == "file":
            self.theirs, ours = file_of(self.name, flags=os.O_RDWR), None
        elif self.kind in [*SOCKETS, "tcp", "pty", "packets"] or not number:
            self.theirs, ours = channel("pipe" if self.kind in SIZES else self.kind, out=True,
                                        room=int(self.kind == "tcp"))
        else:
            os.mkfifo(self.name)
            ours = os.open(self.name, os.O_RDONLY | os.O_NONBLOCK)
            self.theirs = os.open(self.name, os.O_WRONLY)
            os.set_blocking(ours, True)
        if self.kind in SIZES:
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, SIZES[self.kind])
        if self.kind == "pty":
            self.name = os.ttyname(self.theirs)
        self.shown = self.name if number else "standard output"
        self.end = ours and os.fdopen(ours, "rb", 1 << 16)

    def begin(self):
        """Once something has come, COMMAND has it open, and we need not."""
        if self.end and not select.select([self.end], [], [], LIMIT)[0]:
            wrong("nothing comes")
        os.close(self.theirs)

    def read(self, turn="first"):
        """Reads a turn's worth. Returns whether there may be more."""
        piece = b""
        block = int(turn) if turn.isdigit() else BLOCK
        signal.alarm(LIMIT)
        while turn == "first" or len(piece) < block:
            try:
                more = self.end.readline() if turn == "lines" else \
                    self.end.read1(65536 if turn == "first" else block - len(piece))
            except OSError:         # a terminal that nobody has open
                more = b""
            piece += more
            if not more or turn == "lines":
                break
        self.got += piece
        return bool(piece)

    def drain(self):
        for piece in ends.pieces(self.end.fileno(), [4096]):
            self.got += piece

    def had(self):
        if not self.end:
            self.got = contents(self.name)
        return len(self.got)


def begin(command, source, data, sinks):
    if source == "file":
        stdin = file_of("in", data)
    else:
        kind = {"socket": "socket", "messages": "seqpacket", "long": "seqpacket"}
        stdin, ours = channel(kind.get(source, "pipe"), room=PAGE if source.isdigit() else 0)
        Background(ends.feed, ours, data, [WRITES.get(source) or int(source)])
    # begin() of each sink closes what is theirs.
    return ends.start([*command, *(sink.name for sink in sinks[1:])], stdin=stdin,
                      stdout=os.dup(sinks[0].theirs), stderr=subprocess.PIPE)


def most_memory(child):
    """While it runs: nothing else but the program itself is in it."""
    found = re.search(rb"VmHWM:\s*(\d+)", contents(f"/proc/{child.pid}/status"))
    return int(found[1]) if found else 0


def in_turn(turn, child, sinks, data):
    left, rounds, most = sinks, 0, 0
    while left:
        if rounds % 50 == 0:
            most = most_memory(child) or most
        left = [sink for sink in left if sink.read(turn)]
        rounds += 1
    if said := ends.finish(child)[1]:
        wrong(said)
    for sink in sinks:
        compare(sink.got, data, f"{sink.kind}: ")
    return most


def check_late(sink, data, drops, said):
    """One that is given up has a beginning, and another one whole lines, of which a message
    counts those that are missing, and at a terminal lines between them, too."""
    if drops:
        if not data.startswith(sink.got) or len(sink.got) == len(data) or \
                sink.shown not in said:
            wrong(f"{sink.kind}: {len(sink.got)} bytes, no beginning: {said}")
        return
    marks = re.findall(rb"^tee: (\d+) bytes left out\n", sink.got, re.M)
    got = re.sub(rb"(?m)^tee: \d+ bytes left out\n", b"", bytes(sink.got))
    count = re.search(rf"^tee: '?{sink.shown}'?: late, (\d+) bytes left out$", said, re.M)
    missing, lines = len(data) - len(got), iter(LINES)
    if not all(line in lines for line in got.splitlines(True)):
        # Where this user's pipes are at their limit, a queue holds less than a line.
        if fcntl.fcntl(os.pipe()[0], fcntl.F_GETPIPE_SZ) < 65536:
            os._exit(77)
        wrong(f"{sink.kind}: no whole lines, or not in order")
    if not missing or not count or int(count[1]) != missing or \
            sink.kind == "pty" and sum(map(int, marks)) != missing:
        wrong(f"{sink.kind}: {missing} bytes are missing: {said}")


def late(child, sinks, data, drops):
    stopped = [sink for sink in sinks if sink.late]
    others = [sink for sink in sinks if not sink.late]
    drains = [Background(sink.drain) for sink in others if sink.end]
    until(lambda: all(sink.had() >= len(data) for sink in others),
          lambda: [len(sink.got) for sink in others])
    most = most_memory(child)
    if drops:
        child.wait(LIMIT)
    drains += [Background(sink.drain) for sink in stopped]
    said = ends.finish(child, int(bool(stopped)))[1].decode()
    for drain in drains:
        drain.result()
    for sink in others:
        compare(sink.got, data, f"{sink.kind}: ")
    for sink in stopped:
        check_late(sink, data, drops, said)
    if said.count("\n") != len(stopped):
        wrong(said)
    return most


def run(command, turn, source, *kinds):
    ends.CASE[:] = turn, source, *kinds
    sinks = [Sink(kind, i) for i, kind in enumerate(kinds)]
    data = b"".join(LINES)
    if turn != "late":
        few = turn == "first" or source in ("pieces", "messages")
        size = SLOW if "tcp" in kinds else FEW if few else MANY
        data = data[:size - 1] + b"\n"
    child = begin(command, source, data, sinks)
    for sink in sinks:
        sink.begin()
    print(late(child, sinks, data, ",drop" in " ".join(command)) if turn == "late" else
          in_turn(turn, child, sinks, data))
    for sink in sinks[1:]:
        if os.path.exists(sink.name) and sink.kind != "pty":
            os.unlink(sink.name)


def main():
    dash = sys.argv.index("--")
    signal.signal(signal.SIGALRM, lambda *_: wrong("it hangs"))
    for case in [sys.argv[1:dash]] if dash > 1 else map(str.split, sys.stdin):
        run(sys.argv[dash + 1:], *case)


if __name__ == "__main__":
    ends.drive(main)
