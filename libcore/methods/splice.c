/* SPDX-License-Identifier: 0BSD */
/* splice(2): from pipe to pipe or /dev/null, else by way of our own pipe. */
#include <fcntl.h>

#include "engine/engine.h"

/* Pipes can be told not to sleep (SPLICE_F_NONBLOCK), /dev/null never does. */
static ssize_t splice_direct(struct zc *z, struct zc_source *in,
			     struct zc_sink *out)
{
	ssize_t n = zc_splice(z, in->fd, NULL, out->fd,
			      zc_at_most(in, ZC_RUN_MAX), in, out);

	zc_record(n == -EIO ? &in->end : &out->end, n);
	zc_count(in, out, n);
	if (n > 0) {
		zc_grow(&in->end, n);
		/* Another process has enlarged the source's. */
		if (in->size_of_pipe.bytes > ZC_PIPE_MAX / 2 &&
		    out->size_of_pipe.most)
			out->size_of_pipe.most = ZC_PIPE_MAX;
		zc_grow(&out->end, n);
	}
	return n;
}

/* An end other than a pipe or /dev/null may sleep in splice(2) with the pipe
 * locked: the process at the pipe's far end would then hang, and could not even
 * be killed. A pipe of our own keeps nobody waiting. It also gives each call
 * one foreign end, and a failure is that end's. */
static ssize_t splice_relayed(struct zc *z, struct zc_source *in,
			      struct zc_sink *out)
{
	ssize_t n = zc_relay_in(z, in, false, zc_run_max(in, out));

	/* The loop writes what a sink refuses to be spliced: unpack(). */
	if (n > 0) {
		z->relay.held = zc_relay_out(z, &z->relay, n, out);
		zc_relay_grow(&z->relay, n);
	}
	return n;
}

/* The call takes no lock on the position of a file, which others may share
 * (docs/DESIGN.md, 10): to such a file it is left to callers that name the
 * methods. The kernel refuses to splice to one that is appended to. */
static bool is_kept_from(const struct zc *z, const struct zc_sink *out)
{
	if (!(out->kind & (ZC_FILE | ZC_SMALL)))
		return false;
	if (!z->methods || zc_is_at_offset(&out->end))
		return true;
	return zc_may_have(zc_fcntl(out->fd, F_GETFL, 0), O_APPEND);
}

static ssize_t splice_run(struct zc *z, struct zc_source *in,
			  struct zc_sink *out)
{
	if (out->no_splice || is_kept_from(z, out))
		return ZC_PASSED_OVER;
	if (in->kind == ZC_PIPE && out->kind & (ZC_PIPE | ZC_NULL))
		return splice_direct(z, in, out);
	return splice_relayed(z, in, out);
}

const struct zc_method zc_method_splice = {
	.name = "splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~ZC_DATAGRAM,
	.run = splice_run,
};
