/* SPDX-License-Identifier: 0BSD */
/* Several sinks: engine/offer.c, and the loop over them, engine/fan.c. */
#pragma once

#include "job.h"

/* Several sinks, of which none waits for another. A run is in memory, and each
 * sink lacks some of it (next, lack); or it is in z->relay, and each has had
 * some of that (had). */

/* Kinds of sinks that may be late. Any other is just written to. A sink of
 * ZC_UNKNOWN may keep messages apart, which a queue does not, and poll(2) may
 * never call it ready. */
enum { ZC_LATE = ZC_PIPE | ZC_SOCKET | ZC_TTY };

/* Returns the array for poll(2), behind a run, which fits ZC_MESSAGE, and a
 * piece of a queue: a thread's stack may be too small. */
static inline struct pollfd *zc_polled(struct zc *z)
{
	return (void *)(zc_buffer(z) + ZC_MESSAGE + ZC_PIECE);
}

/* A sink, or its queue, has taken n bytes of the run in memory. */
static inline void zc_took(struct zc_endpoint *out, size_t n)
{
	out->next += n;
	out->lack -= n;
}

/* Gives each live sink len bytes at p, without those that it has had: they stay
 * there until none lacks any of them. */
void zc_offer(const struct zc_job *j, const char *p, size_t len);

/* Writes the bytes that a sink lacks, as many as it takes without sleeping, or
 * nothing if it has a queue. Returns whether it took any. Sets its error if it
 * has failed. */
bool zc_write_now(struct zc *z, struct zc_endpoint *out);

/* Calls the ends ready of which poll(2) says nothing: those without a
 * descriptor, which are always ready (engine/own.c). */
void zc_own_ready(struct pollfd *p, int n);

/* Returns whether a sink has a queue, or may have one. */
bool zc_may_queue(const struct zc *z, const struct zc_endpoint *out);

/* Puts the bytes that a sink lacks into its queue, as far as there is room. If
 * an empty one takes nothing, z->no_queue is set. */
void zc_queue_lack(struct zc *z, struct zc_endpoint *out);

/* Sinks whose readers may go. */

/* Returns the events for poll(2) of a sink that a hang-up retires; or else 0.
 */
int zc_hangup_events(const struct zc_endpoint *out);

/* Returns whether the events that poll(2) returned have a hang-up. Then the
 * sink has the error EPIPE, or that of a write(2) of nothing to a socket. */
bool zc_hangup(struct zc *z, struct zc_endpoint *out, int events);
