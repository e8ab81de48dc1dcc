/* SPDX-License-Identifier: 0BSD */
/* io_uring: splice(2) through a ring, which has a worker thread do it. */
#include "method.h"
#include "ring.h"

static ssize_t request(struct zc_end *in, struct zc_end *out)
{
	int result;

	zc_ring_splice(in->fd, out->fd, ZC_RUN_MAX, false);
	return zc_ring_run(&result) ? -1 : zc_ring_value(result);
}

/* Into our own pipe and out of it; *put is what went out. */
static ssize_t request_two(struct zc_relay *relay, struct zc_end *in,
			   struct zc_end *out, ssize_t *put)
{
	size_t len = relay->end.pipe_size ? relay->end.pipe_size : 64 << 10;
	int results[2];

	zc_ring_splice(in->fd, relay->end.fd, len, true);
	zc_ring_splice(relay->fd, out->fd, len, false);
	if (zc_ring_run(results))
		return -1;
	*put = results[1] > 0 ? results[1] : 0;
	return zc_ring_value(results[0]);
}

static ssize_t by_relay(struct zc_end *in, struct zc_end *out)
{
	static struct zc_relay relay;
	ssize_t n, put = 0;

	if (zc_relay_open(&relay))
		return -1;
	n = ZC_CALL(request_two(&relay, in, out, &put), in, NULL);
	if (n > 0) {
		zc_drain(&relay, n - put, out);
		zc_grow(&relay.end, n);
		zc_grow(in, n);
	} else if (n < 0 && !zc_refusal(errno)) {
		in->error = errno;
	}
	return n;
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	ssize_t n;

	(void)nout;
	if (out->no_splice) {
		errno = EINVAL;
		return -1;
	}
	if (zc_ring_open())
		return -1;
	/* splice.c tells why only these go directly. */
	if (in->kind != ZC_PIPE || out->kind != ZC_PIPE)
		return by_relay(in, out);
	n = ZC_CALL(request(in, out), in, out);
	if (n > 0) {
		zc_grow(in, n);
		zc_grow(out, n);
	}
	return n;
}

const struct zc_method method_io_uring_splice = {
	.name = "io_uring_splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~ZC_TTY,
	.run = run,
};
