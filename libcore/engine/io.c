/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2), for all kinds of endpoints. */
#include <limits.h>
#include <unistd.h>

#include "engine.h"

#ifndef PAGESIZE /* where the kernel decides */
#define PAGESIZE getpagesize()
#endif

size_t zc_least_run(void)
{
	return zc_most(ZC_LEAST, PAGESIZE + 1);
}

/* read(2) would lose the rest of a message that is longer than size in silence.
 */
static ssize_t read_once(struct zc_endpoint *in, void *buf, size_t size)
{
	ssize_t n;

	if (in->socket && in->kind == ZC_DATAGRAM) {
		n = zc_sys_receive(in->fd, buf, size);
		if (!zc_is_refused(n))
			return n > (ssize_t)size ? -EMSGSIZE : n;
		in->socket = false;
	}
	return zc_own_read(in, buf, size);
}

ssize_t zc_read(struct zc *z, struct zc_endpoint *in, void *buf, size_t size)
{
	ssize_t n = 0;

	size = zc_at_most(in, size);
	if (zc_has_range(in))
		n = zc_read_range(z, in, buf, size);
	if (!n && !zc_is_at_offset(in))
		n = ZC_PLAIN_CALL(z, read_once(in, buf, size), in, NULL);
	if (n < 0 && !zc_was_cut(n))
		in->error = -n;
	if (n > 0)
		in->bytes += n;
	return n;
}

ssize_t zc_write_once(struct zc *z, struct zc_endpoint *out, const void *buf,
		      size_t len)
{
	return ZC_PLAIN_CALL(z, zc_own_write(out, buf, len), NULL, out);
}

void zc_write_pages(struct zc *z, struct zc_endpoint *out, const void *buf,
		    size_t len)
{
	const char *p = buf;
	size_t run = len;

	while (len && !out->error) {
		ssize_t n = zc_write_once(z, out, p,
					  zc_one_message(z, out, run, len));

		if (n <= 0) {
			zc_fail_write(out, n);
			return;
		}
		out->bytes += n;
		p += n;
		len -= n;
	}
}

int zc_write(struct zc *z, struct zc_endpoint *out, const void *buf, size_t len)
{
	const char *p = buf;
	size_t n;

	while ((n = zc_write_pipe_buffers(z, out, p, len))) {
		p += n;
		len -= n;
	}
	zc_write_pages(z, out, p, len);
	return out->error ? -1 : 0;
}
