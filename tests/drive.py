#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Drives a command from both ends, as a shell cannot.

drive.py pipes [in] [out] -- COMMAND...
    feeds 3,000,001 bytes in odd pieces and takes them in others, the named
    ends of the command being O_NONBLOCK, and checks every byte. A command that
    does not read (yes) is checked against the line "y".
drive.py idle -- COMMAND...
    leaves the input idle for a second in which the command may make no more
    than a handful of system calls, then passes one line through.
drive.py neighbours -- COMMAND...
    feeds the command by a pipe while it sleeps on a full socket, and drains it
    while it sleeps on an empty one: neither neighbour may be made to wait.
drive.py terminal -- COMMAND...
    types one line and a single ^D at a terminal; the line must come out and
    the command must end.
"""
import fcntl
import multiprocessing
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 30   # seconds, after which a hang is called one


def nonblocking(fd):
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK | fcntl.fcntl(fd, fcntl.F_GETFL))


def feed(fd, data):
    sizes = [1, 70000, 4095, 300000, 17]
    at = turn = 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        turn += 1
        at += os.write(fd, data[at:at + size])
        if turn % 7 == 0:
            time.sleep(0.002)
    os.close(fd)


def take(fd, want):
    sizes = [100000, 1, 4097, 1 << 20]
    got = bytearray()
    while len(got) < want:
        if not select.select([fd], [], [], LIMIT)[0]:
            sys.exit('nothing came')
        piece = os.read(fd, min(sizes[len(got) % len(sizes)], want - len(got)))
        if not piece:
            break
        got += piece
        if len(got) % 5 == 0:
            time.sleep(0.002)
    return bytes(got)


def pipes(ends, command):
    endless = command[0].endswith('yes')
    data = b'y\n' * 1500000 if endless else os.urandom(3000001)
    in_r, in_w = os.pipe()
    out_r, out_w = os.pipe()
    if 'in' in ends:
        nonblocking(in_r)
    if 'out' in ends:
        nonblocking(out_w)
    child = subprocess.Popen(command, stdin=in_r, stdout=out_w)
    os.close(out_w)
    if not endless:
        os.close(in_r)
        threading.Thread(target=feed, args=(in_w, data), daemon=True).start()
    got = take(out_r, len(data) if endless else len(data) + 1)
    os.close(out_r)
    status = child.wait(LIMIT)
    if got != data:
        sys.exit('%d bytes of %d came, or not the same' % (len(got), len(data)))
    if status != (-signal.SIGPIPE if endless else 0):
        sys.exit('status %d' % status)


def idle(_, command):
    with tempfile.NamedTemporaryFile('r') as log:
        child = subprocess.Popen(['strace', '-f', '-o', log.name] + command,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(b'first\n')
        child.stdin.flush()
        first = os.read(child.stdout.fileno(), 100)
        time.sleep(0.5)
        before = len(open(log.name).readlines())
        time.sleep(1)
        calls = len(open(log.name).readlines()) - before
        rest = child.communicate(b'second\n', LIMIT)[0]
    if (first, rest) != (b'first\n', b'second\n'):
        sys.exit('wrong bytes: %r %r' % (first, rest))
    if child.returncode:
        sys.exit('status %d' % child.returncode)
    if calls > 3:
        sys.exit('%d system calls while nothing happened' % calls)


def write_until_full(fd):
    nonblocking(fd)
    try:
        while True:
            os.write(fd, bytes(4096))
            time.sleep(0.001)
    except BlockingIOError:
        pass


def neighbours(_, command):
    """Each neighbour is a process, for it may hang beyond help."""
    ours, theirs = socket.socketpair()
    read, write = os.pipe()
    child = subprocess.Popen(command, stdin=read, stdout=theirs)
    theirs.close()
    feeder = multiprocessing.Process(target=write_until_full, args=(write,))
    feeder.start()
    feeder.join(LIMIT)
    hung = feeder.is_alive()
    ours.close()
    child.kill()
    os.close(write)
    server = socket.create_server(('127.0.0.1', 0))
    ours = socket.create_connection(server.getsockname())
    theirs = server.accept()[0]
    read, write = os.pipe()
    child = subprocess.Popen(command, stdin=theirs, stdout=write)
    ours.sendall(b'first')
    select.select([read], [], [], LIMIT)
    time.sleep(0.1)
    reader = multiprocessing.Process(target=os.read, args=(read, 100))
    reader.start()
    reader.join(LIMIT)
    hung = hung or reader.is_alive()
    ours.close()
    child.kill()
    if hung:
        sys.exit('a neighbour was made to wait')


def terminal(_, command):
    master, slave = pty.openpty()
    child = subprocess.Popen(command, stdin=slave, stdout=subprocess.PIPE)
    os.write(master, b'typed\n')
    if os.read(child.stdout.fileno(), 100) != b'typed\n':
        sys.exit('the line did not come out')
    os.write(master, b'\x04')
    try:
        status = child.wait(LIMIT)
    except subprocess.TimeoutExpired:
        child.kill()
        sys.exit('one ^D did not end it')
    if status:
        sys.exit('status %d' % status)


if __name__ == '__main__':
    at = sys.argv.index('--')
    {'pipes': pipes, 'idle': idle, 'neighbours': neighbours,
     'terminal': terminal}[sys.argv[1]](sys.argv[2:at], sys.argv[at + 1:])
