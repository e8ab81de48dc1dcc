/* SPDX-License-Identifier: 0BSD */
/* What is in a relay comes out of it, one way or another. */
#include "engine.h"

void zc_relay_flush(struct zc *z, struct zc_relay *relay, size_t n,
		    struct zc_endpoint *out, zc_splice *splice)
{
	size_t left = n;

	/* splice(2) would take no lock on the position of a file. */
	if (!(out->kind & (ZC_FILE | ZC_SMALL)))
		left = zc_relay_out(z, relay, n, out, splice);
	zc_grow(out, n - left);
	if (left)
		zc_relay_copy_out(z, relay, left, out, 1, 0);
}

ssize_t zc_relay_run(struct zc *z, struct zc_endpoint *in,
		     struct zc_endpoint *out, zc_splice *splice)
{
	ssize_t n;

	if (out->no_splice) {
		errno = EINVAL;
		return -1;
	}
	n = zc_relay_in(z, &z->relay, in, false, zc_run_max(in, out), splice);
	if (n > 0) {
		zc_relay_flush(z, &z->relay, n, out, splice);
		zc_relay_grow(&z->relay, n);
	}
	return n;
}

void zc_relay_copy_out(struct zc *z, struct zc_relay *relay, size_t n,
		       struct zc_endpoint *out, int nout, int first)
{
	char *buffer = zc_buffer(z);

	/* Closed: errno tells what has failed. */
	while (n && relay->fd) {
		size_t max = n < ZC_BUFFER ? n : ZC_BUFFER;
		ssize_t m = ZC_CALL(z, zc_sys_read(relay->fd, buffer, max),
				    NULL, NULL);

		if (!m)
			errno = EIO;
		if (m <= 0)
			break;
		n -= m;
		zc_write_all(z, out, nout, first, buffer, m);
	}
	if (!n)
		return;
	/* What is stuck in the relay is lost: let no sink call that success,
	 * and none see it later. */
	for (int i = first; i < nout; i++)
		if (!out[i].error)
			out[i].error = errno;
	zc_relay_close(relay);
}
