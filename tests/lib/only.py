#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""only.py "CALL CALL..." COMMAND...: runs a command that the kernel kills
(SIGSYS) for any other system call."""
import os
import shutil
import signal
import sys

import seccomp

program = shutil.which(sys.argv[2])
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it
rules = seccomp.SyscallFilter(seccomp.KILL_PROCESS)
for call in sys.argv[1].split() + ['execve']:
    rules.add_rule(seccomp.ALLOW, call)
rules.load()
os.execv(program, sys.argv[2:])
