#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""A FUSE file system with a file of 300,000 bytes, until unmounted: lying_fs.py DIRECTORY
pieces|long. Of "pieces" a read gets 5,000 bytes at most. "long" says that it has 400,000,
and its bytes are kept in the page cache, so that it can be mapped."""
import stat
import sys

from fusepy import FUSE, Operations

DIRECTORY, NAME = sys.argv[1:]
LONG = NAME == 'long'


class Lying(Operations):
    data = b''.join(b'%07d\n' % i for i in range(37500))

    def getattr(self, path, fh=None):
        if path == '/':
            return {'st_mode': stat.S_IFDIR | 0o755, 'st_nlink': 2}
        if path != '/' + NAME:
            raise OSError(2, 'No such file or directory')
        return {'st_mode': stat.S_IFREG | 0o644, 'st_nlink': 1,
                'st_size': 400000 if LONG else 300000}

    def readdir(self, path, fh):
        return ['.', '..', NAME]

    def read(self, path, size, offset, fh):
        return self.data[offset:offset + (size if LONG else min(size, 5000))]


FUSE(Lying(), DIRECTORY, foreground=True, ro=True, nothreads=True, attr_timeout=0,
     direct_io=not LONG)
