/* SPDX-License-Identifier: 0BSD */
/* sendfile(2): a file to a socket, a device or another file system. */
#include <sys/sendfile.h>

#include "method.h"

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	(void)nout;
	return ZC_CALL(sendfile(out->fd, in->fd, NULL, ZC_RUN_MAX), in, out);
}

/* It gathers a whole run before it returns, so a source that can be slow is
 * not for it; a pipe is filled by splice(2) without blocking. */
const struct zc_method method_sendfile = {
	.name = "sendfile",
	.from = ZC_FILE,
	.to = ZC_FILE | ZC_SMALL | ZC_SOCKET | ZC_DEVICE | ZC_NULL,
	.run = run,
};
