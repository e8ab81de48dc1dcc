#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND, a tee, with sinks that one reader takes from in turn, and says
what is wrong with what comes out.

readers.py TURN SOURCE SINK... -- COMMAND
    TURN is "lines" or "blocks": the reader takes so much from each sink before
    it goes to the next; or "first": it reads each sink to its end before the
    next. SOURCE is a "file", a "pipe", or "pieces": small writes, less in all
    than a pipe takes. SINK is a "pipe", a "socket" or a "pty"; "page" is a pipe
    of a page, "nb-pipe" one that is O_NONBLOCK. The first is standard output,
    the others are FIFOs and terminals that COMMAND opens.
"""
import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import tty

HANG = 20               # seconds, after which a hang is called one
LINES = b"".join(b"%049d\n" % n for n in range(60000))
BLOCK = 3000            # bytes: no multiple or fraction of a page
PIECE = 48              # bytes
PIECES = 1350           # of them: less than 64 KiB


class Sink:
    """A sink that COMMAND inherits or opens, and the end that is read."""
    def __init__(self, kind, number):
        self.theirs, self.name = None, None
        how, _, kind = kind.rpartition("-")
        if kind == "socket":
            ours, theirs = socket.socketpair()
            ours, self.theirs = ours.detach(), theirs.detach()
        elif kind == "pty":
            ours, self.theirs = os.openpty()
            tty.setraw(self.theirs)
            self.name = os.ttyname(self.theirs)
        elif number:
            self.name = f"fifo.{number}"
            os.mkfifo(self.name)
            ours = os.open(self.name, os.O_RDWR)
        else:
            ours, self.theirs = os.pipe()
        if kind == "page":
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, 4096)
        if how == "nb":
            os.set_blocking(self.theirs, False)
        self.raw, self.got, self.ended = ours, bytearray(), False
        self.is_fifo = number and kind != "pty"

    def take(self, turn):
        """Reads a turn's worth. Returns whether there was any."""
        piece = b""
        while turn == "first" or len(piece) < BLOCK:
            try:
                more = self.end.readline() if turn == "lines" else \
                    self.end.read1(BLOCK - len(piece) if turn == "blocks"
                                   else 65536)
            except OSError:         # a terminal that nobody has open
                more = b""
            piece += more
            if not more or turn == "lines":
                break
        self.got += piece
        return bool(piece)


def start(command, source, sinks, data):
    how = {"stdin": source[0]}
    child = subprocess.Popen(
        [*command, *(s.name for s in sinks[1:])], stdout=sinks[0].theirs,
        stderr=subprocess.PIPE, process_group=0, **how)
    os.close(source[0])

    def feed():
        try:
            for at in range(0, len(data), source[2]):
                os.write(source[1], data[at:at + source[2]])
        except OSError:
            pass
        os.close(source[1])

    if source[1] is not None:
        threading.Thread(target=feed, daemon=True).start()
    return child


def main():
    dash = sys.argv.index("--")
    turn, source, *kinds = sys.argv[1:dash]
    command = sys.argv[dash + 1:]
    sinks = [Sink(kind, i) for i, kind in enumerate(kinds)]
    data = LINES if turn != "first" else LINES[:PIECE * PIECES]
    if source == "file":
        with open("in", "wb") as f:
            f.write(data)
        ends = os.open("in", os.O_RDONLY), None, 0
    else:
        ends = *os.pipe(), PIECE if source == "pieces" else 1 << 20
    if source == "pieces":
        data = LINES[:PIECE * PIECES]
    child = start(command, ends, sinks, data)
    timer = threading.Timer(HANG, os.killpg, [child.pid, signal.SIGKILL])
    timer.start()
    for sink in sinks:
        if sink.is_fifo:        # ours was open for both, so that theirs opens
            reader = os.open(sink.name, os.O_RDONLY | os.O_NONBLOCK)
            while not any(os.path.exists(f"/proc/{child.pid}/fd/{n}") and
                          os.path.samefile(f"/proc/{child.pid}/fd/{n}",
                                           sink.name) for n in range(3, 40)) \
                    and child.poll() is None:
                pass
            os.close(sink.raw)
            os.set_blocking(reader, True)
            sink.raw = reader
    for sink in sinks:
        if sink.theirs is not None:
            if sink.name and sink is not sinks[0]:
                # A terminal that tee has not opened yet would hang up.
                while not any(
                        os.path.realpath(f"/proc/{child.pid}/fd/{n}") ==
                        sink.name for n in range(3, 40)) \
                        and child.poll() is None:
                    pass
            os.close(sink.theirs)
        sink.end = os.fdopen(sink.raw, "rb", 4096)
    left = list(sinks)
    while left:
        left = [sink for sink in left if sink.take(turn)]
    said = child.communicate()[1].decode()
    timer.cancel()
    if child.returncode or said:
        return f"status {child.returncode}: {said or 'hangs'}"
    for sink, kind in zip(sinks, kinds):
        if sink.got != data:
            return f"{kind}: {len(sink.got)} bytes, and not {len(data)}"
    return None


if __name__ == "__main__":
    PROBLEM = main()
    if PROBLEM:
        sys.exit("readers.py: " + PROBLEM)
