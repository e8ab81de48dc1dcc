/* SPDX-License-Identifier: 0BSD */
/* Takes bytes out of a relay, by splice or by read and write. */
#include "engine.h"

void zc_relay_flush(struct zc *z, struct zc_relay *relay, size_t n,
		    struct zc_endpoint *out)
{
	size_t left = n;

	/* splice(2) would take no lock on the position of a file. */
	if (!(out->kind & (ZC_FILE | ZC_SMALL)))
		left = zc_relay_out(z, relay, n, out);
	if (left)
		zc_relay_copy_out(z, relay, left, out);
}

ssize_t zc_relay_run(struct zc *z, struct zc_endpoint *in,
		     struct zc_endpoint *out)
{
	ssize_t n;

	if (out->no_splice)
		return -EINVAL;
	n = zc_relay_in(z, &z->relay, in, false, zc_run_max(in, out));
	if (n > 0) {
		zc_relay_flush(z, &z->relay, n, out);
		zc_relay_grow(&z->relay, n);
	}
	return n;
}

ssize_t zc_relay_read(struct zc *z, struct zc_relay *relay, char *buf,
		      size_t size)
{
	ssize_t n = ZC_CALL(z, zc_sys_read(relay->fd, buf, size), NULL, NULL);

	if (n > 0)
		return n;
	zc_relay_close(relay);
	return n ? n : -EIO;
}

void zc_relay_copy_out(struct zc *z, struct zc_relay *relay, size_t n,
		       struct zc_endpoint *out)
{
	while (n) {
		char *p = zc_buffer(z);
		ssize_t m = zc_relay_read(z, relay, p, zc_least(n, ZC_BUFFER));

		if (m < 0) {
			/* The sink must not count as complete. */
			if (!out->error)
				out->error = -m;
			return;
		}
		n -= m;
		zc_write(z, out, p, m);
	}
}
