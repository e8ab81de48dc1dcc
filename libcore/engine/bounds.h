/* SPDX-License-Identifier: 0BSD */
/* Files at the caller's offset, and at most `max' bytes: engine/bounds.c. */
#pragma once

#include "kconfig.h"
#include "number.h"
#include "core.h"

#ifdef CONFIG_ZC_BOUNDS

/* Returns whether an endpoint is read or written at the caller's offset. */
bool zc_is_at_offset(const struct zc_endpoint *end);

/* Returns whether a source gives a number of bytes at most. */
bool zc_has_max(const struct zc_endpoint *in);

/* Begins a call: makes the offset of a source the start of a range without end.
 * Sets the error ESPIPE if the endpoint has no offsets. */
void zc_begin_at(struct zc_endpoint *end);

/* Ends a call: sets the offset at which to go on, and gives no range back. */
void zc_end_at(struct zc_endpoint *in);

/* pwrite(2) at the offset, and moves it on. Returns bytes, or -errno. */
ssize_t zc_write_at(struct zc_endpoint *out, const void *buf, size_t len);

#else

static inline bool zc_is_at_offset(const struct zc_endpoint *end)
{
	return false;
}

static inline bool zc_has_max(const struct zc_endpoint *in)
{
	return false;
}

static inline void zc_begin_at(struct zc_endpoint *end)
{
}

static inline void zc_end_at(struct zc_endpoint *in)
{
}

static inline ssize_t zc_write_at(struct zc_endpoint *out, const void *buf,
				  size_t len)
{
	return -ENOSYS;
}

#endif

/* Returns whether a source has given its max. */
static inline bool zc_has_given_all(const struct zc_endpoint *in)
{
	return zc_has_max(in) && in->bytes >= in->max;
}

/* Returns the lesser of n and the bytes that the source may still give. */
static inline size_t zc_at_most(const struct zc_endpoint *in, size_t n)
{
	if (!zc_has_max(in))
		return n;
	return zc_least(n, zc_excess(in->max, in->bytes));
}
