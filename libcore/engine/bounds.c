/* SPDX-License-Identifier: 0BSD */
/* Files read or written at the caller's offset: their own position stays. */
#include "engine.h"

bool zc_is_at_offset(const struct zc_endpoint *end)
{
	return end->has_offset;
}

bool zc_has_max(const struct zc_endpoint *in)
{
	return in->has_max;
}

void zc_begin_at(struct zc_endpoint *end)
{
	if (!end->has_offset)
		return;
	/* splice(2) would move the position. */
	if (end->kind == ZC_SOLE)
		end->kind = ZC_FILE;
	if (!zc_offset(end)) {
		if (!end->error)
			end->error = ESPIPE;
		return;
	}
	end->range_at = end->offset;
	end->range_end = INT64_MAX;
}

void zc_end_at(struct zc_endpoint *in)
{
	if (!in->has_offset || !zc_offset(in))
		return;
	in->offset = in->range_at;
	in->range_at = in->range_end = 0;
}

ssize_t zc_write_at(struct zc_endpoint *out, const void *buf, size_t len)
{
	ssize_t n = zc_sys_pwrite(out->fd, buf, len, out->offset);

	if (n > 0)
		out->offset += n;
	return n;
}
