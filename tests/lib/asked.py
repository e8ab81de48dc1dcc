#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""asked.py SOURCE SINK WANT COMMAND...: asks a copy of the file WANT again and
again, at random moments, how far it is (SIGUSR1).

SOURCE and SINK, its standard input and output, are each "file", "pipe" or
"socket". Its standard error goes into the file "said". What came out must be
WANT, which is dripped and drained where there is a way to. Prints how often it
was asked.
"""
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

CHUNKS = 30  # in so many pieces, at least, WANT goes in, or comes out


def ends(kind, name):
    """Returns what is the program's, to read from or to write to, and ours."""
    if kind == 'file':
        return os.open(name, os.O_RDWR | os.O_CREAT), None
    if kind == 'socket':
        theirs, ours = socket.socketpair()
        return theirs.detach(), ours.detach()
    return os.pipe()


def drip(fd, text):
    while text:
        n = random.randint(1, 2 * len(text) // CHUNKS + 4096)
        os.write(fd, text[:n])
        text = text[n:]
        time.sleep(random.uniform(0, 0.005))
    os.close(fd)


def drain(fd, got, most):
    while piece := os.read(fd, random.randint(1, most)):
        got.append(piece)
        time.sleep(random.uniform(0, 0.002))


def is_ready(pid):
    with open(f'/proc/{pid}/status') as file:
        caught = [line for line in file if line.startswith('SigCgt:')]
    return int(caught[0].split()[1], 16) >> (signal.SIGUSR1 - 1) & 1


def ask_on(child):
    """Until it ends. Returns how often."""
    asked = 0
    while child.poll() is None:
        if asked or is_ready(child.pid):
            child.send_signal(signal.SIGUSR1)
            asked += 1
        time.sleep(random.uniform(0, 0.003))
    return asked


def main(source, sink, want, *command):
    with open(want, 'rb') as file:
        text = file.read()
    theirs_in, ours_in = ends(source, want)
    theirs_out, ours_out = ends(sink, 'sunk')
    if sink == 'pipe':
        theirs_out, ours_out = ours_out, theirs_out
    with open('said', 'wb') as said:
        child = subprocess.Popen(command, stdin=theirs_in, stdout=theirs_out,
                                 stderr=said)
    os.close(theirs_in)
    os.close(theirs_out)
    got = []
    threads = []
    if ours_in is not None:
        threads.append(threading.Thread(target=drip, args=(ours_in, text)))
    if ours_out is not None:
        most = len(text) // CHUNKS
        threads.append(threading.Thread(target=drain, args=(ours_out, got, most)))
    for thread in threads:
        thread.start()
    asked = ask_on(child)
    for thread in threads:
        thread.join()
    if ours_out is None:
        with open('sunk', 'rb') as file:
            got = [file.read()]
        os.unlink('sunk')
    if child.returncode or b''.join(got) != text:
        sys.exit(f'{source} to {sink}: status {child.returncode}, '
                 f'{len(b"".join(got))} bytes of {len(text)}')
    print(asked)


if __name__ == '__main__':
    main(*sys.argv[1:])
