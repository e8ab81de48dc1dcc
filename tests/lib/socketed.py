#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND with sockets for some of its descriptors, and exits as it does.

socketed.py KIND FDS COMMAND...
    FDS, such as 0 or 1,2, are one socket. It gets the standard input of this,
    unless 0 is not among FDS; what comes from it goes to the standard output of
    this. KIND is unix, tcp, or journal: a Unix socket whose peer never sends, as
    systemd gives to its services.
"""
import os
import socket
import sys

import ends
from ends import Background, connection, outcome, pieces, start


def feed(sock, data):
    sock.sendall(data)
    sock.shutdown(socket.SHUT_WR)


def main(kind, fds, *command):
    fds = [int(fd) for fd in fds.split(',')]
    ours, theirs = connection() if kind == 'tcp' else socket.socketpair()
    if kind == 'journal':
        theirs.shutdown(socket.SHUT_RD)

    def give():
        for fd in fds:
            os.dup2(theirs.fileno(), fd)

    data = sys.stdin.buffer.read() if 0 in fds else b''
    child = start(command, preexec_fn=give, close_fds=False)
    theirs.close()
    Background(feed, ours, data)
    sys.stdout.buffer.writelines(pieces(ours.fileno()))
    return outcome(child)[0]


if __name__ == '__main__':
    ends.drive(main, *sys.argv[1:])
