#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Runs COMMAND with its standard output on a terminal, and prints what that got.

other_tty.py tty COMMAND...
    it is /dev/tty, opened before another terminal became the controlling one.
other_tty.py read-only COMMAND...
    it is open for reading only.
other_tty.py own COMMAND...
    it is a terminal like any other.
other_tty.py gone COMMAND...
    its other side goes away once something has come, or after a second.
"""
import fcntl
import os
import select
import subprocess
import sys
import termios
import tty


def controlled_by(terminal):
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def main(how, *command):
    master, ours = os.openpty()
    other_master, other = os.openpty()
    for each in ours, other:
        tty.setraw(each)
    output = ours
    if how in ("tty", "own"):
        if os.fork():
            _, status = os.wait()
            if select.select([other_master], [], [], 0.1)[0]:
                sys.exit("the other one got something")
            sys.stdout.buffer.write(os.read(master, 4096))
            return os.waitstatus_to_exitcode(status)
    if how == "tty":
        controlled_by(ours)
        output = os.open("/dev/tty", os.O_RDWR)
    elif how == "read-only":
        output = os.open(os.ttyname(ours), os.O_RDONLY | os.O_NOCTTY)
    with subprocess.Popen(command, stdout=output,
                          preexec_fn=lambda: controlled_by(other)) as child:
        if how == "gone":
            select.select([master], [], [], 1)
            os.close(master)
        return child.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
