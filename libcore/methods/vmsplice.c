/* SPDX-License-Identifier: 0BSD */
/* vmsplice(2): lends the pages of a repeated line, which never change. */
#include <string.h>

#include "engine/engine.h"

/* A reader may pass lent pages on and keep them for ever. So the line is in
 * pages of its own, which are unmapped unchanged. Returns 0, or -errno. */
static int copy_to_lend(struct zc_endpoint *in)
{
	char *copy;

	if (in->lent)
		return 0;
	copy = zc_map(in->pattern_len);
	if (!copy)
		return -ENOMEM;
	in->pattern = memcpy(copy, in->pattern, in->pattern_len);
	in->lent = true;
	return 0;
}

static ssize_t vmsplice_run(struct zc *z, struct zc_endpoint *in,
			    struct zc_endpoint *out)
{
	ssize_t n = copy_to_lend(in);

	if (n)
		return n;
	n = ZC_CALL(z,
		    zc_sys_vmsplice(out->fd, in->pattern + in->pos,
				    in->pattern_len - in->pos),
		    NULL, out);
	zc_count(in, out, n);
	if (n > 0) {
		in->pos = (in->pos + n) % in->pattern_len;
		zc_grow(out, n);
	}
	return n;
}

const struct zc_method zc_method_vmsplice = {
	.name = "vmsplice",
	.from = ZC_REPEAT,
	.to = ZC_PIPE,
	.run = vmsplice_run,
};
