/* SPDX-License-Identifier: 0BSD */
/* Waiting for an end, and trying again before that. */
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "engine.h"
#include "number/ZC_YIELDS.h"

/* How long to wait for an end that has said EAGAIN, in milliseconds: for ever
 * (-1) where it is O_NONBLOCK, or is a pipe or socket that a call of ours was
 * told not to sleep on; a socket may have a limit of its own (socket(7)). From
 * anything else EAGAIN is a failure: 0. */
static int patience(const struct zc_endpoint *end, int limit)
{
	struct timeval t = { .tv_sec = 0 };

	if (end->kind == ZC_PIPE ||
	    zc_sys_fcntl(end->fd, F_GETFL, 0) & O_NONBLOCK)
		return -1;
	if (!HAVE_ZC_SPLICE || end->kind != ZC_SOCKET)
		return 0;
	zc_sys_getsockopt(end->fd, limit, &t, sizeof(t));
	return t.tv_sec || t.tv_usec ?
	       t.tv_sec * 1000 + (t.tv_usec + 999) / 1000 : -1;
}

/* Returns whether the end may be ready now. */
static bool sleep_on(const struct zc_endpoint *end, short events, int limit)
{
	struct pollfd p = { .fd = end->fd, .events = events };
	int ms = patience(end, limit);

	return ms && zc_sys_poll(&p, 1, ms);
}

/* A peer that runs on another processor is often done sooner than a sleep and a
 * wake-up would take, so the processor is yielded a few times first: twice as
 * often as the last time if that was enough then, half as often if not. */
bool zc_again(struct zc *z, const struct zc_endpoint *in,
	      const struct zc_endpoint *out, int *tries)
{
	bool ready;

	if (errno != EAGAIN)
		return errno == EINTR;
	if (!*tries && !(in && patience(in, SO_RCVTIMEO)) &&
	    !(out && patience(out, SO_SNDTIMEO)))
		return false;
	if (!z->yields)
		z->yields = CONFIG_ZC_YIELDS;
	if (!*tries && z->no_sleep && z->yields <= CONFIG_ZC_YIELDS / 2)
		z->yields *= 2;
	if (!*tries)
		z->no_sleep = true;
	if (++*tries <= z->yields) {
		zc_sys_yield();
		return true;
	}
	if (z->no_sleep && z->yields > 1)
		z->yields /= 2;
	z->no_sleep = false;
	ready = in && sleep_on(in, POLLIN, SO_RCVTIMEO);
	if (out)
		ready |= sleep_on(out, POLLOUT, SO_SNDTIMEO);
	if (!ready)
		errno = EAGAIN;
	return ready;
}
