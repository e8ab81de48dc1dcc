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


def headers(data):
    """The machine, bits and order of bytes, and the program headers: type,
    flags, offset, address, bytes in the file, in memory, and alignment."""
    wide, order = data[4] == 2, '<>'[data[5] == 2]
    machine, = struct.unpack_from(order + 'H', data, 18)
    at, = struct.unpack_from(order + ('Q' if wide else 'I'), data, 32 if wide else 28)
    step, count = struct.unpack_from(order + 'HH', data, 54 if wide else 42)
    found = []
    for start in range(at, at + step * count, step):
        if wide:
            kind, flags, offset, address, _, size, room, align = struct.unpack_from(
                order + 'IIQQQQQQ', data, start)
        else:
            kind, offset, address, _, size, room, flags, align = struct.unpack_from(
                order + '8I', data, start)
        found.append((kind, flags, offset, address, size, room, align))
    return (machine, 64 if wide else 32, 'little' if order == '<' else 'big'), found


def check(box, machine, bits, order, page):
    with open(box, 'rb') as file:
        data = file.read()
    got, found = headers(data)
    want, page = (int(machine), int(bits), order), int(page)
    if got != want:
        sys.exit(f'{box}: is for {got}, not {want}')
    load, dynamic, interpreter, stack = 1, 2, 3, 0x6474e551
    run, write = 1, 2
    kinds = [header[0] for header in found]
    if dynamic in kinds or interpreter in kinds:
        sys.exit(f'{box}: is not static')
    if stack not in kinds:
        sys.exit(f'{box}: may run its stack')
    end = 0
    for kind, flags, offset, address, size, room, align in found:
        if kind in (load, stack) and flags & run and flags & write:
            sys.exit(f'{box}: {address:#x} is both written and run')
        if kind != load or not room:
            continue
        if offset + size > len(data):
            sys.exit(f'{box}: {address:#x} ends beyond the file')
        if align < page or (address - offset) % page:
            sys.exit(f'{box}: {address:#x} is not aligned for pages of {page} bytes')
        if address // page * page < end:
            sys.exit(f'{box}: {address:#x} shares a page of {page} bytes')
        end = -(-(address + room) // page) * page


if __name__ == '__main__':
    {'relro': relro, 'drop': drop, 'check': check}[sys.argv[1]](*sys.argv[2:])
