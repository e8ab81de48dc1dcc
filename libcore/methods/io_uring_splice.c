/* SPDX-License-Identifier: 0BSD */
/* io_uring: splice(2) through a ring, which has a worker thread do it. */
#include "engine/engine.h"
#include "engine/ring.h"

/* Returns as splice(2) would. */
static ssize_t ring_splice(struct zc *z, int from, off_t *from_at, int to,
			   size_t len)
{
	int result, status;

	zc_ring_splice(&z->ring, from, from_at ? *from_at : -1, to, len);
	status = zc_ring_run(&z->ring, &result);
	if (status)
		return status;
	/* The signal is ours only if the call is. */
	if (result == -EPIPE)
		return zc_sys_splice(from, from_at, to, len);
	if (result > 0 && from_at)
		*from_at += result;
	return zc_ring_value(result);
}

/* The source's half of a run through z->relay. */
static ssize_t fill_relay(struct zc *z, struct zc_endpoint *in)
{
	struct zc_relay *relay = &z->relay;
	ssize_t n = zc_relay_open(relay);

	if (n)
		return n;
	n = zc_reserve_source(in, relay->size.bytes);
	if (n > 0)
		n = ZC_CALL(z,
			    ring_splice(z, in->fd, zc_offset(in), relay->sink,
					n),
			    in, NULL);
	zc_record(in, n);
	return n;
}

static ssize_t io_uring_splice_run(struct zc *z, struct zc_endpoint *in,
				   struct zc_endpoint *out)
{
	ssize_t n;

	if (out->no_splice)
		return -EINVAL;
	n = zc_ring_open(&z->ring);
	if (n)
		return n;
	/* methods/splice.c tells why only these go directly. */
	if (in->kind == ZC_PIPE && out->kind == ZC_PIPE) {
		n = ZC_CALL(z,
			    ring_splice(z, in->fd, NULL, out->fd, ZC_RUN_MAX),
			    in, out);
		zc_count(in, out, n);
		if (n > 0)
			zc_grow(out, n);
	} else {
		n = fill_relay(z, in);
		in->bytes += n > 0 ? n : 0;
		if (n > 0)
			zc_relay_flush(z, &z->relay, n, out);
	}
	if (n > 0)
		zc_grow(in, n);
	return n;
}

/* methods/splice.c tells why not to files. */
const struct zc_method zc_method_io_uring_splice = {
	.name = "io_uring_splice",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~(ZC_TTY | ZC_DATAGRAM | ZC_FILE | ZC_SMALL),
	.run = io_uring_splice_run,
};
