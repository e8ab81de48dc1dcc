/* SPDX-License-Identifier: 0BSD */
/* Calls that end before the source does: engine/cancel.c. */
#ifndef ENGINE_CANCEL_H
#define ENGINE_CANCEL_H

#include <poll.h>

#include "kconfig.h"
#include "core.h"

/* Returns whether something may end a call. Then zc_fan() asks poll(2) before
 * each run, and whoever waits for the source asks for that, too. */
static inline bool zc_may_stop(const struct zc *z)
{
	return IS_ENABLED(CONFIG_ZC_CANCEL) &&
	       (z->cancels || z->deadline || z->idle || z->steps ||
		z->progress);
}

/* Returns whether a wait for the source was ended so since zc_defer(). */
static inline bool zc_was_cut(const struct zc *z)
{
	return IS_ENABLED(CONFIG_ZC_CANCEL) && z->cut;
}

/* Puts the deadline off, where the source may be idle for some time: a call
 * begins, or bytes have come. */
void zc_defer(struct zc *z);

/* Sets the descriptor and the events for poll(2). */
void zc_ask_cancel(const struct zc *z, struct pollfd *p);

/* Returns ms, for how long to sleep (-1: for ever), or the time until the
 * deadline if that is less. */
int zc_time_left(const struct zc *z, int ms);

/* Returns what ends the call of a source now, as poll(2) has said, or 0. */
int zc_stop(struct zc *z, const struct zc_endpoint *in, const struct pollfd *p);

/* Before the second turn of a call that sleeps for nobody: keeps what it would
 * ask poll(2) of n descriptors and the one that cancels, for ms milliseconds.
 * Returns ZC_STEPPED, or 0 for any other turn. */
int zc_step(struct zc *z, int turn, int n, int ms);

#endif
