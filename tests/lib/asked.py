#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""asked.py SOURCE SINK WANT COMMAND...: asks a copy of the file WANT again and
again, at random moments, how far it is (SIGUSR1).

SOURCE and SINK, its standard input and output, are each "file", "pipe" or
"socket". Its standard error goes into the file "said". What came out must be
WANT, which is dripped and drained where there is a way to. Prints how often it
was asked.
"""
import itertools
import os
import random
import signal
import sys
import time

import ends
from ends import Background, channel, compare, contents, feed, file_of, finish, start, take

CHUNKS = 30  # in so many pieces, at least, WANT goes in, or comes out


def sizes(most):
    return (random.randint(1, most) for _ in itertools.count())


def pauses(most):
    return (random.uniform(0, most) for _ in itertools.count())


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
    ends.CASE[:] = [f'{source} to {sink}']
    text = contents(want)
    taker = None
    if source == 'file':
        theirs_in = os.open(want, os.O_RDONLY)
    else:
        theirs_in, ours = channel(source)
        Background(feed, ours, text, sizes(2 * len(text) // CHUNKS + 4096), pauses(0.005))
    if sink == 'file':
        theirs_out = file_of('sunk', flags=os.O_RDWR)
    else:
        theirs_out, ours = channel(sink, out=True)
        taker = Background(take, ours, sizes(len(text) // CHUNKS), pauses(0.002))
    child = start(command, stdin=theirs_in, stdout=theirs_out,
                  stderr=file_of('said', flags=os.O_WRONLY))
    asked = ask_on(child)
    finish(child)
    compare(b''.join(taker.result()) if taker else contents('sunk'), text)
    print(asked)


if __name__ == '__main__':
    ends.drive(main, *sys.argv[1:])
