/* SPDX-License-Identifier: 0BSD */
/* Numbers of bytes that cat_format.c examines, formats and writes at once.
 * tests/c/every_text.c has smaller ones, so that six bytes are several blocks.
 */
#ifndef CAT_FORMAT_H
#define CAT_FORMAT_H

enum {
	VECTOR = 16,	    /* at most 16 */
	BLOCK = 4 * VECTOR, /* looked at together: a bit each */
	HALF = BLOCK / 2,
	FLUSH_SIZE = 93 << 10, /* written at once: with the last chunk, about
				* two buffers of 48 KiB (pipe.c) */
	PLAIN = 32 << 10,      /* written directly from the input */
	CHUNK = 1 << 10,       /* formatted between looks at the room */
	UNROLL = 4,
	DENSE = 3,	  /* with more special bytes in a block, each byte is
			   * looked at */
	DENSE_LINES = 16, /* the same where neighbours decide */
};

#endif
