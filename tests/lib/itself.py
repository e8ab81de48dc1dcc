#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND, a cat, where operands are its output: the same file, by its name,
a link, or standard input. Each way of opening both, from several positions,
meets operands of all these kinds, and others between them.

itself.py exact -- COMMAND
    COMMAND refuses an operand that has bytes left to read and is behind the
    output, or shares its position. GNU cat 9.12 copies one that shares it.
itself.py careful -- COMMAND
    COMMAND refuses each operand that is its output and has bytes left to read.
    What GNU cat would have copied keeps its bytes: the next operand comes behind
    them.

Of all cases CASES (200) are run, the same each time.
"""
import itertools
import os
import random
import sys
from subprocess import PIPE

import ends
from ends import contents, outcome, start, wrong

SIZES = 0, 5, 100000
PLACES = "start", "middle", "end", "beyond"
OUTPUTS = [("w", "start")] + list(itertools.product(("a", "rw"), PLACES))
INPUTS = [("null", "start"), ("same", "start")] + [
    ("own", place) for place in PLACES]
KINDS = "f", "-", "y", "hard"
OPERANDS = ([[a] for a in KINDS] + [[a, b] for a in KINDS for b in KINDS] +
            [["y", a, "y"] for a in KINDS])
FLAGS = {"w": os.O_RDWR | os.O_TRUNC, "a": os.O_RDWR | os.O_APPEND,
         "rw": os.O_RDWR}


def content(size):
    return (b"abcdefghijk" * size)[:size]


def place_of(end, size):
    return {"start": 0, "middle": size // 2, "end": size,
            "beyond": size + 3}[end[1]]


def run(command, size, output, source, operands):
    """Returns what COMMAND says, and what f then holds."""
    with open("f", "r+b") as f:
        f.truncate(0)
        f.write(content(size))
    out = os.open("f", FLAGS[output[0]])
    os.lseek(out, place_of(output, size), os.SEEK_SET)
    if source[0] == "same":
        into = os.dup(out)
    else:
        into = os.open("f" if source[0] == "own" else "/dev/null", os.O_RDONLY)
        os.lseek(into, place_of(source, size), os.SEEK_SET)
    child = start(["cat", *command[1:], *operands], executable=command[0],
                  stdin=into, stdout=out, stderr=PIPE)
    return outcome(child)[2], contents("f")


class Cat:
    """What a cat should do."""

    def __init__(self, careful, size, output, source):
        self.careful = careful
        self.appends = output[0] == "a"
        self.shared = source[0] == "same"
        self.data = bytearray(b"" if output[0] == "w" else content(size))
        self.at = place_of(output, size)
        self.input_at = None if source[0] == "null" else place_of(source, size)

    def write(self, text):
        at = len(self.data) if self.appends else self.at
        if text and at > len(self.data):
            self.data.extend(bytes(at - len(self.data)))
        self.data[at:at + len(text)] = text
        self.at = at + len(text)

    def copy(self, begin, shared=False):
        """Copies the output from there on. Returns whether that is refused."""
        end = len(self.data)
        behind = self.appends or shared or begin < self.at
        if begin < end and (self.careful or behind):
            if self.appends or self.at <= begin:
                self.at = end
            return True
        self.write(self.data[begin:])
        return False

    def operand(self, name):
        """Returns whether it is refused."""
        if name == "y":
            self.write(b"y")
        elif name != "-":
            return self.copy(0)
        elif self.shared:
            return self.copy(self.at, True)
        elif self.input_at is not None:
            if self.copy(self.input_at):
                return True
            self.input_at = max(self.input_at, len(self.data))
        return False


def check(careful, command, case):
    cat = Cat(careful, *case[:3])
    said = [f"cat: {name}: input file is output file"
            for name in case[3] if cat.operand(name)]
    got, data = run(command, *case)
    lines = got.decode().splitlines()
    # One that is careful may refuse where there is nothing left to read.
    if data != cat.data or lines != said and not (careful and set(said) <= set(lines)):
        wrong(f"{lines} {data}\nnot {said} {bytes(cat.data)}"[:2000])


def main(how, _, *command):
    with open("y", "wb") as y:
        y.write(b"y")
    with open("f", "wb"):
        pass
    os.link("f", "hard")
    cases = list(itertools.product(SIZES, OUTPUTS, INPUTS, OPERANDS))
    wanted = min(len(cases), int(os.environ.get("CASES") or 200))
    for case in random.Random(1).sample(cases, wanted):
        # What is appended is written at the end from any position. GNU cat
        # moves that there, so that it finds nothing left to read.
        if case[1][0] == "a" and case[2][0] == "same" and case[1][1] != "start":
            continue
        ends.CASE[:] = case
        check(how == "careful", command, case)


if __name__ == "__main__":
    ends.drive(main, *sys.argv[1:])
