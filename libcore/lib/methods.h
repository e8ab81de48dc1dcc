/* SPDX-License-Identifier: 0BSD */
/* libzc's ways of moving bytes, best first: methods/. */
METHOD(copy_file_range)
METHOD(splice)
METHOD(tee)
METHOD(vmsplice)
METHOD(sendfile)
METHOD(rw)
