#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Looks into ELF files.

elf.py relro BOX SEGMENTS MAPS
    checks that what readelf -l calls GNU_RELRO is read-only where BOX runs, as
    its /proc/PID/maps says.
elf.py drop COMMAND
    checks that COMMAND cuts off section headers, on machines of 32 and 64 bits
    and of either order of bytes.
"""
import re
import struct
import subprocess
import sys


def relro(box, segments, maps):
    with open(maps, encoding='utf-8') as file:
        maps = [re.split('[- ]', line, maxsplit=2) for line in file if box in line]
    with open(segments, encoding='utf-8') as file:
        text = file.read()
    base = int(maps[0][0], 16) - int(re.search(r'LOAD +0x0+ 0x(\w+)', text)[1], 16)
    at, size = (int(n, 16) for n in re.search(
        r'GNU_RELRO +0x\w+ 0x(\w+) 0x\w+ 0x\w+ 0x(\w+)', text).groups())
    if not size:
        sys.exit('GNU_RELRO is empty')
    for byte in base + at, base + at + size - 1:
        is_in, = (m for m in maps if int(m[0], 16) <= byte < int(m[1], 16))
        if not is_in[2].startswith('r--p'):
            sys.exit(f'{byte:#x} is in {is_in}')


def make(order, wide):
    """The headers of a file whose last segment in memory ends at 1299."""
    head = struct.pack(order + 'HHI3' + ('Q' if wide else 'I') + 'I6H',
                       2, 62, 1, 0, 64, 9999, 0, 0, 56 if wide else 32, 3, 64, 5, 4)
    ident = bytes([127, 69, 76, 70, 1 + wide, 1 + (order == '>'), 1])
    head = (ident.ljust(16, b'\0') + head).ljust(64, b'\0')
    for kind, start, size in (1, 0, 300), (1, 300, 999), (2, 0, 5000):
        head += struct.pack(order + 'IIQQQQQQ', kind, 5, start, 0, 0, size, size, 0) \
            if wide else \
            struct.pack(order + '8I', kind, start, 0, 0, size, size, 5, 0)
    return head


def drop(command):
    for order in '<>':
        for wide in False, True:
            head = make(order, wide)
            with open('elf', 'wb') as file:
                file.write(head.ljust(9999, b'x'))
            subprocess.run([command, 'elf'], check=True)
            with open('elf', 'rb') as file:
                got = file.read()
            offset, size, counts = (40, 8, 58) if wide else (32, 4, 46)
            want = bytearray(head.ljust(9999, b'x')[:1299])
            want[offset:offset + size] = bytes(size)
            want[counts:counts + 6] = bytes(6)
            if got != want:
                sys.exit(f'order {order}, {64 if wide else 32} bits: {len(got)} bytes, '
                         f'not {len(want)}, or not the same')


if __name__ == '__main__':
    {'relro': relro, 'drop': drop}[sys.argv[1]](*sys.argv[2:])
