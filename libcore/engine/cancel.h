/* SPDX-License-Identifier: 0BSD */
/* Calls that end before their source ends: engine/cancel.c. */
#pragma once

#include <poll.h>

#include "kconfig.h"
#include "core.h"

/* Returns whether a call may end before its source. If so, zc_run() asks
 * poll(2) before each run, and each wait for the source asks about cancel_fd,
 * too. */
static inline bool zc_may_stop(const struct zc *z)
{
	return IS_ENABLED(CONFIG_ZC_CANCEL) &&
	       (z->cancels || z->deadline || z->steps || z->progress);
}

/* Returns whether a wait for the source has ended without bytes, because the
 * call may be to end: n is the result of a call. */
static inline bool zc_was_cut(ssize_t n)
{
	return IS_ENABLED(CONFIG_ZC_CANCEL) && n == ZC_CUT_SHORT;
}

#ifdef CONFIG_ZC_CANCEL

/* Moves the deadline to `idle' milliseconds from now, if that is set. Called
 * before all else in a call, and when bytes have come. */
void zc_defer(struct zc *z);

/* Sets p to cancel_fd and its events, or to -1 if nothing cancels. Returns 1,
 * or 0 where nothing can cancel and p stays as it is. */
int zc_ask_cancel(const struct zc *z, struct pollfd *p);

/* Returns the lesser of ms (-1: for ever) and the milliseconds until the
 * deadline; 0 if the caller steps. */
int zc_time_left(const struct zc *z, int ms);

/* Returns the enum zc_result that ends the call now, or 0 if it goes on. p is
 * the answer of poll(2) about the source, and then about cancel_fd. */
int zc_stop(struct zc *z, const struct zc_endpoint *in, const struct pollfd *p);

/* Ends a call that steps, except at its first turn, and at the turn after
 * queues were refused, which writes: keeps the n descriptors that the call
 * would ask poll(2) about, cancel_fd, and the time of ms milliseconds for
 * zc_polls(). Returns ZC_STEPPED, or 0 in any other turn or call. */
int zc_step(struct zc *z, int n, int ms);

#else

static inline void zc_defer(struct zc *z)
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

static inline int zc_stop(struct zc *z, const struct zc_endpoint *in,
			  const struct pollfd *p)
{
	return 0;
}

static inline int zc_step(struct zc *z, int n, int ms)
{
	return 0;
}

#endif
