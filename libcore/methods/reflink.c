/* SPDX-License-Identifier: 0BSD */
/* ioctl_ficlonerange(2): the sink shares extents with the source. It is the
 * only method that reserves a range of a sink (docs/DESIGN.md, 10). */
#include <unistd.h>

#include "engine/engine.h"

enum {
	/* Bytes to share at once: who is killed between the two calls leaves a
	 * hole of as much. */
	MOST = 64 << 10,
	/* No position was seen: files that share extents have one. */
	UNSEEN = -1,
};

/* Whether the file system shares extents between these two: then the offset,
 * which is beyond any end, is what it refuses. What is appended has no place of
 * its own, and is refused as such. Where a file may not grow beyond a limit,
 * there is a signal that ends us (SIGXFSZ), and nobody to give a range back. */
static bool may_share(struct zc_endpoint *in, const struct zc_endpoint *out)
{
	if (!in->shares)
		in->shares = zc_sys_reflink(in->fd, INT64_MAX, out->fd, 0, 0) <
				     0 &&
			     errno == EINVAL && !zc_sys_file_limited();
	return in->shares;
}

/* Fills the sink's range where its extents cannot be shared, such as in the
 * middle of a block: another process may write behind it already, and nobody
 * else fills it. */
static void fill(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out)
{
	struct zc_endpoint *end;
	char *buffer = zc_buffer(z);
	ssize_t n;

	in->no_splice = true;
	do {
		n = out->range_end - out->range_at;
		end = in;
		n = ZC_PLAIN_CALL(z,
				  zc_sys_pread(in->fd, buffer, n, in->range_at),
				  in, NULL);
		if (n > 0) {
			end = out;
			n = ZC_PLAIN_CALL(z,
					  zc_sys_pwrite(out->fd, buffer, n,
							out->range_at),
					  NULL, out);
		}
		if (n > 0) {
			in->range_at += n;
			out->range_at += n;
			in->moved = out->moved = true;
		}
	} while (n > 0 && zc_has_range(out));
	/* These two tell a failure as read(2) and write(2) do. */
	if (n < 0 && zc_is_final(errno))
		end->error = errno;
}

static ssize_t reflink_run(struct zc *z, struct zc_endpoint *in,
			   struct zc_endpoint *out)
{
	off_t begin;
	ssize_t n;
	int err;

	if (!may_share(in, out))
		return -1;
	n = zc_reserve_source(in, ZC_RUN_MAX);
	if (n <= 0)
		return n;
	if (zc_reserve(out, UNSEEN, n < MOST ? n : MOST))
		return -1;
	begin = in->range_at;
	n = out->range_end - out->range_at;
	z->calls++;
	if (zc_sys_reflink(in->fd, begin, out->fd, out->range_at, n)) {
		err = errno;
		fill(z, in, out);
		/* The source has become shorter, or the sink is full. */
		if (zc_has_range(out))
			zc_move_back(out, out->range_at);
		errno = err;
	} else {
		in->range_at += n;
	}
	out->range_at = out->range_end;
	return in->range_at > begin ? in->range_at - begin : -1;
}

const struct zc_method zc_method_reflink = {
	.name = "reflink",
	.from = ZC_FILE,
	.to = ZC_FILE | ZC_SMALL,
	.run = reflink_run,
};
