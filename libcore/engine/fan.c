/* SPDX-License-Identifier: 0BSD */
/* One source and several sinks, of which none waits for another: each takes as
 * much as it can. The loop sleeps only when none can take more, on all. */
#include <limits.h>

#include "engine.h"

/* Bytes that are read at once from z->relay, so that less memory is touched. A
 * file gets larger folios from larger writes. */
enum { PIECE = 48 << 10 };

static_assert(ZC_MESSAGE + ZC_PIECE +
			      (ZC_SINKS_MAX + 2) * sizeof(struct pollfd) <=
		      sizeof(((struct zc *)0)->memory) - ZC_ALIGN,
	      "what is asked of poll(2) fits the memory of a context");

/* Asks one sink. Returns the events for poll(2). */
static int ask(const struct zc *z, const struct zc_endpoint *o,
	       struct zc_turn *t)
{
	if (o->error)
		return 0;
	t->ahead |= zc_lag_goes_on(o);
	return zc_want(z, o, t);
}

/* Has poll(2) ask for the events of an end, if there are any. Where poll(2) is
 * refused, the end counts as ready. */
static void await(const struct zc_endpoint *end, int events, struct pollfd *p,
		  struct zc_turn *t)
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
static void ask_all(struct zc_job *j, struct pollfd *p, struct zc_turn *t)
{
	bool reads;

	for (struct zc_endpoint *o = j->out; o; o = o->peer)
		await(o, ask(j->z, o, t), p++, t);
	reads = t->open && !t->lacking && !t->full && t->ahead;
	await(j->in, reads ? POLLIN : 0, p, t);
	if (t->lacking && t->ahead)
		t->ms = zc_sooner(t->ms, zc_lag_nap(j));
}

/* Asks the sinks that poll(2) does not call ready whether they have failed:
 * send(2) of nothing to a stream, or else of the message that is next. */
static void ask_sockets(struct zc_job *j, const struct pollfd *p)
{
	for (struct zc_endpoint *o = j->out; o; o = o->peer, p++)
		if (p->events & POLLOUT && zc_sends(o))
			zc_write_now(j->z, o);
}

/* The only sleep. For a single end it is left to the next call, read(2),
 * write(2) or the like, unless that is a function of the caller's: poll(2) does
 * not show that the last page of a pipe takes more. Returns the enum zc_result
 * that ends the call, or 0. */
static int wait_for(struct zc_job *j, struct pollfd *p, const struct zc_turn *t)
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
	return zc_stop(j->z, in + 1);
}

static void serve_all(struct zc_job *j, const struct pollfd *p)
{
	for (struct zc_endpoint *o = j->out; o; o = o->peer, p++) {
		zc_serve(j->z, o, p);
		/* A sink that was ready and took nothing is late only after a
		 * long rest. */
		if (!p->revents && (!o->rest || zc_has_rested_long(o)))
			zc_lag_enforce(o, j);
	}
}

/* Gives each live sink n bytes at p, without those that it has had: they stay
 * there until none lacks any of them. */
static void offer(const struct zc_job *j, const char *p, size_t n)
{
	j->z->job.run = n;
	for (struct zc_endpoint *o = j->out; o; o = o->peer) {
		size_t had = zc_least(o->had, n);

		if (o->error)
			continue;
		o->had -= had;
		if (had < n)
			had += zc_lag_admit(o, p + had, n - had);
		o->next = p + had;
		o->lack = n - had;
		if (o->lack)
			zc_give_now(j->z, o);
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
		offer(j, p, n);
		return;
	}
	/* The rest is lost, so a sink that lacks it has failed. */
	for (struct zc_endpoint *o = j->out; o; o = o->peer) {
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
	struct zc_endpoint *in = j->in, *out = j->out;
	ssize_t n;

	j->fan = j->nout > 1 || !zc_is_clear(out) || zc_is_own(out);
	if (zc_may_stop(j->z) && out->kind & (ZC_LATE | ZC_DATAGRAM))
		j->fan = true;
	j->z->job.run = 0;
	n = zc_move_run(j, j->fan && !zc_lag_run(j));
	if (n <= 0) {
		if (!zc_was_cut(n))
			in->ended = !zc_has_failed(j);
		return;
	}
	zc_lag_count(j, n);
	if (j->z->job.run)
		offer(j, j->z->job.span, n);
}

int zc_fan_all(struct zc_job *j)
{
	struct zc_endpoint *in = j->in;
	struct pollfd *p = zc_polled(j->z);

	for (;;) {
		struct zc_turn t = {
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
			if (!in->error && zc_first_failed(j))
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
