/* SPDX-License-Identifier: 0BSD */
/* Several sinks, of which none waits for another: each takes what it can, and
 * only when none can take more do we sleep, on all of them. */
#include <limits.h>
#include <poll.h>

#include "engine.h"

/* Bytes. While a slack holds more, no run is read: it might not fit there. */
enum { FULL = (CONFIG_ZC_PIPE_KB << 10) / 4 };

/* Milliseconds. A terminal that was full wakes who waits for it only when it is
 * nearly empty, though it takes more before. */
enum { TTY_NAP = 20 };

static_assert((ZC_SINKS_MAX + 1) * sizeof(struct pollfd) <= ZC_BUFFER / 2,
	      "what is asked of poll(2) fits the memory of a context");

/* Whether a source is ever waited for, too, or anything but POLLOUT. */
enum {
	WITH_SOURCE = IS_ENABLED(CONFIG_ZC_TEE) || IS_ENABLED(CONFIG_ZC_HANGUP)
};

/* Returns what to ask poll(2) of a sink. Where it may be late, *ms is then 0:
 * what it does not take at once is put off. */
static int wanted(struct zc *z, const struct zc_endpoint *in,
		  struct zc_endpoint *o, const char *end, int *ms)
{
	if (IS_ENABLED(CONFIG_ZC_TEE) && o->slack.held) {
		if (o->lack)
			zc_put_off(z, o, end);
		return POLLOUT;
	}
	if (o->lack && !o->error) {
		if (IS_ENABLED(CONFIG_ZC_TEE) && !z->no_slack &&
		    o->kind & ZC_LATE) {
			z->no_slack = zc_slack_open(o);
			if (!z->no_slack)
				*ms = 0;
		} else if (o->kind & ZC_TTY) {
			*ms = TTY_NAP;
		}
		return POLLOUT;
	}
	if (IS_ENABLED(CONFIG_ZC_TEE) && !in && !end)
		zc_relay_close(&o->slack);
	return IS_ENABLED(CONFIG_ZC_HANGUP) && in ? zc_hangup_events(o) : 0;
}

/* Whether nothing is to be read until its slack has room. */
static bool is_full(const struct zc_endpoint *o)
{
	if (zc_limit(o))
		return o->lag->late == ZC_WAIT && o->slack.held &&
		       !zc_lag_room(o);
	return o->slack.held > FULL;
}

/* Whether what a sink lacks is put off though it takes n bytes of that. Small
 * pieces would fill a pipe early; only an empty one takes large ones. With a
 * limit nothing may sleep: somebody else may take the room that poll(2) has
 * promised, and slack is spliced. */
static bool is_better_put_off(const struct zc_endpoint *o, size_t n)
{
	if (zc_limit(o))
		return zc_lag_room(o) >= n;
	return n != o->lack && n <= PIPE_BUF;
}

/* Gives a sink what it takes, or puts that off. */
static void serve(struct zc *z, struct zc_endpoint *o, const struct pollfd *p,
		  const char *end, bool put_off)
{
	size_t n;

	if (o->nap & 1)
		o->nap++;
	else if (!p->revents)
		o->nap = 0;
	if (IS_ENABLED(CONFIG_ZC_HANGUP) &&
	    zc_hangup(o, p->events & p->revents))
		return;
	if (IS_ENABLED(CONFIG_ZC_TEE) && o->slack.held) {
		if (p->revents) {
			n = o->slack.held;
			zc_drain(z, &o->slack, o);
			zc_took(o, n - o->slack.held);
		}
	} else if (zc_nonblock(o) && p->revents & p->events) {
		ssize_t m = zc_sys_write(o->fd, end - o->lack, o->lack);

		z->calls++;
		if (zc_took(o, m))
			o->lack -= m;
		else if (errno != EAGAIN && errno != EINTR)
			o->error = errno;
	} else if (WITH_SOURCE ? p->events & POLLOUT : p->revents) {
		n = zc_promise(z, o, o->lack);
		if (IS_ENABLED(CONFIG_ZC_TEE) && put_off &&
		    (!p->revents || is_better_put_off(o, n))) {
			zc_put_off(z, o, end);
		} else if (p->revents) {
			zc_write_pages(z, o, end - o->lack, n);
			o->lack -= n;
		}
	}
}

/* Waits for one of n, for ever if ms is -1: then it looks a few times first. */
static void wait_for(struct zc *z, struct pollfd *p, int n, int ms)
{
	struct zc_wait w = { .yields = 0 };
	int ready = 0;

	if (IS_ENABLED(CONFIG_ZC_TEE) && ms < 0)
		do
			ready = zc_sys_poll(p, n, 0);
		while (!ready && zc_try_soon(z, &w));
	while (ready <= 0 && zc_sys_poll(p, n, ms) < 0 && errno == EINTR)
		;
}

/* Whether a sink that was ready, and took nothing, has been left alone only a
 * few times, for up to 15 ms: it is not called late yet. */
static bool may_take(const struct zc_endpoint *o)
{
	return o->nap && o->nap < 16;
}

/* Fills in what to ask poll(2) of the sinks, and of the source behind them.
 * Returns the events that are waited for, POLLOUT for each sink, and in *ms for
 * how long (wanted()). */
static int ask(struct zc *z, const struct zc_endpoint *in,
	       struct zc_endpoint *out, int nout, const char *end,
	       struct pollfd *p, int *ms)
{
	int pending = 0;

	if (WITH_SOURCE)
		p[nout] = (struct pollfd){ in ? in->fd : -1, POLLIN,
					   in ? POLLIN : 0 };
	for (int i = 0; i < nout; i++) {
		int events = wanted(z, in, &out[i], end, ms);

		if (out[i].lack || !end)
			pending += events;
		if (IS_ENABLED(CONFIG_ZC_TEE) && is_full(&out[i]))
			p[nout].fd = -1;
		/* Where poll(2) is refused, all are as if ready. */
		p[i] = (struct pollfd){ events ? out[i].fd : -1, events,
					events & POLLOUT };
		if (out[i].nap & 1) {
			p[i].fd = -1;
			/* Unsigned, -1 is longest. */
			if (out[i].nap < (unsigned)*ms)
				*ms = out[i].nap;
		}
	}
	return pending;
}

bool zc_fan_out(struct zc *z, const struct zc_endpoint *in,
		struct zc_endpoint *out, int nout, const char *end)
{
	/* Behind a run to several sinks, which fits ZC_BUFFER, and a piece of
	 * slack: a thread's stack may be too small. */
	struct pollfd *p = (void *)(zc_buffer(z) + ZC_BUFFER + ZC_BUFFER / 2);
	int ms = IS_ENABLED(CONFIG_ZC_LAG) && !in && !end ?
			 zc_lag_last(out, nout) :
			 -1,
	    nap;
	int pending = ask(z, in, out, nout, end, p, &ms);
	uint64_t begun = 0;

	if (!pending && ms < 0)
		return true;
	nap = ms;
	if (IS_ENABLED(CONFIG_ZC_LAG) && !zc_lag_goes_on(out, nout))
		p[nout] = (struct pollfd){ .fd = -1 };
	else if (IS_ENABLED(CONFIG_ZC_LAG) && end && ms)
		nap = zc_lag_nap(out, nout, ms);
	if (IS_ENABLED(CONFIG_ZC_LAG) && nap)
		begun = zc_lag_clock(out, nout);
	/* Where there is never slack, the last sink is written to without
	 * poll(2), unless it is a terminal beside others: nobody else waits,
	 * and of a pipe's last page poll(2) does not tell that it takes more.
	 */
	if (IS_ENABLED(CONFIG_ZC_TEE) || !end || pending > POLLOUT || ms > 0)
		wait_for(z, p, nout + WITH_SOURCE, nap);
	if (IS_ENABLED(CONFIG_ZC_LAG) && begun && (!in || p[nout].fd < 0))
		zc_lag_waited(out, nout, begun, end != NULL);
	for (int i = 0; i < nout; i++) {
		serve(z, &out[i], &p[i], end, !ms);
		if (IS_ENABLED(CONFIG_ZC_LAG) && ms && !nap && !p[i].revents &&
		    !may_take(&out[i]) && out[i].lack && !out[i].error &&
		    zc_may_lose(&out[i]) && zc_lag_too_late(&out[i], out, nout))
			zc_lag_leave_out(&out[i], end);
	}
	return WITH_SOURCE && p[nout].revents;
}

void zc_write_now(struct zc *z, struct zc_endpoint *o, const char *end,
		  bool alone)
{
	/* Many a device says nothing to poll(2) of writing. */
	if (alone || !(o->kind & (ZC_LATE | ZC_DATAGRAM))) {
		zc_write(z, o, end - o->lack, o->lack);
		o->lack = 0;
	}
}

void zc_write_all(struct zc *z, struct zc_endpoint *out, int nout, int first,
		  const char *buf, size_t len)
{
	bool alone = nout == 1 &&
		     (!IS_ENABLED(CONFIG_ZC_TEE) || zc_is_clear(out));

	for (int i = first; i < nout; i++) {
		struct zc_endpoint *o = &out[i];

		o->lack = len;
		if (zc_limit(o) && !alone) {
			o->lag->run += len;
			o->lack = zc_lag_take(o, buf, len);
		}
		zc_write_now(z, o, buf + len, alone);
	}
	while (!zc_fan_out(z, NULL, out, nout, buf + len))
		;
}
