/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2): serves everything and has the last word on failures. */
#include "engine/engine.h"

/* Returns how many bytes of lines to write at once. */
static ssize_t max_lines(const struct zc_endpoint *in,
			 const struct zc_endpoint *out)
{
	bool pages = out->kind == ZC_PIPE && !zc_has_pipe_buffers(out);

	return pages ? ZC_LINES : zc_run_max(in, out);
}

static ssize_t rw_run(struct zc *z, struct zc_endpoint *in,
		      struct zc_endpoint *out, int nout)
{
	const char *p = zc_buffer(z);
	ssize_t n;

	if (in->kind == ZC_REPEAT) {
		p = in->pattern + in->pos;
		n = in->pattern_len - in->pos;
		if (out->kind == ZC_DATAGRAM)
			n = in->line_len - in->pos % in->line_len;
		else if (ZC_SELECT && n > max_lines(in, out))
			n = max_lines(in, out);
		/* As if in the first line, so that what is read stays in the
		 * nearest cache. */
		in->pos = ZC_SELECT ? (in->pos + n) % in->line_len : 0;
	} else {
		n = IS_ENABLED(CONFIG_ZC_LAG) ? zc_lag_read(in, out, nout) :
						ZC_BUFFER;
		/* A pipe's reader can begin sooner, a file has none. */
		if (ZC_SELECT && nout == 1 && out->kind & (ZC_FILE | ZC_SMALL))
			n = 2 * ZC_BUFFER;
		n = zc_read(z, in, zc_buffer(z), n);
		if (ZC_SELECT && n > 0)
			zc_grow(in, n);
	}
	if (n <= 0)
		return n;
	z->message = in->kind & (ZC_DATAGRAM | ZC_UNKNOWN);
	zc_write_all(z, out, nout, 0, p, n);
	z->message = false;
	return n;
}

const struct zc_method zc_method_rw = {
	.name = "rw",
	.from = ZC_ANY | ZC_UNKNOWN,
	.to = ZC_ANY | ZC_UNKNOWN,
	.multi_sink = true,
	.run = rw_run,
};
