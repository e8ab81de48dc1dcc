#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""tee --lag and a serial line that is stopped (^S): says as TAP what has passed.

close(2) of such a line waits until all has been sent, for 30 s if nobody has said
otherwise. Here that is for ever, so that who waits for it is found out by that.
scripts/vm gives the guest a second line, to which nobody listens.
"""
import fcntl
import os
import struct
import subprocess
import sys
import termios
import time

LINE, LOG, TEE = "/dev/ttyS1", "/tmp/serial.log", "/usr/bin/tee"
TIOCGSERIAL, TIOCSSERIAL = 0x541E, 0x541F
TYPE, CLOSING_WAIT = 0, 40      # where in a struct serial_struct
FOR_EVER = 0
HANG = 60                       # seconds


def open_line():
    return os.open(LINE, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)


def prepare():
    """Returns whether there is such a line."""
    fd = open_line()
    settings = bytearray(72)
    try:
        fcntl.ioctl(fd, TIOCGSERIAL, settings)
    except OSError:
        return False
    if not struct.unpack_from("i", settings, TYPE)[0]:
        return False
    struct.pack_into("H", settings, CLOSING_WAIT, FOR_EVER)
    fcntl.ioctl(fd, TIOCSSERIAL, settings)
    os.close(fd)
    return True


def type_at_line(key):
    fd = open_line()
    fcntl.ioctl(fd, termios.TIOCSTI, key)
    os.close(fd)


def log():
    with open(LOG, "rb") as f:
        return f.read()


def run(option, lines, stopped):
    """Returns the status of tee, what it said, and whether its log is right."""
    open(LOG, "wb").close()
    child = subprocess.Popen([TEE, option, "-a", LOG, LINE], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    child.stdin.write(b"first\n")
    child.stdin.flush()
    while log() != b"first\n":
        time.sleep(0.01)
    if stopped:
        type_at_line(b"\x13")
    said = child.communicate(lines, HANG)[1].decode()
    return child.returncode, said, log() == b"first\n" + lines


LITTLE, MUCH = b"a line\n" * 300, b"a line\n" * 50000
LATE = f"tee: {LINE}: too late\n"
MISSED = f"tee: {LINE}: late, "


def check(number, name, option, lines, stopped, right):
    try:
        status, said, whole = run(option, lines, stopped)
    except subprocess.TimeoutExpired:
        # It sleeps in close(2), for ever, and so would who opens the line.
        print(f"not ok {number} {name}\n# it hangs", flush=True)
        os._exit(1)
    passed = whole and right(status, said)
    print(f"{'ok' if passed else 'not ok'} {number} {name}", flush=True)
    if not passed:
        print(f"# status {status}, the log is {'' if whole else 'not '}whole: {said!r}")
    return passed


CASES = (
    ("a line that goes on gets all, and tee waits for it",
     "--lag=64K,skip", LITTLE, False, lambda status, said: (status, said) == (0, "")),
    ("who is dropped keeps nobody waiting",
     "--lag=64K,drop", MUCH, True, lambda status, said: (status, said) == (1, LATE)),
    ("drop: what the line holds at the end keeps nobody waiting",
     "--lag=64K,drop", LITTLE, True, lambda status, said: (status, said) == (1, LATE)),
    ("skip: what the line holds at the end keeps nobody waiting",
     "--lag=64K,skip", LITTLE, True, lambda status, said: (status, said) == (1, LATE)),
    ("skip: what it is late with at the end is left out",
     "--lag=64K,skip", MUCH, True,
     lambda status, said: status == 1 and said.startswith(MISSED) and said.endswith(LATE)),
)


def main():
    print(f"1..{len(CASES)}")
    if not prepare():
        for number, case in enumerate(CASES, 1):
            print(f"ok {number} {case[0]} # skip {LINE} is no line")
        return 0
    held = [check(number, *case) for number, case in enumerate(CASES, 1)]
    return not all(held)


if __name__ == "__main__":
    sys.exit(main())
