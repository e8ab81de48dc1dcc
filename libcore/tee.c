/* SPDX-License-Identifier: 0BSD */
/* tee(2): one source to many sinks, and a line repeated for ever. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "method.h"

enum { SLOT = 32 << 10 };	/* bytes: the most that a slot may get */

/* Puts len bytes into an empty pipe, in as few slots as can be: write(2) fills
 * a slot with a page of 4 KiB, a Unix socket's pages are of up to 32 KiB. What
 * tee(2) and splice(2) cost is by the slot. Returns whether all are there. */
static bool put(struct zc_end *pipe, const char *line, ssize_t len)
{
	struct zc_relay socket = { 0 };
	ssize_t n = -1;

	if (!zc_socket_open(&socket)) {
		if (write(socket.end.fd, line, len) == len)
			n = splice(socket.fd, NULL, pipe->fd, NULL, len,
				   SPLICE_F_NONBLOCK);
		zc_relay_close(&socket);
	}
	if (n <= 0)
		n = write(pipe->fd, line, len);
	return n == len;
}

/* Adds whole lines to the pattern until it is full. Returns what it then holds,
 * in bytes. All of its slots share a few pages, so that a reader finds the
 * bytes in its nearest cache. */
static size_t fill(struct zc_relay *pattern, size_t held, struct zc_end *in)
{
	size_t max = in->len <= SLOT ? SLOT : 2 * SLOT;
	size_t len = (max < in->copies ? max : in->copies) / in->len * in->len;
	struct zc_relay piece = { 0 };
	ssize_t n;

	if (!len || zc_relay_open(&piece))
		return held;
	if (put(&piece.end, in->line, len))
		do {
			n = tee(piece.fd, pattern->end.fd, len,
				SPLICE_F_NONBLOCK);
			held += n > 0 ? n : 0;
		} while (n == (ssize_t)len);
	zc_relay_close(&piece);
	return held;
}

/* The pattern is a pipeful of lines that never leaves its pipe: each run
 * passes out references to the kernel's own pages. */
static ssize_t repeat(struct zc_end *in, struct zc_end *out)
{
	static struct zc_relay pattern;
	size_t into = in->at % in->len;
	ssize_t n;

	/* A run that stopped inside a line: finish that by hand. */
	if (into) {
		in->at = 0;
		zc_write(out, in->line + into, in->len - into);
		return in->len - into;
	}
	if (out->kind != ZC_PIPE) {
		errno = EINVAL;
		return -1;
	}
	/* The line of an earlier source is not this one's. */
	if (!in->held && pattern.fd)
		zc_relay_close(&pattern);
	if (zc_relay_open(&pattern))
		return -1;
	if (!in->held)
		in->held = fill(&pattern, 0, in);
	if (!in->held) {
		errno = EINVAL;
		return -1;
	}
	n = ZC_CALL(tee(pattern.fd, out->fd, in->held, SPLICE_F_NONBLOCK), NULL,
		    out);
	if (n < 0 && !zc_refusal(errno))
		out->error = errno;
	if (n > 0)
		in->at = n % in->len;
	if (n == (ssize_t)in->held) {
		/* Its slots are full, if not of bytes. */
		zc_grow(out, SIZE_MAX);
		if (zc_grow(&pattern.end, SIZE_MAX) &&
		    in->held % in->len == 0)
			in->held = fill(&pattern, in->held, in);
	}
	return n;
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	static struct zc_relay all, one;
	static bool refused;
	ssize_t n;

	if (in->kind == ZC_LINE)
		return repeat(in, out);
	if (refused || (nout == 1 && out->no_splice)) {
		errno = EINVAL;
		return -1;
	}
	if (zc_relay_open(&one))
		return -1;
	n = zc_fill(&all, in);
	if (n <= 0)
		return n;
	for (; nout > 1; out++, nout--) {
		ssize_t m;

		if (out->error)
			continue;
		m = ZC_CALL(tee(all.fd, one.end.fd, n, SPLICE_F_NONBLOCK), NULL,
			    NULL);
		if (m > 0)
			zc_drain(&one, m, out);
		if (m < n) {
			/* Both ends are ours, so it is nobody's failure. */
			refused = m < 0;
			zc_spill(&all, n, out, nout, m > 0 ? m : 0);
			return n;
		}
	}
	zc_drain(&all, n, out);
	/* The second must never hold less than the first: tee(2) is short. */
	zc_grow(&one.end, n);
	if (one.end.pipe_size >= all.end.pipe_size)
		zc_grow(&all.end, n);
	return n;
}

const struct zc_method method_tee = {
	.name = "tee",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE | ZC_LINE,
	.to = ZC_ANY & ~ZC_DATAGRAM,
	.many = true,
	.run = run,
};
