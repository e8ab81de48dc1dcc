#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""A FUSE file system whose sizes lie: lying_fs.py DIRECTORY [cached], until
unmounted.

Each file holds 300,000 bytes, whatever st_size says. Of pieces a read gets 5,000
bytes at most. `cached' keeps the bytes in the page cache, so that files can be
mapped.
"""
import stat
import sys

from fusepy import FUSE, Operations

SIZES = {'/none': 0, '/small': 1000, '/short': 100000, '/exact': 300000,
         '/long': 400000, '/pieces': 300000}
PIECE = 5000


def content():
    return b''.join(b'%07d\n' % i for i in range(37500))


class Lying(Operations):
    data = content()

    def getattr(self, path, fh=None):
        if path == '/':
            return {'st_mode': stat.S_IFDIR | 0o755, 'st_nlink': 2}
        if path not in SIZES:
            raise OSError(2, 'No such file or directory')
        return {'st_mode': stat.S_IFREG | 0o644, 'st_nlink': 1,
                'st_size': SIZES[path]}

    def readdir(self, path, fh):
        return ['.', '..'] + [name[1:] for name in SIZES]

    def read(self, path, size, offset, fh):
        size = min(size, PIECE) if path == '/pieces' else size
        return self.data[offset:offset + size]


if __name__ == '__main__':
    FUSE(Lying(), sys.argv[1], foreground=True, ro=True, nothreads=True,
         attr_timeout=0, direct_io='cached' not in sys.argv)
