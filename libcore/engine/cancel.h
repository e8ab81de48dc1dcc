/* SPDX-License-Identifier: 0BSD */
/* Runs that end before their source ends: engine/cancel.c. */
#pragma once

#include <poll.h>

#include "kconfig.h"
#include "core.h"

/* Returns whether a run may end before its source. If so, the loop asks
 * poll(2) before each run, and each wait for the source asks about cancel_fd,
 * too. */
static inline bool zc_may_stop(const struct zc *z)
{
	return IS_ENABLED(CONFIG_ZC_CANCEL) && z->job.stops;
}

/* Returns whether a wait for the source has ended without bytes, because the
 * call may be to end: n is the result of a call. */
static inline bool zc_was_cut(ssize_t n)
{
	return IS_ENABLED(CONFIG_ZC_CANCEL) && n == ZC_CUT_SHORT;
}

#ifdef CONFIG_ZC_CANCEL

/* Begins a run, as zc_run() says of these. */
void zc_end_early(struct zc_job *j, uint64_t until, int cancel_fd);

/* Ends a run: nothing ends other calls early. */
static inline void zc_end_late(struct zc_job *j)
{
	j->stops = j->steps = false;
}

/* Sets p to cancel_fd, which may be -1, and its events. Returns 1, or 0 where
 * nothing can cancel and p stays as it is. */
int zc_ask_cancel(const struct zc *z, struct pollfd *p);

/* Returns the lesser of ms (-1: for ever) and the milliseconds until the
 * end of the run; 0 in a step. */
int zc_time_left(const struct zc *z, int ms);

/* Returns the enum zc_result that ends the run now, or 0 if it goes on. p is
 * the answer of poll(2) about cancel_fd. */
int zc_stop(struct zc *z, const struct pollfd *p);

/* Ends a step, except at its first turn, and at the turn after queues were
 * refused, which writes: keeps the n descriptors at p that the run would ask
 * poll(2) about, cancel_fd, and the time of ms milliseconds for zc_polls().
 * Returns ZC_AGAIN, or 0 in any other turn or run. */
int zc_step(struct zc *z, struct pollfd *p, int n, int ms);

#else

static inline void zc_end_early(struct zc_job *j, uint64_t until, int cancel_fd)
{
}

static inline void zc_end_late(struct zc_job *j)
{
}

static inline int zc_ask_cancel(const struct zc *z, struct pollfd *p)
{
	return 0;
}

static inline int zc_time_left(const struct zc *z, int ms)
{
	return ms;
}

static inline int zc_stop(struct zc *z, const struct pollfd *p)
{
	return 0;
}

static inline int zc_step(struct zc *z, struct pollfd *p, int n, int ms)
{
	return 0;
}

#endif
