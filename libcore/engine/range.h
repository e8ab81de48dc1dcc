/* SPDX-License-Identifier: 0BSD */
/* Ranges of a file that are ours alone, and files at the caller's offset:
 * engine/range.c. */
#pragma once

#include "kconfig.h"
#include "core.h"

/* Returns whether an endpoint is read or written at the caller's offset, so
 * that its own position stays. */
static inline bool zc_is_at_offset(const struct zc_endpoint *end)
{
	return IS_ENABLED(CONFIG_ZC_LIBRARY) && end->has_offset;
}

/* Returns whether a source gives a number of bytes at most. */
static inline bool zc_has_max(const struct zc_source *in)
{
	return (IS_ENABLED(CONFIG_ZC_LIBRARY) && in->has_max) ||
	       (IS_ENABLED(CONFIG_ZC_PAUSE) && in->pauses);
}

/* Returns whether a source has given its max. */
static inline bool zc_has_given_all(const struct zc_source *in)
{
	return zc_has_max(in) && in->bytes >= in->max;
}

/* Returns whether zc_run() is to end here, though the source goes on. */
static inline bool zc_pauses(const struct zc_source *in)
{
	return IS_ENABLED(CONFIG_ZC_PAUSE) && in->pauses &&
	       zc_has_given_all(in);
}

/* Returns the lesser of n and the bytes that the source may still give. A
 * read(2) of less than zc_pause_late() may cut a packet, or be refused
 * (O_DIRECT): a pause comes later. */
static inline size_t zc_at_most(const struct zc_source *in, size_t n)
{
	uint64_t left = zc_excess(in->max, in->bytes);

	if (!zc_has_max(in))
		return n;
	if (IS_ENABLED(CONFIG_ZC_PAUSE) && in->pauses) {
		uint64_t late = zc_pause_late();

		left = (left + late - 1) & -late;
	}
	return zc_least(n, left);
}

/* Ranges. A source that is a file has a range that is ours alone, from
 * `at', where the next call begins, to `end'. The next method uses the range
 * that one leaves. */

/* The offset in its range for the next call, which moves it;
 * NULL if the source is no file. */
static inline off_t *zc_offset(struct zc_source *in)
{
	return in->kind & ZC_REGULAR ? &in->range.at : NULL;
}

/* Returns whether some of a range is left. */
static inline bool zc_is_left(const struct zc_range *range)
{
	return range->at < range->end;
}

/* Reserves max bytes of a source that has not given all, unless some are left.
 * Returns how many are reserved now, max at most; 0 if the file ends here by
 * its size; as many as it may give, max at most, if it is no file; or
 * ZC_PASSED_OVER or -errno. */
ssize_t zc_reserve_source(struct zc_source *in, size_t max);

/* Reserves n bytes of a file whose position was just seen at `seen', or at -1
 * if it was not. Returns 0 if some are in the range now, ZC_PASSED_OVER if none
 * are, or -errno. */
int zc_reserve(int fd, struct zc_range *range, off_t seen, size_t n);

/* Moves the position from the end of the range back to `to', where the range
 * then ends, unless another process has moved it since: then the range stays
 * ours. */
void zc_move_back(int fd, struct zc_range *range, off_t to);

#ifdef CONFIG_ZC_RANGE

/* Reads in the range. Returns 0 if the caller must use read(2) from here on:
 * the file has become shorter than the range, or cannot be read at an offset,
 * and the rest of the range is given back. */
ssize_t zc_read_range(struct zc *z, struct zc_source *in, void *buf,
		      size_t size);

/* zc_move_back() over all that is left of the range of a source. */
void zc_give_back(struct zc_source *in);

/* Begin a call of zc_run() for an end at the caller's offset: a source gets a
 * range from there on, without end; a sink is sole no more. Set the error
 * ESPIPE if the end has no offsets. */
void zc_begin_at_source(struct zc_source *in);
void zc_begin_at_sink(struct zc_sink *out);

/* Ends a call of zc_run(): sets the offset at which to go on, and gives no
 * range back. */
void zc_end_at(struct zc_source *in);

/* pwrite(2) at the offset, and moves it on. Returns bytes, or -errno. */
ssize_t zc_write_at(struct zc_sink *out, const void *buf, size_t len);

#else

static inline ssize_t zc_read_range(struct zc *z, struct zc_source *in,
				    void *buf, size_t size)
{
	return 0;
}

static inline void zc_give_back(struct zc_source *in)
{
}

static inline void zc_begin_at_source(struct zc_source *in)
{
}

static inline void zc_begin_at_sink(struct zc_sink *out)
{
}

static inline void zc_end_at(struct zc_source *in)
{
}

static inline ssize_t zc_write_at(struct zc_sink *out, const void *buf,
				  size_t len)
{
	return -ENOSYS;
}

#endif
