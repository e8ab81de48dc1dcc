/* SPDX-License-Identifier: 0BSD */
/* splice(2): from pipe to pipe or /dev/null, else by way of our own pipe. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "method.h"

/* Pipes can be told not to sleep (SPLICE_F_NONBLOCK), /dev/null never does. */
static ssize_t direct(struct zc_end *in, struct zc_end *out)
{
	ssize_t n = ZC_CALL(splice(in->fd, NULL, out->fd, NULL, ZC_RUN_MAX,
				   SPLICE_F_NONBLOCK), in, out);

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
static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	static struct zc_relay relay;
	ssize_t n;

	(void)nout;
	if (in->kind == ZC_PIPE && out->kind & (ZC_PIPE | ZC_NULL))
		return direct(in, out);
	if (out->no_splice) {
		errno = EINVAL;
		return -1;
	}
	n = zc_fill(&relay, in);
	if (n > 0) {
		zc_drain(&relay, n, out);
		zc_grow(&relay.end, n);
	}
	return n;
}

const struct zc_method method_splice = {
	.name = "splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~(ZC_TTY | ZC_DATAGRAM),
	.run = run,
};
