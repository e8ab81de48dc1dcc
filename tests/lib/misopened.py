#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""misopened.py in|out "KIND..." COMMAND... runs a command once for each kind, and has
the status that all of them have. Its standard input is not open for reading, or its
standard output not for writing: the other end of a pipe that is open at both (pipe, or
packets with O_DIRECT) or at that one alone (gone), a file, a terminal (tty), /dev/null
(null), a file or a FIFO with O_PATH (path, fifo-path); a socket that listens (stream,
seqpacket, inet), or that nobody has connected (unconnected); an epoll(7). A command may
not take bytes from the pipe, and ignores SIGPIPE."""
import os
import select
import socket
import sys

import ends
from ends import channel, outcome, start, wrong

SIDE, KINDS, COMMAND = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
OUT = SIDE == "out"
PIPES = "pipe", "packets", "gone"
keep = []


def unconnected(family, name=None, kind="stream"):
    end = socket.socket(family, ends.SOCKETS[kind])
    if name:
        end.bind(name)
        end.listen()
    keep.append(end)
    return end.fileno()


def open_wrong(kind):
    mode = os.O_RDONLY if OUT else os.O_WRONLY
    if os.path.exists("wrong"):
        os.unlink("wrong")
    if kind in PIPES:
        right, fd = channel("packets" if kind == "packets" else "pipe", OUT)
        if OUT:
            os.write(right, b"theirs")
        if kind == "gone":
            os.close(right)
        return fd
    if kind == "tty":
        return os.open(os.ttyname(channel("tty")[0]), mode | os.O_NOCTTY)
    if kind == "fifo-path":
        os.mkfifo("wrong")
    if kind in ("file", "path"):
        with open("wrong", "w") as file:
            file.write("theirs")
    if kind in ("path", "fifo-path"):
        return os.open("wrong", os.O_PATH)
    if kind in ("stream", "seqpacket"):
        return unconnected(socket.AF_UNIX, "wrong", kind)
    if kind == "unconnected":
        return unconnected(socket.AF_UNIX)
    if kind == "inet":
        return unconnected(socket.AF_INET, ("127.0.0.1", 0))
    if kind == "epoll":
        keep.append(select.epoll())
        return keep[-1].fileno()
    return os.open("wrong" if kind == "file" else "/dev/null", mode)


def run(kind):
    ends.CASE[:] = [kind]
    fd = open_wrong(kind)
    child = start(COMMAND, keep=True, restore_signals=False,
                  **{"stdout" if OUT else "stdin": fd})
    status = outcome(child)[0]
    if OUT and kind in PIPES:
        left = select.select([fd], [], [], 0)[0] and os.read(fd, 100)
        if left != b"theirs":
            wrong("it has taken what was in the pipe")
    return status


def main():
    first = run(KINDS[0])
    for kind in KINDS[1:]:
        status = run(kind)
        if status != first:
            wrong(f"status {status}, and {first} of {KINDS[0]}")
    return first


if __name__ == "__main__":
    ends.drive(main)
