#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND with sockets for some of its descriptors, FDS, such as 0 or 1,2, and exits
as it does.

socketed.py KIND FDS COMMAND...
    They are one socket. It gets the standard input of this, unless 0 is not among FDS;
    what comes from it goes to the standard output of this. KIND is unix, tcp, or
    journal: a Unix socket whose peer never sends, as systemd gives to its services.
socketed.py deaf KIND WHEN FDS COMMAND...
    They are a socket each that poll(2) never calls ready, though write(2) says EPIPE: a
    full Unix socket whose reader calls shutdown(SHUT_RD) and reads nothing, "before"
    COMMAND starts, or once it "sleeps". KIND is "stream" or "messages"
    (SOCK_SEQPACKET), with "nb-" before it if the program's end is O_NONBLOCK.
"""
import os
import socket
import sys

import ends
from ends import SOCKETS, Background, connection, fill, outcome, pieces, sleeps, until, wrong


def start(command, theirs):
    """With the socket that each of these descriptors is."""
    def give():
        for fd, end in theirs.items():
            os.dup2(end.fileno(), int(fd))

    return ends.start(command, preexec_fn=give, close_fds=False)


def full(kind):
    """Returns the program's end and ours. Pieces of a byte leave the least room."""
    theirs, ours = socket.socketpair(type=SOCKETS[kind.removeprefix('nb-')])
    for size in 4096, 1:
        fill(theirs.fileno(), size)
    theirs.setblocking(not kind.startswith('nb-'))
    return theirs, ours


def deaf(kind, when, fds, *command):
    pairs = {fd: full(kind) for fd in fds.split(',')}

    def shut():
        for _, ours in pairs.values():
            ours.shutdown(socket.SHUT_RD)

    if when == 'before':
        shut()
    child = start(command, {fd: theirs for fd, (theirs, _) in pairs.items()})
    if when == 'sleeps':
        until(lambda: sleeps(child) or child.poll() is not None)
        if child.poll() is not None:
            wrong(f'it has ended by {child.returncode}')
        shut()
    return outcome(child)[0]


def feed(sock, data):
    sock.sendall(data)
    sock.shutdown(socket.SHUT_WR)


def main(kind, fds, *command):
    if kind == 'deaf':
        return deaf(fds, *command)
    fds = fds.split(',')
    ours, theirs = connection() if kind == 'tcp' else socket.socketpair()
    if kind == 'journal':
        theirs.shutdown(socket.SHUT_RD)
    data = sys.stdin.buffer.read() if '0' in fds else b''
    child = start(command, dict.fromkeys(fds, theirs))
    theirs.close()
    Background(feed, ours, data)
    sys.stdout.buffer.writelines(pieces(ours.fileno()))
    return outcome(child)[0]


if __name__ == '__main__':
    ends.drive(main, *sys.argv[1:])
