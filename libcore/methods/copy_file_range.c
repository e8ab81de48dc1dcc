/* SPDX-License-Identifier: 0BSD */
/* copy_file_range(2): shares extents, or copies inside the file server. */
#include "engine/engine.h"
#include "have/ZC_SPLICE.h"

/* Whether the file system has nothing to share: there the call splices by way
 * of a pipe that is smaller than ours. Types as in statfs(2). */
static bool shares_nothing(int fd)
{
	enum { EXT = 0xef53, TMPFS = 0x01021994 };
	long type = zc_sys_file_system(fd);

	return type == EXT || type == TMPFS;
}

static ssize_t copy_file_range_run(struct zc *z, struct zc_endpoint *in,
				   struct zc_endpoint *out, int nout)
{
	ssize_t n;

	(void)nout;
	if (HAVE_ZC_SPLICE && !z->methods && shares_nothing(out->fd)) {
		errno = EOPNOTSUPP;
		return -1;
	}
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
