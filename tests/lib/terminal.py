#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs a command that has a terminal, which is its standard error.

terminal.py log COLUMNS COMMAND...
    puts what goes there into the file "terminal".
terminal.py stopped|full|gone COMMAND...
    one that takes nothing: its output is stopped, or it is full, or its other
    side has gone.
terminal.py keys KEYS COMMAND...
    one that is on a terminal alone, at which KEYS are typed.
terminal.py unread NAME COMMAND...
    one for which NAME is a link to the terminal, from which nobody reads.
"""
import os
import sys
import termios

import ends
from ends import channel, control, fill, outcome, pieces, start, take, until


def log(columns, *command):
    theirs, ours = channel('tty')
    termios.tcsetwinsize(theirs, (24, int(columns)))
    child = start(command, stderr=theirs)
    with open('terminal', 'wb', buffering=0) as file:
        for piece in pieces(ours):
            file.write(piece)
    return outcome(child)[0]


def stopped(*command):
    theirs, _ = channel('tty')
    termios.tcflow(theirs, termios.TCOOFF)
    return outcome(start(command, stderr=theirs))[0]


def full(*command):
    theirs, _ = channel('tty')
    until(lambda: not fill(theirs))     # what the other side holds makes room
    return outcome(start(command, stderr=theirs))[0]


def gone(*command):
    theirs, ours = channel('tty')
    child = start(command, stderr=theirs)
    os.close(ours)
    return outcome(child)[0]


def keys(typed, *command):
    theirs, ours = channel('tty')
    child = start(command, stdin=theirs, stdout=theirs, stderr=theirs,
                  preexec_fn=lambda: control(0))
    os.write(ours, typed.encode())
    take(ours)
    return outcome(child)[0]


def unread(name, *command):
    theirs, _ = channel('pty')
    os.symlink(os.ttyname(theirs), name)
    return outcome(start(command))[0]


if __name__ == '__main__':
    ends.drive({f.__name__: f for f in (log, stopped, full, gone, keys, unread)
                }[sys.argv[1]], *sys.argv[2:])
