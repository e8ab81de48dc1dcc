/* SPDX-License-Identifier: 0BSD */
/* Waiting for an end, and trying again before that. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "method.h"
#include "number/ZC_YIELDS.h"

unsigned long zc_calls;

/* How long to wait for an end that has said EAGAIN, in milliseconds: for ever
 * (-1) where it is O_NONBLOCK, or is a pipe or socket that a call of ours was
 * told not to sleep on; a socket may have a limit of its own (socket(7)). From
 * anything else EAGAIN is a failure: 0. */
static int patience(const struct zc_end *end, int limit)
{
	struct timeval t = { .tv_sec = 0 };
	socklen_t len = sizeof(t);

	if (end->kind == ZC_PIPE ||
	    zc_fcntl(end->fd, F_GETFL, 0) & O_NONBLOCK)
		return -1;
	if (!HAVE_ZC_SPLICE || end->kind != ZC_SOCKET)
		return 0;
	getsockopt(end->fd, SOL_SOCKET, limit, &t, &len);
	return t.tv_sec || t.tv_usec ?
	       t.tv_sec * 1000 + (t.tv_usec + 999) / 1000 : -1;
}

/* Returns whether the end may be ready now. */
static bool sleep_on(const struct zc_end *end, short events, int limit)
{
	struct pollfd p = { .fd = end->fd, .events = events };
	int ms = patience(end, limit);

	return ms && poll(&p, 1, ms);
}

/* A peer that runs on another processor is often done sooner than a sleep and a
 * wake-up would take, so the processor is yielded a few times first: twice as
 * often as the last time if that was enough then, half as often if not. */
bool zc_again(struct zc_end *in, struct zc_end *out, int *tries)
{
	static int bound = CONFIG_ZC_YIELDS;
	static bool slept = true;
	bool ready;

	if (errno != EAGAIN)
		return errno == EINTR;
	if (!*tries && !(in && patience(in, SO_RCVTIMEO)) &&
	    !(out && patience(out, SO_SNDTIMEO)))
		return false;
	if (!*tries && !slept && bound <= CONFIG_ZC_YIELDS / 2)
		bound *= 2;
	if (!*tries)
		slept = false;
	if (++*tries <= bound) {
		sched_yield();
		return true;
	}
	if (!slept && bound > 1)
		bound /= 2;
	slept = true;
	ready = in && sleep_on(in, POLLIN, SO_RCVTIMEO);
	if (out)
		ready |= sleep_on(out, POLLOUT, SO_SNDTIMEO);
	if (!ready)
		errno = EAGAIN;
	return ready;
}
