/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2), or functions of the caller in their place, for all
 * kinds of endpoints. */
#include "engine.h"

size_t zc_least_run(void)
{
	return zc_most(ZC_SPLICE_LEAST, PAGESIZE + 1);
}

/* Returns what a function of the caller's says of n bytes, or -EIO if it says
 * what cannot be. */
static ssize_t believe(ssize_t said, size_t n)
{
	enum { ERRNO_MAX = 4095 };

	if (said > (ssize_t)n || said < -ERRNO_MAX)
		return -EIO;
	return said;
}

void zc_own_ready(struct pollfd *p, int n)
{
	for (int i = 0; IS_ENABLED(CONFIG_ZC_OWN) && i < n; i++)
		if (p[i].fd < 0)
			p[i].revents = p[i].events;
}

void zc_write_by(struct zc_sink *out,
		 ssize_t (*write)(struct zc_sink *out, const void *buf,
				  size_t len))
{
	out->write = write;
	out->kind = write ? ZC_OWN : ZC_UNIDENTIFIED;
	out->prompt = true;
}

static ssize_t call_read(struct zc_source *in, void *buf, size_t size)
{
	if (zc_reads_own(in))
		return believe(in->read(in, buf, size), size);
	return zc_sys_read(in->fd, buf, size);
}

ssize_t zc_call_write(struct zc_sink *out, const void *buf, size_t len)
{
	if (zc_is_own(&out->end))
		return believe(out->write(out, buf, len), len);
	if (zc_is_at_offset(&out->end))
		return zc_write_at(out, buf, len);
	return zc_sys_write(out->fd, buf, len);
}

/* read(2) would lose the rest of a message that is longer than size in silence.
 */
static ssize_t read_once(struct zc_source *in, void *buf, size_t size)
{
	ssize_t n;

	if (in->socket && in->kind == ZC_DATAGRAM) {
		n = zc_sys_receive(in->fd, buf, size);
		if (!zc_is_refused(n))
			return n > (ssize_t)size ? -EMSGSIZE : n;
		in->socket = false;
	}
	return call_read(in, buf, size);
}

ssize_t zc_read(struct zc *z, struct zc_source *in, void *buf, size_t size)
{
	ssize_t n = 0;

	size = zc_at_most(in, size);
	if (zc_is_left(&in->range))
		n = zc_read_range(z, in, buf, size);
	if (!n && !zc_is_at_offset(&in->end))
		n = ZC_PLAIN_CALL(z, read_once(in, buf, size), in, NULL);
	if (n < 0 && !zc_was_cut(n))
		in->error = -n;
	if (n > 0) {
		in->bytes += n;
		zc_grow(&in->end, n);
	}
	return n;
}

ssize_t zc_write_once(struct zc *z, struct zc_sink *out, const void *buf,
		      size_t len)
{
	return ZC_PLAIN_CALL(z, zc_call_write(out, buf, len), NULL, out);
}

void zc_write_pages(struct zc *z, struct zc_sink *out, const void *buf,
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

int zc_write(struct zc *z, struct zc_sink *out, const void *buf, size_t len)
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
