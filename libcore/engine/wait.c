/* SPDX-License-Identifier: 0BSD */
/* Waiting for an endpoint, and trying again before that. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "engine.h"
#include "number/ZC_YIELDS.h"

enum {
	DAY = 86400, /* seconds */
	/* Bytes that what has little room takes once it takes any: a terminal
	 * with wires has 4096 but for 256, a pseudo-terminal makes room by
	 * 2 KiB or so, and each may become two (ONLCR); a socket has a third
	 * of its buffer free, TCP, or three quarters, Unix. A pipe that
	 * is not empty takes PIPE_BUF, as do the other sockets. */
	LITTLE_PROMISE = 512,
};

void zc_nap(int ms)
{
	struct pollfd none = { .fd = -1 };

	zc_sys_poll(&none, 0, ms);
}

/* How long to wait for an endpoint that has said EAGAIN, in milliseconds: for
 * ever (-1) where it is O_NONBLOCK, or is a pipe or socket that the call was
 * told not to wait for; a socket may have a limit of its own (socket(7)). From
 * anything else EAGAIN is a failure: 0. */
static int patience(const struct zc_endpoint *end, bool waits, int limit)
{
	struct timeval t = { .tv_sec = 0 };

	if (!waits && end->kind == ZC_PIPE)
		return -1;
	if (zc_sys_fcntl(end->fd, F_GETFL, 0) & O_NONBLOCK)
		return -1;
	if (waits || end->kind != ZC_SOCKET)
		return 0;
	zc_sys_getsockopt(end->fd, limit, &t, sizeof(t));
	if (t.tv_sec > DAY)
		t.tv_sec = DAY;
	return t.tv_sec || t.tv_usec ?
		       t.tv_sec * 1000 + (t.tv_usec + 999) / 1000 :
		       -1;
}

/* Waits for the endpoint, but not for longer than it allows. Returns whether it
 * may be ready now. */
static bool sleep_on(const struct zc_endpoint *end, short events, int ms)
{
	struct pollfd p = { .fd = end->fd, .events = events };

	return ms && zc_sys_poll(&p, 1, ms);
}

/* A pipe of our own holds what we know to be there, and soon says so. */
static bool try_own(struct zc *z)
{
	enum { MOST = 4096 };

	zc_sys_yield();
	return ++z->tries < MOST;
}

/* A peer that runs on another processor is often done sooner than a sleep and a
 * wake-up would take, so the processor is yielded a few times first: twice as
 * often as the last time if that was enough then, half as often if not. */
bool zc_try_soon(struct zc *z)
{
	if (!z->tries && z->no_sleep && z->halved)
		z->halved--;
	z->no_sleep |= !z->tries;
	if (++z->tries <= CONFIG_ZC_YIELDS >> z->halved) {
		zc_sys_yield();
		return true;
	}
	if (z->no_sleep && CONFIG_ZC_YIELDS >> z->halved > 1)
		z->halved++;
	z->no_sleep = false;
	return false;
}

size_t zc_promise(struct zc *z, const struct zc_endpoint *out, size_t n)
{
	/* What is odd goes first: a pipe whose page is partly read takes no
	 * last byte, and its reader may wait for what another sink gets next.
	 */
	size_t odd = (n - 1) % (out->little_room ? LITTLE_PROMISE : PIPE_BUF) +
		     1;

	if (out->message_max)
		return zc_one_message(z, out, n);
	/* An empty pipe takes as many whole pages as it can hold. One with a
	 * limit is left out: somebody else may fill it first, and write(2)
	 * would sleep. How much it holds is asked anew, for anybody may have
	 * changed that since zc_grow(). */
	if (odd == PIPE_BUF && odd < n && out->kind == ZC_PIPE &&
	    !zc_limit(out) && zc_sys_is_empty(out->fd)) {
		int room = zc_sys_fcntl(out->fd, F_GETPIPE_SZ, 0);

		if (room > 0)
			return (size_t)room < n ? (size_t)room : n;
	}
	return odd;
}

bool zc_again(struct zc *z, const struct zc_endpoint *in,
	      const struct zc_endpoint *out, bool waits)
{
	int in_ms, out_ms;
	bool ready;

	if (errno != EAGAIN)
		return errno == EINTR;
	if (HAVE_ZC_RANGE && !in && !out)
		return try_own(z);
	in_ms = in ? patience(in, waits, SO_RCVTIMEO) : 0;
	out_ms = out ? patience(out, waits, SO_SNDTIMEO) : 0;
	/* What has a limit is not kept waiting by what else the processor has
	 * to do. */
	if (in_ms + out_ms < 0 && zc_try_soon(z))
		return true;
	ready = in && sleep_on(in, POLLIN, in_ms);
	if (out)
		ready |= sleep_on(out, POLLOUT, out_ms);
	if (!ready)
		errno = EAGAIN;
	return ready;
}
