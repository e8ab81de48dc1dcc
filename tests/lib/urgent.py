#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs a command whose standard input is a TCP socket with urgent data in its
stream (send(2) with MSG_OOB), and holds all that it wrote to what read(2) gives of
such a socket, without SO_OOBINLINE and with it: urgent.py SINK [FILE...] -- COMMAND...
urgent.py --open -- COMMAND...: the socket is O_NONBLOCK, and the command writes all
before the peer closes it.

SINK is what standard output is: file, pipe or socket. A FILE is another output of
the command. The status must be 0, and the peer must see an end, not a reset.
"""
import fcntl
import itertools
import os
import socket
import subprocess
import sys
import termios
import time

import ends
from ends import LIMIT, Background, channel, compare, contents, take, wrong

INLINE = [], ['SO_OOBINLINE']
LARGE = os.urandom(200_001)

# What is sent, piece by piece; a byte in a tuple of its own is urgent.
STREAMS = {
    'in the middle': [b'one ', (b'!',), b'two'],
    'first': [(b'!',), b'one two'],
    'last': [b'one two', (b'!',)],
    'alone': [(b'!',)],
    'several': [b'a', (b'1',), b'b', (b'2',), b'c', (b'3',), b'd'],
    'one after the other': [b'a', (b'1',), (b'2',), (b'3',), b'b'],
    'telnet Synch': [b'ls\r\n\xff', (b'\xf2',), b'exit\r\n'],
    'between large pieces': [LARGE, (b'!',), LARGE, (b'!',), LARGE],
}


def connect(inline):
    """Returns both ends of a connection."""
    peer, ours = ends.connection()
    if inline:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    return peer, ours


def wait_until_read(ours):
    """Waits until nothing is left to read before the next mark."""
    time.sleep(0.01)
    ends.until(lambda: fcntl.ioctl(ours, termios.FIONREAD, bytes(4)) == bytes(4))


def send(peer, stream, watched=None):
    for piece in stream:
        if isinstance(piece, tuple):
            peer.send(piece[0], socket.MSG_OOB)
        else:
            peer.sendall(piece)
        if watched:
            wait_until_read(watched)
    peer.shutdown(socket.SHUT_WR)


def expected(stream, inline, slow):
    """What read(2) makes of that stream, in the same order of events."""
    peer, ours = connect(inline)
    sender = Background(send, peer, stream, ours if slow else None)
    if not slow and LARGE not in stream:
        sender.result()
    got = b''.join(take(ours.fileno(), [65536]))
    sender.result()
    return got


def sink_of(kind):
    """Returns what to give the command, and what collects all that comes."""
    if kind == 'file':
        return ends.file_of('stdout', flags=os.O_WRONLY), lambda: contents('stdout')
    near, far = channel(kind, out=True)
    reader = Background(take, far)
    return near, lambda: b''.join(reader.result())


def check(name, command, kind, files, inline, slow):
    stream = STREAMS[name]
    if LARGE in stream:
        # Where urgent bytes meet, it is a matter of time which are in line.
        slow = True
    want = expected(stream, inline, slow)
    peer, ours = connect(inline)
    sink, collect = sink_of(kind)
    ends.CASE[:] = f'urgent data {name}', 'slowly' if slow else 'at once', f'to a {kind}', *INLINE[inline]
    if not slow:
        send(peer, stream)
    child = ends.start(command, stdin=os.dup(ours.fileno()), stdout=sink)
    if slow:
        send(peer, stream, ours)
    ours.close()
    ends.finish(child)
    for file, got in ('standard output', collect()), *((f, contents(f)) for f in files):
        compare(got, want, f'{file}: ')
    try:
        peer.settimeout(LIMIT)
        peer.recv(1)
    except ConnectionResetError:
        wrong('the peer was reset')


def check_open(command, inline):
    ends.CASE[:] = ['O_NONBLOCK', *INLINE[inline]]
    peer, ours = connect(inline)
    ours.setblocking(False)
    want = b'one !two' if inline else b'one two'
    child = ends.start(command, stdin=ours.detach(), stdout=subprocess.PIPE)
    for piece in b'one ', b'!', b'two':
        peer.send(piece, socket.MSG_OOB if piece == b'!' else 0)
        time.sleep(0.1)
    ends.expect(child.stdout, want)
    peer.close()
    ends.finish(child)


def main():
    end = sys.argv.index('--')
    kind, *files = sys.argv[1:end]
    command = sys.argv[end + 1:]
    for inline in False, True:
        if kind == '--open':
            check_open(command, inline)
            continue
        for name, slow in itertools.product(STREAMS, (False, True)):
            check(name, command, kind, files, inline, slow)


if __name__ == '__main__':
    ends.drive(main)
