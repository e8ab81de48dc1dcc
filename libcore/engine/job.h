/* SPDX-License-Identifier: 0BSD */
/* The memory of a context that a job uses. */
#pragma once

#include "core.h"

/* A method has read a run for several sinks: n bytes at p. */
static inline void zc_set_span(struct zc *z, const char *p, size_t n)
{
	z->job.span = p;
	z->job.run = n;
}

/* Returns the array for poll(2), behind a run, which fits ZC_MESSAGE, and a
 * piece of a queue: a thread's stack may be too small. */
static inline struct pollfd *zc_polled(struct zc *z)
{
	return (void *)(zc_buffer(z) + ZC_MESSAGE + ZC_PIECE);
}
