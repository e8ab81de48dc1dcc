/* SPDX-License-Identifier: 0BSD */
/* tee(2): one source to many sinks, and a line repeated for ever. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "method.h"

static int refused;	/* the errno of a tee(2) that failed */

static ssize_t duplicate(struct zc_relay *from, struct zc_end *to, size_t n)
{
	ssize_t m = ZC_CALL(tee(from->fd, to->fd, n, SPLICE_F_NONBLOCK), NULL,
			    to);

	if (m < 0)
		refused = errno;
	return m;
}

/* Fills the pattern pipe with as many whole lines as it holds. Returns the
 * bytes that it then holds. */
static size_t fill(struct zc_relay *pattern, size_t held, struct zc_end *in)
{
	size_t want = fcntl(pattern->fd, F_GETPIPE_SZ) / in->len * in->len;

	while (held < want) {
		size_t at = held % in->copies;
		size_t max = in->copies - at;
		ssize_t n = write(pattern->end.fd, in->line + at,
				  max < want - held ? max : want - held);

		if (n > 0)
			held += n;
		else if (errno != EINTR)
			break;
	}
	return held;
}

/* The pattern is a pipeful of lines that never leaves its pipe: each run
 * passes out references to the kernel's own pages. */
static ssize_t repeat(struct zc_end *in, struct zc_end *out)
{
	static struct zc_relay pattern;
	static size_t held;
	size_t into = in->at % in->len;
	ssize_t n;

	/* A run that stopped inside a line: finish that by hand. */
	if (into) {
		in->at = 0;
		if (zc_write(out, in->line + into, in->len - into))
			return -1;
		return in->len - into;
	}
	if (refused || out->kind != ZC_PIPE || zc_relay_open(&pattern))
		goto refuse;
	if (!held)
		held = fill(&pattern, 0, in);
	if (!held)
		goto refuse;
	n = duplicate(&pattern, out, held);
	if (n > 0) {
		in->at = n % in->len;
		zc_grow(out, n);
		if ((size_t)n == held) {
			zc_grow(&pattern.end, held);
			held = fill(&pattern, held, in);
		}
	}
	return n;
refuse:
	errno = refused ? refused : EINVAL;
	return -1;
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	static struct zc_relay all, one;
	ssize_t n;

	if (in->kind == ZC_LINE)
		return repeat(in, out);
	if (refused || zc_relay_open(&one)) {
		errno = refused ? refused : errno;
		return -1;
	}
	n = zc_fill(&all, in);
	if (n <= 0)
		return n;
	for (; nout > 1; out++, nout--) {
		ssize_t m;

		if (out->error)
			continue;
		m = duplicate(&all, &one.end, n);
		if (m > 0)
			zc_drain(&one, m, out);
		if (m < n) {
			zc_spill(&all, n, out, nout, m > 0 ? m : 0);
			return n;
		}
	}
	zc_drain(&all, n, out);
	/* The second must never hold less than the first, or tee(2) is short. */
	zc_grow(&one.end, n);
	if (one.end.pipe_size >= all.end.pipe_size)
		zc_grow(&all.end, n);
	return n;
}

const struct zc_method method_tee = {
	.name = "tee",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE | ZC_LINE,
	.to = ZC_ANY,
	.many = true,
	.run = run,
};
