/* SPDX-License-Identifier: 0BSD */
/* Ranges of a file that are ours alone: engine/range.c. */
#pragma once

#include "core.h"

/* Ranges. A source that is a file has a range that is ours alone, from
 * range_at, where the next call begins, to range_end. The next method uses the
 * range that one leaves. */

/* Reserves max bytes of a source that has not given all, unless some are left.
 * Returns how many are reserved now, max at most; 0 if the file ends here by
 * its size; ZC_RUN_MAX if it is no file; or ZC_PASSED_OVER or -errno. */
ssize_t zc_reserve_source(struct zc_endpoint *in, size_t max);

/* Reserves n bytes of a file whose position was just seen at `seen'. Returns 0
 * if all are in the range, ZC_PASSED_OVER if none can be, or -errno. */
int zc_reserve(struct zc_endpoint *end, off_t seen, size_t n);

/* Moves the position from the end of the range back to `to', where the range
 * then ends, unless another process has moved it since: then the range stays
 * ours. */
void zc_move_back(struct zc_endpoint *end, off_t to);

#ifdef CONFIG_ZC_RANGE

/* Reads in the range. Returns 0 if the caller must use read(2) from here on:
 * the file has become shorter than the range, or cannot be read at an offset,
 * and the rest of the range is given back. */
ssize_t zc_read_range(struct zc *z, struct zc_endpoint *in, void *buf,
		      size_t size);

/* zc_move_back() over all that is left of the range of a source. */
void zc_give_back(struct zc_endpoint *end);

#else

static inline ssize_t zc_read_range(struct zc *z, struct zc_endpoint *in,
				    void *buf, size_t size)
{
	return 0;
}

static inline void zc_give_back(struct zc_endpoint *end)
{
}

#endif
