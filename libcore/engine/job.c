/* SPDX-License-Identifier: 0BSD */
/* Jobs: a source, and sinks that come and go. A pipe, a socket or a terminal
 * keeps no other sink waiting, except at its limit: each takes as much as it
 * can. The loop sleeps only when none of these can take more, on all. */
#include <limits.h>
#include <string.h>

#include "engine.h"

/* Bytes that are read at once from z->relay, so that less memory is touched. A
 * file gets larger folios from larger writes. */
enum { UNPACKED = 48 << 10 };

static_assert(ZC_MESSAGE + ZC_PIECE +
			      (ZC_SINKS_MAX + 2) * sizeof(struct pollfd) <=
		      sizeof(((struct zc *)0)->memory) - ZC_ALIGN,
	      "what is asked of poll(2) fits the memory of a context");

/* Asks one sink. Returns the events for poll(2). */
static int ask(const struct zc *z, const struct zc_sink *o, struct zc_turn *t)
{
	if (o->error)
		return 0;
	zc_lag_ask(o, t);
	return zc_want(z, o, t);
}

/* Has poll(2) ask for the events of an end, if there are any. Where poll(2) is
 * refused, or not asked, the end counts as ready. */
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

	for (struct zc_sink *o = j->out; o; o = o->peer)
		await(&o->end, ask(j->z, o, t), p++, t);
	reads = t->open && t->ahead && !t->lacking && !t->full;
	await(&j->in->end, reads ? POLLIN : 0, p, t);
	if (t->lacking && t->ahead)
		t->ms = zc_sooner(t->ms, t->nap);
}

/* Whether send(2) of nothing is a message to a sink: one that keeps messages
 * apart has a queue if a caller of libzc had it take that over. */
static bool is_message(const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_LIBRARY) && zc_queued(out) &&
	       out->message_max;
}

/* Tries the sinks that poll(2) does not call ready by send(2), which tells
 * whether they have failed: of nothing if their queue goes first, or else of
 * the bytes that are next. */
static void try_sockets(struct zc_job *j, const struct pollfd *p)
{
	for (struct zc_sink *o = j->out; o; o = o->peer, p++)
		if (p->events & POLLOUT && zc_sends(o) && !is_message(o))
			zc_write_now(j->z, o);
}

/* Whether a turn waits for one end, in the call that moves its bytes and not in
 * poll(2). */
static bool awaits_one(const struct zc_turn *t)
{
	return t->awaited == 1 && !t->polled;
}

/* Sleeps until an end is ready, or t->ms. Where a single end is waited for, the
 * next call of a method sleeps instead, read(2), write(2) or the like, unless
 * that is a function of the caller's: poll(2) does not show that the last page
 * of a pipe takes more. Returns the enum zc_result that ends the call, or 0. */
static int wait_for(struct zc_job *j, struct pollfd *p, const struct zc_turn *t)
{
	struct pollfd *source = &p[j->nout];
	int stop = zc_step(j->z, p, j->nout + 1, t->ms), n, ready;
	uint64_t begun;

	if (stop || (awaits_one(t) && t->ms < 0))
		return stop;
	begun = j->lags && !source->events ? zc_clock() : 0;
	n = j->nout + 1 + zc_ask_cancel(j->z, source + 1);
	ready = zc_poll(j->z, p, n, t->ms);
	if (!ready && t->ms)
		try_sockets(j, p);
	zc_own_ready(p, j->nout + 1);
	if (begun)
		zc_lag_waited(j, begun, t->lacking);
	return zc_stop(j->z, source + 1, ready < 0);
}

static void serve_all(struct zc_job *j, const struct pollfd *p,
		      const struct zc_turn *t)
{
	for (struct zc_sink *o = j->out; o; o = o->peer, p++) {
		zc_serve(j->z, o, p);
		if (t->ahead && !p->revents)
			zc_lag_enforce(o, j);
	}
}

/* Gives each live sink n bytes at p, without those that it has had: they stay
 * there until none lacks any of them. */
static void offer(struct zc_job *j, const char *p, size_t n)
{
	j->run = n;
	for (struct zc_sink *o = j->out; o; o = o->peer) {
		size_t had = zc_least(o->had, n);

		o->had -= had;
		o->lack = 0;
		if (o->error)
			continue;
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
	size_t most = j->kinds & (ZC_REGULAR | ZC_OWN) ? ZC_BUFFER : UNPACKED;
	ssize_t n = zc_relay_read(j->z, relay, p, zc_least(held, most));

	if (n > 0) {
		relay->held -= n;
		offer(j, p, n);
		return;
	}
	/* The rest is lost, so a sink that lacks it has failed. */
	for (struct zc_sink *o = j->out; o; o = o->peer) {
		if (!o->error && o->had < held)
			o->error = -n;
		o->had = 0;
	}
}

/* Reads the next run, in memory or into z->relay. For a single sink with
 * nothing in its queue, and no gap, a method moves it all the way, unless the
 * sink is a function of the caller's, or could keep a call that may be ended.
 */
static void read_run(struct zc_job *j)
{
	struct zc_source *in = j->in;
	struct zc_sink *out = j->out;
	ssize_t n;

	j->fan = j->nout > 1 || !zc_is_clear(out) || zc_is_own(&out->end);
	if (zc_may_stop(j->z) && out->kind & (ZC_LATE | ZC_DATAGRAM))
		j->fan = true;
	j->span = NULL;
	n = zc_move_run(j, j->fan && !zc_lag_run(j));
	if (n <= 0) {
		if (!zc_was_cut(n))
			in->ended = !zc_has_failed(j);
		return;
	}
	zc_lag_count(j, n);
	if (j->span)
		offer(j, j->span, n);
}

/* Returns the array for poll(2), behind a run that is offered, which fits
 * ZC_MESSAGE, and a piece of a queue: a thread's stack may be too small. A run
 * that rw moves all the way may be longer: the array has been read by then. */
static struct pollfd *poll_array(struct zc *z)
{
	return (void *)(zc_buffer(z) + ZC_MESSAGE + ZC_PIECE);
}

/* Whether the source may give another run. */
static bool is_open(const struct zc_source *in)
{
	return !in->ended && !in->error && !zc_has_given_all(in);
}

/* Begins a turn. */
static struct zc_turn begin_turn(const struct zc_job *j)
{
	return (struct zc_turn){
		.open = is_open(j->in),
		.polled = zc_may_stop(j->z),
		.nap = -1,
		.ms = -1,
	};
}

/* Whether the bytes in z->relay are next. A caller of libzc may first give a
 * sink that has failed another descriptor, for these bytes, too; an applet
 * drops it. */
static bool may_unpack(const struct zc_job *j)
{
	if (!IS_ENABLED(CONFIG_ZC_RANGE) || !j->z->relay.held)
		return false;
	return !IS_ENABLED(CONFIG_ZC_LIBRARY) || j->in->error ||
	       !zc_first_failed(j);
}

/* Whether each sink is alive, and has all of the run. */
static bool had_all(const struct zc_job *j)
{
	for (const struct zc_sink *o = j->out; o; o = o->peer)
		if (o->error || o->lack || zc_queued(o))
			return false;
	return !j->z->relay.held;
}

/* The loop. Returns an enum zc_result. */
static int loop(struct zc_job *j)
{
	struct zc_source *in = j->in;
	struct pollfd *p = poll_array(j->z);

	for (;;) {
		struct zc_turn t = begin_turn(j);
		int stop;

		if (!t.open && !zc_pauses(in))
			t.ms = zc_lag_finish(j);
		ask_all(j, p, &t);
		if (!t.lacking) {
			if (may_unpack(j)) {
				unpack(j);
				continue;
			}
			if (!in->error && zc_first_failed(j))
				return ZC_FAILED;
			if (zc_pauses(in))
				return ZC_AGAIN;
			if (!t.awaited && t.ms < 0)
				return in->error ? ZC_FAILED : ZC_ENDED;
		}
		stop = wait_for(j, p, &t);
		if (stop)
			return stop;
		serve_all(j, p, &t);
		/* A failure comes first: a terminal tells its end once. */
		if (!p[j->nout].revents || zc_has_failed(j))
			continue;
		/* The next turn would wait for the source alone, too. */
		do
			read_run(j);
		while (awaits_one(&t) && is_open(in) && had_all(j));
	}
}

/* Whether a sink is the file that is read. Then only reading and writing is
 * exact: spliced pages change when the file is written to, and a kernel that
 * copies from one page to another where they overlap may copy the last bytes
 * first. */
static bool is_source(const struct zc_source *in, const struct zc_sink *out)
{
	return in->kind & ZC_REGULAR && zc_is_same_file(&in->id, &out->id);
}

/* Returns how many bytes a sink's pipe may hold for that alone, and its queue:
 * a share of the budget, CONFIG_ZC_PIPE_KB, but two pages at least. */
static unsigned memory_share(const struct zc_job *j)
{
	unsigned n = ZC_PIPE_MAX / j->nout;

	if (j->in->kind == ZC_PIPE)
		n /= 2;
	if (j->in->kind == ZC_SOCKET)
		n /= 4;
	return zc_most(n, 2 * PIPE_BUF);
}

/* Identifies a source that is new and has no error. */
static void identify_source(struct zc_source *in)
{
	if (zc_reads_own(in))
		in->kind = ZC_OWN;
	else if (in->kind == ZC_UNIDENTIFIED && !in->error)
		zc_identify(&in->end, false);
}

/* Identifies a sink that is new, or was given another descriptor. */
static void identify(struct zc_sink *out)
{
	if (out->kind != ZC_UNIDENTIFIED)
		return;
	if (IS_ENABLED(CONFIG_ZC_OWN) && out->write)
		out->kind = ZC_OWN;
	else
		zc_identify(&out->end, out->sole);
	zc_check_sink(out);
}

/* Whether a sink has a limit. A function of the caller's has none, and a sole
 * file needs none: its queue is empty after each run. */
static bool is_limited(const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_LAG) && out->lag && out->lag->max &&
	       !(out->kind & (ZC_OWN | ZC_SOLE));
}

/* Begins a call of zc_run(). It asks again for descriptors and memory that an
 * earlier one lacked. That an end refuses splice(2) lasts. Two kinds of sinks
 * are left to write(2). One is not open for writing: poll(2) never calls the
 * reading end of a pipe ready, and vmsplice(2) would read from it. The other is
 * a socket with a limit of time: write(2) waits it out once, and poll(2)
 * ignores it. Likewise only read(2) is sure to wait out that of a source. */
static void begin_call(struct zc_job *j)
{
	struct zc_source *in = j->in;
	unsigned share;

	j->methods = j->z->methods ? j->z->methods : zc_methods;
	j->refused = j->kinds = 0;
	j->lags = j->no_queue = j->no_socket = false;
	j->z->relay.size.most = ZC_PIPE_MAX;
	/* A caller of libzc may have cleared an error since zc_begin(). */
	if (IS_ENABLED(CONFIG_ZC_LIBRARY))
		identify_source(in);
	share = memory_share(j);
	zc_begin_at_source(in);
	in->size_of_pipe.most = ZC_PIPE_MAX / 2;
	in->by_read |= in->read_limit;
	/* Another sink may refuse what the last one allowed. */
	in->may_copy = false;
	if (in->no_read && !in->error)
		in->error = EBADF;
	for (struct zc_sink *out = j->out; out; out = out->peer) {
		if (out->error)
			continue;
		identify(out);
		zc_begin_at_sink(out);
		out->limited = is_limited(out);
		zc_check_limit(out);
		/* How much may be on the way to a sink with a limit, the user
		 * says. */
		if (out->limited) {
			out->size_of_pipe.most = 0;
			out->queue_max = out->lag->max - out->lag->lacks;
		} else {
			out->size_of_pipe.most = out->queue_max = share;
		}
		if (out->no_write || out->write_limit)
			out->kind = ZC_UNKNOWN;
		in->by_read |= is_source(in, out);
		j->lags |= IS_ENABLED(CONFIG_ZC_LAG) && out->lag;
		j->kinds |= out->kind;
	}
	j->message = in->kind & (ZC_DATAGRAM | ZC_UNKNOWN);
	zc_choose_queue(j);
}

/* Between two calls of zc_run() there is no message. */
static void end_call(struct zc_job *j)
{
	j->message = false;
	zc_end_at(j->in);
	zc_give_back(j->in);
	for (struct zc_sink *out = j->out; out; out = out->peer)
		zc_count_missing(j, out);
}

void zc_begin(struct zc *z, struct zc_source *in)
{
	struct zc_job *j = &z->job;

	j->z = z;
	j->in = in;
	j->tail = &j->out;
	identify_source(in);
	/* The bytes that are in a pipe already may be little pieces, or
	 * packets. */
	j->last = in->kind == ZC_PIPE ? 0 : ZC_RUN_MAX;
}

void zc_add(struct zc *z, struct zc_sink *out)
{
	struct zc_job *j = &z->job;

	if (out->added)
		return;
	out->added = true;
	zc_enter(j, out);
	/* The bytes on their way are not for it. */
	out->lack = 0;
	out->had = z->relay.held;
	out->peer = NULL;
	*j->tail = out;
	j->tail = &out->peer;
	j->nout++;
}

void zc_drop(struct zc *z, struct zc_sink *out)
{
	struct zc_job *j = &z->job;
	struct zc_sink **p = &j->out;

	while (*p && *p != out)
		p = &(*p)->peer;
	if (!*p)
		return;
	*p = out->peer;
	if (!*p)
		j->tail = p;
	j->nout--;
	zc_count_missing(j, out);
	zc_relay_close(&out->queue);
	out->added = false;
}

void zc_replace(struct zc_sink *out, int fd)
{
	*out = (struct zc_sink){
		.fd = fd,
		.bytes = out->bytes,
		.lag = out->lag,
		.name = out->name,
		.user = out->user,
		.next = out->next,
		.lack = out->lack,
		.had = out->had,
		.queue = out->queue,
		.added = out->added,
		.before = out->before,
		.peer = out->peer,
	};
}

struct zc_sink *zc_failed(struct zc *z)
{
	struct zc_sink *out = zc_first_failed(&z->job);

	if (out)
		zc_drop(z, out);
	return out;
}

int zc_run(struct zc *z, uint64_t until, int cancel_fd)
{
	struct zc_job *j = &z->job;
	int status;

	if (!j->out)
		return ZC_ENDED;
	if (IS_ENABLED(CONFIG_ZC_LIBRARY) && j->nout > ZC_SINKS_MAX) {
		j->in->error = EINVAL;
		return ZC_FAILED;
	}
	zc_set_stop(j, until, cancel_fd);
	begin_call(j);
	status = loop(j);
	end_call(j);
	return status;
}

void zc_end(struct zc *z)
{
	while (z->job.out)
		zc_drop(z, z->job.out);
	/* An applet ends, too, if a sink of its only job has failed. */
	if (IS_ENABLED(CONFIG_ZC_LIBRARY) && z->relay.held)
		zc_relay_close(&z->relay);
}

int zc_copy(struct zc *z, struct zc_source *in, struct zc_sink *out)
{
	int status;

	zc_begin(z, in);
	zc_add(z, out);
	status = zc_run(z, ZC_EVER, -1);
	zc_end(z);
	return status;
}

void zc_close(struct zc *z)
{
	zc_end(z);
	zc_relay_close(&z->relay);
	zc_relay_close(&z->pattern);
	zc_relay_close(&z->socket);
	for (const struct zc_method *const *m = zc_methods; *m; m++)
		if ((*m)->close)
			(*m)->close(z);
	/* The analyzer takes the context for one that may be NULL. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	memset(z, 0, offsetof(struct zc, memory));
}
