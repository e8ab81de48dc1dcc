/* SPDX-License-Identifier: 0BSD */
/* vmsplice(2): lends the pages of a repeated line, which never change. */
#include <string.h>

#include "engine/engine.h"

/* A reader may pass lent pages on and keep them for ever. So the line is in
 * pages of its own, which are unmapped unchanged. Returns 0, or -errno. */
static int copy_to_lend(struct zc_line *line)
{
	char *copy;

	if (line->lent)
		return 0;
	copy = zc_map(line->pattern_len);
	if (!copy)
		return -ENOMEM;
	line->pattern = memcpy(copy, line->pattern, line->pattern_len);
	line->lent = true;
	return 0;
}

static ssize_t vmsplice_run(struct zc *z, struct zc_source *in,
			    struct zc_sink *out)
{
	struct zc_line *line = in->line;
	ssize_t n = copy_to_lend(line);

	if (n)
		return n;
	n = ZC_CALL(z,
		    zc_sys_vmsplice(out->fd, line->pattern + line->pos,
				    line->pattern_len - line->pos),
		    NULL, out);
	if (n > 0) {
		out->bytes += n;
		line->pos = (line->pos + n) % line->pattern_len;
		zc_grow(&out->end, n);
	}
	return n;
}

const struct zc_method zc_method_vmsplice = {
	.name = "vmsplice",
	.from = ZC_REPEAT,
	.to = ZC_PIPE,
	.run = vmsplice_run,
};
