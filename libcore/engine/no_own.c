/* SPDX-License-Identifier: 0BSD */
/* The stub of own.c: read(2) and write(2) serve every end. */
#include "engine.h"

void zc_own_identify(struct zc_endpoint *end, const void *function)
{
	zc_identify(end);
}

void zc_own_ready(struct pollfd *p, int n)
{
}

ssize_t zc_own_read(struct zc_endpoint *in, void *buf, size_t size)
{
	return zc_sys_read(in->fd, buf, size);
}

ssize_t zc_own_write(struct zc_endpoint *out, const void *buf, size_t len)
{
	return zc_sys_write(out->fd, buf, len);
}
