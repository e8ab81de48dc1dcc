#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""few_pipes.py PAGES COMMAND...: runs a command while its user, who is no root, may
have no more than so many pages of pipes: those up to the limit of the system
(pipe-user-pages-soft, pipe(7)) are held here."""
import fcntl
import os
import resource
import subprocess
import sys

F_SETPIPE_SZ = 1031
PAGE = os.sysconf('SC_PAGE_SIZE')

with open('/proc/sys/fs/pipe-user-pages-soft', encoding='ascii') as file:
    left = int(file.read()) - int(sys.argv[1])
with open('/proc/sys/fs/pipe-max-size', encoding='ascii') as file:
    LARGE = int(file.read())
pages = LARGE // PAGE
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
while left > 0:
    while pages > left:
        pages //= 2
    # At the limit a new one has two pages, and may still become smaller.
    fcntl.fcntl(os.pipe()[1], F_SETPIPE_SZ, pages * PAGE)
    left -= pages
# More is refused, and then none of it is kept.
ends = []
try:
    for _ in range(int(sys.argv[1]) * PAGE // LARGE + 1):
        ends += os.pipe()
        fcntl.fcntl(ends[-1], F_SETPIPE_SZ, LARGE)
    sys.exit('few_pipes.py: this user may have more')
except PermissionError:
    for end in ends:
        os.close(end)
sys.exit(subprocess.call(sys.argv[2:]))
