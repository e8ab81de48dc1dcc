/* SPDX-License-Identifier: 0BSD */
/* splice(2): from pipe to pipe or /dev/null, else by way of our own pipe. */
#include "engine/engine.h"
#include "have/ZC_COPY_FILE_RANGE.h"

/* Whether copy_file_range(2) goes first: it may have nothing to copy. Where the
 * file system of the sink has nothing to share, it would splice by way of a
 * pipe that is smaller than ours. Types as in statfs(2). Asked before the first
 * run. What it refuses, as from one file system to another, the method tee
 * splices. */
static bool may_share(const struct zc *z, const struct zc_endpoint *in,
		      const struct zc_endpoint *out)
{
	enum { EXT = 0xef53, TMPFS = 0x01021994 };
	long type;

	if (!HAVE_ZC_COPY_FILE_RANGE || z->methods || in->kind != ZC_FILE ||
	    !(out->kind & (ZC_FILE | ZC_SMALL)) || in->range_end)
		return false;
	type = zc_sys_file_system(out->fd);
	return type != EXT && type != TMPFS;
}

/* Pipes can be told not to sleep (SPLICE_F_NONBLOCK), /dev/null never does. */
static ssize_t splice_direct(struct zc *z, struct zc_endpoint *in,
			     struct zc_endpoint *out)
{
	ssize_t n = ZC_CALL(
		z, zc_sys_splice(in->fd, NULL, out->fd, NULL, ZC_RUN_MAX), in,
		out);

	if (n > 0) {
		zc_grow(in, n);
		zc_grow(out, n);
	}
	return n;
}

/* Any other end may sleep in the call, with the pipe locked: whoever is at the
 * pipe's far end would then hang, and could not even be killed. A pipe of our
 * own keeps nobody waiting. It also gives each call one foreign end, and a
 * failure is that end's. */
static ssize_t splice_run(struct zc *z, struct zc_endpoint *in,
			  struct zc_endpoint *out, int nout)
{
	(void)nout;
	if (may_share(z, in, out)) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (in->kind == ZC_PIPE && out->kind & (ZC_PIPE | ZC_NULL))
		return splice_direct(z, in, out);
	return zc_relay_run(z, in, out, zc_splice_call);
}

const struct zc_method zc_method_splice = {
	.name = "splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~ZC_DATAGRAM,
	.run = splice_run,
};
