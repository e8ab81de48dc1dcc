#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Copies between random pairs of ends by given methods.

methods.py RUNS CAT METHOD[,METHOD...] [SINK]
    compares every byte, what else was in the sink, the status, and where the
    position in both files is afterwards.
methods.py truncate CAT
    cuts a file short while mmap has it mapped and waits for its reader.
"""
import os
import pty
import fcntl
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty

LIMIT = 30      # seconds, after which a hang is called one
SOURCES = "file", "middle", "pipe", "socket"
SINKS = "pipe", "socket", "file", "append", "over", "beyond"
LENGTHS = (0, 1, 4096, 32769, 65536, 131072, 131073, 1 << 20, 3000001, 8 << 20, 8388609, 12345678)
PIECES = [1 << 20], [4096, 100, 65536], [131072], [17, 100003]


class Endpoints:
    def __init__(self, chance, source, sink, length):
        self.chance, self.theirs, self.threads = chance, [], []
        self.got = bytearray()
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
            with open("in", "wb") as file:
                file.write(self.data)
            fd = os.open("in", os.O_RDONLY)
            self.position = len(self.data), os.dup(fd)
            if kind == "middle":
                os.lseek(fd, self.begin, os.SEEK_SET)
                self.data = self.data[self.begin:]
            return fd
        ours, theirs = self.connect(kind)
        self.threads.append(threading.Thread(target=self.feed, args=(ours,)))
        return theirs

    def open_sink(self, kind):
        self.before = self.after = b""
        self.is_file = kind not in ("pipe", "socket", "pty")
        self.out = None
        if not self.is_file:
            theirs, ours = self.connect(kind)[::-1] if kind != "pipe" else os.pipe()[::-1]
            self.threads.append(threading.Thread(target=self.take, args=(ours,)))
            return theirs
        old = self.chance.randbytes(self.chance.choice([3, 4096, 200001]))
        if kind == "append":
            self.before = old
        elif kind == "over":
            self.after = old[len(self.data):]
        elif kind == "beyond":
            self.before = old[:3]
            self.after = old[3 + len(self.data):]
        with open("out", "wb") as file:
            file.write(old if kind != "file" else b"")
        fd = os.open("out", os.O_WRONLY | (os.O_APPEND if kind == "append" else 0))
        if kind == "beyond":
            os.lseek(fd, 3, os.SEEK_SET)
        self.out = os.dup(fd)
        return fd

    def connect(self, kind):
        """Returns what is ours and what is theirs."""
        if kind == "socket":
            return [end.detach() for end in socket.socketpair()]
        if kind == "pty":
            ours, theirs = pty.openpty()
            tty.setraw(theirs)
            self.held = os.dup(theirs)
            return ours, theirs
        theirs, ours = os.pipe()
        if self.chance.random() < 0.3:
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, self.chance.choice([4096, 1 << 20]))
        return ours, theirs

    def feed(self, fd):
        at = 0
        while at < len(self.data):
            at += os.write(fd, self.data[at:at + self.chance.choice(self.pieces)])
            if self.chance.random() < 0.02:
                time.sleep(0.002)
        os.close(fd)

    def take(self, fd):
        while len(self.got) < len(self.data) or not hasattr(self, "held"):
            piece = os.read(fd, self.chance.choice(self.pieces))
            if not piece:
                break
            self.got += piece
            if self.chance.random() < 0.02:
                time.sleep(0.002)
        os.close(fd)

    def run(self, command):
        """Returns what is wrong, or nothing."""
        with subprocess.Popen(command, stdin=self.stdin, stdout=self.stdout,
                              stderr=subprocess.PIPE) as child:
            os.close(self.stdin)
            os.close(self.stdout)
            for thread in self.threads:
                thread.daemon = True
                thread.start()
            try:
                said = child.communicate(timeout=LIMIT)[1]
            except subprocess.TimeoutExpired:
                child.kill()
                return "hangs"
        for thread in self.threads:
            thread.join(LIMIT)
        if child.returncode or said:
            return f"status {child.returncode}: {said}"
        if self.is_file:
            with open("out", "rb") as file:
                self.got = file.read()
        want = self.before + self.data + self.after
        if self.got != want:
            return f"{len(self.got)} bytes, not {len(want)}, or not the same"
        return self.misplaced()

    def misplaced(self):
        """Another program may go on with the same open files."""
        if not self.data:
            return None
        if self.position and os.lseek(self.position[1], 0, os.SEEK_CUR) != self.position[0]:
            return "the source's position"
        if self.out and os.lseek(self.out, 0, os.SEEK_CUR) != len(self.before + self.data):
            return "the sink's position"
        return None


def copy(runs, cat, methods, sink=None):
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    for i in range(int(runs) * len(methods.split(","))):
        method = methods.split(",")[i % len(methods.split(","))]
        source, to = chance.choice(SOURCES), sink or chance.choice(SINKS)
        length = 30000 if sink == "pty" else chance.choice(LENGTHS)
        wrong = Endpoints(chance, source, to, length).run([cat, f"--method={method}"])
        if wrong:
            sys.exit(f"{method}, {source} to {to}, {length} bytes, run {i} of seed {seed}: {wrong}")


def truncate(cat):
    for size in 0, 100000, 131072, 200000, 1 << 20:
        with open("in", "wb") as file:
            file.write(b"x" * (5 << 20))
        read, write = os.pipe()
        with subprocess.Popen([cat, "--method=mmap", "in"], stdout=write,
                              stderr=subprocess.PIPE) as child:
            os.close(write)
            got = os.read(read, 1000)
            time.sleep(0.05)
            os.truncate("in", size)
            while piece := os.read(read, 1 << 20):
                got += piece
            said = child.communicate(timeout=LIMIT)[1]
            status = child.returncode
        os.close(read)
        exact = status == 0 and not said and got == b"x" * len(got) and len(got) >= size
        told = status == 1 and said == b"cat: in: Input/output error\n"
        if not exact and not told:
            sys.exit(f"cut to {size}: status {status}, {len(got)} bytes: {said}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        if sys.argv[1] == "truncate":
            truncate(*sys.argv[2:])
        else:
            copy(*sys.argv[1:])
