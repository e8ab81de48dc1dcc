/* SPDX-License-Identifier: 0BSD */
/* How far a sink may be behind: engine/lag.c. */
#ifndef ENGINE_LAG_H
#define ENGINE_LAG_H

#include "kconfig.h"
#include "queue.h"
#include "zc.h"

/* Limits: struct zc_lag. */

/* Bytes: how large a pipe is, fcntl(2) says in an int, and in powers of 2. */
enum { ZC_LAG_MAX = 1 << 30 };

/* Returns whether a sink has a limit. */
static inline bool zc_limited(const struct zc_endpoint *out)
{
	return IS_ENABLED(CONFIG_ZC_LAG) && out->lag && out->lag->max;
}

/* Returns whether it is a terminal where no write(2) sleeps. */
static inline bool zc_never_sleeps(const struct zc_endpoint *out)
{
	return zc_limited(out) && out->lag->nonblock;
}

/* Returns whether a sink loses what it is late with beyond its limit, or
 * itself, so that the others do not wait for it. */
static inline bool zc_may_lose(const struct zc_endpoint *out)
{
	return zc_limited(out) && out->lag->late != ZC_WAIT;
}

/* Opens the queue of a sink, as large as its limit asks for. Returns 0, or
 * -errno. */
int zc_lag_open(struct zc_endpoint *out);

/* Returns how many bytes more the queue may hold. */
size_t zc_lag_room(const struct zc_endpoint *out);

/* Returns whether a sink has missed something, and is not told yet. */
bool zc_lag_gap(const struct zc_endpoint *out);

/* Returns whether a sink is given nothing: it has a gap, and more than half of
 * its queue is full. */
bool zc_lag_skips(const struct zc_endpoint *out);

/* Counts n bytes that a sink has been given. */
void zc_lag_count(struct zc_endpoint *out, size_t n);

/* A run of len bytes at buf is for a sink: returns how many of them, the first
 * ones, it does not get. A gap ends at the beginning of a line. */
size_t zc_lag_admit(struct zc_endpoint *out, const char *buf, size_t len);

/* The same for a run in z->relay, where lines are not seen: returns whether the
 * sink gets none of it. */
bool zc_lag_pass(struct zc_endpoint *out, size_t n);

/* Returns whether a sink that lacks nothing could take a run. */
bool zc_lag_goes_on(const struct zc_endpoint *out);

/* Returns for how many milliseconds to wait for sinks that lack something that
 * they may lose, while others go on: none if one is overdue; -1: for ever.
 * Each time the next wait becomes longer. */
int zc_lag_nap(struct zc_endpoint *out, int nout);

/* Returns whether the reader of a sink that lacks something is further behind
 * than that of another that goes on. */
bool zc_lag_is_overdue(const struct zc_endpoint *late,
		       const struct zc_endpoint *out, int nout);

/* Returns how many bytes may be spliced to all at once; 0: none, because a
 * limit is near, or a gap may end. */
size_t zc_lag_run(const struct zc_endpoint *out, int nout);

/* Returns how many bytes to read at once: whole blocks (ZC_ALIGN), and no more
 * than that beyond what the queues have room for, but room for any message. */
size_t zc_lag_read(const struct zc_endpoint *in, const struct zc_endpoint *out,
		   int nout);

/* What an overdue sink lacks is left out, except the rest of a line that it has
 * begun; or it is retired with ETIME. */
void zc_lag_leave_out(struct zc_endpoint *out);

/* Returns the time, zc_sys_clock(), if any sink has a struct zc_lag, or 0. */
uint64_t zc_lag_clock(const struct zc_endpoint *out, int nout);

/* Counts a sleep since `begun' for those that the others have waited for: those
 * that lack something, or else have something queued. */
void zc_lag_waited(struct zc_endpoint *out, int nout, uint64_t begun,
		   bool lacking);

/* The source has ended: says where bytes are missing, and begins to look
 * whether sinks that may lose what they are behind with take any. */
void zc_lag_end(struct zc_endpoint *out, int nout);

/* Retires those of them that have taken nothing for some seconds, with ETIME.
 * Returns for how many milliseconds to wait for the others, -1 where none is
 * waited for. */
int zc_lag_last(struct zc_endpoint *out, int nout);

/* Returns whether nothing is to go out to a sink before what comes now. */
static inline bool zc_is_clear(const struct zc_endpoint *out)
{
	return !zc_queued(out) && !zc_lag_gap(out);
}

#endif
