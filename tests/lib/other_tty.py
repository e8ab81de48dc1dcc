#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND, which another terminal controls, with its standard output on a terminal,
and prints what that got.

other_tty.py tty COMMAND...
    it is /dev/tty, opened before the other one became the controlling one.
other_tty.py read-only COMMAND...
    it is open for reading only.
other_tty.py own COMMAND...
    it is a terminal like any other.
other_tty.py gone COMMAND...
    its other side goes away once something has come.
"""
import fcntl
import os
import select
import signal
import sys
import termios

import ends
from ends import channel, control, outcome, start, take, until, wrong


def open_tty():
    """The terminal controls the command until /dev/tty has been opened."""
    control(1)
    os.dup2(os.open("/dev/tty", os.O_RDWR), 1)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    fcntl.ioctl(1, termios.TIOCNOTTY)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def open_to_read():
    os.dup2(os.open(os.ttyname(1), os.O_RDONLY | os.O_NOCTTY), 1)


def main(how, *command):
    theirs, ours = channel("pty")
    other, others = channel("pty")

    def prepare():
        if how == "tty":
            open_tty()
        elif how == "read-only":
            open_to_read()
        control(other)

    child = start(command, stdout=theirs, preexec_fn=prepare)
    os.close(other)
    if how == "gone":
        until(lambda: select.select([ours], [], [], 0)[0] or child.poll() is not None)
        os.close(ours)
        return outcome(child)[0]
    status = outcome(child)[0]
    if take(others):
        wrong("the other one got something")
    sys.stdout.buffer.writelines(take(ours))
    return status


if __name__ == "__main__":
    ends.drive(main, *sys.argv[1:])
