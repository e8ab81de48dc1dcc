#!/usr/bin/python3
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
import subprocess
import sys
import threading

from ends import connection


def feed(sock, data):
    try:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main(kind, fds, *command):
    fds = [int(fd) for fd in fds.split(',')]
    ours, theirs = connection() if kind == 'tcp' else socket.socketpair()
    if kind == 'journal':
        theirs.shutdown(socket.SHUT_RD)

    def give():
        for fd in fds:
            os.dup2(theirs.fileno(), fd)

    data = sys.stdin.buffer.read() if 0 in fds else b''
    with subprocess.Popen(command, preexec_fn=give, close_fds=False) as child:
        theirs.close()
        thread = threading.Thread(target=feed, args=(ours, data), daemon=True)
        thread.start()
        while piece := ours.recv(1 << 16):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return child.wait()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
