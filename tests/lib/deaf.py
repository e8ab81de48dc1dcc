#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND with sinks that poll(2) never calls ready, though write(2) says EPIPE:
full Unix sockets whose readers call shutdown(SHUT_RD) and read nothing. Exits as
COMMAND does.

deaf.py KIND WHEN FDS COMMAND...
    KIND is "stream" or "messages" (SOCK_SEQPACKET), with "nb-" before it if the
    program's end is O_NONBLOCK. The readers shut down "before" COMMAND starts, or once
    it "sleeps". FDS, such as 1,57, are a socket each.
"""
import os
import socket
import sys

import ends
from ends import SOCKETS, outcome, start, until, wrong, sleeps


def full(kind):
    """Returns the program's end and ours. Pieces of a byte leave the least room."""
    theirs, ours = socket.socketpair(type=SOCKETS[kind.removeprefix("nb-")])
    theirs.setblocking(False)
    for size in 4096, 1:
        try:
            while True:
                theirs.send(bytes(size))
        except BlockingIOError:
            pass
    theirs.setblocking(not kind.startswith("nb-"))
    return theirs, ours


def main(kind, when, fds, *command):
    fds = [int(fd) for fd in fds.split(",")]
    pairs = [full(kind) for fd in fds]

    def shut():
        for _, ours in pairs:
            ours.shutdown(socket.SHUT_RD)

    def give():
        for fd, (theirs, _) in zip(fds, pairs):
            os.dup2(theirs.fileno(), fd)

    if when == "before":
        shut()
    child = start(command, preexec_fn=give, close_fds=False)
    if when == "sleeps":
        until(lambda: sleeps(child) or child.poll() is not None)
        if child.poll() is not None:
            wrong(f"it has ended by {child.returncode}")
        shut()
    return outcome(child)[0]


if __name__ == "__main__":
    ends.drive(main, *sys.argv[1:])
