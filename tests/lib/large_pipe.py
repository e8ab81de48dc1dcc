#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""large_pipe.py BOX: has cat read a pipe of 128 KiB that it never fills, and then
one of 1 MiB, which must keep its size."""
import fcntl
import subprocess
import sys
import threading

from os import close, devnull, pipe, write

GET, SET = 1032, 1031   # F_GETPIPE_SZ, F_SETPIPE_SZ


def feed(fd, size):
    left = bytes(size)
    while left:
        left = left[write(fd, left):]
    close(fd)


small, large = pipe(), pipe()
fcntl.fcntl(small[0], SET, 128 << 10)
fcntl.fcntl(large[0], SET, 1 << 20)
feed(small[1], 70000)
threading.Thread(target=feed, args=(large[1], 3 << 20)).start()
with open(devnull, 'wb') as null:
    command = [sys.argv[1], 'cat', f'/dev/fd/{small[0]}', f'/dev/fd/{large[0]}']
    subprocess.run(command, stdout=null, pass_fds=(small[0], large[0]), check=True)
sizes = fcntl.fcntl(small[0], GET), fcntl.fcntl(large[0], GET)
if sizes != (128 << 10, 1 << 20):
    sys.exit(f'the pipes are of {sizes} bytes')
