/* SPDX-License-Identifier: 0BSD */
/* The limit of a sink that falls behind: engine/lag.c. A policy answers five
 * questions: what a sink is given (zc_lag_admit()); how much is spliced or read
 * at once (zc_lag_run(), zc_lag_read()); what a turn waits for (zc_lag_ask());
 * who is overdue (zc_lag_enforce()); and what the end of the source waits for
 * (zc_lag_finish()). Two more calls count for the caller. */
#pragma once

#include "kconfig.h"
#include "sink.h"

/* Returns whether the next bytes are the first that go out to a sink: its queue
 * is empty, and it has no gap of which it has yet to be told. */
static inline bool zc_is_clear(const struct zc_sink *out)
{
	return !zc_queued(out) && !(zc_limited(out) && out->lag->gap);
}

#ifdef CONFIG_ZC_LAG

/* Counts n bytes that were read for all sinks, which were alive. */
void zc_lag_count(const struct zc_job *j, size_t n);

/* Admits a run of len bytes at buf to a sink. Returns how many of the first
 * bytes are left out. A gap ends at the beginning of a line. If buf is NULL,
 * the run is in z->relay, where lines cannot be seen: all or none is left out.
 */
size_t zc_lag_admit(struct zc_sink *out, const char *buf, size_t len);

/* Notes whether a sink has had all, and could take another run; whether the
 * others wait until its queue has room; and for how long to wait for bytes that
 * it may lose, while others go on. */
void zc_lag_ask(const struct zc_sink *out, struct zc_turn *t);

/* Has a sink that may lose bytes waited for longer from turn to turn. If its
 * reader is behind the reader of another sink that goes on, by more than its
 * own queue, which is full: leaves out the bytes that the sink lacks, except
 * the rest of a line that has begun, or retires the sink with ETIME. */
void zc_lag_enforce(struct zc_sink *late, const struct zc_job *j);

/* Returns how many bytes may be spliced to all, which are alive, at once; 0:
 * none, because a limit is near, or a gap may end. */
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

static inline size_t zc_lag_admit(struct zc_sink *out, const char *buf,
				  size_t len)
{
	return 0;
}

static inline void zc_lag_ask(const struct zc_sink *out, struct zc_turn *t)
{
	t->ahead |= !out->lack;
}

static inline void zc_lag_enforce(struct zc_sink *late, const struct zc_job *j)
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
