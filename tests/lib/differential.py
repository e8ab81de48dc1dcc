#!/usr/bin/env python3
# SPDX-License-Identifier: 0BSD
"""Compares a cat with GNU cat on generated input.

    tests/lib/differential.py CAT [REFERENCE]

The 128 sets of formatting options meet every kind of input, until CASES (200) are
done. SEED repeats a run. The first difference is reported with the commands that show
it, and its input is kept. Without a GNU cat to be found it exits with 77.
"""
import itertools
import os
import random
import shlex
import shutil
import sys
import tempfile
from subprocess import DEVNULL, PIPE

import ends
from ends import Background, channel, feed, outcome, start, wrong

BUFFER = 128 << 10              # what box and GNU cat read at once
NAMES = {
    "A": ["-A", "--show-all", "-vET"],
    "b": ["-b", "--number-nonblank"],
    "E": ["-E", "--show-ends"],
    "n": ["-n", "--number"],
    "s": ["-s", "--squeeze-blank"],
    "T": ["-T", "--show-tabs"],
    "v": ["-v", "--show-nonprinting"],
    "vE": ["-e", "-vE", "-Ev"],
    "vT": ["-t", "-vT", "-Tv"],
}
TELLING = b"\n\n\n\r\t\0a\x1f ~\x7f\x80\x89\x8a\x9f\xa0\xfe\xff"


def pick(r, n, alphabet):
    return bytes(r.choices(alphabet, k=n))


def text(r, n):
    out = bytearray()
    while len(out) < n:
        out += b"\t" * r.choice((0, 0, 1, 3))
        out += pick(r, int(r.expovariate(1 / 30)), b"abcdefgh     \t.,")
        out += b"\n" * r.choice((1, 1, 1, 1, 2, 3, 9))
    return bytes(out)


def lines_of(r, n):
    """Lines of nearly the lengths that things are done in."""
    length = r.choice((15, 16, 31, 63, 64, 127, 1023, 1024, 4096))
    length = max(0, length + r.randint(-1, 1))
    line = b"x" * length + r.choice((b"\n", b"\r\n", b"\n\n\n", b"\xe9\n"))
    return line * (n // len(line) + 1)


def edge(r, n):
    """Something telling on each side of where a read ends."""
    telling = pick(r, r.randint(1, 6), b"\r\n\n\t\xffa")
    fill = r.choice((b"x", b"\n", b"\x80", b"abc \n"))
    before = BUFFER - r.randint(0, len(telling))
    return (fill * BUFFER)[:before] + telling + text(r, n % 200)


KINDS = [
    text,
    lambda r, n: r.randbytes(n),
    lambda r, n: pick(r, n, TELLING),
    lambda r, n: pick(r, n, b"\r\n"),
    lambda r, n: pick(r, n, b"\n\n\n\na"),
    lambda r, n: b"\n" * n,
    lambda r, n: bytes(range(256)) * (1 + n // 256),
    lambda r, n: pick(r, 2 * n, b"\xd0\xbf\xd1\x80 \n"),
    lambda r, n: text(r, n).replace(b"\n", b"\r\n"),
    lambda r, n: b"y" * (r.randint(1, 3) * n) + b"\n" * r.randint(0, 3),
    lambda r, n: pick(r, r.randint(0, 3), b"\n\ra"),
    lines_of,
    lambda r, n: r.choice((text, lines_of))(r, n)[:-1],
    edge,
]


def size(r):
    return int(2 ** r.uniform(0, r.choice((6, 10, 13))))


def options(r, case):
    """The options of the set that the case's number stands for, spelled in
    some way and in some order."""
    letters = [c for i, c in enumerate("AbEnsTv") if case >> i & 1]
    for both in ("vE", "vT"):
        if set(both) <= set(letters) and r.random() < 0.5:
            letters = [c for c in letters if c not in both] + [both]
    words = [r.choice(NAMES[c]) for c in letters]
    r.shuffle(words)
    return words


def pipe_of(data, r):
    """Returns a pipe from which data is read in odd pieces."""
    theirs, ours = channel("packets")
    sizes = (size(r) for _ in itertools.count())
    Background(feed, ours, data, sizes if len(data) < 4096 else [len(data) // 7])
    return theirs


def run(command, stdin=DEVNULL, directory=None):
    child = start(command, stdin=stdin, stdout=PIPE, stderr=DEVNULL, cwd=directory)
    return outcome(child)[:2]


def find_gnu():
    for directory in os.environ["PATH"].split(":") + ["/usr/bin", "/bin"]:
        path = os.path.join(directory or ".", "cat")
        if not os.access(path, os.X_OK):
            continue
        if b"GNU coreutils" in run([path, "--version"])[1]:
            return path
    return None


class Case:
    """One command line with its input; all of it follows from the seed."""

    def __init__(self, seed, case):
        self.r = r = random.Random(f"{seed}/{case}")
        self.options = options(r, case)
        # A set that comes again meets another kind.
        kind = KINDS[(case + case // 128) % len(KINDS)]
        self.inputs = [kind(r, size(r))]
        while r.random() < 0.4:
            self.inputs.append(r.choice(KINDS[:-1])(r, size(r)))
        r.shuffle(self.inputs)
        self.names = [f"in{i}" for i in range(len(self.inputs))]
        self.fed = r.randrange(len(self.names)) if r.random() < 0.15 else None
        if self.fed is not None:
            self.names[self.fed] = "-"
        if r.random() < 0.05:
            self.names.insert(r.randint(0, len(self.names)), "missing")

    def write(self, directory):
        for i, data in enumerate(self.inputs):
            with open(os.path.join(directory, f"in{i}"), "wb") as f:
                f.write(data)

    def results(self, cat, gnu, directory):
        tail = self.options + self.names
        if self.fed is None:
            return (run([cat] + tail, directory=directory),
                    run([gnu] + tail, directory=directory))
        ours = run([cat] + tail, pipe_of(self.inputs[self.fed], self.r), directory)
        with open(os.path.join(directory, f"in{self.fed}"), "rb") as f:
            return ours, run([gnu] + tail, f, directory)


def report(case, cat, gnu, directory, ours, theirs):
    at = next((i for i, (a, b) in enumerate(zip(ours[1], theirs[1]))
               if a != b), min(len(ours[1]), len(theirs[1])))
    command = " ".join(map(shlex.quote, case.options + case.names))
    if case.fed is not None:
        command += f" < in{case.fed}    (a pipe, in pieces)"
    wrong(f"they differ from byte {at} on\n"
          f"  cd {directory}\n  {cat} {command}\n  {gnu} {command}\n"
          f"ours:   status {ours[0]}, {ours[1][max(0, at - 20):at + 40]}\n"
          f"theirs: status {theirs[0]}, {theirs[1][max(0, at - 20):at + 40]}")


def main(cat, gnu=None):
    cat, gnu = os.path.abspath(cat), gnu or find_gnu()
    if not gnu:
        print("no GNU cat to compare with")
        return 77
    directory = tempfile.mkdtemp(prefix="box-differential-")
    for number in range(int(os.environ.get("CASES") or 200)):
        ends.CASE[:] = [f"case {number}"]
        case = Case(SEED, number)
        case.write(directory)
        ours, theirs = case.results(cat, gnu, directory)
        if ours != theirs:
            report(case, cat, gnu, directory, ours, theirs)
    shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    SEED = os.environ.get("SEED") or random.randrange(10 ** 6)
    ends.drive(main, *sys.argv[1:], seed=SEED)
