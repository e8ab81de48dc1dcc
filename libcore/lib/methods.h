/* SPDX-License-Identifier: 0BSD */
/* The methods of libzc, best first: libcore/methods. */
METHOD(copy_file_range)
METHOD(splice)
METHOD(tee)
METHOD(vmsplice)
METHOD(sendfile)
METHOD(rw)
