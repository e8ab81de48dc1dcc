#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Talks to a command at a terminal.

chat.py EXPECT SEND [EXPECT SEND]... EXPECT -- COMMAND...
    waits until the command has printed EXPECT, types SEND, and so on. What it
    has printed instead is shown if it does not come, and the status is 1.
"""
import os
import pty
import select
import signal
import sys

LIMIT = 30   # seconds, after which a hang is called one


def wait_for(fd, expected):
    seen = b''
    while expected not in seen:
        if not select.select([fd], [], [], LIMIT)[0]:
            return 'no %r in %r' % (expected, seen)
        try:
            seen += os.read(fd, 4096)
        except OSError:
            return 'it ended: no %r in %r' % (expected, seen)
    return None


at = sys.argv.index('--')
lines = [os.fsencode(line) for line in sys.argv[1:at]]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[at + 1], sys.argv[at + 1:])
for turn, line in enumerate(lines):
    if turn % 2:
        os.write(fd, line)
        continue
    wrong = wait_for(fd, line)
    if wrong:
        break
os.kill(pid, signal.SIGKILL)
sys.exit(wrong)
