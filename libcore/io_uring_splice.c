/* SPDX-License-Identifier: 0BSD */
/* io_uring: splice(2) through a ring, which has a worker thread do it. */
#include "method.h"
#include "ring.h"

/* Returns as splice(2) would. */
static ssize_t request(int from, off_t *from_at, int to, off_t *to_at,
		       size_t len)
{
	int result;

	zc_ring_splice(from, from_at ? *from_at : -1, to, to_at ? *to_at : -1,
		       len);
	if (zc_ring_run(&result))
		return -1;
	if (result > 0 && from_at)
		*from_at += result;
	if (result > 0 && to_at)
		*to_at += result;
	return zc_ring_value(result);
}

/* Into our own pipe and out of it. */
static ssize_t by_relay(struct zc_end *in, struct zc_end *out)
{
	static struct zc_relay relay;
	ssize_t n, max, put = 0;

	if (zc_relay_open(&relay))
		return -1;
	n = zc_reserve_source(in, zc_room(&relay));
	if (n > 0)
		n = ZC_CALL(request(in->fd, zc_offset(in), relay.end.fd, NULL,
				    n), in, NULL);
	if (n < 0 && !zc_refusal(errno))
		in->error = errno;
	if (n <= 0)
		return n;
	max = zc_reserve_sink(out, n);
	if (max > 0)
		put = request(relay.fd, NULL, out->fd, zc_offset(out), max);
	if (put > 0 && put < max)
		zc_cut_short(out);
	zc_drain(&relay, n - (put > 0 ? put : 0), out);
	zc_grow(&relay.end, n);
	zc_grow(in, n);
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
	n = ZC_CALL(request(in->fd, NULL, out->fd, NULL, ZC_RUN_MAX), in, out);
	if (n > 0) {
		zc_grow(in, n);
		zc_grow(out, n);
	}
	return n;
}

const struct zc_method method_io_uring_splice = {
	.name = "io_uring_splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~(ZC_TTY | ZC_DATAGRAM),
	.run = run,
};
