/* SPDX-License-Identifier: 0BSD */
/* The stub of bounds.c: files are read and written at their own position. */
#include "engine.h"

void zc_begin_at(struct zc_endpoint *end)
{
}

void zc_end_at(struct zc_endpoint *in)
{
}

ssize_t zc_write_at(struct zc_endpoint *out, const void *buf, size_t len)
{
	return -ENOSYS;
}
