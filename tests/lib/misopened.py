#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""misopened.py in|out KIND COMMAND... runs a command whose standard input is not
open for reading, or its standard output not for writing: the other end of a pipe
that is open at both (pipe, or packets with O_DIRECT) or at that one alone (gone),
a file, a terminal (tty), /dev/null (null), a file or a FIFO with O_PATH (path, fifo-path);
a socket that listens (listening, inet); an epoll(7). A command may not take bytes from
the pipe."""
import os
import select
import socket
import sys

import ends
from ends import channel, outcome, start, wrong

SIDE, KIND, COMMAND = sys.argv[1], sys.argv[2], sys.argv[3:]
OUT = SIDE == "out"
PIPES = "pipe", "packets", "gone"
keep = []


def listener(family, name):
    end = socket.socket(family)
    end.bind(name)
    end.listen()
    keep.append(end)
    return end.fileno()


def open_wrong():
    mode = os.O_RDONLY if OUT else os.O_WRONLY
    if KIND in PIPES:
        right, fd = channel("packets" if KIND == "packets" else "pipe", OUT)
        if OUT:
            os.write(right, b"theirs")
        if KIND == "gone":
            os.close(right)
        return fd
    if KIND == "tty":
        return os.open(os.ttyname(channel("tty")[0]), mode | os.O_NOCTTY)
    if KIND == "fifo-path":
        os.mkfifo("wrong")
    if KIND in ("file", "path"):
        with open("wrong", "w") as file:
            file.write("theirs")
    if KIND in ("path", "fifo-path"):
        return os.open("wrong", os.O_PATH)
    if KIND == "listening":
        return listener(socket.AF_UNIX, "wrong")
    if KIND == "inet":
        return listener(socket.AF_INET, ("127.0.0.1", 0))
    if KIND == "epoll":
        keep.append(select.epoll())
        return keep[0].fileno()
    return os.open("wrong" if KIND == "file" else "/dev/null", mode)


def main():
    fd = open_wrong()
    child = start(COMMAND, keep=True, restore_signals=False,
                  **{"stdout" if OUT else "stdin": fd})
    status = outcome(child)[0]
    if OUT and KIND in PIPES:
        left = select.select([fd], [], [], 0)[0] and os.read(fd, 100)
        if left != b"theirs":
            wrong("it has taken what was in the pipe")
    return status


if __name__ == "__main__":
    ends.drive(main)
