#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND on files that change under it, and says what is wrong with what comes out.

shared.py killed SOURCE -- COMMAND
    One that writes a shared file is killed at each of its calls, and another
    goes on.
shared.py changes -- COMMAND
    A file shrinks or grows while it is copied to another.
shared.py cut -- COMMAND
    The file "in", which COMMAND names, is cut short while its output is a full pipe.
shared.py rewound -- COMMAND
    A file is cut to nothing and its position moved back while it is written to.
"""
import os
import random
import re
import subprocess
import sys
import time

import ends
from ends import Background, channel, contents, feed, file_of, take, wrong

KILLS = 5 if os.environ.get("WHOLE") else 3     # at each call
# The bytes of COMMAND's source, none of which is 0, and those that another writes.
LETTERS, DIGITS = b"abcdefghijklmnopqrstuvwxyz", b"0123456789"


def start(command, **how):
    return ends.start(command, keep=True, stderr=subprocess.PIPE, **how)


def source_of(kind, data):
    """Returns a descriptor to read data from."""
    if kind == "file":
        return file_of("in", data)
    theirs, ours = channel("pipe")
    Background(feed, ours, data, [65536, 4096, 17, 100003, 1 << 20])
    return theirs


def text(size):
    return random.randbytes(size).translate((LETTERS * 10)[:256])


def killed(kind):
    """At each of the calls that move bytes or a position. Which are made is
    known from a run that is not killed."""
    data, behind = text(3 << 20), DIGITS * 100
    calls = ("lseek", "read", "write", "pwrite64", "pwritev2", "splice", "tee",
             "sendfile", "copy_file_range", "ioctl", "io_uring_enter")
    times = [("none", 1)]
    while times:
        call, at = times.pop()
        source = source_of(kind, data)
        out = file_of("out", flags=os.O_RDWR)
        inject = ["-e", f"inject={call}:signal=KILL:when={at}"]
        child = start(["strace", "-f", "-qq", "-o", "calls",
                       *(inject if call != "none" else []), *COMMAND],
                      stdin=source, stdout=out)
        os.close(source)
        ends.finish(child, *range(-64, 256))
        os.write(out, behind)
        got = contents("out")
        if got.translate(None, LETTERS) != behind or \
           not data.startswith(got.translate(None, DIGITS)):
            wrong(f"killed at {call} {at}: {got.count(0)} zeros")
        if os.path.exists("copy") and not data.startswith(contents("copy")):
            wrong(f"killed at {call} {at}: the copy is not a beginning")
        os.close(out)
        if call == "none":
            with open("calls", encoding="utf-8") as file:
                made = re.findall(r"^\d+ +(\w+)\(", file.read(), re.M)
            times = [(call, at) for call in calls
                     for at in range(1, min(made.count(call), KILLS) + 1)]


def changes():
    """Nothing may be there that was never in the source."""
    whole, data = 2 << 20, text(3 << 20)
    for i in range(4):
        source = file_of("in", data[:whole])
        out = file_of("out", flags=os.O_WRONLY)
        child = start(COMMAND, stdin=source, stdout=out)
        time.sleep(random.random() * 0.004)
        least = whole
        if i:
            least = random.choice([0, 5000, 65536, 1 << 20, 1999999])
            os.truncate("in", least)
        else:
            with open("in", "ab") as file:
                file.write(data[whole:])
        said = ends.finish(child, 0, 1)[1]
        got = contents("out")
        if os.lseek(out, 0, os.SEEK_CUR) != len(got):
            wrong(f"size {len(got)}, and a position elsewhere")
        # What is cut off becomes zeros, in some order, while it is on its way.
        same = data.startswith(got) or got.startswith(data[:least]) and all(
            byte in (0, want) for byte, want in zip(got[least:], data[least:]))
        told = child.returncode == 1 and b": Input/output error\n" in said
        if not told and (child.returncode or said or len(got) < least or
                         not same):
            wrong(f"status {child.returncode}, {len(got)} bytes of at least "
                  f"{least}: {said}")
        os.close(source)
        os.close(out)


def cut():
    for size in 0, 100000, 131072, 200000, 1 << 20:
        os.close(file_of("in", b"x" * (5 << 20)))
        out, ours = channel("pipe", out=True)
        child = start(COMMAND, stdout=out)
        os.close(out)
        got = os.read(ours, 1000)
        time.sleep(0.05)
        os.truncate("in", size)
        got += b"".join(take(ours))
        said = ends.finish(child, 0, 1)[1]
        exact = not said and got == b"x" * len(got) and len(got) >= size
        if not exact and said != b"cat: in: Input/output error\n":
            wrong(f"cut to {size}: {len(got)} bytes: {said}")


def rewound():
    source, ours = os.pipe()
    out = file_of("out", flags=os.O_WRONLY)
    child = start(COMMAND, stdin=source, stdout=out)
    for data in b"x" * 100000, b"y" * 50000:
        os.ftruncate(out, 0)
        os.lseek(out, 0, os.SEEK_SET)
        os.write(ours, data)
        ends.until(lambda data=data: os.fstat(out).st_size >= len(data))
    os.close(ours)
    os.close(source)
    ends.finish(child)
    if contents("out") != data:
        wrong(f"{len(contents('out'))} bytes of {len(data)}")


if __name__ == "__main__":
    split = sys.argv.index("--")
    COMMAND = sys.argv[split + 1:]
    ends.drive({f.__name__: f for f in (killed, changes, cut, rewound)}[sys.argv[1]],
               *sys.argv[2:split])
