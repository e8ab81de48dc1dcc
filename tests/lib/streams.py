#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""A source or a sink of a pipeline, in odd pieces or with pauses.

streams.py drip FILE
    writes FILE with pauses: a source that is often not ready.
streams.py repeats FILE [BYTES]
    checks that standard input is nothing but the line in FILE, over and over,
    though the last one may be cut. It leaves after BYTES, in the middle of a
    line.
"""
import itertools
import os
import sys
import time


def drip(name):
    with open(name, 'rb') as file:
        while piece := file.read(70001):
            sys.stdout.buffer.write(piece)
            sys.stdout.flush()
            time.sleep(0.002)


def repeats(name, size=300001):
    with open(name, 'rb') as file:
        line = file.read()
    size = max(int(size), 3 * len(line))
    lines = line * ((1 << 20) // len(line) + 2)
    at = 0
    for most in itertools.cycle((4097, 1, 65521, 7, 1 << 20, 4095, 130)):
        if at >= size:
            break
        piece = os.read(0, most)
        if not piece:
            sys.exit(f'only {at} bytes')
        if piece != lines[at % len(line):][:len(piece)]:
            sys.exit(f'wrong after {at} bytes')
        at += len(piece)


if __name__ == '__main__':
    {'drip': drip, 'repeats': repeats}[sys.argv[1]](*sys.argv[2:])
