#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Drives a command from both sides, as a shell cannot, and says what is wrong.

drive.py pipes [in] [out] -- COMMAND...
    feeds 3,000,001 bytes in odd pieces and takes them in others, the named
    sides of the command being O_NONBLOCK, and checks every byte. A command that
    does not read (yes) is checked against the line that it repeats.
drive.py sockets [in] [out] -- COMMAND...
    the same with the file "want", the named sides being Unix sockets and the
    others what they are.
drive.py unchanged FILE [in] -- COMMAND...
    FILE goes through pipes of several sizes, with O_NONBLOCK and without. They
    must keep that, and be no smaller afterwards. Without "in" the command reads
    FILE by itself.
drive.py fills BYTES -- COMMAND...
    reads the command's output only once more than so many bytes are in the
    pipe, and copies it.
drive.py lines [LINE] -- COMMAND...
    what is written to the command must come out before more is; a LINE comes
    before anything is written.
drive.py fifos -- COMMAND FILE...
    each FILE must come out before the command waits for the next; those that
    are fifos get a line.
drive.py lease -- COMMAND FILE...
    the last FILE is under a lease, and has to be waited for.
drive.py idle -- COMMAND...
    leaves the input idle for a second in which the command may make no more
    than a handful of system calls, then passes one line through.
drive.py neighbours -- COMMAND...
    feeds the command by a pipe while it sleeps on a full socket, and drains it
    while it sleeps on an empty one: neither neighbour may be made to wait.
drive.py terminal -- COMMAND...
    types one line and a single ^D at a terminal; the line must come out and
    the command must end.
drive.py interrupt ends|ignored -- COMMAND...
    SIGINT ends a command that copies lines, or does not.
drive.py messages LINE -- COMMAND...
    each message that the command sends to a socket is the line.
drive.py report SIGNAL -- COMMAND...
    what the command, which has no input, reports at its end comes whole though
    SIGNAL comes while standard error is full: also where another signal was the
    end.
drive.py stop SIGNAL FILE WORDS -- COMMAND...
    sends SIGNAL once FILE exists; the command must then end with status 1, and
    what it said with WORDS, after all that it has started.
"""
import fcntl
import itertools
import multiprocessing
import os
import pty
import re
import select
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

LIMIT = 30   # seconds, after which a hang is called one
SET_SIZE, GET_SIZE = 1031, 1032      # F_SETPIPE_SZ and F_GETPIPE_SZ


def contents(name):
    with open(name, 'rb') as file:
        return file.read()


def expect(file, want):
    """A line comes out, though nothing more goes in."""
    got = b''
    while len(got) < len(want) and select.select([file], [], [], LIMIT)[0]:
        piece = os.read(file.fileno(), 100)
        if not piece:
            break
        got += piece
    if got != want:
        sys.exit(f'{got!r} came, not {want!r}')


def finish(child, *statuses):
    status = child.wait(LIMIT)
    if status not in (statuses or (0,)):
        sys.exit(f'status {status}')


def compare(got, data):
    if got != data:
        sys.exit(f'{len(got)} bytes of {len(data)} came, or not the same')


def repeated(command, count):
    """What comes of a command that does not read, or nothing."""
    for i, word in enumerate(command):
        if word.endswith('yes'):
            words = command[i + 1:] or ['y']
            return (' '.join(words) + '\n').encode() * count
    return b''


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


def start_feeding(fd, data):
    threading.Thread(target=feed, args=(fd, data), daemon=True).start()


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


def pipes(sides, command):
    endless = repeated(command, 1500000)
    data = endless or os.urandom(3000001)
    in_r, in_w = os.pipe()
    out_r, out_w = os.pipe()
    os.set_blocking(in_r, 'in' not in sides)
    os.set_blocking(out_w, 'out' not in sides)
    child = subprocess.Popen(command, stdin=in_r, stdout=out_w)
    os.close(out_w)
    if not endless:
        os.close(in_r)
        start_feeding(in_w, data)
    got = take(out_r, len(data) if endless else len(data) + 1)
    os.close(out_r)
    compare(got, data)
    finish(child, -signal.SIGPIPE if endless else 0)


def sockets(sides, command):
    endless = repeated(command, 300000)
    data = endless or contents('want')
    ours, theirs = {}, {}
    for side in sides:
        ours[side], theirs[side] = (s.detach() for s in socket.socketpair())
    child = subprocess.Popen(command, stdin=theirs.get('in'),
                             stdout=theirs.get('out'),
                             stderr=subprocess.DEVNULL if endless else None)
    for fd in theirs.values():
        os.close(fd)
    if 'in' in sides:
        start_feeding(ours['in'], data)
    if 'out' in sides:
        compare(take(ours['out'], len(data) + (not endless)), data)
        os.close(ours['out'])
    # The unread rest makes it either of these.
    finish(child, *((-signal.SIGPIPE, 1) if endless else (0,)))


def resize(fd, size):
    try:
        fcntl.fcntl(fd, SET_SIZE, size)
    except PermissionError:
        fcntl.fcntl(fd, SET_SIZE, 1 << 20)


def state(fds):
    return [(fcntl.fcntl(fd, fcntl.F_GETFL), fcntl.fcntl(fd, GET_SIZE))
            for fd in fds]


def unchanged(words, command):
    data = contents(words[0])
    # The first is more than box asks for.
    for size, blocking in itertools.product((1 << 21, 1 << 16, 1 << 12),
                                            (True, False)):
        in_r, in_w = os.pipe()
        out_r, out_w = os.pipe()
        fds = [in_r, out_w] if 'in' in words else [out_w]
        for fd in fds:
            resize(fd, size)
            os.set_blocking(fd, blocking)
        before = state(fds)
        child = subprocess.Popen(command, stdin=in_r, stdout=out_w)
        if 'in' in words:
            start_feeding(in_w, data)
        compare(take(out_r, len(data)), data)
        finish(child)
        for was, now in zip(before, state(fds)):
            if now[0] != was[0] or now[1] < was[1]:
                sys.exit(f'flags and size were {was}, and are {now}')
        for fd in in_r, out_r, out_w:
            os.close(fd)


def fills(words, command):
    read, write = os.pipe()
    child = subprocess.Popen(command, stdout=write)
    os.close(write)
    held, until = 0, time.monotonic() + LIMIT
    while held <= int(words[0]):
        if time.monotonic() > until:
            sys.exit(f'{held} bytes are in the pipe')
        held, = struct.unpack('i', fcntl.ioctl(read, termios.FIONREAD, b'1234'))
    while piece := os.read(read, 1 << 20):
        sys.stdout.buffer.write(piece)
    finish(child)


def lines(first, command):
    child = subprocess.Popen(command, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, bufsize=0)
    for line in first:
        expect(child.stdout, line.encode() + b'\n')
    for line in b'second\n', b'third\n':
        child.stdin.write(line)
        expect(child.stdout, line)
    child.stdin.close()
    finish(child)


def fifos(_, command):
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
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
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    out = child.communicate(timeout=LIMIT)[0]
    compare(out, b''.join(map(contents, command[1:])))
    finish(child)


def idle(_, command):
    with tempfile.NamedTemporaryFile('r') as log:
        child = subprocess.Popen(['strace', '-f', '-o', log.name] + command,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(b'first\n')
        child.stdin.flush()
        first = os.read(child.stdout.fileno(), 100)
        # What it does with the first line may take a slow machine seconds.
        calls = len(open(log.name).readlines())
        for _ in range(LIMIT):
            before = calls
            time.sleep(1)
            calls = len(open(log.name).readlines())
            if calls - before <= 3:
                break
        rest = child.communicate(b'second\n', LIMIT)[0]
    if (first, rest) != (b'first\n', b'second\n'):
        sys.exit('wrong bytes: %r %r' % (first, rest))
    finish(child)
    if calls - before > 3:
        sys.exit('%d system calls while nothing happened' % (calls - before))


def write_until_full(fd):
    os.set_blocking(fd, False)
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
    expect(child.stdout, b'typed\n')
    os.write(master, b'\x04')
    try:
        finish(child)
    except subprocess.TimeoutExpired:
        child.kill()
        sys.exit('one ^D did not end it')


def interrupt(words, command):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    child = subprocess.Popen(command, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, bufsize=0)
    child.stdin.write(b'first\n')
    expect(child.stdout, b'first\n')
    child.send_signal(signal.SIGINT)
    if words == ['ends']:
        finish(child, -signal.SIGINT)
        return
    child.stdin.write(b'second\n')
    expect(child.stdout, b'second\n')
    child.stdin.close()
    finish(child)


def messages(words, command):
    line = words[0].encode() + b'\n'
    for kind in socket.SOCK_DGRAM, socket.SOCK_SEQPACKET:
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        child = subprocess.Popen(command, stdout=theirs)
        ours.settimeout(LIMIT)
        got = {ours.recv(1 << 20) for _ in range(1000)}
        child.kill()
        child.wait()
        if got != {line}:
            sys.exit(f'{kind!r}: {sorted(map(len, got))} bytes, not {len(line)}')


def until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            sys.exit('nothing happened')
        time.sleep(0.002)


def sleeps(child):
    return contents(f'/proc/{child.pid}/syscall') != b'running\n'


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
        read, write = os.pipe()
        write_until_full(write)
        full = struct.unpack('i', fcntl.ioctl(read, termios.FIONREAD, bytes(4)))[0]
        os.set_blocking(write, True)
        source = open('/dev/null', 'rb') if first is None else subprocess.PIPE
        child = subprocess.Popen(command, stdin=source, bufsize=0, stdout=subprocess.PIPE,
                                 stderr=write, preexec_fn=heeds_signals)
        os.close(write)
        if first is not None:
            child.stdin.write(b'one\n')
            expect(child.stdout, b'one\n')
            # Only then has it counted what it wrote.
            until(lambda child=child: sleeps(child))
            child.send_signal(first)
        until(lambda child=child: writes_error(child))
        child.send_signal(sent)
        with os.fdopen(read, 'rb') as file:
            said = file.read()[full:].decode()
        if not re.fullmatch('cat: standard input .*\n', said):
            sys.exit(f'after {first}: {said!r}')
        finish(child, *([0] if first is None else [-first, -sent]))


def stop(words, command):
    name, file, end = words
    child = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=heeds_signals)
    while not os.path.exists(file):
        if child.poll() is not None:
            sys.exit(f'status {child.returncode} before {file} was there')
        time.sleep(0.01)
    child.send_signal(signal.Signals['SIG' + name])
    # The pipe ends when all that held it has.
    said = child.communicate(timeout=LIMIT)[0].decode()
    if not said.endswith(end + '\n'):
        sys.exit(said)
    finish(child, 1)


if __name__ == '__main__':
    at = sys.argv.index('--')
    {f.__name__: f for f in (
        pipes, sockets, unchanged, fills, lines, fifos, lease, idle, neighbours,
        terminal, interrupt, messages, report, stop)
     }[sys.argv[1]](sys.argv[2:at], sys.argv[at + 1:])
