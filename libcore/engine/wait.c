/* SPDX-License-Identifier: 0BSD */
/* Waiting for an endpoint, and trying again before that; and calls that end
 * before their source does, by a descriptor or a time. */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>

#include "engine.h"

void zc_set_stop(struct zc_job *j, uint64_t until, int cancel_fd)
{
	if (!IS_ENABLED(CONFIG_ZC_CANCEL))
		return;
	j->turns = 0;
	j->until = until;
	j->cancel_fd = cancel_fd;
	j->stops = until != ZC_EVER || cancel_fd >= 0;
	j->steps = until != ZC_EVER && !zc_until(until);
}

int zc_ask_cancel(const struct zc *z, struct pollfd *p)
{
	if (!zc_may_stop(z))
		return 0;
	*p = (struct pollfd){ z->job.cancel_fd, POLLIN, 0 };
	return 1;
}

int zc_time_left(const struct zc *z, int ms)
{
	if (!zc_may_stop(z) || z->job.until == ZC_EVER)
		return ms;
	if (z->job.steps)
		return 0;
	return zc_sooner(ms, zc_until(z->job.until));
}

/* However late it is, zc_run() takes a turn: it would otherwise never read what
 * is ready, on a machine that is slower than the time that each call has. */
int zc_stop(const struct zc *z, struct pollfd *p, bool refused)
{
	if (!zc_may_stop(z))
		return 0;
	if (refused)
		zc_sys_poll(p, 1, 0);
	if (p->revents)
		return ZC_CANCELED;
	if (!z->job.steps && z->job.turns > 1 && !zc_time_left(z, -1))
		return ZC_AGAIN;
	return 0;
}

int zc_step(struct zc *z, struct pollfd *p, int n, int ms)
{
	bool changed = z->job.no_queue != z->job.had_no_queue;

	if (!zc_may_stop(z))
		return 0;
	z->job.had_no_queue = z->job.no_queue;
	if (!z->job.turns++ || !z->job.steps || changed)
		return 0;
	z->job.polls = p;
	z->job.polls_n = n + 1;
	z->job.polls_ms = ms;
	zc_ask_cancel(z, &p[n]);
	return ZC_AGAIN;
}

struct pollfd *zc_polls(struct zc *z, int *n, int *ms)
{
	*n = z->job.polls_n;
	*ms = z->job.polls_ms;
	return z->job.polls;
}

void zc_nap(int ms)
{
	while (ms && zc_sys_poll(NULL, 0, ms) == -EINTR)
		ms >>= 1;
}

/* Returns whether the flags of a descriptor say O_NONBLOCK. Where fcntl(2) is
 * refused, EAGAIN itself says so, except of a file, which knows no O_NONBLOCK.
 */
static bool is_nonblock(const struct zc_endpoint *end)
{
	int flags = zc_fcntl(end->fd, F_GETFL, 0);

	if (flags < 0)
		return !(end->kind & ZC_REGULAR);
	return flags & O_NONBLOCK;
}

/* Returns whether a call waits for an end. One without a descriptor is ready. A
 * file, a device and a terminal are waited for by the plain call that has the
 * last word. That of a socket with a limit of time has waited until it passed.
 */
static bool is_waited_for(const struct zc_endpoint *end, bool plain, int option)
{
	if (zc_is_always_ready(end))
		return false;
	if (!plain)
		return end->kind & (ZC_PIPE | ZC_SOCKET);
	return zc_is_own(end) || !zc_has_limit(end->fd, option) ||
	       is_nonblock(end);
}

/* Sleeps in poll(2) until each of n ends is ready, or ms milliseconds have
 * passed for one. Returns whether all are. Where poll(2) is refused, all are as
 * if ready. */
static bool poll_each(struct pollfd *p, int n, int ms)
{
	while (n && zc_sys_poll(p, 1, ms))
		p++, n--;
	return !n;
}

/* Returns whether EAGAIN of a source, or else of a sink, is no failure however
 * often it comes. */
static bool waits_on(const struct zc_source *in, const struct zc_sink *out)
{
	if (in)
		return is_nonblock(&in->end);
	return zc_is_own(&out->end) || is_nonblock(&out->end);
}

/* A pipe of our own holds the bytes that we put there, and soon gives them. */
static bool try_relay(struct zc_wait *w)
{
	enum { MOST = 4096 };

	zc_sys_yield();
	return ++w->yields < MOST;
}

/* A peer that runs on another processor is often done sooner than a sleep and a
 * wake-up would take, so the processor is yielded a few times first: twice as
 * often as the last time if that was enough then, half as often if not. A wait
 * for which yields are enough ends without a word, so each begins as if the
 * last one had been so, and one that has to sleep takes that back. With one
 * processor the peer runs on no other, so even the first wait has no yields. */
bool zc_try_soon(struct zc *z, struct zc_wait *w)
{
	enum { MOST = CONFIG_ZC_YIELDS };

	if (!MOST && !ZC_SELECT)
		return false;
	if (!z->asked_alone) {
		z->asked_alone = true;
		z->alone = zc_sys_is_alone();
		z->yields = MOST;
	} else if (!w->yields) {
		z->yields = zc_least(zc_most(2 * z->yields, 1), MOST);
	}
	if (!z->alone && w->yields < z->yields) {
		w->yields++;
		zc_sys_yield();
		return true;
	}
	z->yields /= 4;
	return false;
}

int zc_poll(struct zc *z, struct pollfd *p, int n, int ms)
{
	enum { TRIES = 8 };
	struct zc_wait w = { .yields = 0 };
	int ready = 0, refused = 0;

	if (zc_time_left(z, ms) < 0)
		do
			ready = zc_sys_poll(p, n, 0);
		while (!ready && zc_try_soon(z, &w));
	if (ready > 0)
		return ready;
	/* The handler of a signal may have ended the call. The wait ends though
	 * signals come more often. Memory that poll(2) lacks may be
	 * there the next time, or never. */
	do {
		ready = zc_sys_poll(p, n, zc_time_left(z, ms));
		if (ms > 0)
			ms /= 2;
	} while (ready == -EINTR || (ready == -ENOMEM && ++refused < TRIES));
	return ready;
}

/* Returns whether a call that waits for `in', or NULL, leaves the wait to the
 * loop, which may end the call. */
static bool may_be_cut(const struct zc *z, const struct zc_source *in)
{
	return in && zc_may_stop(z);
}

/* A plain call has said EAGAIN again although poll(2) says ready: sleeps before
 * the next call, 1 ms, and twice as long each time. Returns 0; ZC_CUT_SHORT, if
 * the call may be to end; or -EAGAIN after a second, unless the end was
 * O_NONBLOCK when that began, or is a function that writes. */
static ssize_t nap(struct zc *z, struct zc_wait *w, const struct zc_source *in,
		   const struct zc_sink *out)
{
	enum { MOST = 10 }; /* up to 512 ms: a second in all */
	struct pollfd p;
	int ms;

	if (!w->naps)
		w->nonblock = waits_on(in, out);
	if (w->naps < MOST)
		w->naps++;
	else if (!w->nonblock)
		return -EAGAIN;
	ms = (1 << w->naps) / 2;
	if (!may_be_cut(z, in)) {
		zc_nap(ms);
		return 0;
	}
	zc_ask_cancel(z, &p);
	/* RLIMIT_NOFILE may be 0. */
	if (zc_poll(z, &p, 1, ms) < 0)
		zc_nap(zc_time_left(z, ms));
	return p.revents || !zc_time_left(z, -1) ? ZC_CUT_SHORT : 0;
}

/* Sleeps until the source is ready, or the call may be to end: then returns
 * true, and the loop looks. A step does not sleep. It ends, unless poll(2)
 * calls the source ready and read(2) was not asked. */
static bool sleep_or_cut(struct zc *z, const struct zc_wait *w,
			 const struct zc_source *in)
{
	/* Where poll(2) is refused, the source is as if ready. */
	struct pollfd p[2] = { { in->fd, POLLIN, POLLIN } };

	zc_ask_cancel(z, &p[1]);
	zc_poll(z, p, 2, -1);
	return !p[0].revents || (z->job.steps && w->plain);
}

/* Waits for the ends that are not ready. Returns as zc_again(). */
static ssize_t sleep_on(struct zc *z, struct zc_wait *w,
			const struct zc_source *in, const struct zc_sink *out)
{
	int n = 0, ms = -1;
	struct pollfd p[2];

	if (in && is_waited_for(&in->end, w->plain, SO_RCVTIMEO))
		p[n++] = (struct pollfd){ in->fd, POLLIN, 0 };
	if (out && is_waited_for(&out->end, w->plain, SO_SNDTIMEO))
		p[n++] = (struct pollfd){ out->fd, POLLOUT, 0 };
	if (!n)
		return -EAGAIN;
	if (!w->slept) {
		if (zc_try_soon(z, w))
			return 0;
	} else if (poll_each(p, n, 0)) {
		/* At a mark of urgent data (tcp(7)) splice(2) says EAGAIN for
		 * ever, and read(2) goes on. */
		return w->plain ? nap(z, w, in, out) : -EAGAIN;
	}
	w->slept = true;
	w->naps = 0;
	if (may_be_cut(z, in) && sleep_or_cut(z, w, in))
		return ZC_CUT_SHORT;
	if (out && out->kind & (ZC_SOCKET | ZC_DATAGRAM | ZC_UNKNOWN))
		ms = ZC_UNTOLD;
	poll_each(p, n, ms);
	return 0;
}

ssize_t zc_again(struct zc *z, struct zc_wait *w, ssize_t n,
		 const struct zc_source *in, const struct zc_sink *out)
{
	if (n == -EAGAIN && (in || out))
		return sleep_on(z, w, in, out);
	if (n == -EAGAIN)
		return try_relay(w) ? 0 : n;
	if (n != -EINTR)
		return n;
	/* The handler of a signal that has interrupted a function of the
	 * caller's may have asked for the end of the call: the loop looks. */
	return may_be_cut(z, in) && zc_reads_own(in) ? ZC_CUT_SHORT : 0;
}
