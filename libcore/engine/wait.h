/* SPDX-License-Identifier: 0BSD */
/* Waiting for an endpoint: engine/wait.c, which alone sleeps. */
#pragma once

#include "sys.h"
#include "core.h"

/* The waits of one call so far. It begins as zeros, except for `plain'. */
struct zc_wait {
	bool plain;	    /* read(2), write(2) or the like */
	bool nonblock;	    /* O_NONBLOCK was set when the naps began */
	bool slept;	    /* it has been in poll(2), and yields no more */
	unsigned char naps; /* while poll(2) called all ready */
	int yields;	    /* before it slept */
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
		 const struct zc_endpoint *in, const struct zc_endpoint *out);

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
