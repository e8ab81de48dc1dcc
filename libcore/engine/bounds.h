/* SPDX-License-Identifier: 0BSD */
/* A source from an offset, and no more than so many bytes: engine/bounds.c. */
#ifndef ENGINE_BOUNDS_H
#define ENGINE_BOUNDS_H

#include "kconfig.h"
#include "core.h"

/* Returns whether an end is read or written at an offset of the caller's. */
static inline bool zc_is_at_offset(const struct zc_endpoint *end)
{
	return IS_ENABLED(CONFIG_ZC_BOUNDS) && end->has_offset;
}

/* Returns whether a source has given all that it may. */
static inline bool zc_has_given_all(const struct zc_endpoint *in)
{
	return IS_ENABLED(CONFIG_ZC_BOUNDS) && in->has_max &&
	       in->bytes >= in->max;
}

/* Returns n, or how many bytes the source may still give if that is less. */
static inline size_t zc_at_most(const struct zc_endpoint *in, size_t n)
{
	uint64_t left;

	if (!IS_ENABLED(CONFIG_ZC_BOUNDS) || !in->has_max)
		return n;
	left = in->bytes < in->max ? in->max - in->bytes : 0;
	return n < left ? n : (size_t)left;
}

/* A call begins: an offset of a source is a range without an end. Records
 * ESPIPE where an end has no offsets. */
void zc_begin_at(struct zc_endpoint *end);

/* A call ends: the offset is where to go on, and nothing is given back. */
void zc_end_at(struct zc_endpoint *in);

/* write(2) at the offset, which moves on. Returns bytes, or -errno. */
ssize_t zc_write_at(struct zc_endpoint *out, const void *buf, size_t len);

#endif
