/* SPDX-License-Identifier: 0BSD */
/* copy_file_range(2): shares extents, or copies inside the file server. */
#define _GNU_SOURCE
#include <unistd.h>

#include "method.h"

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	ssize_t n = zc_reserve_source(in, ZC_RUN_MAX);

	(void)nout;
	if (n > 0)
		n = zc_reserve_sink(out, n);
	if (n > 0)
		n = ZC_CALL(copy_file_range(in->fd, zc_offset(in), out->fd,
					    zc_offset(out), n, 0), in, out);
	return n;
}

const struct zc_method method_copy_file_range = {
	.name = "copy_file_range",
	.from = ZC_FILE,
	.to = ZC_FILE | ZC_SMALL,
	.run = run,
};
