#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Drives a command from both sides, as a shell cannot, and says what is wrong.

drive.py sockets [in] [out] -- COMMAND...
    feeds the file "want" in odd pieces and takes them in others, the named sides being
    Unix sockets and the others what they are, and checks every byte. A command that does
    not read (yes) is checked against the line that it repeats.
drive.py fifos -- COMMAND FILE...
    each FILE must come out before the command waits for the next; those that
    are fifos get a line.
drive.py lease -- COMMAND FILE...
    the last FILE is under a lease, and has to be waited for.
drive.py idle -- COMMAND...
    leaves the input idle for a second in which the command may make no more
    than a handful of system calls, then passes one line through.
drive.py behind FILE GONE -- COMMAND...
    takes FILE, the input, from the output a little at a time, each when the
    command sleeps. The reader of the fifo GONE goes when it first does.
drive.py messages LINE -- COMMAND...
    each message that the command sends to a socket is the line, also where the
    socket has a limit of time.
drive.py whole SIZE... -- COMMAND...
    messages of these sizes come out as they went in, by Unix sockets.
drive.py packets KIND -- COMMAND...
    gives the file "want" in messages: of 1,000 bytes from a pipe with O_DIRECT (packets) or one
    with that at the writer alone (unmarked), or of 20,000 from a Unix socket (seqpacket).
drive.py report SIGNAL -- COMMAND...
    what the command, which has no input, reports at its end comes whole though
    SIGNAL comes while standard error is full: also where another signal was the
    end.
drive.py stop SIGNAL STATUS FILE WORDS -- COMMAND...
    sends SIGNAL once FILE exists; the command must then end with STATUS, and
    what it said with WORDS, after all that it has started.
"""
import fcntl
import itertools
import os
import re
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

import ends
from ends import (LIMIT, Background, channel, compare, contents, expect, feed, fill,
                  finish, sleeps, start, take, until, wrong)

ODD = [1, 70000, 4095, 300000, 17], [0.002] + [0] * 6     # sizes and pauses
OTHERS = [100000, 1, 4097, 1 << 20], [0.002] + [0] * 4
PIPE = subprocess.PIPE


def repeated(command):
    """What comes of a command that does not read, or nothing."""
    for i, word in enumerate(command):
        if word.endswith('yes'):
            words = command[i + 1:] or ['y']
            return (' '.join(words) + '\n').encode() * 300000
    return b''


def sockets(sides, command):
    endless = repeated(command)
    data = endless or contents('want')
    near, far = {}, {}
    for side in sides:
        near[side], far[side] = channel('socket', side == 'out')
    child = start(command, stdin=near.get('in'), stdout=near.get('out'),
                  stderr=subprocess.DEVNULL if endless else None)
    if 'in' in far:
        Background(feed, far['in'], data, *ODD)
    if 'out' in far:
        # Of what is not endless, no more may come.
        compare(b''.join(take(far['out'], *OTHERS, len(data) + (not endless))), data)
        os.close(far['out'])
    # The unread rest makes it either of these.
    finish(child, *((-signal.SIGPIPE, 1) if endless else (0,)))


def fifos(_, command):
    child = start(command, stdout=PIPE)
    for name in command[1:]:
        if not stat.S_ISFIFO(os.stat(name).st_mode):
            expect(child.stdout, contents(name))
            continue
        fd = os.open(name, os.O_RDWR)
        os.write(fd, b'line\n')
        expect(child.stdout, b'line\n')
        os.close(fd)
    finish(child)


def lease(_, command):
    fd = os.open(command[-1], os.O_RDWR)
    signal.signal(signal.SIGIO, lambda *_: fcntl.fcntl(
        fd, fcntl.F_SETLEASE, fcntl.F_UNLCK))
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    child = start(command, stdout=PIPE)
    compare(finish(child)[0], b''.join(map(contents, command[1:])))


def idle(_, command):
    with tempfile.NamedTemporaryFile('r') as log:
        child = start(['strace', '-f', '-o', log.name, *command],
                      stdin=PIPE, stdout=PIPE, bufsize=0)
        child.stdin.write(b'first\n')
        expect(child.stdout, b'first\n')
        # What it does with the first line may take a slow machine seconds.
        calls = len(open(log.name).readlines())
        for _ in range(LIMIT):
            before = calls
            time.sleep(1)
            calls = len(open(log.name).readlines())
            if calls - before <= 3:
                break
        child.stdin.write(b'second\n')
        compare(finish(child)[0], b'second\n')
    if calls - before > 3:
        wrong(f'{calls - before} system calls while nothing happened')


def behind(words, command):
    name, gone = words
    theirs, ours = channel("pipe", True)
    child = start(command, stdin=open(name, "rb"), stdout=theirs)
    other = os.open(gone, os.O_RDONLY)

    def piece():
        until(lambda: child.poll() is not None or sleeps(child))
        return os.read(ours, 1 << 16)

    got = piece()
    os.close(other)
    got += b"".join(iter(piece, b""))
    compare(got, contents(name))
    finish(child)


def messages(words, command):
    line = words[0].encode() + b'\n'
    for kind, limit in itertools.product(('dgram', 'seqpacket'), (0, LIMIT)):
        theirs, ours = channel(kind)
        with socket.socket(fileno=os.dup(theirs)) as end:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO,
                           struct.pack('@ll', limit, 0))
        child = start(command, stdout=theirs, stderr=subprocess.DEVNULL)
        got = {os.read(ours, 1 << 20) for _ in range(1000)}
        os.close(ours)
        if got != {line}:
            wrong(f'{kind}, {limit} s: {sorted(map(len, got))} bytes, '
                  f'not {len(line)}')
        finish(child, -signal.SIGPIPE, 1)


def whole(sizes, command):
    (source, ours), (sink, theirs) = channel('seqpacket'), channel('seqpacket')
    child = start(command, stdin=source, stdout=sink)
    want = [(b'text\n' * int(size))[:int(size)] for size in sizes]
    Background(feed, ours, b''.join(want), [*map(int, sizes)])
    got = take(theirs)
    if got != want:
        wrong(f'messages of {[*map(len, got)]} bytes, not {sizes}')
    finish(child)


def packets(words, command):
    kind = words[0]
    source, ours = channel('packets' if kind == 'unmarked' else kind)
    if kind == 'unmarked':
        os.dup2(os.open(f'/proc/self/fd/{source}', os.O_RDONLY), source)
    child = start(command, stdin=source)
    feed(ours, contents('want'), [20000 if kind == 'seqpacket' else 1000])
    finish(child)


def writes_error(child):
    """Whether a command sleeps in a system call on standard error."""
    return contents(f'/proc/{child.pid}/syscall').split()[1:2] == [b'0x2']


def heeds_signals():
    """A shell's background jobs ignore SIGINT, and those of nohup(1) SIGHUP."""
    for number in signal.SIGHUP, signal.SIGINT:
        signal.signal(number, signal.SIG_DFL)


def report(words, command):
    sent = signal.Signals['SIG' + words[0]]
    for first in None, signal.SIGHUP, signal.SIGTERM:
        write, read = channel('pipe', out=True)
        full = fill(write)
        source = subprocess.DEVNULL if first is None else PIPE
        child = start(command, stdin=source, bufsize=0, stdout=PIPE, stderr=write,
                      preexec_fn=heeds_signals)
        if first is not None:
            child.stdin.write(b'one\n')
            expect(child.stdout, b'one\n')
            # Only then has it counted what it wrote.
            until(lambda child=child: sleeps(child))
            child.send_signal(first)
        until(lambda child=child: writes_error(child))
        child.send_signal(sent)
        said = b''.join(take(read))[full:].decode()
        os.close(read)
        if not re.fullmatch('cat: standard input .*\n', said):
            wrong(f'after {first}: {said!r}')
        finish(child, *([0] if first is None else [-first, -sent]))


def stop(words, command):
    name, status, file, end = words
    child = start(command, stdout=PIPE, preexec_fn=heeds_signals)
    until(lambda: os.path.exists(file) or child.poll() is not None)
    child.send_signal(signal.Signals['SIG' + name])
    # The pipe ends when all that held it has.
    said = finish(child, int(status))[0].decode()
    if not said.endswith(end + '\n'):
        wrong(said)


if __name__ == '__main__':
    at = sys.argv.index('--')
    ends.drive({f.__name__: f for f in (
        sockets, fifos, lease, idle, behind, messages, whole, packets, report, stop)
     }[sys.argv[1]], sys.argv[2:at], sys.argv[at + 1:])
