#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""quoting.py NAME OURS THEIRS: two programs of that name, cat or tee, say the same about odd
operands: each byte, pairs of telling ones, random names, CASES (300), and what is at the edges
of UTF-8. SEED repeats a run.

GNU 9.1 gets some names wrong that have an apostrophe and end in what does not print. These are
left out, and so are code points that stand for no character, which box prints."""
import itertools
import os
import random
import sys
from subprocess import DEVNULL, PIPE

import ends

# What a shell, a rule of quoting or a terminal takes for something else; what is UTF-8 and
# prints; and what is not, or does not.
PIECES = [bytes((c,)) for c in b" !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~a0\a\b\t"
          b"\n\v\f\r\x01\x1b\x7f\x80\xbf\xc3\xff"] + \
    [c.encode() for c in "\xa0\xe9\u07ff\u0800\u2027\u202a\u20ac\ud7a3\ue000\ufb01\U0001f600"] + \
    [b"\xc0\xaf", b"\xc2\x80", b"\xc2\x85", b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98a",
     b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfe\x80\x80\x80\x8f\x80\x80",
     b"\xe0\x80\x9b", b"\xf0\x80\x80\x9b", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xe2\x80\xa8"]


def edges():
    """Each first byte of UTF-8, and the least and greatest of the rest."""
    rest = [bytes((c,)) for c in b"\x80\x8f\x90\x9f\xa0\xbf\xc0"]
    for length in range(1, 4):
        for first in range(0xc0, 0x100):
            for pieces in itertools.product(rest, repeat=length):
                yield bytes((first,)) + b"".join(pieces)


def is_mangled(name):
    end = name.decode(errors="surrogateescape")[-1:]
    return b"'" in name and not end.isprintable()


def said(program, name, operands):
    child = ends.start([name, "--", *(b"missing/" + one for one in operands)], stderr=PIPE,
                       executable=program, env={"LC_ALL": "C.UTF-8"}, stdin=DEVNULL,
                       stdout=DEVNULL)
    return ends.outcome(child)[::2]


def main(name, ours, theirs):
    r = random.Random(str(SEED))
    cases = int(os.environ.get("CASES") or 300)
    names = [bytes((c,)) for c in range(1, 256)] + [a + b for a in PIECES for b in PIECES] + \
        r.sample([name for name in edges() if not name.decode(errors="ignore")], 300) + \
        [b"".join(r.choices(PIECES, k=r.randint(3, 12))) for _ in range(cases)]
    names = [name for name in names if not is_mangled(name)]
    for at in range(0, len(names), 100):
        batch = names[at:at + 100]
        if said(ours, name, batch) != said(theirs, name, batch):
            for one in batch:
                us, them = said(ours, name, [one]), said(theirs, name, [one])
                if us != them:
                    ends.wrong(f"{one!r}\n  ours:   {us}\n  theirs: {them}")
            ends.wrong(f"together, but not alone: {batch!r}")


if __name__ == "__main__":
    SEED = os.environ.get("SEED") or random.randrange(10 ** 6)
    ends.drive(main, *sys.argv[1:], seed=SEED)
