/* SPDX-License-Identifier: 0BSD */
/* vmsplice(2): lends the pages of a repeated line, which never change. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/uio.h>

#include "method.h"

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	struct iovec lent = {
		.iov_base = (char *)in->line + in->at,
		.iov_len = in->copies - in->at,
	};
	ssize_t n = ZC_CALL(vmsplice(out->fd, &lent, 1, SPLICE_F_NONBLOCK),
			    NULL, out);

	(void)nout;
	if (n < 0 && !zc_refusal(errno))
		out->error = errno;
	if (n > 0) {
		in->at = (in->at + n) % in->copies;
		zc_grow(out, n);
	}
	return n;
}

const struct zc_method method_vmsplice = {
	.name = "vmsplice", .from = ZC_LINE, .to = ZC_PIPE, .run = run,
};
