#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""held.py COMMAND...: prints how many bytes are in COMMAND and its two pipes once their
reader, who has read some, reads no more, and its standard input takes none."""
import os, sys

import ends
from ends import channel, fill_until_stuck, kill, start


def main(*command):
    source, to = channel("pipe")
    sink, ours = channel("pipe", out=True)
    child = start(command, stdin=source, stdout=sink)
    held = fill_until_stuck(to, child)
    for _ in range(4):      # a pipe grows once a run has filled it
        held -= len(os.read(ours, 1 << 20))
        held += fill_until_stuck(to, child)
    print(held)
    kill(child)


if __name__ == "__main__":
    ends.drive(main, *sys.argv[1:])
