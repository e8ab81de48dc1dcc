/* SPDX-License-Identifier: 0BSD */
/* One source and several sinks, of which none waits for another: each takes as
 * much as it can. The loop sleeps only when none can take more, on all. */
#include <limits.h>

#include "engine.h"

enum {
	/* Bytes. While a queue holds more, no run is read: it might not fit. */
	FULL = (CONFIG_ZC_PIPE_KB << 10) / 4,
	/* Bytes that are read at once from z->relay, so that less memory is
	 * touched. A file gets larger folios from larger writes. */
	PIECE = 48 << 10,
	/* Milliseconds. A terminal that was full wakes its writer only when it
	 * is nearly empty, though it takes more before. */
	TTY_NAP = 20,
	/* Milliseconds that a sink that is ready and takes nothing is left
	 * alone, and from where on it counts as one that is not ready. */
	NAP_MAX = 127,
	NAP_LONG = 16,
};

static_assert(ZC_MESSAGE + ZC_PIECE +
			      (ZC_SINKS_MAX + 2) * sizeof(struct pollfd) <=
		      sizeof(((struct zc *)0)->memory) - ZC_ALIGN,
	      "what is asked of poll(2) fits the memory of a context");

/* What a turn waits for. */
struct turn {
	bool open;    /* the source has not ended */
	bool lacking; /* a sink has not had all of the run */
	bool full;    /* a queue has no room for another run */
	bool ahead;   /* a sink has had all, and could take another run */
	bool polled;  /* only poll(2) tells when it is over */
	int awaited;  /* ends */
	int ms;	      /* for how long to wait; -1: for ever */
};

/* Whether no run is read until the queue has room. */
static bool is_full(const struct zc_endpoint *o)
{
	if (!zc_queued(o))
		return false;
	if (zc_limited(o))
		return o->lag->late == ZC_WAIT && !zc_lag_room(o);
	return zc_queued(o) > FULL;
}

/* Asks one sink. Returns the events for poll(2). */
static int ask(struct zc *z, struct zc_endpoint *o, struct turn *t)
{
	size_t queued = zc_queued(o);

	if (o->error) {
		zc_release(o);
		return 0;
	}
	t->full |= is_full(o);
	t->ahead |= zc_lag_goes_on(o);
	if (!o->lack && !queued)
		return t->open ? zc_hangup_events(o) : 0;
	t->lacking |= o->lack > 0;
	t->polled |= queued > 0;
	if (zc_sends(o))
		t->ms = zc_sooner(t->ms, ZC_UNTOLD);
	if (o->kind == ZC_TTY)
		t->ms = zc_sooner(t->ms, TTY_NAP);
	/* Its queue takes the bytes, so this turn does not sleep. */
	if (!queued && zc_may_queue(z, o))
		t->ms = 0;
	if (!o->resting)
		return POLLOUT;
	t->ms = zc_sooner(t->ms, o->nap);
	return 0;
}

/* Has poll(2) ask for the events of an end, if there are any. Where poll(2) is
 * refused, the end counts as ready. */
static void await(const struct zc_endpoint *end, int events, struct pollfd *p,
		  struct turn *t)
{
	*p = (struct pollfd){ .fd = -1 };
	if (!events)
		return;
	t->awaited++;
	t->polled |= zc_is_own(end);
	*p = (struct pollfd){ end->fd, events, events & (POLLIN | POLLOUT) };
	if (zc_is_always_ready(end))
		t->ms = 0;
}

/* Asks all sinks, and whether to wait for the source, too. */
static void ask_all(struct zc_job *j, struct pollfd *p, struct turn *t)
{
	bool reads;

	for (int i = 0; i < j->nout; i++)
		await(j->out[i], ask(j->z, j->out[i], t), &p[i], t);
	reads = t->open && !t->lacking && !t->full && t->ahead;
	await(j->in, reads ? POLLIN : 0, &p[j->nout], t);
	if (t->lacking && t->ahead)
		t->ms = zc_sooner(t->ms, zc_lag_nap(j));
}

/* Asks the sinks that poll(2) does not call ready whether they have failed:
 * send(2) of nothing to a stream, or else of the message that is next. */
static void ask_sockets(struct zc_job *j, const struct pollfd *p)
{
	for (int i = 0; i < j->nout; i++)
		if (p[i].events & POLLOUT && zc_sends(j->out[i]))
			zc_write_now(j->z, j->out[i]);
}

/* The only sleep. For a single end it is left to the next call, read(2),
 * write(2) or the like, unless that is a function of the caller's: poll(2) does
 * not show that the last page of a pipe takes more. Returns the enum zc_result
 * that ends the call, or 0. */
static int wait_for(struct zc_job *j, struct pollfd *p, const struct turn *t)
{
	struct pollfd *in = &p[j->nout];
	bool alone = t->awaited == 1 && !t->polled && t->ms < 0;
	int stop = zc_step(j->z, j->nout + 1, t->ms), n;
	uint64_t begun;

	if (stop || alone)
		return stop;
	begun = in->fd < 0 ? zc_lag_clock(j) : 0;
	n = j->nout + 1 + zc_ask_cancel(j->z, in + 1);
	if (!zc_poll(j->z, p, n, t->ms) && t->ms)
		ask_sockets(j, p);
	zc_own_ready(p, j->nout + 1);
	if (begun)
		zc_lag_waited(j, begun, t->lacking);
	return zc_stop(j->z, j->in, in);
}

/* Notes whether a sink that was called ready took any bytes. If not, it is left
 * alone for a while, 1, 3, 7 ms and so on: poll(2) ignores that a newline may
 * take two bytes in a terminal. */
static void note(struct zc_endpoint *o, bool took)
{
	o->resting = !took;
	o->nap = took ? 0 : (o->nap << 1 | 1) & NAP_MAX;
}

/* Whether bytes of which a sink that is ready has promised to take n go to its
 * queue. Small pieces would fill a pipe early; only an empty one takes large
 * ones. A sink with a limit must not sleep, and another process may take the
 * room that poll(2) has promised: so its bytes are queued, and the queue is
 * spliced. */
static bool is_for_queue(const struct zc *z, const struct zc_endpoint *o,
			 size_t n)
{
	bool small = n < o->lack && n <= PIPE_BUF;

	return zc_may_queue(z, o) && (small || zc_limited(o));
}

/* Writes the run in memory to a sink that is ready, as much as it takes, or
 * leaves it to a queue. */
static void write_run(struct zc *z, struct zc_endpoint *o)
{
	size_t n = zc_promise(z, o, o->lack);

	if (zc_never_sleeps(o) || zc_sends(o) || zc_is_own(o)) {
		note(o, zc_write_now(z, o));
	} else if (!is_for_queue(z, o, n)) {
		zc_write_pages(z, o, o->next, n);
		zc_took(o, n);
	}
}

/* Gives a sink that is ready the bytes that it takes: first those in its queue.
 */
static void serve_ready(struct zc *z, struct zc_endpoint *o)
{
	size_t held = zc_queued(o);

	if (held) {
		zc_queue_drain(z, o);
		note(o, zc_queued(o) < held);
	} else if (o->lack) {
		write_run(z, o);
	}
}

static void serve(struct zc *z, struct zc_endpoint *o, const struct pollfd *p)
{
	if (zc_hangup(z, o, p->events & p->revents))
		return;
	if (p->revents)
		serve_ready(z, o);
	else if (o->resting)
		o->resting = false;
	else
		o->nap = 0;
	/* Bytes that it does not take at once go into its queue. */
	if (!o->error && o->lack && zc_may_queue(z, o))
		zc_queue_lack(z, o);
}

static void serve_all(struct zc_job *j, const struct pollfd *p)
{
	for (int i = 0; i < j->nout; i++) {
		struct zc_endpoint *o = j->out[i];

		serve(j->z, o, &p[i]);
		/* A sink that was ready and took nothing is late only after
		 * some naps. */
		if (p[i].revents || (o->nap && o->nap < NAP_LONG))
			continue;
		zc_lag_enforce(o, j);
	}
}

/* Offers a part of the bytes in z->relay. */
static void unpack(struct zc_job *j)
{
	struct zc_relay *relay = &j->z->relay;
	char *p = zc_buffer(j->z);
	size_t held = relay->held;
	size_t most = j->kinds & (ZC_REGULAR | ZC_OWN) ? ZC_BUFFER : PIECE;
	ssize_t n = zc_relay_read(j->z, relay, p, zc_least(held, most));

	if (n > 0) {
		relay->held -= n;
		zc_offer(j, p, n);
		return;
	}
	/* The rest is lost, so a sink that lacks it has failed. */
	for (int i = 0; i < j->nout; i++) {
		struct zc_endpoint *o = j->out[i];

		if (!o->error && o->had < held)
			o->error = -n;
		o->had = 0;
	}
}

/* Reads the next run, in memory or into z->relay. For a single sink with
 * nothing in its queue, and no gap, a method moves it all the way, unless the
 * sink could keep a call that may be ended. */
static void read_run(struct zc_job *j)
{
	struct zc_endpoint *in = j->in, *out = j->out[0];
	ssize_t n;

	j->fan = j->nout > 1 || !zc_is_clear(out) || zc_is_own(out);
	if (zc_may_stop(j->z) && out->kind & (ZC_LATE | ZC_DATAGRAM))
		j->fan = true;
	n = zc_move_run(j, j->fan && !zc_lag_run(j));
	if (n <= 0) {
		if (!zc_was_cut(n))
			in->ended = !zc_has_failed(j);
		return;
	}
	zc_defer(j->z);
	if (!j->fan)
		zc_lag_count(out, n - j->z->relay.held);
}

int zc_fan_all(struct zc_job *j)
{
	struct zc_endpoint *in = j->in;
	struct pollfd *p = zc_polled(j->z);

	for (;;) {
		struct turn t = {
			.open = !in->ended && !in->error &&
				!zc_has_given_all(in),
			.polled = zc_may_stop(j->z),
			.ms = -1,
		};
		int stop;

		if (!t.open)
			t.ms = zc_lag_last(j);
		ask_all(j, p, &t);
		if (!t.lacking) {
			if (IS_ENABLED(CONFIG_ZC_RANGE) && j->z->relay.held) {
				unpack(j);
				continue;
			}
			if (!in->error && zc_has_failed(j))
				return ZC_FAILED;
			if (!t.awaited && t.ms < 0)
				return in->error ? ZC_FAILED : ZC_ENDED;
		}
		stop = wait_for(j, p, &t);
		if (stop)
			return stop;
		serve_all(j, p);
		/* A failure comes first: a terminal tells its end once. */
		if (p[j->nout].revents && !zc_has_failed(j))
			read_run(j);
	}
}
