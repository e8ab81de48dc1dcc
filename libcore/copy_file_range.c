/* SPDX-License-Identifier: 0BSD */
/* copy_file_range(2): shares extents, or copies inside the file server. */
#define _GNU_SOURCE
#include <unistd.h>

#include "method.h"

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	(void)nout;
	return ZC_CALL(copy_file_range(in->fd, NULL, out->fd, NULL, ZC_RUN_MAX,
				       0), in, out);
}

/* It refuses what is no regular file, so a source need not be looked at. */
const struct zc_method method_copy_file_range = {
	.name = "copy_file_range",
	.from = ZC_FILE | ZC_SMALL | ZC_UNSEEN,
	.to = ZC_FILE | ZC_SMALL,
	.whole = true,
	.run = run,
};
