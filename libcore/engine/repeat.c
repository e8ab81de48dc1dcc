/* SPDX-License-Identifier: 0BSD */
/* A line, repeated for ever. */
#include <string.h>

#include "engine.h"

/* Bytes of a repeated line: as many as a Unix socket takes at once, because box
 * fills large pipe buffers from one. */
enum { PATTERN = ZC_SELECT ? 48 << 10 : ZC_LINES };

void zc_repeat(struct zc *z, const char *line, size_t len, struct zc_sink *out)
{
	struct zc_line repeated = {
		.pattern = line,
		.pattern_len = len,
		.line_len = len,
	};
	struct zc_source in = {
		.fd = -1,
		.kind = ZC_REPEAT,
		.line = &repeated,
	};
	char *buffer = zc_buffer(z);

	if (len <= PATTERN / 2) {
		repeated.pattern = buffer;
		repeated.pattern_len = PATTERN / len * len;
		memmove(buffer, line, len);
		for (size_t n = len; n < repeated.pattern_len; n *= 2)
			memcpy(buffer + n, buffer,
			       zc_least(n, repeated.pattern_len - n));
	}
	/* The line of an earlier source is not this one's. */
	zc_relay_close(&z->pattern);
	zc_copy(z, &in, out);
	if (repeated.lent)
		zc_sys_unmap((void *)repeated.pattern, repeated.pattern_len);
}
