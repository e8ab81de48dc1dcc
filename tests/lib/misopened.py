#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""misopened.py in|out KIND COMMAND... runs a command whose standard input is not
open for reading, or its standard output not for writing: the other end of a pipe
that is open at both (pipe, or packets with O_DIRECT) or at that one alone (gone),
a file, a terminal, /dev/null (null), a file or a FIFO with O_PATH (path, fifo-path);
a socket that listens (listening, inet); an epoll(7). A command that hangs, or takes bytes from the pipe,
is an error of its own."""
import os
import pty
import select
import socket
import subprocess
import sys

from ends import LIMIT

SIDE, KIND, COMMAND = sys.argv[1], sys.argv[2], sys.argv[3:]
OUT = SIDE == "out"
keep = []


def listener(family, name):
    end = socket.socket(family)
    end.bind(name)
    end.listen()
    keep.append(end)
    return end.fileno()


def pipe(flags=0):
    # The end to read from is the wrong one to write to.
    ends = os.pipe2(flags)
    if OUT and KIND != "fifo-path":
        os.write(ends[1], b"theirs")
    return ends


def open_wrong():
    mode = os.O_RDONLY if OUT else os.O_WRONLY
    if KIND in ("pipe", "packets", "gone"):
        ends = pipe(os.O_DIRECT if KIND == "packets" else 0)
        if KIND == "gone":
            os.close(ends[OUT])
        return ends[not OUT]
    if KIND == "tty":
        keep.append(pty.openpty())
        return os.open(os.ttyname(keep[0][1]), mode | os.O_NOCTTY)
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
    ends = {"stdout": fd} if OUT else {"stdin": fd}
    try:
        status = subprocess.run(COMMAND, check=False, timeout=LIMIT,
                                restore_signals=False, **ends).returncode
    except subprocess.TimeoutExpired:
        print("it hangs", file=sys.stderr)
        return 124
    if OUT and KIND in ("pipe", "packets", "gone") and \
            os.read(fd, 100) != b"theirs":
        print("it has taken what was in the pipe", file=sys.stderr)
        return 125
    return status


sys.exit(main())
