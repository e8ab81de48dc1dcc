#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""stalled.py WHAT... -- COMMAND...: what a command holds while nobody reads its output.

outputs COUNT  feeds it by a pipe. It has COUNT outputs, tee's way. Prints how many
               bytes it has copied by then, by read(2) and write(2).
between        feeds it by a pipe, and reads 4 MiB of what comes. Prints the sizes of the
               pipe that it reads and of the one that it writes to.
alone          prints how many bytes its output's pipe holds, and the size of that.
within         feeds it by a pipe until that takes no more, and reads some. Prints how many
               bytes are in it and in both pipes."""
import fcntl
import os
import sys

import ends
from ends import Background, channel, contents, fill_until_stuck, held, kill, sleeps, start, until


def size(fd):
    return fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ)


def until_stuck(child, pipe):
    """Until the child sleeps, and a pipe that is not empty stays as it is."""
    last = 0

    def stuck():
        nonlocal last
        before, last = last, held(pipe)
        return (child.poll() is not None or sleeps(child)) and before == last > 0

    until(stuck)


def outputs(count, command):
    source, ours = channel("pipe")
    pipes = [channel("pipe", out=True) for _ in range(int(count))]
    fds = [theirs for theirs, _ in pipes]
    child = start([*command, *(f"/dev/fd/{fd}" for fd in fds[1:])], keep=True,
                  stdin=source, stdout=fds[0], pass_fds=fds)
    Background(ends.feed, ours, bytes(8 << 20))
    until_stuck(child, source)
    print(contents(f"/proc/{child.pid}/io").split()[3].decode())
    kill(child)


def between(command):
    source, ours = channel("pipe")
    theirs, sink = channel("pipe", out=True)
    child = start(command, keep=True, stdin=source, stdout=theirs)
    Background(ends.feed, ours, bytes(64 << 20))
    left = 4 << 20
    while left:
        left -= len(os.read(sink, min(left, 128 << 10)))
    print(size(source), size(theirs))
    kill(child)


def alone(command):
    theirs, sink = channel("pipe", out=True)
    child = start(command, keep=True, stdout=theirs)
    until_stuck(child, sink)
    print(held(sink), size(theirs))
    kill(child)


def within(command):
    source, ours = channel("pipe")
    theirs, sink = channel("pipe", out=True)
    child = start(command, stdin=source, stdout=theirs)
    inside = fill_until_stuck(ours, child)
    for _ in range(4):      # a pipe grows once a run has filled it
        inside -= len(os.read(sink, 1 << 20))
        inside += fill_until_stuck(ours, child)
    print(inside)
    kill(child)


def main(_, *args):
    at = args.index("--")
    {f.__name__: f for f in (outputs, between, alone, within)}[args[0]](
        *args[1:at], list(args[at + 1:]))


if __name__ == "__main__":
    ends.drive(main, *sys.argv)
