/* SPDX-License-Identifier: 0BSD */
/* Sinks that the caller writes to: struct zc_writer. */
#include "engine.h"

ssize_t zc_own_write(struct zc_endpoint *out, const void *buf, size_t len)
{
	if (out->kind == ZC_OWN)
		return out->writer->write(out, buf, len);
	return zc_sys_write(out->fd, buf, len);
}
