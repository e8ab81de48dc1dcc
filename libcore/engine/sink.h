/* SPDX-License-Identifier: 0BSD */
/* A sink among several: engine/sink.c. It has its bytes in this order: those in
 * its queue; those that it lacks of the run in memory; those of the run in
 * z->relay, without the first `had'. It rests after it was called ready and
 * took nothing. A hang-up retires it while nothing is written. */
#pragma once

#include <limits.h>

#include "endpoint.h"
#include "pipe.h"

/* Kinds of sinks that may be late. Any other has no queue, except a sole file
 * within the fan() of tee, and one that takes another's over. A sink of
 * ZC_UNKNOWN may keep messages apart, which a queue does not, and poll(2) may
 * never call it ready. */
enum { ZC_LATE = ZC_PIPE | ZC_SOCKET | ZC_TTY };

/* Milliseconds after which a terminal is asked again. poll(2) calls a full one
 * ready only when it is nearly empty, and never says that it has sent all. */
enum { ZC_TTY_NAP = 20 };

/* What a turn waits for. Each field names the functions that write it, of this
 * file, of engine/lag.c and of engine/job.c. */
struct zc_turn {
	bool open;    /* the source has not ended nor failed, and has not
		       * given all that is asked of it: begin_turn() */
	bool lacking; /* a sink has not had all of the run: zc_want() */
	bool full;    /* a queue has no room for another run: zc_want(),
		       * zc_lag_ask() */
	bool ahead;   /* a sink has had all, and could take another run:
		       * zc_lag_ask() */
	bool polled;  /* only poll(2) tells when it is over: begin_turn(),
		       * await() and zc_want() */
	int nap;      /* milliseconds to wait for bytes that may be lost, while
		       * a sink is ahead; -1: for ever: begin_turn()
		       * and zc_lag_ask() */
	int awaited;  /* ends: await() */
	int ms;	      /* for how long to wait; -1: for ever: begin_turn(),
		       * loop(), ask_all(), await() and zc_want() */
};

/* Returns how many bytes are in the queue of a sink. */
static inline size_t zc_queued(const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_TEE) ? out->queue.held : 0;
}

/* These four alone compare a queue with queue_max. */

/* Returns how many bytes may still be copied to the queue of a sink. */
static inline size_t zc_queue_room(const struct zc_sink *out)
{
	return zc_excess(out->queue_max, zc_queued(out));
}

/* Returns how many bytes the end of a line that has begun may have there. */
static inline size_t zc_queue_tail_room(const struct zc_sink *out)
{
	return zc_excess(out->queue_max + PIPE_BUF, zc_queued(out));
}

/* Returns whether a queue has more than it may have, as the end of a line does.
 */
static inline bool zc_queue_is_over(const struct zc_sink *out)
{
	return zc_queued(out) > out->queue_max;
}

static inline bool zc_queue_is_half_full(const struct zc_sink *out)
{
	return zc_queued(out) > out->queue_max / 2;
}

/* Returns whether the pipe of a queue, which is open, has been filled, be it by
 * small pieces: then it grows no more. */
static inline bool zc_queue_was_full(const struct zc_sink *out)
{
	return !out->queue.size.most;
}

/* Returns how many bytes a sink has yet to get. */
static inline size_t zc_to_get(const struct zc *z, const struct zc_sink *out)
{
	return zc_queued(out) + out->lack + z->relay.held - out->had;
}

/* Returns whether a sink may have bytes put into its queue. */
static inline bool zc_may_queue(const struct zc *z, const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_TEE) && !z->job.no_queue &&
	       out->kind & ZC_LATE;
}

/* Returns whether a sink has a limit in this call of zc_run(). */
static inline bool zc_limited(const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_LAG) && out->limited;
}

/* Returns whether a caller of libzc has made a sink O_NONBLOCK. */
static inline bool zc_is_nonblock(const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_LIBRARY) && out->nonblock;
}

/* Returns whether no call that writes to a sink sleeps: it is such a one, or a
 * terminal with a limit that was made so. */
static inline bool zc_never_sleeps(const struct zc_sink *out)
{
	return zc_is_nonblock(out) || (zc_limited(out) && out->lag->nonblock);
}

/* Bytes. fcntl(2) has the size of a pipe as an int, a power of 2. Some stay
 * free beyond a limit, so that the end of a line has room, and some pages may
 * be partly empty. */
enum { ZC_LAG_MAX = 1 << 30, ZC_LAG_FREE = 3 * PIPE_BUF };

/* Returns whether a sink has been ready, and taken nothing, some times in
 * turn. */
static inline bool zc_has_rested_long(const struct zc_sink *out)
{
	enum { LONG = 16 }; /* milliseconds */

	return out->rest >= LONG;
}

/* Returns the next longer wait for a sink, in milliseconds: 0, 1, 3, 7 and so
 * on, up to 127. */
static inline unsigned char zc_longer(unsigned char ms)
{
	return (ms << 1 | 1) & 127;
}

/* Opens the queue of a sink, as large as its limit asks for. Returns 0, or
 * -errno. */
int zc_queue_open(struct zc_sink *out);

/* Puts len bytes at p into the queue, which grows, or moves to another pipe,
 * for that. Returns how many have had room. */
size_t zc_queue_write(struct zc_sink *out, const char *p, size_t len);

/* Puts the bytes that a sink lacks into its queue, as far as there is room. If
 * that cannot be opened, or takes nothing though it is empty, z->job.no_queue
 * is set. */
void zc_queue_lack(struct zc *z, struct zc_sink *out);

/* Moves some of the queue to the sink without sleeping: the sink is a pipe or a
 * file, or poll(2) has called it ready. */
void zc_queue_drain(struct zc *z, struct zc_sink *out);

/* zc_queue_drain() if splicing to it never sleeps: it is a pipe, or a caller of
 * libzc has made it O_NONBLOCK. */
void zc_queue_pass_on(struct zc *z, struct zc_sink *out);

/* Returns how many of n bytes, not 0, a sink that may be late or keeps messages
 * apart takes without sleeping, once poll(2) has said that it takes any. */
size_t zc_promise(struct zc *z, const struct zc_sink *out, size_t n);

/* Gives a sink what it lacks, if that takes no poll(2) before it. Many devices
 * do not tell poll(2) whether they can be written to. An empty pipe has room
 * for a page, and that is asked in half the time. */
void zc_give_now(struct zc *z, struct zc_sink *out);

/* Returns the events for poll(2) of a sink, and notes for what it waits. */
int zc_want(const struct zc *z, const struct zc_sink *out, struct zc_turn *t);

/* Gives a sink that is ready, as poll(2) says, the bytes that it takes. Moves
 * others that it lacks to its queue. */
void zc_serve(struct zc *z, struct zc_sink *out, const struct pollfd *p);

/* Writes the bytes that a sink lacks, as many as it takes without sleeping, or
 * nothing if its queue holds any. Returns whether it took any. Sets its error
 * if it has failed. */
bool zc_write_now(struct zc *z, struct zc_sink *out);
