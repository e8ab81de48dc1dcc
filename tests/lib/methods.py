#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Copies between random pairs of ends by given methods.

methods.py RUNS CAT METHOD[,METHOD...] [SINK]
    compares every byte, what else was in the sink, the status, and where the
    position in both files is afterwards.
methods.py truncate CAT
    cuts a file short while mmap has it mapped and waits for its reader.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

import ends
from ends import Background, channel, compare, contents, feed, file_of, finish, start, take, wrong

SOURCES = "file", "middle", "pipe", "socket"
SINKS = "pipe", "socket", "file", "append", "over", "beyond"
LENGTHS = (0, 1, 4096, 32769, 65536, 131072, 131073, 1 << 20, 3000001, 8 << 20, 8388609, 12345678)
PIECES = [1 << 20], [4096, 100, 65536], [131072], [17, 100003]


class Endpoints:
    def __init__(self, chance, source, sink, length):
        self.chance, self.feeder, self.taker = chance, None, None
        self.kept = []
        self.data = chance.randbytes(length)
        self.pieces = chance.choice(PIECES)
        if length > 4 << 20:
            self.pieces = [1 << 20, 70001]
        self.begin = min(chance.choice([0, 1, 4096, 70000]), length)
        self.stdin = self.open_source(source)
        self.stdout = self.open_sink(sink)
        for fd in self.stdin, self.stdout:
            os.set_blocking(fd, chance.random() < 0.7)

    def open_source(self, kind):
        self.position = None
        if kind in ("file", "middle"):
            fd = file_of("in", self.data)
            self.position = len(self.data), self.keep(os.dup(fd))
            if kind == "middle":
                os.lseek(fd, self.begin, os.SEEK_SET)
                self.data = self.data[self.begin:]
            return fd
        theirs, ours = channel(kind, room=self.room(kind))
        self.feeder = feed, ours, self.data, self.sizes(), self.pauses()
        return theirs

    def open_sink(self, kind):
        self.before = self.after = b""
        self.is_file = kind not in ("pipe", "socket", "pty")
        self.out = None
        if not self.is_file:
            theirs, ours = channel(kind, out=True)
            # What a terminal has not been read of goes with its last descriptor.
            most = 1 << 40
            if kind == "pty":
                self.keep(os.dup(theirs))
                most = len(self.data)
            self.taker = take, self.keep(ours), self.sizes(), self.pauses(), most
            return theirs
        old = self.chance.randbytes(self.chance.choice([3, 4096, 200001]))
        if kind == "append":
            self.before = old
        elif kind == "over":
            self.after = old[len(self.data):]
        elif kind == "beyond":
            self.before = old[:3]
            self.after = old[3 + len(self.data):]
        fd = file_of("out", old if kind != "file" else b"",
                     os.O_WRONLY | (os.O_APPEND if kind == "append" else 0))
        if kind == "beyond":
            os.lseek(fd, 3, os.SEEK_SET)
        self.out = self.keep(os.dup(fd))
        return fd

    def keep(self, fd):
        """Until the end of this run."""
        self.kept.append(fd)
        return fd

    def room(self, kind):
        """Of a pipe, or 0 for what it has."""
        if kind != "pipe" or self.chance.random() >= 0.3:
            return 0
        return self.chance.choice([4096, 1 << 20])

    def sizes(self):
        return [self.chance.choice(self.pieces) for _ in range(100)]

    def pauses(self):
        return [0.002 if self.chance.random() < 0.02 else 0 for _ in range(100)]

    def run(self, command):
        child = start(command, stdin=self.stdin, stdout=self.stdout, stderr=subprocess.PIPE)
        if self.feeder:
            self.feeder = Background(*self.feeder)
        if self.taker:
            self.taker = Background(*self.taker)
        said = finish(child)[1]
        if said:
            wrong(said)
        got = contents("out") if self.is_file else b"".join(self.taker.result())
        compare(got, self.before + self.data + self.after)
        self.misplaced()
        for fd in self.kept:
            os.close(fd)

    def misplaced(self):
        """Another program may go on with the same open files."""
        if not self.data:
            return
        if self.position and os.lseek(self.position[1], 0, os.SEEK_CUR) != self.position[0]:
            wrong("the source's position")
        if self.out and os.lseek(self.out, 0, os.SEEK_CUR) != len(self.before + self.data):
            wrong("the sink's position")


def copy(runs, cat, methods, sink=None):
    chance = random.Random(SEED)
    for i in range(int(runs) * len(methods.split(","))):
        method = methods.split(",")[i % len(methods.split(","))]
        source, to = chance.choice(SOURCES), sink or chance.choice(SINKS)
        length = 30000 if sink == "pty" else chance.choice(LENGTHS)
        ends.CASE[:] = f"run {i}", method, f"{source} to {to}", f"{length} bytes"
        Endpoints(chance, source, to, length).run([cat, f"--method={method}"])


def truncate(cat):
    for size in 0, 100000, 131072, 200000, 1 << 20:
        ends.CASE[:] = [f"cut to {size}"]
        os.close(file_of("in", b"x" * (5 << 20)))
        write, read = channel("pipe", out=True)
        child = start([cat, "--method=mmap", "in"], stdout=write, stderr=subprocess.PIPE)
        got = os.read(read, 1000)
        time.sleep(0.05)
        os.truncate("in", size)
        got += b"".join(take(read))
        said = finish(child, 0, 1)[1]
        status = child.returncode
        os.close(read)
        exact = status == 0 and not said and got == b"x" * len(got) and len(got) >= size
        told = status == 1 and said == b"cat: in: Input/output error\n"
        if not exact and not told:
            wrong(f"status {status}, {len(got)} bytes: {said}")


def main(*args):
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        if args[0] == "truncate":
            truncate(*args[1:])
        else:
            copy(*args)


if __name__ == "__main__":
    SEED = int(os.environ.get("SEED") or random.randrange(1 << 32))
    ends.drive(main, *sys.argv[1:], seed=SEED)
