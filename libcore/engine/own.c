/* SPDX-License-Identifier: 0BSD */
/* Endpoints with a function of the caller, in place of read(2) or write(2). */
#include <limits.h>

#include "engine.h"

/* Returns what a function of the caller's says of n bytes, or -EIO if it says
 * what cannot be. */
static ssize_t believe(ssize_t said, size_t n)
{
	if (said > (ssize_t)n || said < -INT_MAX)
		return -EIO;
	return said;
}

void zc_own_identify(struct zc_endpoint *end, bool has_function)
{
	if (has_function)
		end->kind = ZC_OWN;
	else if (end->read || end->write)
		end->error = EINVAL;
	else
		zc_identify(end);
}

void zc_own_ready(struct pollfd *p, int n)
{
	for (int i = 0; i < n; i++)
		if (p[i].fd < 0)
			p[i].revents = p[i].events;
}

void zc_write_by(struct zc_endpoint *out,
		 ssize_t (*write)(struct zc_endpoint *out, const void *buf,
				  size_t len))
{
	out->write = write;
	out->kind = ZC_OWN;
	out->prompt = true;
}

ssize_t zc_own_read(struct zc_endpoint *in, void *buf, size_t size)
{
	if (in->kind == ZC_OWN)
		return believe(in->read(in, buf, size), size);
	return zc_sys_read(in->fd, buf, size);
}

ssize_t zc_own_write(struct zc_endpoint *out, const void *buf, size_t len)
{
	if (out->kind == ZC_OWN)
		return believe(out->write(out, buf, len), len);
	if (zc_is_at_offset(out))
		return zc_write_at(out, buf, len);
	return zc_sys_write(out->fd, buf, len);
}
