#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs a command that has a terminal, which is its standard error, or its output.

terminal.py log COLUMNS COMMAND...
    puts what goes there into the file "terminal".
terminal.py stopped|full|gone COMMAND...
    one that takes nothing: its output is stopped, or it is full, or its other
    side has gone.
terminal.py keys KEYS COMMAND...
    one that is on a terminal alone, at which KEYS are typed.
terminal.py unread NAME COMMAND...
    one for which NAME is a link to the terminal, from which nobody reads.
terminal.py other HOW COMMAND...
    one that another terminal controls, and prints what its standard output got, which
    is, by HOW, "tty": /dev/tty, opened before the other one became the controlling one;
    "read-only": open for reading only; "own": a terminal like any other; or "gone": its
    other side goes away once something has come.
"""
import fcntl
import os
import select
import signal
import sys
import termios

import ends
from ends import channel, control, fill, outcome, pieces, start, take, until, wrong


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


def open_tty():
    """The terminal controls the command until /dev/tty has been opened."""
    control(1)
    os.dup2(os.open('/dev/tty', os.O_RDWR), 1)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    fcntl.ioctl(1, termios.TIOCNOTTY)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def open_to_read():
    os.dup2(os.open(os.ttyname(1), os.O_RDONLY | os.O_NOCTTY), 1)


def other(how, *command):
    theirs, ours = channel('pty')
    controlling, others = channel('pty')

    def prepare():
        {'tty': open_tty, 'read-only': open_to_read}.get(how, lambda: None)()
        control(controlling)

    child = start(command, stdout=theirs, preexec_fn=prepare)
    os.close(controlling)
    if how == 'gone':
        until(lambda: select.select([ours], [], [], 0)[0] or child.poll() is not None)
        os.close(ours)
        return outcome(child)[0]
    status = outcome(child)[0]
    if take(others):
        wrong('the other one got something')
    sys.stdout.buffer.writelines(take(ours))
    return status


if __name__ == '__main__':
    ends.drive({f.__name__: f for f in (log, stopped, full, gone, keys, unread, other)
                }[sys.argv[1]], *sys.argv[2:])
