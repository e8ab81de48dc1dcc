#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND with sockets for some of its descriptors, FDS, such as 0 or 1,2, and exits
as it does.

socketed.py KIND FDS COMMAND...
    They are one socket. It gets the standard input of this, unless 0 is not among FDS;
    what comes from it goes to the standard output of this. KIND is unix or tcp; urgent, TCP
    with a byte of urgent data in the stream; reset, TCP that is reset once some has come, or was-reset before;
    limited, a Unix socket with limits of time whose peer does not shut down; or journal, a
    Unix socket whose peer never sends, as systemd gives to its services.
"""
import os
import socket
import struct
import sys
import time

import ends
from ends import Background, connection, outcome, pieces, start


def feed(sock, data, urgent):
    sock.sendall(data[:1000])
    if urgent:
        sock.send(b'!', socket.MSG_OOB)
    sock.sendall(data[1000:])
    sock.shutdown(socket.SHUT_WR)


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    sock.close()
    time.sleep(0.05)


def main(kind, fds, *command):
    fds = fds.split(',')
    tcp = kind in ('tcp', 'urgent', 'reset', 'was-reset')
    ours, theirs = connection() if tcp else socket.socketpair()
    if kind == 'journal':
        theirs.shutdown(socket.SHUT_RD)
    if kind == 'limited':
        for option in socket.SO_RCVTIMEO, socket.SO_SNDTIMEO:
            theirs.setsockopt(socket.SOL_SOCKET, option, struct.pack('ll', 0, 100000))
    data = sys.stdin.buffer.read() if '0' in fds else b''
    if kind == 'was-reset':
        reset(ours)
    child = start(command, close_fds=False,
                  preexec_fn=lambda: [os.dup2(theirs.fileno(), int(fd)) for fd in fds])
    theirs.close()
    if kind == 'limited':
        ours.sendall(data)
        return outcome(child)[0]
    if kind == 'reset':
        ours.recv(300000, socket.MSG_WAITALL)
        time.sleep(0.05)        # then the buffers are full
        reset(ours)
    if 'reset' in kind:
        return outcome(child)[0]
    Background(feed, ours, data, kind == 'urgent')
    sys.stdout.buffer.writelines(pieces(ours.fileno()))
    return outcome(child)[0]


if __name__ == '__main__':
    ends.drive(main, *sys.argv[1:])
