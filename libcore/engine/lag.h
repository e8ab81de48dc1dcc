/* SPDX-License-Identifier: 0BSD */
/* The limit of a sink that falls behind: engine/lag.c. */
#pragma once

#include "kconfig.h"
#include "sink.h"

/* Returns whether the next bytes are the first that go out to a sink: it has no
 * queue, and no gap of which it has yet to be told. */
static inline bool zc_is_clear(const struct zc_endpoint *out)
{
	return !zc_queued(out) && !(zc_limited(out) && out->lag->gap);
}

#ifdef CONFIG_ZC_LAG

/* Counts n bytes that were read for all sinks. */
void zc_lag_count(const struct zc_job *j, size_t n);

/* Admits a run of len bytes at buf to a sink. Returns how many of the first
 * bytes are left out. A gap ends at the beginning of a line. If buf is NULL,
 * the run is in z->relay, where lines cannot be seen: all or none is left out.
 */
size_t zc_lag_admit(struct zc_endpoint *out, const char *buf, size_t len);

/* Returns whether the others wait until the queue of a sink with a limit has
 * room. */
bool zc_lag_is_full(const struct zc_endpoint *out);

/* Returns whether a sink that lacks nothing could take a run. */
bool zc_lag_goes_on(const struct zc_endpoint *out);

/* Returns for how many milliseconds to wait for sinks that lack something that
 * they may lose, while others go on; -1: for ever. The first wait is none, and
 * each is longer than the one before. */
int zc_lag_nap(const struct zc_job *j);

/* If a sink may lose bytes, and its reader is behind the reader of another sink
 * that goes on, by more than its own queue, which is full: leaves out the bytes
 * that the sink lacks, except the rest of a line that has begun, or retires the
 * sink with ETIME. */
void zc_lag_enforce(struct zc_endpoint *late, const struct zc_job *j);

/* Returns how many bytes may be spliced to all at once; 0: none, because a
 * limit is near, or a gap may end. */
size_t zc_lag_run(const struct zc_job *j);

/* Returns how many bytes to read at once: whole blocks (ZC_ALIGN), at most one
 * block more than the queues have room for. */
size_t zc_lag_read(const struct zc_job *j);

/* Counts a sleep since `begun' for the sinks that were waited for: those that
 * lack bytes, or else have some in their queues. */
void zc_lag_waited(const struct zc_job *j, uint64_t begun, bool lacking);

/* After the end of the source: tells of missing bytes, and retires, with ETIME,
 * sinks that may lose bytes and have taken none for some seconds. Returns for
 * how many milliseconds to wait for the others, or -1 if none is waited for. */
int zc_lag_finish(const struct zc_job *j);

#else

static inline void zc_lag_count(const struct zc_job *j, size_t n)
{
}

static inline size_t zc_lag_admit(struct zc_endpoint *out, const char *buf,
				  size_t len)
{
	return 0;
}

static inline bool zc_lag_is_full(const struct zc_endpoint *out)
{
	return false;
}

static inline bool zc_lag_goes_on(const struct zc_endpoint *out)
{
	return !out->lack;
}

static inline int zc_lag_nap(const struct zc_job *j)
{
	return -1;
}

static inline void zc_lag_enforce(struct zc_endpoint *late,
				  const struct zc_job *j)
{
}

static inline size_t zc_lag_run(const struct zc_job *j)
{
	return ZC_RUN_MAX;
}

static inline size_t zc_lag_read(const struct zc_job *j)
{
	return ZC_BUFFER;
}

static inline void zc_lag_waited(const struct zc_job *j, uint64_t begun,
				 bool lacking)
{
}

static inline int zc_lag_finish(const struct zc_job *j)
{
	return -1;
}

#endif

/* Returns the time, zc_clock(), if any sink has a struct zc_lag, or 0. */
static inline uint64_t zc_lag_clock(const struct zc_job *j)
{
	return IS_ENABLED(CONFIG_ZC_LAG) && j->lags ? zc_clock() : 0;
}
