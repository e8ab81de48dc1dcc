#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""held.py COMMAND...: writes to its standard input until it takes no more, while nobody
reads its standard output, and prints how many bytes it took."""
import sys

import ends
from ends import channel, fill, fill_until_stuck, kill, start


def main(*command):
    source, to = channel("pipe")
    sink, _ = channel("pipe", out=True)
    taken = fill(to)    # pipes of a program that reads little at first stay small
    child = start(command, stdin=source, stdout=sink)
    print(taken + fill_until_stuck(to, child))
    kill(child)


if __name__ == "__main__":
    ends.drive(main, *sys.argv[1:])
