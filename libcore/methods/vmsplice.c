/* SPDX-License-Identifier: 0BSD */
/* vmsplice(2): lends the pages of a repeated line, which never change. */
#include "engine/engine.h"

static ssize_t vmsplice_run(struct zc *z, struct zc_endpoint *in,
			    struct zc_endpoint *out, int nout)
{
	ssize_t n = ZC_CALL(z,
			    zc_sys_vmsplice(out->fd, in->pattern + in->pos,
					    in->pattern_len - in->pos),
			    NULL, out);

	(void)nout;
	if (n < 0 && !zc_unsupported(errno))
		out->error = errno;
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
