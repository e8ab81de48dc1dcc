#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND, a tee with --lag, with sinks that nobody reads from until the
others have all, and says what is wrong with what comes out.

late.py WHAT SOURCE SINK... -- COMMAND
    WHAT is what becomes of sinks that are late: "wait:BYTES", where BYTES is the
    most that one may be later than others, "skip", with ":KIB" of the memory
    that COMMAND may take, "drop", or "resume": "skip", and after a while those
    who were late read on, or "xoff": "skip", where ^S is typed at a terminal in
    the middle, and ^Q when the others have all. SOURCE is a "file", a "pipe",
    "pieces": small writes, "buffers": small pieces that are spliced, a "socket",
    "sent": small pieces by a socket, or a "pty". SINK is a "file", or one of those
    of readers.py, of which "stopped-" ones are not read from at first. The first is
    standard output.
"""
import ctypes
import fcntl
import os
import re
import select
import subprocess
import sys
import termios
import threading
import time

import ends
from ends import LIMIT, Background, channel, contents, start, until, wrong
from readers import Sink

LINES = [b"%07d " % n + b"x" * (n * 37 % (100 if n % 50 else 4000)) + b"\n"
         for n in range(30000)]
SMALL = LINES[:7000]            # for a source that is slow
PIPE_BUF = 4096
OVER_QUOTA = 77                 # the status


class File:
    def __init__(self, number):
        self.name, self.how, self.kind = f"file.{number}", "", "file"
        self.number = number
        self.theirs = -1
        if not number:
            self.theirs = os.open(self.name, os.O_WRONLY | os.O_CREAT)

    @property
    def got(self):
        return contents(self.name) if os.path.exists(self.name) else b""

    def has(self):
        return os.path.getsize(self.name) if os.path.exists(self.name) else 0


class Reader(Sink):
    """A sink that a thread reads to its end, once it is told to."""
    def __init__(self, kind, number):
        super().__init__(kind, number)
        self.kind, self.number = kind.rpartition("-")[2], number
        self.thread = threading.Thread(target=self.run, daemon=True)

    def has(self):
        return len(self.got)

    def read(self):
        try:
            piece = os.read(self.end.fileno(), 4096)
        except OSError:             # a terminal that nobody has open
            piece = b""
        self.got += piece
        return piece

    def run(self):
        while self.read():
            pass


def new_sink(kind, number):
    return File(number) if kind == "file" else Reader(kind, number)


class Source:
    """What COMMAND reads; lines are given to it bit by bit."""
    def __init__(self, kind):
        self.kind, self.given = kind, 0
        if kind == "file":
            self.ours, self.theirs = -1, os.open("in", os.O_RDWR | os.O_CREAT)
        elif kind == "pty":
            self.theirs, self.ours = channel("tty")
            mode = termios.tcgetattr(self.theirs)
            mode[3] &= ~termios.ECHO
            termios.tcsetattr(self.theirs, termios.TCSANOW, mode)
        else:
            self.theirs, self.ours = channel(
                "socket" if kind in ("socket", "sent") else "pipe")

    def give(self, lines):
        data = b"".join(lines)
        self.given += len(data)
        if self.kind == "file":
            os.pwrite(self.theirs, data, self.given - len(data))
        elif self.kind == "pieces":
            for line in lines:
                os.write(self.ours, line)
        elif self.kind == "sent":
            for i in range(0, len(data), 1100):
                os.write(self.ours, data[i:i + 1100])
        elif self.kind == "buffers":
            with open("buffers", "w+b") as f:
                f.write(data)
                f.flush()
                f.seek(0)
                for line in lines:
                    n = len(line)
                    while n:
                        n -= os.splice(f.fileno(), self.ours, min(n, 100))
        else:
            with open(self.ours, "wb", 0, closefd=False) as f:
                while data:
                    data = data[f.write(data):]

    def end(self):
        if self.kind == "pty":
            os.write(self.ours, b"\4")
        elif self.ours >= 0:
            os.close(self.ours)


def name_of(sink):
    return sink.name if sink.number else "standard output"


def has_small_pipes():
    """Whether this user's pipes are at their limit: what runs beside may hold them all.
    A new one has two pages then, --lag holds less than a line, and cuts one."""
    return fcntl.fcntl(os.pipe()[0], fcntl.F_GETPIPE_SZ) < 65536


def check_skipped(sink, said):
    """Whole lines, gaps between them, and the count of what is missing."""
    lines, told = sink.got.splitlines(True), 0
    if sink.kind == "pty":
        marks = [re.fullmatch(rb"tee: (\d+) bytes left out\n", line) for line in lines]
        told = sum(int(mark[1]) for mark in marks if mark)
        lines = [line for line, mark in zip(lines, marks) if not mark]
    for line in lines:
        if not re.match(rb"\d{7} ", line) or line != LINES[int(line[:7])]:
            if has_small_pipes():
                os._exit(OVER_QUOTA)
            wrong(f"{name_of(sink)}: {line[:100]} is no whole line, from {source.kind}")
    numbers = [int(line[:7]) for line in lines]
    if numbers[0] or sorted(set(numbers)) != numbers:
        wrong(f"{name_of(sink)}: lines are not in order")
    name = name_of(sink)
    count = re.search(rf"^tee: '?{name}'?: late, (\d+) bytes left out$", said, re.M)
    missing = source.given - sum(map(len, lines))
    if not missing or not count or int(count[1]) != missing:
        wrong(f"{name}: {missing} bytes are missing: {said}")
    if sink.kind == "pty" and told != missing:
        wrong(f"{name}: {told} bytes in the lines of {missing}")


def check(what, sinks, status, said):
    lost = False
    data = b"".join(LINES)[:source.given]
    for sink in sinks:
        if sink.how != "stopped" or what == "wait":
            if sink.got != data:
                wrong(f"{sink.name}: {len(sink.got)} of {len(data)} bytes: {said}")
            continue
        lost = True
        if what == "drop":
            if not data.startswith(sink.got) or len(sink.got) == len(data):
                wrong(f"{sink.name}: {len(sink.got)} bytes, no beginning")
            if name_of(sink) not in said:
                wrong(f"{sink.name} is not named: {said}")
        else:
            check_skipped(sink, said)
    if status != lost or said.count("\n") != lost * sum(s.how == "stopped" for s in sinks):
        wrong(f"status {status}: {said}")


def resume(stopped):
    """Lines arrive again where they did not. Returns how many were given."""
    n = len(SMALL)
    for sink in stopped:
        sink.thread.start()
        before = n
        while not any(LINES[i] in sink.got[-100000:] for i in range(before, n)):
            if n > before + 10000:
                wrong(f"{sink.name}: its gap does not end")
            # A run that begins and ends within a line.
            source.give([LINES[n][20:], LINES[n + 1][:20]] if n > before else
                        [LINES[n], LINES[n + 1][:20]])
            n += 1
            time.sleep(0.001)
        source.give([LINES[n][20:]])
        n += 1
    return n


def type_at(sink, key):
    os.write(sink.end.fileno(), key)


def stop(sink):
    mode = termios.tcgetattr(sink.end)
    mode[0] |= termios.IXON
    termios.tcsetattr(sink.end, termios.TCSANOW, mode)
    until(lambda: sink.read() and sink.has() > 20000, lambda: "the first bytes")
    time.sleep(0.01)
    type_at(sink, b"\x13")


def run(what, limit, sinks, child):
    live = [s for s in sinks if s.kind != "file" and s.how != "stopped"]
    stopped = [s for s in sinks if s.how == "stopped"]
    files = [s for s in sinks if s.kind == "file"]
    lines = SMALL if source.kind == "pty" or what in ("resume", "xoff") else LINES
    feeder = Background(source.give, lines)
    if source.kind == "file":
        feeder.result()
    os.set_blocking(source.theirs, True)
    for sink in sinks:
        if sink.kind != "file" and not select.select([sink.end], [], [], LIMIT)[0]:
            wrong("it hangs: nothing comes")
        if sink.theirs >= 0:
            os.close(sink.theirs)
    if what == "drop":      # while nobody reads, nobody is late
        time.sleep(0.2)
    for sink in live:
        sink.thread.start()
    total = sum(map(len, lines))
    if what == "xoff":
        for sink in stopped:
            stop(sink)
    if what == "wait":
        for sink in stopped:
            until(lambda: all(f.has() >= limit / 2 for f in files), lambda: "the first bytes")
            time.sleep(0.05)
            while sink.has() < total:
                if any(f.has() - sink.has() > limit for f in files):
                    wrong("others are too far ahead")
                sink.read()
    else:
        until(lambda: all(s.has() >= total for s in live + files), lambda: " ".join(
            f"{s.name}: {s.has()} of {total}" for s in live + files))
    if limit and what == "skip":
        with open(f"/proc/{child.pid}/status", encoding="ascii") as status:
            used = int(re.search(r"VmHWM:\s*(\d+)", status.read())[1])
        if used > limit:
            wrong(f"it takes {used} KiB")
    feeder.result()
    given = resume(stopped) if what == "resume" else 0
    if given:
        source.give(LINES[given:given + 50])
        until(lambda: all(s.got.endswith(LINES[given + 49]) for s in stopped),
              lambda: "the last lines")
    source.end()
    if what == "drop":
        child.wait(LIMIT)
    for sink in live + stopped:
        if what == "xoff" and sink in stopped:
            type_at(sink, b"\x11")
        if not sink.thread.ident:
            sink.thread.start()
    said = child.communicate()[1].decode()
    for sink in live + stopped:
        sink.thread.join(LIMIT)
    check(what, sinks, child.returncode, said)


def never_more():
    """Whoever may enlarge pipes beyond pipe-max-size is not late with these lines."""
    PR_CAPBSET_DROP, CAP_SYS_RESOURCE = 24, 24
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE)


def main():
    dash = sys.argv.index("--")
    what, _, limit = sys.argv[1].partition(":")
    sinks = [new_sink(kind, i) for i, kind in enumerate(sys.argv[3:dash])]
    if source.kind == "file":
        source.give(LINES)
        source.given = 0
    child = start([*sys.argv[dash + 1:], *(s.name for s in sinks[1:])],
                  stdin=os.dup(source.theirs), stdout=os.dup(sinks[0].theirs),
                  stderr=subprocess.PIPE, preexec_fn=never_more)
    timer = threading.Timer(10 * LIMIT, ends.kill, [child])
    timer.start()
    try:
        run(what, int(limit or 0), sinks, child)
    except (ends.Wrong, subprocess.TimeoutExpired) as problem:
        ends.kill(child)
        wrong(problem)
    finally:
        timer.cancel()


if __name__ == "__main__":
    source = Source(sys.argv[2])
    ends.drive(main)
