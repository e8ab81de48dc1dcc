/* SPDX-License-Identifier: 0BSD */
/* Ranges of a file that are ours alone: engine/range.c. */
#ifndef ENGINE_RANGE_H
#define ENGINE_RANGE_H

#include "zc.h"

/* Ranges. A source that is a file has a range of its position that is ours
 * alone, from range_at, where to go on, to range_end. What one method leaves of
 * it is the next one's. */

/* Reserves max bytes of a source, unless some are left. Returns how many there
 * are now, max at most; 0 where its size says that it has ended; ZC_RUN_MAX if
 * it is no file; or -errno. */
ssize_t zc_reserve_source(struct zc_endpoint *in, size_t max);

/* Reserves n bytes of a file whose position was just seen at `seen'. Returns 0
 * with all of it in the range, or -errno. */
int zc_reserve(struct zc_endpoint *end, off_t seen, size_t n);

/* Moves the position from the end of the range back to `to', where the range
 * then ends, unless another process has moved it since: then the range stays
 * ours. */
void zc_move_back(struct zc_endpoint *end, off_t to);

/* Where in the range to go on, for a call that moves it; NULL if no file. */
off_t *zc_offset(struct zc_endpoint *end);

/* Returns whether some of a range is left. */
static inline bool zc_has_range(const struct zc_endpoint *end)
{
	return end->range_at < end->range_end;
}

/* read(2) in the range. Returns 0 where read(2) is to go on: the file has
 * become shorter than the range, or is not read at an offset, and the rest of
 * the range is given back. */
ssize_t zc_read_range(struct zc *z, struct zc_endpoint *in, void *buf,
		      size_t size);

/* zc_move_back() over all that is left of the range of a source. */
void zc_give_back(struct zc_endpoint *end);

#endif
