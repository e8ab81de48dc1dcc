# SPDX-License-Identifier: 0BSD
"""zc_move() from Python: move.py LIBRARY BYTES <FROM >TO."""
import ctypes
import os
import sys

zc = ctypes.CDLL(sys.argv[1])
zc.zc_move.restype = ctypes.c_uint64
zc.zc_move.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_uint64,
                       ctypes.POINTER(ctypes.c_int)]
error = ctypes.c_int()
n = zc.zc_move(0, 1, int(sys.argv[2]), error)
print(n, os.strerror(error.value), file=sys.stderr)
