/* SPDX-License-Identifier: 0BSD */
/* The limit of a sink that falls behind: engine/lag.c. */
#pragma once

#include "io.h"
#include "job.h"
#include "queue.h"

/* Limits: struct zc_lag. */

/* Bytes: fcntl(2) has the size of a pipe as an int, a power of 2. */
enum { ZC_LAG_MAX = 1 << 30 };

/* Returns whether a sink has a limit, and is alive. A function of the caller's
 * has none, and a sole file needs none: its queue is empty after each run. */
static inline bool zc_limited(const struct zc_endpoint *out)
{
	return IS_ENABLED(CONFIG_ZC_LAG) && out->lag && out->lag->max &&
	       !out->error && !(out->kind & (ZC_OWN | ZC_SOLE));
}

/* Returns whether a sink has missed bytes of which it has yet to be told. */
static inline bool zc_lag_gap(const struct zc_endpoint *out)
{
	return zc_limited(out) && out->lag->gap;
}

/* Returns whether it is a terminal that is written to without sleeping. */
static inline bool zc_never_sleeps(const struct zc_endpoint *out)
{
	return zc_limited(out) && out->lag->nonblock;
}

/* Opens the queue of a sink, as large as its limit asks for. Returns 0, or
 * -errno. */
int zc_lag_open(struct zc_endpoint *out);

/* Returns how many bytes more the queue may hold; SIZE_MAX: as many as it can.
 */
size_t zc_lag_room(const struct zc_endpoint *out);

/* Counts n bytes that a sink has been given. */
void zc_lag_count(struct zc_endpoint *out, size_t n);

/* Admits a run of len bytes at buf to a sink. Returns how many of the first
 * bytes are left out. A gap ends at the beginning of a line. */
size_t zc_lag_admit(struct zc_endpoint *out, const char *buf, size_t len);

/* Admits a run in z->relay, where lines cannot be seen. Returns whether all of
 * it is left out. */
bool zc_lag_pass(struct zc_endpoint *out, size_t n);

/* Returns whether a sink that lacks nothing could take a run. */
bool zc_lag_goes_on(const struct zc_endpoint *out);

/* Returns for how many milliseconds to wait for sinks that lack something that
 * they may lose, while others go on; -1: for ever. The first wait is none, and
 * each is longer than the one before. */
int zc_lag_nap(const struct zc_job *j);

/* If a sink may lose bytes, and its reader is behind the reader of another sink
 * that goes on: leaves out the bytes that the sink lacks, except the rest of a
 * line that has begun, or retires the sink with ETIME. */
void zc_lag_enforce(struct zc_endpoint *late, const struct zc_job *j);

/* Returns how many bytes may be spliced to all at once; 0: none, because a
 * limit is near, or a gap may end. */
size_t zc_lag_run(const struct zc_job *j);

/* Returns how many bytes to read at once: whole blocks (ZC_ALIGN), at most one
 * block more than the queues have room for. */
size_t zc_lag_read(const struct zc_job *j);

/* Returns the time, zc_clock(), if any sink has a struct zc_lag, or 0. */
static inline uint64_t zc_lag_clock(const struct zc_job *j)
{
	return IS_ENABLED(CONFIG_ZC_LAG) && j->lags ? zc_clock() : 0;
}

/* Counts a sleep since `begun' for the sinks that were waited for: those that
 * lack bytes, or else have some in their queues. */
void zc_lag_waited(const struct zc_job *j, uint64_t begun, bool lacking);

/* After the end of the source: tells of missing bytes, and retires, with ETIME,
 * sinks that may lose bytes and have taken none for some seconds. Returns for
 * how many milliseconds to wait for the others, or -1 if none is waited for. */
int zc_lag_last(const struct zc_job *j);

/* Returns whether the next bytes are the first that go out to a sink: it has no
 * queue and no gap. */
static inline bool zc_is_clear(const struct zc_endpoint *out)
{
	return !zc_queued(out) && !zc_lag_gap(out);
}
