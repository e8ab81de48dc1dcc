#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Runs a command whose standard input is a TCP socket with urgent data in its
stream (send(2) with MSG_OOB), and holds all that it wrote to what read(2) gives of
such a socket: urgent.py [--inline] SINK [FILE...] -- COMMAND...
urgent.py [--inline] --open -- COMMAND...: the socket is O_NONBLOCK, and the command
writes all before the peer closes it.

SINK is what standard output is: file, pipe or socket. A FILE is another output of
the command. With --inline the socket has SO_OOBINLINE. The status must be 0, and the
peer must see an end, not a reset.
"""
import fcntl
import os
import select
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

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
    with socket.create_server(('127.0.0.1', 0)) as server:
        peer = socket.create_connection(server.getsockname())
        ours = server.accept()[0]
    if inline:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    return peer, ours


def wait_until_read(ours):
    """Waits until nothing is left to read before the next mark, or a second."""
    for _ in range(100):
        time.sleep(0.01)
        unread = fcntl.ioctl(ours, termios.FIONREAD, b'\0' * 4)
        if struct.unpack('i', unread)[0] == 0:
            break


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
    sender = threading.Thread(target=send, args=(peer, stream, ours if slow else None))
    sender.start()
    if not slow and LARGE not in stream:
        sender.join()
    got = b''
    while piece := os.read(ours.fileno(), 65536):
        got += piece
    sender.join()
    return got


def sink_of(kind):
    """Returns what to give the command, and what collects all that comes."""
    got = []
    if kind == 'file':
        file = open('stdout', 'w+b')
        return file, lambda: file.seek(0) or file.read()
    if kind == 'pipe':
        far, near = (os.fdopen(fd, mode) for fd, mode in zip(os.pipe(), ('rb', 'wb')))
    else:
        far_end, near = socket.socketpair()
        far = far_end.makefile('rb')
    reader = threading.Thread(target=lambda: got.append(far.read()))
    reader.start()

    def collect():
        near.close()
        reader.join()
        return got[0]
    return near, collect


def check(name, command, kind, files, inline, slow):
    stream = STREAMS[name]
    if LARGE in stream:
        # Where urgent bytes meet, it is a matter of time which are in line.
        slow = True
    want = expected(stream, inline, slow)
    peer, ours = connect(inline)
    sink, collect = sink_of(kind)
    sender = threading.Thread(target=send, args=(peer, stream, ours if slow else None))
    if not slow:
        sender.start()
        sender.join()
    with subprocess.Popen(command, stdin=ours, stdout=sink) as child:
        if slow:
            sender.start()
            sender.join()
        ours.close()
        status = child.wait(60)
    results = {'standard output': collect()}
    for file in files:
        with open(file, 'rb') as opened:
            results[file] = opened.read()
    case = f'urgent data {name}, {"slowly" if slow else "at once"}, to a {kind}'
    for result, got in results.items():
        if got != want:
            sys.exit(f'{case}: {result} has {len(got)} bytes, not {len(want)}: {got[:40]}')
    if status:
        sys.exit(f'{case}: status {status}')
    try:
        peer.settimeout(10)
        peer.recv(1)
    except ConnectionResetError:
        sys.exit(f'{case}: the peer was reset')


def check_open(command, inline):
    peer, ours = connect(inline)
    ours.setblocking(False)
    want = b'one !two' if inline else b'one two'
    with subprocess.Popen(command, stdin=ours, stdout=subprocess.PIPE) as child:
        for piece in b'one ', b'!', b'two':
            peer.send(piece, socket.MSG_OOB if piece == b'!' else 0)
            time.sleep(0.1)
        got = b''
        while len(got) < len(want) and select.select([child.stdout], [], [], 20)[0]:
            got += child.stdout.read1()
        peer.close()
    if got != want:
        sys.exit(f'before the end {got} has come, and not {want}')


def main():
    args = sys.argv[1:]
    inline = args[0] == '--inline'
    end = args.index('--')
    if '--open' in args[:end]:
        check_open(args[end + 1:], inline)
        return
    kind, *files = args[inline:end]
    for name in STREAMS:
        for slow in False, True:
            check(name, args[end + 1:], kind, files, inline, slow)


if __name__ == '__main__':
    main()
