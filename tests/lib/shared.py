#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND on ends that change under it, or where a write is a message, and says
what is wrong with what comes out. It is run once for each option in METHODS, and once
without any.

shared.py killed SOURCE -- COMMAND
    One that writes a shared file is killed at each of its calls, and another
    goes on.
shared.py changes -- COMMAND
    A file shrinks or grows while it is copied to another.
shared.py cut -- COMMAND
    The file "in", which COMMAND names, is cut short while its output is a full pipe.
shared.py rewound -- COMMAND
    A file is cut to nothing and its position moved back while it is written to.
shared.py message SIZE SOURCE SINK -- COMMAND
    A message of text and a short one, or a file of text, which is one message. SINK may be
    a pipe or a file too.
shared.py timeout in|out KIND WORDS -- COMMAND
    SO_RCVTIMEO or SO_SNDTIMEO says EAGAIN, and that is final: once.
shared.py reset before|middle SOURCE WORDS -- COMMAND
    A TCP connection at standard output is reset.
shared.py unread -- COMMAND
    A Unix socket at standard output is closed with bytes unread. "copy" has all.
shared.py refused WORDS -- COMMAND
    A UDP port where nobody listens, and four operands.
"""
import os
import random
import re
import socket
import struct
import subprocess
import sys
import time

import ends
from ends import (SOCKETS, Background, channel, compare, connection, contents, feed, file_of,
                  take, wrong)

CALLS = 2500            # of a run that copies 16 MiB at most
KILLS = 5 if os.environ.get("WHOLE") else 3     # at each call
MUCH = bytes(16 << 20)     # more than the buffers of TCP hold
# The bytes of COMMAND's source, none of which is 0, and those that another writes.
LETTERS, DIGITS = b"abcdefghijklmnopqrstuvwxyz", b"0123456789"


def start(command, **how):
    return ends.start(command, keep=True, stderr=subprocess.PIPE, **how)


def finish(child, words=""):
    """Waits. With words, that has to be the message, and the status 1."""
    said = ends.finish(child, 1 if words else 0)[1].decode()
    if said != (words + "\n" if words else ""):
        wrong(f"status {child.returncode}: {said}")


def source_of(kind, data):
    """Returns a descriptor to read data from."""
    if kind == "file":
        return file_of("in", data)
    theirs, ours = channel("pipe")
    Background(feed, ours, data, [65536, 4096, 17, 100003, 1 << 20])
    return theirs


def position(fd):
    return os.lseek(fd, 0, os.SEEK_CUR)


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
        if position(out) != len(got):
            wrong(f"size {len(got)}, position {position(out)}")
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
    finish(child)
    if contents("out") != data:
        wrong(f"{len(contents('out'))} bytes of {len(data)}")


def connect(kind):
    if kind == "udp":
        pair = [socket.socket(type=socket.SOCK_DGRAM) for _ in "12"]
        pair[0].bind(("127.0.0.1", 0))
        pair[1].connect(pair[0].getsockname())
    else:
        pair = socket.socketpair(type=SOCKETS[kind])
    for end in pair:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return [end.detach() for end in pair]


def end(fd):
    """Datagrams have no end: an empty one is it."""
    with socket.socket(fileno=fd) as last:
        last.send(b"")


def message(size, kind, sink):
    sent = [random.randbytes(int(size)).hex().encode()[:int(size)]]
    if kind == "file":
        source = file_of("in", sent[0])
    else:
        sent.append(b"short")
        theirs, source = connect(kind)
        for data in sent:
            os.write(theirs, data)
        end(theirs)
    if sink == "file":
        ours, out = None, file_of("out", flags=os.O_WRONLY)
    else:
        ours, out = channel("pipe") if sink == "pipe" else connect(sink)
        taker = Background(take, ours)
    finish(start(COMMAND, stdin=source, stdout=out))
    if sink in ("dgram", "udp"):
        end(out)
    else:
        os.close(out)
    got = taker.result() if ours else [contents("out")]
    if ours and sink != "pipe" and got != sent or b"".join(got) != b"".join(sent):
        wrong(f"{kind} to {sink}: {[len(data) for data in got]} arrive of "
              f"{[len(data) for data in sent]}")


def timeout(end, kind, words):
    ours, theirs = connection() if kind == "inet" else socket.socketpair(type=SOCKETS[kind])
    option = socket.SO_RCVTIMEO if end == "in" else socket.SO_SNDTIMEO
    theirs.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", 0, 100000))
    traced = ["strace", "-f", "-qq", "-o", "calls", *COMMAND]
    if end == "in":
        ours.send(b"hello")
        finish(start(traced, stdin=theirs, stdout=file_of("out", flags=os.O_WRONLY)), words)
        compare(contents("out"), b"hello")
    else:
        data = MUCH if kind == "inet" else MUCH[:2 << 20]
        finish(start(traced, stdin=file_of("in", data), stdout=theirs), words)
    calls = contents("calls")
    if calls.count(b"EAGAIN") + calls.count(b"(Timeout)") > 1:
        wrong("the limit has passed twice")
    if calls.count(b"\n") > CALLS:
        wrong(f"{len(calls)} bytes of system calls")


def reset(when, kind, words):
    ours, theirs = connection()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                    struct.pack("ii", 1, 0))
    source = source_of(kind, MUCH if when == "middle" else MUCH[:2 << 20])
    if when == "before":
        ours.close()
        time.sleep(0.05)
    child = start(COMMAND, stdin=source, stdout=theirs)
    os.close(source)
    theirs.close()
    if when == "middle":
        ours.recv(300000, socket.MSG_WAITALL)
        time.sleep(0.05)    # then the buffers are full
        ours.close()
    finish(child, words)


def unread():
    ours, theirs = socket.socketpair()
    child = start(COMMAND, stdin=subprocess.PIPE, stdout=theirs, bufsize=0)
    theirs.close()
    child.stdin.write(b"1\n")
    ours.recv(1, socket.MSG_PEEK)
    ours.close()
    time.sleep(0.05)
    child.stdin.write(b"2\n")
    finish(child)
    with open("copy", "rb") as copy:
        if copy.read() != b"1\n2\n":
            wrong("copy has not all")


def refused(words):
    ours, theirs = connect("udp")
    os.close(ours)
    names = [f"in{i}" for i in range(4)]
    for name in names:
        os.close(file_of(name, bytes(100)))
    finish(start([*COMMAND, *names], stdout=theirs), words)


def main():
    global COMMAND
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    failures = []
    for option in [[], *([o] for o in os.environ.get("METHODS", "").split())]:
        COMMAND = sys.argv[split + 1:] + option
        try:
            globals()[sys.argv[1]](*sys.argv[2:split])
        except ends.Wrong as what:
            failures.append(f"{' '.join(COMMAND)}: {what}")
    if failures:
        wrong("\n".join(failures))


if __name__ == "__main__":
    ends.drive(main)
