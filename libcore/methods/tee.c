/* SPDX-License-Identifier: 0BSD */
/* tee(2): one source to many sinks, and a line repeated for ever. */
#include <fcntl.h>

#include "engine/engine.h"

enum { BUFFER_MAX = 32 << 10 }; /* bytes: the most that a pipe buffer may get */

/* Files that are written to. */
enum { WRITTEN = ZC_FILE | ZC_SMALL | ZC_OWN };

/* Puts len bytes into an empty pipe, in as few pipe buffers as possible:
 * write(2) fills each with a page of 4 KiB, a Unix socket with up to 32 KiB,
 * and tee(2) and splice(2) cost a fixed amount per buffer. Returns whether all
 * are there. */
static bool put_line(int pipe, const char *line, ssize_t len)
{
	struct zc_relay socket = { .fd = 0 };
	ssize_t n = -1;

	if (!zc_socket_open(&socket)) {
		if (zc_sys_write(socket.to, line, len) == len)
			n = zc_sys_splice(socket.fd, NULL, pipe, len, false);
		zc_relay_close(&socket);
	}
	if (n <= 0)
		n = zc_sys_write(pipe, line, len);
	return n == len;
}

/* Adds whole lines to the pattern, until tee(2) is short: the pipe is full. All
 * of its buffers share a few pages, so that a reader finds the bytes in its
 * nearest cache. Returns the value of the last call, or -errno. */
static ssize_t fill_pattern(struct zc_relay *pattern, struct zc_line *line)
{
	size_t max = line->line_len <= BUFFER_MAX ? BUFFER_MAX : 2 * BUFFER_MAX;
	size_t len = zc_least(max, line->pattern_len) / line->line_len *
		     line->line_len;
	struct zc_relay piece = { .fd = 0 };
	ssize_t n;

	if (!len)
		return ZC_PASSED_OVER;
	n = zc_relay_open(&piece, O_NONBLOCK);
	if (n)
		return n;
	if (put_line(piece.to, line->pattern, len))
		do {
			n = zc_sys_tee(piece.fd, pattern->to, len);
			pattern->held += n > 0 ? n : 0;
		} while (n == (ssize_t)len);
	zc_relay_close(&piece);
	return n;
}

/* The pattern is a pipeful of lines that never leaves its pipe: each run
 * passes out references to the kernel's own pages. */
static ssize_t tee_repeat(struct zc *z, struct zc_source *in,
			  struct zc_sink *out)
{
	struct zc_line *line = in->line;
	size_t into = line->pos % line->line_len;
	ssize_t n = 0;

	/* A run that stopped inside a line: finish that by hand. */
	if (into) {
		line->pos = 0;
		zc_write(z, out, line->pattern + into, line->line_len - into);
		return line->line_len - into;
	}
	if (out->kind != ZC_PIPE)
		return ZC_PASSED_OVER;
	if (!z->pattern.held) {
		n = zc_relay_open(&z->pattern, 0);
		if (!n)
			n = fill_pattern(&z->pattern, line);
	}
	if (!z->pattern.held)
		return n < 0 ? n : ZC_PASSED_OVER;
	n = ZC_CALL(z, zc_sys_tee(z->pattern.fd, out->fd, z->pattern.held),
		    NULL, out);
	if (n > 0) {
		out->bytes += n;
		line->pos = n % line->line_len;
		/* The buffers of both are full, if not of bytes. */
		zc_grow(&out->end, SIZE_MAX);
		if (zc_relay_grow(&z->pattern, SIZE_MAX) &&
		    z->pattern.held % line->line_len == 0)
			fill_pattern(&z->pattern, line);
	}
	return n;
}

/* Whether a sink is an empty pipe with as many buffers as z->relay has. */
static bool takes_all(struct zc *z, struct zc_sink *out)
{
	size_t size = z->relay.size.bytes;

	return !out->queue.held && zc_promise(z, out, size) == size;
}

/* Splices the queue to a sink that is a file. If that is refused, the file is
 * written to, and the queue is empty then, too. A caller of libzc may replace a
 * file that fails: the rest stays. */
static void fill_file(struct zc *z, struct zc_sink *out)
{
	struct zc_relay *queue = &out->queue;

	queue->held = zc_relay_out(z, queue, queue->held, out);
	while (queue->held && !(IS_ENABLED(CONFIG_ZC_LIBRARY) && out->error))
		zc_queue_drain(z, out);
}

/* Gives a sink the bytes in z->relay: a copy, or the bytes themselves. Returns
 * how many it has had, or has in its queue, or -errno. */
static ssize_t give(struct zc *z, struct zc_sink *out, bool itself)
{
	struct zc_relay *from = &z->relay, *queue = &out->queue;
	bool all = takes_all(z, out);
	int to = out->fd;
	ssize_t n;

	if (!all) {
		n = zc_queue_open(out);
		if (n)
			return n;
		zc_relay_grow(queue, queue->held + from->held);
		to = queue->to;
	}
	z->calls++;
	if (itself)
		n = zc_sys_splice(from->fd, NULL, to, from->held, false);
	else
		n = zc_sys_tee(from->fd, to, from->held);
	if (n <= 0) {
		if (all)
			zc_record(&out->end, n);
		return n;
	}
	if (itself)
		from->held -= n;
	/* The pages are those of other sinks, too. */
	if (out->size_of_pipe.most)
		out->size_of_pipe.most = ZC_PIPE_MAX;
	if (all) {
		out->bytes += n;
		zc_grow(&out->end, n);
		return n;
	}
	queue->held += n;
	if (out->kind == ZC_SOLE)
		fill_file(z, out);
	else
		zc_queue_pass_on(z, out);
	return n;
}

/* Whether a sink is a file that has refused splice(2). */
static bool is_written_file(const struct zc_sink *out)
{
	return out->kind == ZC_SOLE && out->no_splice;
}

/* Gives the sinks of these kinds the bytes in z->relay. The loop unpacks the
 * rest: for the others, and where tee(2) was short. */
static void give_all(struct zc_job *j, unsigned kinds)
{
	struct zc *z = j->z;
	ssize_t n = z->relay.held, m = n;
	int left = 0; /* sinks that have yet to get them */

	for (struct zc_sink *o = j->out; o; o = o->peer) {
		bool skipped = o->error || zc_lag_admit(o, NULL, n);

		o->had = skipped ? n : 0;
		if (!skipped)
			left++;
	}
	for (struct zc_sink *o = j->out; o && m == n; o = o->peer) {
		if (o->had || !(o->kind & kinds) || is_written_file(o))
			continue;
		m = give(z, o, left == 1);
		left--;
		/* If the sink has failed, write(2) tells. */
		j->no_queue |= m < 0 && m != -EAGAIN;
		if (m > 0)
			o->had = m;
	}
	/* The bytes that the last sink got have left the relay. */
	for (struct zc_sink *o = j->out; o; o = o->peer)
		o->had -= n - z->relay.held;
}

/* Once the bytes are read for one file, writing them to the others costs less
 * than splicing. */
static ssize_t tee_fan(struct zc_job *j)
{
	unsigned kinds = j->kinds & WRITTEN ? ZC_LATE : ZC_LATE | ZC_SOLE;
	struct zc *z = j->z;
	bool half = false;
	ssize_t n;

	if (j->no_queue || !(j->kinds & kinds))
		return ZC_PASSED_OVER;
	/* A queue that is as large as z->relay needs room for its bytes and for
	 * a run: so a run is half a relay. */
	for (struct zc_sink *o = j->out; o; o = o->peer)
		half |= o->queue.held > 0;
	n = zc_relay_in(z, j->in, half, zc_lag_run(j));
	if (n > 0) {
		z->relay.held = n;
		give_all(j, kinds);
		zc_relay_grow(&z->relay, n);
	}
	return n;
}

/* A single sink is spliced to by the method splice. */
static ssize_t tee_run(struct zc *z, struct zc_source *in, struct zc_sink *out)
{
	return in->kind == ZC_REPEAT ? tee_repeat(z, in, out) : ZC_PASSED_OVER;
}

const struct zc_method zc_method_tee = {
	.name = "tee",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE | ZC_REPEAT,
	.to = (ZC_ANY & ~ZC_DATAGRAM) | ZC_OWN,
	.run = tee_run,
	.fan = tee_fan,
};
