#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""large_pipe.py BOX: has cat read a pipe of 128 KiB that it never fills, and then
one of 1 MiB, which must keep its size."""
import fcntl
import sys
from subprocess import DEVNULL

import ends
from ends import Background, channel, feed, finish, start, wrong

ROOMS = [128 << 10, 1 << 20]


def main(box):
    pipes = [channel("pipe", room=room) for room in ROOMS]
    for (_, ours), size in zip(pipes, (70000, 3 << 20)):
        Background(feed, ours, bytes(size))
    fds = [theirs for theirs, _ in pipes]
    finish(start([box, "cat", *(f"/dev/fd/{fd}" for fd in fds)],
                 stdout=DEVNULL, pass_fds=fds))
    sizes = [fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ) for fd in fds]
    if sizes != ROOMS:
        wrong(f"the pipes are of {sizes} bytes")


if __name__ == "__main__":
    ends.drive(main, *sys.argv[1:])
