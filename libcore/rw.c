/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2): serves everything and has the last word on failures. */
#include <unistd.h>

#include "method.h"

#pragma weak zc_write_slots

char zc_buffer[ZC_BUFFER] __attribute__((aligned(4096)));

ssize_t zc_read(struct zc_end *in, void *buf, size_t size)
{
	ssize_t n = 0;

	if (zc_has_range(in))
		n = zc_read_range(in, buf, size);
	if (!n)
		n = ZC_CALL(read(in->fd, buf, size), in, NULL);
	if (n < 0)
		in->error = errno;
	return n;
}

ssize_t zc_write_once(struct zc_end *out, const void *buf, size_t len)
{
	if (zc_has_range(out))
		return zc_write_range(out, buf, len);
	return ZC_CALL(write(out->fd, buf, len), NULL, out);
}

/* Returns bytes, which may be none where out->error is set. */
static size_t write_some(struct zc_end *out, const char *buf, size_t len)
{
	ssize_t n = zc_write_slots ? zc_write_slots(out, buf, len) : 0;

	if (n || out->error)
		return n;
	n = zc_write_once(out, buf, len);
	if (n <= 0) {
		/* Nothing, and no reason: GNU calls that full. */
		out->error = n ? errno : ENOSPC;
		return 0;
	}
	zc_grow(out, n);
	return n;
}

int zc_write(struct zc_end *out, const void *buf, size_t len)
{
	const char *p = buf;

	while (len && !out->error) {
		size_t n = write_some(out, p, len);

		p += n;
		len -= n;
	}
	return out->error ? -1 : 0;
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	const char *p = zc_buffer;
	ssize_t n;

	if (in->kind == ZC_LINE) {
		p = in->line + in->at;
		n = in->copies - in->at;
		in->at = 0;
	} else {
		n = zc_read(in, zc_buffer, sizeof(zc_buffer));
	}
	for (int i = 0; n > 0 && i < nout; i++)
		zc_write(&out[i], p, n);
	return n;
}

const struct zc_method method_rw = {
	.name = "rw", .from = ZC_ANY, .to = ZC_ANY, .many = true, .run = run,
};
