/* SPDX-License-Identifier: 0BSD */
/* One call of zc_copy() or zc_fan(), and the choice of a method for its next
 * run. */
#pragma once

#include "core.h"

/* One call of zc_copy() or zc_fan(). */
struct zc_job {
	struct zc *z;
	const struct zc_method *const *methods;
	unsigned refused; /* a bit for each of these that has refused */
	struct zc_endpoint *in, *const *out;
	int nout;
	int live;	/* sinks, when it began */
	unsigned kinds; /* of these, of enum zc_kind */
	bool lags;	/* a sink has a struct zc_lag */
	bool fan;	/* runs are for all sinks, in turns */
	int last;	/* bytes of the run before this one */
};

/* A method has read a run for several sinks: n bytes at p. */
static inline void zc_set_span(struct zc *z, const char *p, size_t n)
{
	z->span = p;
	z->run = n;
}

/* Returns the array for poll(2), behind a run, which fits ZC_MESSAGE, and a
 * piece of a queue: a thread's stack may be too small. */
static inline struct pollfd *zc_polled(struct zc *z)
{
	return (void *)(zc_buffer(z) + ZC_MESSAGE + ZC_PIECE);
}
