#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Talks to a command at a terminal.

chat.py EXPECT SEND [EXPECT SEND]... EXPECT -- COMMAND...
    waits until the command has printed EXPECT, types SEND, and so on. What it
    has printed instead is shown if it does not come, and the status is 1.
"""
import sys

import pexpect

from ends import LIMIT

at = sys.argv.index('--')
talk = pexpect.spawn(sys.argv[at + 1], sys.argv[at + 2:], timeout=LIMIT, encoding='utf-8')
for turn, line in enumerate(sys.argv[1:at]):
    if turn % 2:
        talk.send(line)
    else:
        try:
            talk.expect_exact(line)
        except (pexpect.TIMEOUT, pexpect.EOF) as wrong:
            sys.exit(f'{type(wrong).__name__}: no {line!r} in {talk.before!r}')
