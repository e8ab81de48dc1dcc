#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND on ends that others use at the same time, or where a write is a
message, and says what is wrong with what comes out. It is run once for each
option in METHODS, and once without any.

shared.py writers AT WRITER... -- COMMAND
    Several write one open file from AT on: commands that read a "pipe" or a
    "file", and we by "write". "@" in COMMAND is the number of the writer.
shared.py readers SINK... -- COMMAND
    Several read one open file: commands that write to a "pipe", a "file" or
    "null", and we by "read".
shared.py killed SOURCE -- COMMAND
    One that writes a shared file is killed at each of its calls, and another
    goes on.
shared.py rest SINK WORDS -- COMMAND
    What a sink that fails early leaves in the source: "full", or "gone".
shared.py room DIRECTORY SOURCE WORDS -- COMMAND
    A sink that fills up. Without a DIRECTORY it is RLIMIT_FSIZE that does it, and
    another writer goes on.
shared.py changes -- COMMAND
    A file shrinks or grows while it is copied to another.
shared.py message SIZE SOURCE SINK -- COMMAND
    A message of text and a short one. SINK may be a pipe or a file too.
shared.py cut SIZE SOURCE WORDS -- COMMAND
    A message that no buffer holds, after a short one: only that comes out.
shared.py packets -- COMMAND
    A pipe of packets goes into one that is read by 7 bytes.
shared.py operands SINK -- COMMAND
    Three files are three messages.
shared.py blocks SOURCE SINK [SIZE] -- COMMAND
    How a file or a pipe goes into a Unix datagram socket or to UDP. With a SIZE,
    that is one message.
shared.py rewound -- COMMAND
    A file is cut to nothing and its position moved back while it is written to.
shared.py toggled KIND in|out -- COMMAND
    Another process sets O_NONBLOCK on the pipe, socket or terminal (pty) and
    clears it again, all the time.
shared.py timeout in|out KIND WORDS -- COMMAND
    SO_RCVTIMEO or SO_SNDTIMEO says EAGAIN, and that is final: once.
shared.py reset before|middle SOURCE WORDS -- COMMAND
    A TCP connection at standard output is reset.
shared.py unread -- COMMAND
    A Unix socket at standard output is closed with bytes unread. "copy" has all.
shared.py refused WORDS -- COMMAND
    A UDP port where nobody listens, and four operands.
"""
import fcntl
import functools
import itertools
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time

import ends
from ends import (SOCKETS, Background, channel, compare, connection, contents, feed, file_of,
                  take, wrong)

CALLS = 2500            # system calls of a run that copies 16 MiB at most
SIZE, KILLS = (8 << 20, 5) if os.environ.get("WHOLE") else (3 << 20, 3)
MUCH = bytes(16 << 20)     # more than the buffers of TCP hold
HEAD = b"\xff" * 12345
LIMIT = (1 << 20) + 1
PIECES = 65536, 4096, 17, 100003, 1 << 20


def start(command, **how):
    return ends.start(command, keep=True, stderr=subprocess.PIPE, **how)


class Gate:
    """Lets several start at the same time."""
    def __init__(self):
        self.theirs, self.ours = os.pipe()

    def start(self, command, **how):
        wait = 'read -r _ <&"$0"; exec "$@"'
        return start(["bash", "-c", wait, str(self.theirs), *command],
                     pass_fds=[self.theirs], **how)

    def open(self):
        os.close(self.theirs)
        os.close(self.ours)


def finish(child, words=""):
    """Waits. With words, that has to be the message, and the status 1."""
    said = ends.finish(child, 1 if words else 0)[1].decode()
    if said != (words + "\n" if words else ""):
        wrong(f"status {child.returncode}: {said}")


def pieces(data, sizes=PIECES):
    ends = [0, *itertools.takewhile(
        lambda n: n < len(data), itertools.accumulate(itertools.cycle(sizes))),
        len(data)]
    return [data[i:j] for i, j in zip(ends, ends[1:]) if i < j]


def source_of(kind, data):
    """Returns a descriptor to read data from."""
    if kind == "file":
        return file_of("in", data)
    theirs, ours = channel("pipe")
    Background(feed, ours, data, PIECES)
    return theirs


def position(fd):
    return os.lseek(fd, 0, os.SEEK_CUR)


def own_values(who):
    return bytes(range(1 + who * 60, 61 + who * 60))


@functools.cache
def own_stream(who, size=SIZE):
    """Bytes that no other writer has, and none of which is 0."""
    return random.randbytes(size).translate((own_values(who) * 5)[:256])


def own(data, who):
    values = own_values(who)
    return data.translate(None, bytes(b for b in range(256)
                                      if b not in values))


def writers(at, *kinds):
    at, streams, children, threads = int(at), [], [], []
    gate = Gate()
    with open("out", "wb") as file:
        file.write(HEAD)
    out = os.open("out", os.O_RDWR if at else os.O_WRONLY | os.O_TRUNC)
    os.lseek(out, at, os.SEEK_SET)
    for who, kind in enumerate(kinds):
        data = own_stream(who)
        streams.append(data)
        if kind == "write":
            threads.append((os.dup(out), data))
            continue
        os.close(file_of(f"in{who}", data))
        source = open(f"in{who}", "rb")
        if kind == "pipe":
            source = subprocess.Popen(["dd", "bs=64k", "status=none"],
                                      stdin=source, stdout=subprocess.PIPE
                                      ).stdout
        children.append(gate.start([word.replace("@", str(who)) for word in
                                    COMMAND], stdin=source, stdout=out))
        source.close()
    gate.open()
    threads = [Background(feed, *args, PIECES) for args in threads]
    for child in children:
        finish(child)
    for t in threads:
        t.join()
    got, total = contents("out"), at + SIZE * len(kinds)
    for who, kind in enumerate(kinds):
        mine = own(got[at:], who)
        if mine != streams[who]:
            wrong(f"{len(mine)} bytes of {SIZE} are there of writer {who}, or "
                  f"not in order: {' '.join(kinds)}")
        for word in COMMAND:
            if kind != "write" and "@" in word and \
               contents(word.replace("@", str(who))) != streams[who]:
                wrong("the copy is not exact")
    if len(got) != total or position(out) != total:
        wrong(f"size {len(got)}, position {position(out)}, not {total}")
    if got[:at] != HEAD[:at]:
        wrong("what was there before is not")


def readers(*kinds):
    """The source has numbered lines of 64 bytes. Nobody reads parts of one."""
    count = SIZE // 64
    source = file_of("in", b"".join(b"%063d\n" % n for n in range(count)))
    parts, children, gate = [], [], Gate()
    for kind in kinds:
        part = None
        if kind != "read":
            if kind == "pipe":
                out, ours = channel("pipe", out=True)
                part = Background(take, ours)
            else:
                out = os.open("/dev/null" if kind == "null" else
                              f"out{len(parts)}",
                              os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            children.append(gate.start(COMMAND, stdin=source, stdout=out))
            os.close(out)
        parts.append(part)
    gate.open()
    if "read" in kinds:
        parts[kinds.index("read")] = Background(take, source, [4096])
    for child in children:
        finish(child)
    lines = []
    for i, kind in enumerate(kinds):
        part = (contents(f"out{i}") if kind == "file" else
                b"".join(parts[i].result() if parts[i] else [])).splitlines()
        if part != sorted(part):
            wrong(f"reader {i} of {' '.join(kinds)} has read backwards")
        lines += part
    different = len(set(lines))
    if len(lines) != different or different != count and "null" not in kinds:
        wrong(f"{len(lines)} lines are read of {count}, {different} of them "
              f"different: {' '.join(kinds)}")
    if position(source) != SIZE:
        wrong(f"the source's position is {position(source)}")


def killed(kind):
    """At each of the calls that move bytes or a position. Which are made is
    known from a run that is not killed."""
    data, behind = own_stream(0, 3 << 20), own_stream(1, 1000)
    calls = ("lseek", "read", "write", "pwrite64", "pwritev2", "splice", "tee",
             "sendfile", "copy_file_range", "ioctl", "io_uring_enter")
    times = [("none", 1)]
    while times:
        call, at = times.pop()
        source = source_of(kind, data)
        out = os.open("out", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        inject = ["-e", f"inject={call}:signal=KILL:when={at}"]
        child = start(["strace", "-f", "-qq", "-o", "calls",
                       *(inject if call != "none" else []), *COMMAND],
                      stdin=source, stdout=out)
        os.close(source)
        ends.finish(child, *range(-64, 256))
        os.write(out, behind)
        got = contents("out")
        if own(got, 1) != behind or not data.startswith(own(got, 0)) or \
           b"\0" in got:
            wrong(f"killed at {call} {at}: {got.count(0)} zeros")
        os.close(out)
        if call == "none":
            with open("calls", encoding="utf-8") as file:
                made = re.findall(r"^\d+ +(\w+)\(", file.read(), re.M)
            times = [(call, at) for call in calls
                     for at in range(1, min(made.count(call), KILLS) + 1)]


def rest(sink, words):
    source = file_of("in", bytes(8 << 20))
    got = []
    if sink == "full":
        out = os.open("/dev/full", os.O_WRONLY)
    else:
        ours, out = os.pipe()
    child = start(COMMAND, stdin=source, stdout=out, restore_signals=False)
    os.close(out)
    if sink == "gone":
        got = os.read(ours, 100000)
        os.close(ours)
    finish(child, words)
    if not len(got) <= position(source) <= 5 << 20:
        wrong(f"{position(source)} bytes are gone, {len(got)} were read")


def room(directory, kind, words):
    out = os.open(os.path.join(directory, "out"),
                  os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for others in [b""] if directory else [b"", own_stream(1, 300000)]:
        os.ftruncate(out, 0)
        os.lseek(out, 0, os.SEEK_SET)
        data = own_stream(0)
        source = source_of(kind, data)
        child = start(COMMAND, stdin=source, stdout=out, restore_signals=False,
                      preexec_fn=None if directory else lambda: resource.setrlimit(
                          resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))
        os.close(source)
        for piece in pieces(others, [1000]):
            os.write(out, piece)
        finish(child, words)
        got = contents(os.path.join(directory, "out"))
        if not data.startswith(own(got, 0)):
            wrong("what is there is not the beginning")
        if own(got, 1) != others:
            wrong("another writer's bytes are not all there")
        if not others and (position(out) != len(got) or b"\0" in got):
            wrong(f"size {len(got)}, position {position(out)}, "
                  f"{got.count(0)} zeros")
        if not directory and not others and len(got) != LIMIT:
            wrong(f"{len(got)} bytes are there of {LIMIT}")


def changes():
    """Nothing may be there that was never in the source."""
    whole, data = 2 << 20, own_stream(0)
    for i in range(4):
        source = file_of("in", data[:whole])
        out = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        child = start(COMMAND, stdin=source, stdout=out)
        time.sleep(random.random() * 0.004)
        least = whole
        if i:
            least = random.choice([0, 5000, 65536, 1 << 20, 1999999])
            os.truncate("in", least)
        else:
            with open("in", "ab") as file:
                file.write(data[whole:3 << 20])
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


def rewound():
    source, ours = os.pipe()
    out = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
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
    pair = socket.socketpair(socket.AF_UNIX, SOCKETS[kind])
    for end in pair:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    return pair


def copy_messages(sink, command, source=None):
    """Returns what each read from the sink gives."""
    ours = None
    if sink == "file":
        out = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    elif sink in ("pipe", "packets"):
        out, ours = channel(sink, out=True)
    else:
        ours, out = (end.detach() for end in connect(sink))
    child = start(command, stdin=source, stdout=out)
    if ours is None:
        finish(child)
        return [contents("out")]
    taker = Background(take, ours)
    finish(child)
    if sink == "dgram":
        end_datagrams(out)
    os.close(out)
    return taker.result()


def end_datagrams(fd):
    """They have no end: an empty one is it."""
    with socket.socket(fileno=os.dup(fd)) as end:
        end.send(b"")


def message(size, kind, sink):
    sent = [random.randbytes(int(size)).hex().encode()[:int(size)], b"short"]
    ours, theirs = connect(kind)
    for data in sent:
        ours.send(data)
    if kind == "dgram":
        ours.send(b"")
    ours.shutdown(socket.SHUT_WR)
    got = copy_messages(sink, COMMAND, theirs.detach())
    if sink in SOCKETS and got != sent or b"".join(got) != b"".join(sent):
        wrong(f"{kind} to {sink}: {[len(data) for data in got]} arrive of "
              f"{[len(data) for data in sent]}")


def cut(size, kind, words):
    ours, theirs = connect(kind)
    for data in (b"short\n", bytes(int(size)), b"late\n"):
        ours.send(data)
    out = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    finish(start(COMMAND, stdin=theirs.detach(), stdout=out), words)
    if contents("out") != b"short\n":
        wrong(f"{len(contents('out'))} bytes come out")


def packets():
    sent = [random.randbytes(size) for size in (4096, 5, 700, 4000) * 5]
    source, ours = os.pipe2(os.O_DIRECT)
    out, theirs = channel("pipe", out=True)
    child = start(COMMAND, stdin=source, stdout=out)
    os.close(source)
    os.close(out)
    taker = Background(take, theirs, [7])
    for data in sent:
        os.write(ours, data)
    os.close(ours)
    finish(child)
    compare(b"".join(taker.result()), b"".join(sent))


def operands(sink):
    sizes = 300, 500, 4000
    for i, size in enumerate(sizes):
        os.close(file_of(f"in{i}", b"%d" % i * size))
    got = copy_messages(sink, [*COMMAND, "in0", "in1", "in2"])
    if [len(data) for data in got] != list(sizes):
        wrong(f"{sink}: messages of {[len(data) for data in got]}")


def blocks(kind, sink, size=None):
    data = random.randbytes(int(size or 140000))
    if sink == "dgram":
        ours, theirs = connect("dgram")
    else:
        ours, theirs = (socket.socket(type=socket.SOCK_DGRAM) for _ in "12")
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        ours.bind(("127.0.0.1", 0))
        theirs.connect(ours.getsockname())
    taker = Background(take, ours.fileno())
    finish(start(COMMAND, stdin=source_of(kind, data), stdout=theirs))
    end_datagrams(theirs.fileno())
    got = taker.result()
    sizes = [len(piece) for piece in got]
    least = 8192 if kind == "file" else 0
    if size:
        right = got == [data]
    else:
        right = (b"".join(got) == data and min(sizes[:-1]) >= least
                 and max(sizes) <= 65536)
    if not right:
        wrong(f"{kind} to {sink}: messages of {sizes}")


def traced():
    return ["strace", "-f", "-qq", "-o", "calls", *COMMAND]


def few_calls():
    with open("calls") as file:
        calls = len(file.readlines())
    if calls > CALLS:
        wrong(f"{calls} system calls")


def toggle(fd):
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    while True:
        fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        fcntl.fcntl(fd, fcntl.F_SETFL, flags)


def toggled(kind, end):
    data = random.Random(1).randbytes(100000)
    near, far = channel(kind, end == "out")
    toggler = os.fork()
    if not toggler:
        os.close(far)
        toggle(near)
    try:
        if end == "in":
            with open("out", "wb") as file:
                child = start(COMMAND, stdin=near, stdout=file)
            os.close(near)
            Background(feed, far, data, [3000], [0.0005])
            finish(child)
            got = contents("out")
        else:
            reader = Background(take, far, [8192], [0.001])
            finish(start(COMMAND, stdin=file_of("in", data), stdout=near))
    finally:
        os.kill(toggler, signal.SIGKILL)
        os.wait()
    if end == "out":
        os.close(near)
        got = b"".join(reader.result())
    compare(got, data)


def timeout(end, kind, words):
    ours, theirs = connection() if kind == "inet" else \
        socket.socketpair(socket.AF_UNIX, SOCKETS[kind])
    option = socket.SO_RCVTIMEO if end == "in" else socket.SO_SNDTIMEO
    theirs.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", 0, 100000))
    if end == "in":
        ours.send(b"hello")
        got, out = os.pipe()
        finish(start(traced(), stdin=theirs, stdout=out), words)
        if os.read(got, 100) != b"hello":
            wrong("what had come is lost")
    else:
        data = MUCH if kind == "inet" else MUCH[:2 << 20]
        finish(start(traced(), stdin=file_of("in", data), stdout=theirs), words)
    few_calls()
    with open("calls") as file:
        said = file.read()
    if said.count("EAGAIN") + said.count("(Timeout)") > 1:
        wrong("the limit has passed twice")


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
    ours, theirs = (socket.socket(type=socket.SOCK_DGRAM) for _ in "12")
    ours.bind(("127.0.0.1", 0))
    theirs.connect(ours.getsockname())
    ours.close()
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
