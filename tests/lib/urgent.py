#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""urgent.py COMMAND...: runs a command whose standard input is a TCP socket with urgent data
in its stream (send(2) with MSG_OOB), and compares what it writes to a pipe with what read(2)
gives of such a socket, without SO_OOBINLINE and with it. All is sent before the command
starts, or each piece once the one before has been read. The peer must see no reset."""
import itertools
import os
import socket
import subprocess
import sys
import time

import ends
from ends import LIMIT, Background, compare, take, wrong

LARGE = os.urandom(200_001)
# What is sent, piece by piece; a byte in a tuple of its own is urgent.
STREAMS = {
    'in the middle': [b'one ', (b'!',), b'two'],
    'first': [(b'!',), b'one two'],
    'last': [b'one two', (b'!',)],
    'one after the other': [b'a', (b'1',), (b'2',), (b'3',), b'b', (b'4',), b'c'],
    'between large pieces': [LARGE, (b'!',), LARGE, (b'!',), LARGE],
}


def connect(inline):
    peer, ours = ends.connection()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, inline)
    return peer, ours


def send(peer, stream, watched):
    for piece in stream:
        if isinstance(piece, tuple):
            peer.send(piece[0], socket.MSG_OOB)
        else:
            peer.sendall(piece)
        if watched:
            time.sleep(0.01)
            ends.until(lambda: not ends.held(watched))
    peer.shutdown(socket.SHUT_WR)


def run(read, stream, inline, slow):
    """What read() makes of our end."""
    peer, ours = connect(inline)
    sender = Background(send, peer, stream, ours if slow else None)
    if not slow:
        sender.result()
    got = read(ours)
    sender.result()
    peer.settimeout(LIMIT)
    try:
        peer.recv(1)
    except ConnectionResetError:
        wrong('the peer was reset')
    return got


def command(ours):
    child = ends.start(sys.argv[1:], stdin=os.dup(ours.fileno()), stdout=subprocess.PIPE)
    got = child.stdout.read()
    ours.close()
    ends.finish(child)
    return got


def system(ours):
    got = b''.join(take(ours.fileno(), [65536]))
    ours.close()
    return got


def main():
    for name, inline, slow in itertools.product(STREAMS, (False, True), (False, True)):
        # No buffer has room for all that is large.
        slow |= LARGE in STREAMS[name]
        ends.CASE[:] = [name, f'inline: {inline}', f'slow: {slow}']
        got, want = (run(read, STREAMS[name], inline, slow) for read in (command, system))
        compare(got, want, '')


if __name__ == '__main__':
    ends.drive(main)
