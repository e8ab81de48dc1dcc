#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""missed.py WANT FILE: the file has whole lines of WANT in order, but for the head of
one that was cut by an error; where others are missing a line says how many bytes.
Prints how many bytes are missing in all."""
import re
import sys

MARK = re.compile(rb"tee: (\d+) bytes left out\n")


def place(want, at, piece, marked):
    """Returns where want goes on behind the piece, which is there at `at`."""
    if want[at:at + len(piece)] == piece:
        return at + len(piece)
    # A mark begins on a line of its own.
    if marked and piece.endswith(b"\n") and want[at:].startswith(piece[:-1]):
        return at + len(piece) - 1
    sys.exit(f"byte {at} is followed by {piece[:100]!r}, not {want[at:at + 100]!r}")


with open(sys.argv[1], "rb") as f:
    want = f.read()
with open(sys.argv[2], "rb") as f:
    pieces = MARK.split(f.read())
at = missing = 0
for piece, count in zip(pieces[::2], pieces[1::2]):
    if piece[-1:] not in (b"", b"\n"):
        sys.exit(f"{count.decode()} bytes left out is on no line of its own")
    at = place(want, at, piece, True) + int(count)
    missing += int(count)
    if at > len(want) or (at < len(want) and want[at - 1:at] != b"\n"):
        sys.exit(f"what follows {count.decode()} bytes left out begins no line")
if place(want, at, pieces[-1], False) != len(want):
    sys.exit("the end is missing, and nothing says so")
print(missing)
