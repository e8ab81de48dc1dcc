#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Compares what cat and tee say about odd names with what GNU's say.

    tests/lib/quoting.py CAT TEE GNU_CAT GNU_TEE

The names are each byte, random ones, CASES (300) pairs of telling ones, and as many
of what is at the edges of UTF-8; SEED repeats a run. Each is tried as the name of
nothing, as a directory's, and (but for root) as that of a file without
permissions. The first difference is shown.

GNU 9.1 gets some names wrong that have an apostrophe and end in what does not
print. These are left out, and so are code points that stand for no character,
which box prints. What box says must in any case be what a shell reads as the
name.
"""
import itertools
import os
import random
import sys
import tempfile
from subprocess import DEVNULL, PIPE

import ends
from ends import Background, channel, feed, finish, outcome, start, wrong

# What a shell, a rule of quoting or a terminal takes for something else; what
# is UTF-8 and prints; and what is not, or does not.
BYTES = [bytes((c,)) for c in b" !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~a0\a\b\t"
         b"\n\v\f\r\x01\x1b\x7f\x80\xbf\xc3\xff"]
GOOD = [c.encode() for c in "\xa0\xe9\u07ff\u0800\u2027\u202a\u20ac\ud7a3\ue000"
        "\ufb01\U0001f600"]
BAD = [b"\xc0\xaf", b"\xc1\xbf", b"\xc2\x80", b"\xc2\x85", b"\xc2\x9f",
       b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98", b"\xf0\x9f\x98a",
       b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80",
       b"\xfc\x80\x8f\x80\x80\x80", b"\xfe\x80\x80\x80\x8f\x80\x80",
       b"\xe0\x80\x9b", b"\xf0\x80\x80\x9b", b"\xed\xa0\x80",
       b"\xed\xaf\xbf", b"\xed\xb0\x80", b"\xed\xbf\xbf",
       b"\xed\xa0\x80\xed\xb0\x80", b"\xe2\x80\xa8", b"\xe2\x80\xa9"]

LONGEST = (128 << 10) - len(b"missing/\0")     # as an argument


def edges():
    """Each first byte of UTF-8, and the least and greatest of the rest."""
    rest = [bytes((c,)) for c in b"\x80\x8f\x90\x9f\xa0\xbf\xc0"]
    for length in range(1, 4):
        for first in range(0xc0, 0x100):
            for pieces in itertools.product(rest, repeat=length):
                yield bytes((first,)) + b"".join(pieces)


def names(r):
    pieces = BYTES + GOOD + BAD
    found = {b""} | {bytes((c,)) for c in range(1, 256)}
    cases = int(os.environ.get("CASES") or 300)
    pairs = [a + b for a in pieces for b in pieces]
    found.update(r.sample(pairs, min(len(pairs), cases)))
    for _ in range(500):
        found.add(b"".join(r.choices(pieces, k=r.randint(3, 12))))
    for n in 255, 256, 4095, 4096, 30000, LONGEST:
        found |= {(piece * n)[:n] for piece in (b"x", b"'", b"\n'", b"\nx")}
    strange = [name for name in edges() if not name.decode(errors="ignore")]
    found.update(r.sample(strange, min(len(strange), cases)))
    return sorted(found - {b"-"})


def said(program, name, operands, directory):
    child = start([name, "--"] + operands, executable=program, cwd=directory,
                  env={"LC_ALL": "C.UTF-8"}, stdin=DEVNULL, stderr=PIPE, stdout=DEVNULL)
    status, _, words = outcome(child)
    return status, words


def batches(operands):
    """As many of them at once as execve(2) takes in any case."""
    batch = []
    for one in operands:
        if len(batch) == 100 or sum(map(len, batch)) + len(one) > 500000:
            yield batch
            batch = []
        batch.append(one)
    yield batch


def compare(ours, theirs, name, operands, directory):
    for batch in batches(operands):
        if said(ours, name, batch, directory) == said(theirs, name, batch, directory):
            continue
        for one in batch:
            us = said(ours, name, [one], directory)
            them = said(theirs, name, [one], directory)
            if us != them:
                wrong(f"{name}: {one!r}\n  ours:   {us}\n  theirs: {them}")
        wrong(f"{name}: together, but not alone: {batch!r}")


def is_mangled(name):
    end = name.decode(errors="surrogateescape")[-1:]
    return b"'" in name and not end.isprintable()


def read_back(ours, operands, directory):
    """A shell must read what is quoted as the name that it was."""
    for batch in batches(operands):
        lines = said(ours, "cat", batch, directory)[1].splitlines()
        quoted = [line[len(b"cat: "):line.rindex(b": ")] for line in lines]
        script = b"printf '%s\\0' " + b" ".join(quoted)
        stdin, to = channel("pipe")
        Background(feed, to, script)
        read = finish(start(["bash"], stdin=stdin, stdout=PIPE))[0].split(b"\0")
        for one, line, name in zip(batch, lines, read[:-1], strict=True):
            if one != name:
                wrong(f"{one!r}: {line!r} is read as {name!r}")


def make(directory, operands, how):
    """Makes what can be made of the names, and returns those."""
    made = []
    for name in operands:
        try:
            how(os.path.join(os.fsencode(directory), name))
            made.append(name)
        except OSError:
            pass
    return made


def without_permissions(path):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0))


def main(cat, tee, gnu_cat, gnu_tee):
    operands = names(random.Random(str(SEED)))
    with tempfile.TemporaryDirectory() as directory:
        read_back(cat, operands, directory)
        operands = [name for name in operands if not is_mangled(name)]
        compare(cat, gnu_cat, "cat", operands, directory)
        missing = [b"missing/" + name for name in operands]
        compare(tee, gnu_tee, "tee", missing, directory)
    with tempfile.TemporaryDirectory() as directory:
        made = make(directory, operands, os.mkdir)
        compare(cat, gnu_cat, "cat", made, directory)
        compare(tee, gnu_tee, "tee", made, directory)
    with tempfile.TemporaryDirectory() as directory:
        made = make(directory, operands, without_permissions)
        if os.getuid():
            compare(cat, gnu_cat, "cat", made, directory)
            compare(tee, gnu_tee, "tee", made, directory)


if __name__ == "__main__":
    SEED = os.environ.get("SEED") or random.randrange(10 ** 6)
    ends.drive(main, *sys.argv[1:], seed=SEED)
