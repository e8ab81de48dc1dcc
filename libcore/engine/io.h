/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2), or a function of the caller: engine/io.c. */
#pragma once

#include <poll.h>

#include "kconfig.h"
#include "sys.h"
#include "core.h"

/* Returns how many of n bytes, the rest of a run, go to a sink at once: as many
 * as one message may have, where it keeps them apart and they are none
 * themselves. A run that one message of UDP can have stays one. */
static inline size_t zc_one_message(
	const struct zc *z, const struct zc_sink *out, size_t run, size_t n)
{
	enum { WHOLE = 65507 };
	size_t max = out->message_max;

	return max && max < n && run > WHOLE && !z->job.message ? max : n;
}

/* Returns ZC_SPLICE_LEAST, or more bytes than a page has, if that is more: no
 * packet (O_DIRECT, pipe2(2)) has as many. */
size_t zc_least_run(void);

/* Counts n bytes, if it is not an error, that a call has moved. */
static inline void zc_count(struct zc_source *in, struct zc_sink *out,
			    ssize_t n)
{
	if (n > 0) {
		in->bytes += n;
		out->bytes += n;
	}
}

/* Calls the ends ready of which poll(2) says nothing: those without a
 * descriptor, which are always ready. */
void zc_own_ready(struct pollfd *p, int n);

/* write(2), or the function of a sink of the kind ZC_OWN. */
ssize_t zc_call_write(struct zc_sink *out, const void *buf, size_t len);

/* Likewise, made again while it would block. Returns bytes, or -errno. */
ssize_t zc_write_once(struct zc *z, struct zc_sink *out, const void *buf,
		      size_t len);

/* zc_write() by write(2) alone, which fills a pipe's pages: promised bytes fit.
 */
void zc_write_pages(struct zc *z, struct zc_sink *out, const void *buf,
		    size_t len);
