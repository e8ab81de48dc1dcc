/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2): serves everything and has the last word on failures. */
#include "engine/engine.h"

static ssize_t rw_run(struct zc *z, struct zc_endpoint *in,
		      struct zc_endpoint *out, int nout)
{
	const char *p = zc_buffer(z);
	/* Or what nothing could be learned of: zc_identify(). */
	bool messages = in->kind & (ZC_DATAGRAM | ZC_TTY);
	size_t size = ZC_BUFFER;
	ssize_t n;

	if (in->kind == ZC_REPEAT) {
		p = in->pattern + in->pos;
		n = in->pattern_len - in->pos;
		if (out->kind == ZC_DATAGRAM)
			n = in->line_len - in->pos % in->line_len;
		in->pos = 0;
	} else {
		if (nout > 1 && !messages)
			size = ZC_TURN;
		n = zc_read(z, in, zc_buffer(z), size);
	}
	for (int i = 0; n > 0 && i < nout; i++)
		if (messages)
			zc_write_message(z, &out[i], p, n);
		else
			zc_write(z, &out[i], p, n);
	return n;
}

const struct zc_method zc_method_rw = {
	.name = "rw",
	.from = ZC_ANY,
	.to = ZC_ANY,
	.multi_sink = true,
	.run = rw_run,
};
