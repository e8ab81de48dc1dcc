#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Runs a command whose standard error is a terminal.

terminal.py log COLUMNS COMMAND...
    puts what goes there into the file "terminal".
terminal.py stopped|full|gone COMMAND...
    one that takes nothing: its output is stopped, or it is full, or its other
    side has gone.
terminal.py keys KEYS COMMAND...
    one that is on a terminal alone, at which KEYS are typed.
"""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios


def start(slave, command):
    child = subprocess.Popen(command, stderr=slave)
    os.close(slave)
    return child


def finish(child):
    status = child.wait()
    sys.exit(status if status >= 0 else 128 - status)


def log(columns, *command):
    master, slave = pty.openpty()
    size = struct.pack('HHHH', 24, int(columns), 0, 0)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
    child = start(slave, command)
    with open('terminal', 'wb', buffering=0) as file:
        while True:
            try:
                file.write(os.read(master, 4096))
            except OSError:
                break
    finish(child)


def stopped(*command):
    _, slave = pty.openpty()
    termios.tcflow(slave, termios.TCOOFF)
    finish(start(slave, command))


def full(*command):
    _, slave = pty.openpty()
    os.set_blocking(slave, False)
    try:
        while True:
            os.write(slave, b'x')
    except BlockingIOError:
        os.set_blocking(slave, True)
    finish(start(slave, command))


def gone(*command):
    master, slave = pty.openpty()
    child = start(slave, command)
    os.close(master)
    finish(child)


def keys(typed, *command):
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    os.write(terminal, typed.encode())
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == '__main__':
    {'log': log, 'stopped': stopped, 'full': full,
     'gone': gone, 'keys': keys}[sys.argv[1]](*sys.argv[2:])
