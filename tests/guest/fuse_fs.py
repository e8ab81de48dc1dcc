#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""A FUSE file system in memory: fuse_fs.py KIND DIRECTORY, until unmounted.

KIND is fuse-cached, or fuse-direct (the kernel keeps no pages of it); fuse-less
and fuse-more have the sources of tests/guest/fs.py in them, of sizes that lie.
"""
import errno
import os
import stat
import sys

from fusepy import FUSE, FuseOSError, Operations

import fs

LIES = {'fuse-less': lambda size: size // 3, 'fuse-more': lambda size: 2 * size}
LIMIT = 24 << 20


class Memory(Operations):
    def __init__(self, kind):
        self.lie = LIES.get(kind, lambda size: size)
        self.directories = {'/'}
        self.files = {}
        if kind in LIES:
            self.files = {'/' + name: bytearray(data)
                          for name, data in fs.sources().items()}

    def file(self, path):
        if path not in self.files:
            raise FuseOSError(errno.ENOENT)
        return self.files[path]

    def room(self):
        return LIMIT - sum(len(data) for data in self.files.values())

    def getattr(self, path, fh=None):
        if path in self.directories:
            return {'st_mode': stat.S_IFDIR | 0o755, 'st_nlink': 2}
        return {'st_mode': stat.S_IFREG | 0o644, 'st_nlink': 1,
                'st_size': self.lie(len(self.file(path)))}

    def readdir(self, path, fh):
        return ['.', '..'] + [os.path.basename(name) for name
                              in [*self.directories, *self.files]
                              if name != '/' and os.path.dirname(name) == path]

    def statfs(self, path):
        return {'f_bsize': 4096, 'f_frsize': 4096, 'f_namemax': 255,
                'f_blocks': LIMIT // 4096, 'f_bfree': self.room() // 4096,
                'f_bavail': self.room() // 4096}

    def mkdir(self, path, mode):
        self.directories.add(path)

    def create(self, path, mode, fi=None):
        self.files[path] = bytearray()
        return 0

    def unlink(self, path):
        self.file(path)
        del self.files[path]

    def truncate(self, path, length, fh=None):
        data = self.file(path)
        del data[length:]
        data.extend(bytes(length - len(data)))

    def read(self, path, size, offset, fh):
        return bytes(self.file(path)[offset:offset + size])

    def write(self, path, new, offset, fh):
        data = self.file(path)
        if offset + len(new) - len(data) > self.room():
            raise FuseOSError(errno.ENOSPC)
        data.extend(bytes(max(0, offset - len(data))))
        data[offset:offset + len(new)] = new
        return len(new)


if __name__ == '__main__':
    FUSE(Memory(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True,
         big_writes=True, direct_io=sys.argv[1] != 'fuse-cached')
