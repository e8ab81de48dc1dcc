/* SPDX-License-Identifier: 0BSD */
/* Waiting for an endpoint: engine/wait.c, which alone calls poll(2) to sleep,
 * beside a ring. */
#pragma once

#include <limits.h>
#include <poll.h>

#include "kconfig.h"
#include "sys.h"
#include "core.h"

/* Returns the shorter of two times in milliseconds; -1 is for ever. */
static inline int zc_sooner(int a, int b)
{
	/* Unsigned, -1 is longest. */
	return (unsigned)a < (unsigned)b ? a : b;
}

/* Returns the milliseconds until a time of zc_clock(). */
static inline int zc_until(uint64_t at)
{
	return zc_least(zc_excess(at, zc_clock()), INT_MAX);
}

/* Returns whether this call of zc_run() may end before its source. If so, the
 * loop asks poll(2) before each run, and each wait for the source asks about
 * cancel_fd, too. */
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

/* Begins a call of zc_run(), which says what these are. */
void zc_set_stop(struct zc_job *j, uint64_t until, int cancel_fd);

/* Sets p to cancel_fd, which may be -1, and its events. Returns 1, or 0 where
 * nothing can cancel and p stays as it is. */
int zc_ask_cancel(const struct zc *z, struct pollfd *p);

/* Returns the lesser of ms (-1: for ever) and the milliseconds until the
 * end of the call of zc_run(); 0 in a step. */
int zc_time_left(const struct zc *z, int ms);

/* Returns the enum zc_result with which zc_run() ends now, or 0 if it goes on.
 * p is the answer of poll(2) about cancel_fd, which is asked alone if poll(2)
 * has refused more. */
int zc_stop(const struct zc *z, struct pollfd *p, bool refused);

/* Ends a step, except at its first turn, and at the turn after queues were
 * refused, which writes: keeps the n descriptors at p that the turn would ask
 * poll(2) about, cancel_fd, and the time of ms milliseconds for zc_polls().
 * Returns ZC_AGAIN, or 0 in any other turn, and where there is no step. */
int zc_step(struct zc *z, struct pollfd *p, int n, int ms);

/* The waits of one call so far. It begins as zeros, except for `plain'. */
struct zc_wait {
	bool plain;	    /* read(2), write(2) or the like */
	bool nonblock;	    /* O_NONBLOCK was set when the naps began */
	bool slept;	    /* it has been in poll(2), and yields no more */
	unsigned char naps; /* while poll(2) called all ready */
	int yields;	    /* before it slept, or for a relay */
};

/* The value of a system call, made again for as long as it is interrupted or
 * would block. The endpoints are those that may not be ready: a source, a sink,
 * or NULL. */
#define ZC_CALL(z, call, in, out) ZC_REPEAT_CALL(z, call, in, out, false)

/* Likewise for a call that decides about its endpoint's failure. */
#define ZC_PLAIN_CALL(z, call, in, out) ZC_REPEAT_CALL(z, call, in, out, true)

#define ZC_REPEAT_CALL(z, call, in, out, is_plain)                             \
	({                                                                     \
		struct zc_wait w_ = { .plain = (is_plain) };                   \
		ssize_t n_;                                                    \
		do                                                             \
			(z)->calls++, n_ = (call);                             \
		while (n_ < 0 && !(n_ = zc_again((z), &w_, n_, (in), (out)))); \
		n_;                                                            \
	})

/* After a call that failed with n, -errno: returns 0 to make it again, having
 * waited where it is -EAGAIN; or else n, or ZC_CUT_SHORT. Where in and out are
 * NULL, that is a relay. */
ssize_t zc_again(struct zc *z, struct zc_wait *w, ssize_t n,
		 const struct zc_source *in, const struct zc_sink *out);

/* Yields the processor, and returns true, if looking again pays more than
 * sleeping. */
bool zc_try_soon(struct zc *z, struct zc_wait *w);

/* Sleeps for so many milliseconds. Each signal halves the sleep, so that it
 * ends however many come. */
void zc_nap(int ms);

/* Milliseconds for which poll(2) is trusted about a sink that is a socket. It
 * tells neither POLLOUT nor POLLHUP of a full Unix or vsock socket whose reader
 * calls shutdown(SHUT_RD); write(2) says EPIPE. */
enum { ZC_UNTOLD = 1000 };

/* poll(2) for one of n, for ever if ms is -1: then it looks a few times before
 * it sleeps. Returns as poll(2). */
int zc_poll(struct zc *z, struct pollfd *p, int n, int ms);
