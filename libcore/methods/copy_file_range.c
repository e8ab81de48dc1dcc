/* SPDX-License-Identifier: 0BSD */
/* copy_file_range(2): shares extents, or copies inside the file server. */
#include "engine/engine.h"

static ssize_t copy_file_range_run(struct zc *z, struct zc_endpoint *in,
				   struct zc_endpoint *out, int nout)
{
	ssize_t n;

	(void)nout;
	n = zc_reserve_both(in, out, ZC_RUN_MAX);
	if (n > 0)
		n = ZC_CALL(z,
			    zc_sys_copy_file_range(in->fd, zc_offset(in),
						   out->fd, zc_offset(out), n),
			    in, out);
	return n;
}

const struct zc_method zc_method_copy_file_range = {
	.name = "copy_file_range",
	.from = ZC_FILE,
	.to = ZC_FILE | ZC_SMALL,
	.run = copy_file_range_run,
};
