#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""direct.py FILE COMMAND... runs a command whose standard input is FILE, opened
with O_DIRECT: open(2)."""
import os
import sys

fd = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
os.dup2(fd, 0)
os.execvp(sys.argv[2], sys.argv[2:])
