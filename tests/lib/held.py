#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""held.py COMMAND...: writes to its standard input until it takes no more, while nobody
reads its standard output, and prints how many bytes it took."""
import os
import subprocess
import sys
import time

source, to = os.pipe()
output = os.pipe()
with subprocess.Popen(sys.argv[1:], stdin=source, stdout=output[1]) as program:
    os.close(source)
    os.set_blocking(to, False)
    taken = idle = 0
    while idle < 20:
        try:
            taken += os.write(to, bytes(65536))
            idle = 0
        except BlockingIOError:
            idle += 1
            time.sleep(0.02)
    program.kill()
print(taken)
