/* SPDX-License-Identifier: 0BSD */
/* sendfile(2): a file to a socket or a device. */
#include "engine/engine.h"

static ssize_t sendfile_run(struct zc *z, struct zc_source *in,
			    struct zc_sink *out)
{
	ssize_t max, n;

	if (out->no_splice)
		return ZC_PASSED_OVER;
	max = zc_reserve_source(in, zc_run_max(in, out));
	if (max <= 0)
		return max;
	n = ZC_CALL(z, zc_sys_sendfile(out->fd, in->fd, zc_offset(in), max),
		    NULL, out);
	/* Other failures are left to write(2), which raises SIGPIPE. */
	if (n == -EIO)
		zc_record(&in->end, n);
	zc_count(in, out, n);
	/* The source may say such an errno, too. */
	if (n > 0 || zc_is_told_once(n))
		zc_check_reset(out, n, max);
	return n;
}

/* It gathers a whole run before it returns, so a source that can be slow is
 * not for it; a pipe is filled by splice(2) without blocking. A file as a sink
 * has a position that others may share, and the call takes no offset for it. */
const struct zc_method zc_method_sendfile = {
	.name = "sendfile",
	.from = ZC_FILE,
	.to = ZC_SOCKET | ZC_DEVICE | ZC_NULL,
	.run = sendfile_run,
};
