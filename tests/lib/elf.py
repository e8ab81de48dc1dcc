#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Looks into ELF files.

elf.py relro BOX MAPS
    checks that BOX' segment GNU_RELRO is read-only where BOX runs, as its
    /proc/PID/maps says.
elf.py drop COMMAND
    checks that COMMAND cuts off section headers, on machines of 32 and 64 bits
    and of either order of bytes.
elf.py check BOX MACHINE BITS ORDER PAGE
    checks that BOX is a static program for such a machine, with no memory that is
    both written and run, with segments that share no page of PAGE bytes, without
    the section that clang for MIPS writes for debuggers, and for arm64 with one
    segment for code and constants, unless its address is random.
"""
import os
import re
import struct
import subprocess
import sys

from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_E_MACHINE


def open_elf(path):
    # The file stays open, because ELFFile reads it when it is asked.
    return ELFFile(open(path, 'rb'))


def relro(box, maps):
    with open(maps, encoding='utf-8') as file:
        maps = [re.split('[- ]', line, maxsplit=2) for line in file if box in line]
    elf = open_elf(box)
    load, protected = (next(elf.iter_segments(kind)) for kind in ('PT_LOAD', 'PT_GNU_RELRO'))
    base = int(maps[0][0], 16) - load['p_vaddr']
    at, size = protected['p_vaddr'], protected['p_memsz']
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


def check(box, machine, bits, order, page):
    elf = open_elf(box)
    size, page = os.path.getsize(box), int(page)
    got = (ENUM_E_MACHINE.get(elf['e_machine'], elf['e_machine']), elf.elfclass,
           'little' if elf.little_endian else 'big')
    want = (int(machine), int(bits), order)
    if got != want:
        sys.exit(f'{box}: is for {got}, not {want}')
    if elf.get_section_by_name('.pdr'):
        sys.exit(f'{box}: has .pdr, a section for debuggers')
    headers = [segment.header for segment in elf.iter_segments()]
    kinds = [header.p_type for header in headers]
    if 'PT_DYNAMIC' in kinds or 'PT_INTERP' in kinds:
        sys.exit(f'{box}: is not static')
    if 'PT_GNU_STACK' not in kinds:
        sys.exit(f'{box}: may run its stack')
    if want[0] == 183 and elf['e_type'] == 'ET_EXEC' and kinds.count('PT_LOAD') > 2:
        sys.exit(f'{box}: maps a page of its file twice')
    end = 0
    for header in headers:
        address, offset = header.p_vaddr, header.p_offset
        if header.p_type in ('PT_LOAD', 'PT_GNU_STACK') and \
                header.p_flags & P_FLAGS.PF_X and header.p_flags & P_FLAGS.PF_W:
            sys.exit(f'{box}: {address:#x} is both written and run')
        if header.p_type != 'PT_LOAD' or not header.p_memsz:
            continue
        if offset + header.p_filesz > size:
            sys.exit(f'{box}: {address:#x} ends beyond the file')
        if header.p_align < page or (address - offset) % page:
            sys.exit(f'{box}: {address:#x} is not aligned for pages of {page} bytes')
        if address // page * page < end:
            sys.exit(f'{box}: {address:#x} shares a page of {page} bytes')
        end = -(-(address + header.p_memsz) // page) * page


if __name__ == '__main__':
    {'relro': relro, 'drop': drop, 'check': check}[sys.argv[1]](*sys.argv[2:])
