/* SPDX-License-Identifier: 0BSD */
/* tee(2): one source to many sinks, and a line repeated for ever. */
#include "engine/engine.h"

enum { BUFFER_MAX = 32 << 10 }; /* bytes: the most that a pipe buffer may get */

/* Puts len bytes into an empty pipe, in as few pipe buffers as can be: write(2)
 * fills each with a page of 4 KiB, a Unix socket's pages are of up to 32 KiB.
 * What tee(2) and splice(2) cost is by the buffer. Returns whether all are
 * there. */
static bool put_line(int pipe, const char *line, ssize_t len)
{
	struct zc_relay socket = { .fd = 0 };
	ssize_t n = -1;

	if (!zc_socket_open(&socket)) {
		if (zc_sys_write(socket.sink, line, len) == len)
			n = zc_sys_splice(socket.fd, NULL, pipe, len);
		zc_relay_close(&socket);
	}
	if (n <= 0)
		n = zc_sys_write(pipe, line, len);
	return n == len;
}

/* Adds whole lines to the pattern, until tee(2) is short: the pipe is full. All
 * of its buffers share a few pages, so that a reader finds the bytes in its
 * nearest cache. */
static void fill_pattern(struct zc_relay *pattern, struct zc_endpoint *in)
{
	size_t max = in->line_len <= BUFFER_MAX ? BUFFER_MAX : 2 * BUFFER_MAX;
	size_t len = (max < in->pattern_len ? max : in->pattern_len) /
		     in->line_len * in->line_len;
	struct zc_relay piece = { .fd = 0 };
	ssize_t n;

	if (!len || zc_relay_open(&piece))
		return;
	if (put_line(piece.sink, in->pattern, len))
		do {
			n = zc_sys_tee(piece.fd, pattern->sink, len);
			in->piped_len += n > 0 ? n : 0;
		} while (n == (ssize_t)len);
	zc_relay_close(&piece);
}

/* The pattern is a pipeful of lines that never leaves its pipe: each run
 * passes out references to the kernel's own pages. */
static ssize_t tee_repeat(struct zc *z, struct zc_endpoint *in,
			  struct zc_endpoint *out)
{
	size_t into = in->pos % in->line_len;
	ssize_t n;

	/* A run that stopped inside a line: finish that by hand. */
	if (into) {
		in->pos = 0;
		zc_write(z, out, in->pattern + into, in->line_len - into);
		return in->line_len - into;
	}
	/* The line of an earlier source is not this one's. */
	if (!in->piped_len)
		zc_relay_close(&z->pattern);
	errno = EINVAL;
	if (out->kind == ZC_PIPE && !in->piped_len &&
	    !zc_relay_open(&z->pattern))
		fill_pattern(&z->pattern, in);
	if (!in->piped_len)
		return -1;
	n = ZC_CALL(z, zc_sys_tee(z->pattern.fd, out->fd, in->piped_len), NULL,
		    out);
	if (n < 0)
		zc_record(out);
	if (n > 0)
		in->pos = n % in->line_len;
	if (n == (ssize_t)in->piped_len) {
		/* Its buffers are full, if not of bytes. */
		zc_grow(out, SIZE_MAX);
		if (zc_relay_grow(&z->pattern, SIZE_MAX) &&
		    in->piped_len % in->line_len == 0)
			fill_pattern(&z->pattern, in);
	}
	return n;
}

/* Gives a sink the n bytes in z->relay: a copy, or themselves if it is the
 * last. Returns how many it has had, or is late with, or -1 with errno. */
static ssize_t give(struct zc *z, struct zc_endpoint *out, size_t n, bool last)
{
	struct zc_relay *to = &out->slack, *from = &z->relay;
	ssize_t m = n;

	if (zc_slack_open(out))
		return -1;
	zc_relay_grow(to, to->held + n);
	z->calls++;
	if (!last) {
		m = zc_sys_tee(from->fd, to->sink, n);
	} else if (to->held || zc_limit(out)) {
		m = zc_sys_splice(from->fd, NULL, to->sink, n);
	} else {
		struct zc_relay full = *from;

		*from = *to;
		*to = full;
	}
	if (m < 0)
		return m;
	if (!(out->kind & ZC_LATE) || out->error) {
		zc_relay_flush(z, to, m, out, zc_splice_call);
		return m;
	}
	to->held += m;
	if (out->kind == ZC_PIPE && !out->no_splice)
		zc_drain(z, to, out);
	return m;
}

static void give_all(struct zc *z, struct zc_endpoint *out, int nout, size_t n)
{
	int end = nout - 1;

	while (IS_ENABLED(CONFIG_ZC_LAG) && end && zc_lag_skips(&out[end]))
		end--;
	for (int i = 0; i < nout; i++) {
		bool last = i == end;
		ssize_t m = n;

		if (!zc_limit(&out[i]) || !zc_lag_spliced(&out[i], n))
			m = give(z, &out[i], n, last);
		if (zc_limit(&out[i]) && m > 0)
			out[i].lag->run += m;
		if (m == (ssize_t)n)
			continue;
		/* Both ends are ours, so it is nobody's failure. */
		z->no_slack = m < 0 && errno != EAGAIN;
		if (m < 0)
			m = 0;
		/* Behind the last one, all skip. */
		while (IS_ENABLED(CONFIG_ZC_LAG) && last && ++end < nout)
			zc_lag_miss(out[end].lag, m);
		if (!last)
			zc_relay_copy_out(z, &z->relay, m, out, nout, i + 1);
		zc_relay_copy_out(z, &z->relay, n - m, out, nout, i);
		return;
	}
}

static bool any_late(const struct zc_endpoint *out, int nout)
{
	while (nout && !out->slack.held)
		out++, nout--;
	return nout;
}

static bool all_files(const struct zc_endpoint *out, int nout)
{
	while (nout && (out->error || out->kind & (ZC_FILE | ZC_SMALL)))
		out++, nout--;
	return !nout;
}

static ssize_t tee_run(struct zc *z, struct zc_endpoint *in,
		       struct zc_endpoint *out, int nout)
{
	ssize_t n;

	if (in->kind == ZC_REPEAT)
		return tee_repeat(z, in, out);
	/* A file is written to, and so nothing is gained without another sink;
	 * a single one is spliced to by the method splice. */
	if (z->no_slack || nout == 1 || all_files(out, nout)) {
		errno = EINVAL;
		return -1;
	}
	/* A slack that is as large as z->relay is to have room for what it
	 * holds and for a run: half a relay. */
	n = zc_relay_in(z, &z->relay, in, any_late(out, nout),
			IS_ENABLED(CONFIG_ZC_LAG) ? zc_lag_run(out, nout) :
						    ZC_RUN_MAX,
			zc_splice_call);
	if (n > 0) {
		zc_relay_grow(&z->relay, n);
		give_all(z, out, nout, n);
	}
	return n;
}

const struct zc_method zc_method_tee = {
	.name = "tee",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE | ZC_REPEAT,
	.to = ZC_ANY & ~ZC_DATAGRAM,
	.multi_sink = true,
	.run = tee_run,
};
