/* SPDX-License-Identifier: 0BSD */
/* A sink among several: its queue, the run that it lacks, and how it takes them
 * without keeping the others waiting. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>

#include "engine.h"

enum {
	/* Bytes. While a queue without a limit holds more, no run is read: it
	 * might not fit. */
	FULL = ZC_PIPE_MAX / 4,
	/* Bytes that a sink with little room takes once it takes any. A serial
	 * terminal has 4096 less 256, a pseudo-terminal makes room by 2 KiB or
	 * so, and each byte may become two (ONLCR). A socket of TCP has a third
	 * of its buffer free, one of unix(7) three quarters. A pipe that is not
	 * empty takes PIPE_BUF, as do the other sockets. */
	LITTLE_PROMISE = 512,
};

/* A sink, or its queue, has taken n bytes of the run in memory. */
static void took(struct zc_sink *out, size_t n)
{
	out->next += n;
	out->lack -= n;
}

/* Asks for a pipe as large as the limit needs, or as large as the kernel
 * allows. Returns how many bytes it may hold. A piece goes to the last page of
 * a pipe only if all of it fits there. So two pages hold more than one, and
 * half of a pipe takes pieces of any length. */
static size_t enlarge(struct zc_relay *queue, size_t max)
{
	size_t n = zc_least(2 * (max + ZC_LAG_FREE), ZC_LAG_MAX);
	int now;

	while (n > (size_t)queue->size.bytes &&
	       zc_fcntl(queue->to, F_SETPIPE_SZ, n) < 0)
		n /= 2;
	/* A pipe may also be smaller than usual: pipe(7), pipe-user-pages-soft.
	 */
	now = zc_fcntl(queue->to, F_GETPIPE_SZ, 0);
	if (now > 0)
		queue->size.bytes = now;
	return zc_excess(queue->size.bytes / 2, ZC_LAG_FREE);
}

int zc_queue_open(struct zc_sink *out)
{
	size_t room = 0;
	int status;

	if (out->queue.fd)
		return 0;
	status = zc_relay_open(&out->queue, O_NONBLOCK);
	if (!zc_limited(out))
		return status;
	if (!status)
		room = enlarge(&out->queue, out->lag->max);
	out->queue_max = zc_least(out->lag->max, room);
	out->lag->lacks = out->lag->max - out->queue_max;
	return status;
}

/* Moves a queue with a limit to a new pipe as large, in whole pages: these fill
 * at most half of it. Returns whether there is such a pipe. If bytes are lost,
 * the sink has failed. */
static bool pack(struct zc_sink *out)
{
	struct zc_relay *queue = &out->queue, old = *queue;
	char page[PIPE_BUF];
	ssize_t n;

	queue->fd = 0;
	if (zc_relay_open(queue, O_NONBLOCK) ||
	    zc_fcntl(queue->to, F_SETPIPE_SZ, old.size.bytes) < 0) {
		zc_relay_close(queue);
		*queue = old;
		return false;
	}
	queue->size = old.size;
	queue->held = 0;
	do {
		n = zc_sys_read(old.fd, page, sizeof(page));
		if (n > 0)
			zc_queue_write(out, page, n);
	} while (n > 0 || n == -EINTR);
	if (queue->held != old.held)
		out->error = EIO;
	zc_relay_close(&old);
	return true;
}

/* Spliced small pieces may fill the buffers of a queue before its bytes reach
 * the limit. Returns whether there is room now. */
static bool make_room(struct zc_sink *out)
{
	if (zc_queue_was_full(out))
		return false;
	if (zc_relay_grow(&out->queue, SIZE_MAX))
		return true;
	return zc_limited(out) && pack(out);
}

size_t zc_queue_write(struct zc_sink *out, const char *p, size_t len)
{
	size_t all = 0;

	while (all < len) {
		ssize_t n = zc_sys_write(out->queue.to, p + all, len - all);

		if (n > 0) {
			out->queue.held += n;
			all += n;
		} else if (n != -EINTR && !make_room(out)) {
			break;
		}
	}
	return all;
}

/* Whether a sink is a pipe that is empty, and can be written to without
 * sleeping. One with a limit is left out: another process may fill it first. */
static bool is_empty_pipe(const struct zc_sink *out)
{
	return out->kind == ZC_PIPE && !zc_limited(out) &&
	       zc_sys_is_empty(out->fd);
}

size_t zc_promise(struct zc *z, const struct zc_sink *out, size_t n)
{
	size_t most = out->little_room ? LITTLE_PROMISE : PIPE_BUF;
	/* The odd part goes first: a pipe whose page is partly read takes no
	 * last byte, and its reader may wait for the next bytes of another
	 * sink. */
	size_t odd = (n - 1) % most + 1;
	int room;

	if (out->message_max)
		return zc_one_message(z, out, z->job.run, n);
	if (odd < PIPE_BUF || odd == n || !is_empty_pipe(out))
		return odd;
	/* It takes as many whole pages as it can hold. Its size is asked again,
	 * because another process may have changed it since zc_grow(). */
	room = zc_fcntl(out->fd, F_GETPIPE_SZ, 0);
	if (room <= 0)
		return odd;
	return zc_least(room, n);
}

/* Whether splice(2) moves the queued bytes: it does so without sleeping to a
 * pipe, and to a terminal or a socket that is O_NONBLOCK. */
static bool splices(const struct zc_sink *out)
{
	if (out->no_splice)
		return false;
	if (out->kind != ZC_PIPE && !zc_never_sleeps(out))
		return false;
	/* After a long rest read(2) and write(2) are asked where splice(2) says
	 * EAGAIN though poll(2) says ready. They may sleep. */
	return zc_limited(out) || !zc_has_rested_long(out);
}

/* Splices bytes of the queue to the sink. Returns how many, or -errno. */
static ssize_t splice_out(struct zc *z, struct zc_sink *out)
{
	struct zc_relay *queue = &out->queue;
	ssize_t n = zc_sys_splice(queue->fd, NULL, out->fd, queue->held, false);

	z->calls++;
	if (n > 0) {
		out->bytes += n;
		zc_check_reset(out, n, queue->held);
	} else if (n != -EAGAIN && n != -EINTR) {
		zc_record(&out->end, n);
		out->no_splice = !out->error;
	}
	return n;
}

/* Likewise by read(2) and write(2). Bytes that cannot be read are lost. */
static ssize_t copy_out(struct zc *z, struct zc_sink *out)
{
	/* The run before it may still be lacked by others; what poll(2)
	 * is asked is behind it. */
	char *piece = zc_buffer(z) + ZC_MESSAGE;
	size_t max = zc_promise(z, out, out->queue.held);
	ssize_t n = zc_relay_read(z, &out->queue, piece,
				  zc_least(max, ZC_PIECE));

	if (n > 0)
		zc_write_pages(z, out, piece, n);
	else
		out->error = -n;
	return n;
}

void zc_queue_drain(struct zc *z, struct zc_sink *out)
{
	ssize_t n;

	if (splices(out))
		n = splice_out(z, out);
	else
		n = copy_out(z, out);
	if (n > 0) {
		out->queue.held -= n;
		zc_grow(&out->end, n);
	}
}

void zc_queue_pass_on(struct zc *z, struct zc_sink *out)
{
	if (splices(out))
		zc_queue_drain(z, out);
}

void zc_queue_lack(struct zc *z, struct zc_sink *out)
{
	size_t n;

	if (zc_queue_open(out)) {
		z->job.no_queue = true;
		return;
	}
	n = zc_least(out->lack, zc_queue_room(out));
	/* Otherwise one small piece would make all later ones small. */
	if (zc_queued(out) && n < out->lack && n < PIPE_BUF)
		return;
	n = zc_queue_write(out, out->next, n);
	took(out, n);
	/* An empty queue that takes nothing is useless. */
	z->job.no_queue |= !zc_queued(out);
}

bool zc_write_now(struct zc *z, struct zc_sink *out)
{
	size_t len = 0;
	ssize_t n;

	if (!zc_queued(out))
		len = zc_one_message(z, out, z->job.run, out->lack);
	z->calls++;
	if (zc_sends(out)) {
		n = zc_sys_send(out->fd, out->next, len);
		if (zc_is_refused(n)) {
			out->socket = false;
			return false;
		}
	} else {
		n = zc_call_write(out, out->next, len);
	}
	if (n > 0) {
		took(out, n);
		out->bytes += n;
	} else if ((n || len) && n != -EINTR &&
		   (n != -EAGAIN || zc_is_always_ready(&out->end))) {
		zc_fail_write(out, n);
	}
	return n > 0;
}

void zc_give_now(struct zc *z, struct zc_sink *out)
{
	if (zc_queued(out)) {
		/* A caller of libzc may have any sink take a queue over.
		 * Only those that may be late get more bytes there: they
		 * would join messages. */
		if (!IS_ENABLED(CONFIG_ZC_LIBRARY) || out->kind & ZC_LATE)
			zc_queue_lack(z, out);
	} else if (!(out->kind & (ZC_LATE | ZC_DATAGRAM | ZC_OWN)) ||
		   zc_is_prompt(out)) {
		zc_write(z, out, out->next, out->lack);
		out->lack = 0;
	} else if (zc_sends(out) ||
		   (out->lack <= PIPE_BUF && is_empty_pipe(out))) {
		zc_write_now(z, out);
	}
}

/* Returns the events for poll(2) of a sink that a hang-up retires; or else 0.
 */
static int hangup_events(const struct zc_sink *out)
{
	if (!IS_ENABLED(CONFIG_ZC_HANGUP) || !out->retire_on_hangup ||
	    out->no_write || zc_is_always_ready(&out->end))
		return 0;
	return POLLERR | POLLHUP;
}

int zc_want(const struct zc *z, const struct zc_sink *o, struct zc_turn *t)
{
	size_t queued = zc_queued(o);

	t->full |= queued > FULL && !zc_limited(o);
	if (!o->lack && !queued)
		return t->open ? hangup_events(o) : 0;
	t->lacking |= o->lack > 0;
	t->polled |= queued > 0 || zc_is_nonblock(o);
	if (zc_sends(o))
		t->ms = zc_sooner(t->ms, ZC_UNTOLD);
	if (o->kind == ZC_TTY)
		t->ms = zc_sooner(t->ms, ZC_TTY_NAP);
	/* Its queue takes the bytes, so this turn does not sleep. */
	if (!queued && zc_may_queue(z, o))
		t->ms = 0;
	if (!o->rest_until)
		return POLLOUT;
	t->ms = zc_sooner(t->ms, o->rest);
	return 0;
}

/* Notes whether a sink that was called ready took any bytes. If not, it rests,
 * for longer each time: poll(2) ignores that a newline may take two bytes in a
 * terminal. */
static void note(struct zc_sink *o, bool took_any)
{
	o->rest_until = 0;
	if (took_any) {
		o->rest = 0;
		return;
	}
	o->rest = zc_longer(o->rest);
	o->rest_until = zc_clock() + o->rest;
}

/* Whether bytes of which a sink that is ready has promised to take n go to its
 * queue. Small pieces would fill a pipe early; only an empty one takes large
 * ones. A sink with a limit must not sleep, and another process may take the
 * room that poll(2) has promised: so its bytes are queued, and the queue is
 * spliced. */
static bool is_for_queue(const struct zc *z, const struct zc_sink *o, size_t n)
{
	bool small = n < o->lack && n <= PIPE_BUF;

	return zc_may_queue(z, o) && (small || zc_limited(o));
}

/* Writes the run in memory to a sink that is ready, as much as it takes, or
 * leaves it to a queue. */
static void write_run(struct zc *z, struct zc_sink *o)
{
	size_t n;

	if (zc_never_sleeps(o) || zc_sends(o) || zc_is_own(&o->end)) {
		note(o, zc_write_now(z, o));
		return;
	}
	n = zc_promise(z, o, o->lack);
	if (!is_for_queue(z, o, n)) {
		zc_write_pages(z, o, o->next, n);
		took(o, n);
	}
}

/* Gives a sink that is ready the bytes that it takes: first those in its queue.
 */
static void serve_ready(struct zc *z, struct zc_sink *o)
{
	size_t held = zc_queued(o);

	if (held) {
		zc_queue_drain(z, o);
		note(o, zc_queued(o) < held);
	} else if (o->lack) {
		write_run(z, o);
	}
}

/* Retires a sink if the events that poll(2) returned have a hang-up: its reader
 * has gone while nothing is written to it. Then it has the error EPIPE, or that
 * of a write(2) of nothing to a socket. Returns whether it is so. */
static bool retire_hung_up(struct zc *z, struct zc_sink *out, int events)
{
	if (!IS_ENABLED(CONFIG_ZC_HANGUP) || !(events & (POLLERR | POLLHUP)))
		return false;
	out->error = EPIPE;
	/* A write of nothing tells why: the socket was reset, or never
	 * connected. */
	if (out->kind == ZC_SOCKET)
		zc_write_now(z, out);
	return true;
}

/* Whether the rest of a sink is over. Where a sandbox refuses the clock, it is
 * one turn long. */
static bool has_rested(const struct zc_sink *o)
{
	uint64_t now = zc_clock();

	return !now || now >= o->rest_until;
}

void zc_serve(struct zc *z, struct zc_sink *o, const struct pollfd *p)
{
	if (retire_hung_up(z, o, p->events & p->revents))
		return;
	if (p->revents)
		serve_ready(z, o);
	else if (!o->rest_until)
		o->rest = 0;
	else if (has_rested(o))
		o->rest_until = 0;
	/* Bytes that it does not take at once go into its queue. */
	if (!o->error && o->lack && zc_may_queue(z, o))
		zc_queue_lack(z, o);
}
