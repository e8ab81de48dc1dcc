/* SPDX-License-Identifier: 0BSD */
/* io_uring: splice(2) through a ring, which always has a worker thread do it. */
#include "method.h"
#include "ring.h"

/* Where one end is a pipe: one request. */
static ssize_t direct(struct zc_end *in, struct zc_end *out)
{
	int n;

	zc_ring_splice(in->fd, out->fd, ZC_RUN_MAX, false);
	if (zc_ring_run(&n))
		return -1;
	errno = n < 0 ? -n : 0;
	return n < 0 ? -1 : n;
}

/* Else in and out of our own pipe: two, linked. *put is what went out. */
static ssize_t through(struct zc_relay *relay, struct zc_end *in,
		       struct zc_end *out, ssize_t *put)
{
	size_t len = relay->end.pipe_size ? relay->end.pipe_size : 64 << 10;
	int n[2];

	zc_ring_splice(in->fd, relay->end.fd, len, true);
	zc_ring_splice(relay->fd, out->fd, len, false);
	if (zc_ring_run(n))
		return -1;
	*put = n[1] > 0 ? n[1] : 0;
	errno = n[0] < 0 ? -n[0] : 0;
	return n[0] < 0 ? -1 : n[0];
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	static struct zc_relay relay;
	ssize_t n, put = 0;

	(void)nout;
	if (zc_ring_open())
		return -1;
	if (in->kind == ZC_PIPE || out->kind == ZC_PIPE) {
		n = ZC_CALL(direct(in, out), in, out);
		if (n > 0) {
			zc_grow(in, n);
			zc_grow(out, n);
		}
		return n;
	}
	if (zc_relay_open(&relay))
		return -1;
	n = ZC_CALL(through(&relay, in, out, &put), in, NULL);
	if (n < 0 && !zc_refusal(errno))
		in->error = errno;
	if (n > 0) {
		zc_drain(&relay, n - put, out);
		zc_grow(&relay.end, n);
	}
	return n;
}

const struct zc_method method_io_uring_splice = {
	.name = "io_uring_splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~ZC_TTY,
	.run = run,
};
