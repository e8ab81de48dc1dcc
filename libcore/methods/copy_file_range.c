/* SPDX-License-Identifier: 0BSD */
/* copy_file_range(2): the sink shares extents with the source, or the kernel
 * copies. It is the only method that reserves a range of a sink
 * (docs/DESIGN.md, 10). */
#define _GNU_SOURCE
#include <fcntl.h>

#include "engine/engine.h"

enum {
	/* Bytes to copy at once: a process that is killed between the two calls
	 * leaves a hole of as much. */
	MOST = 64 << 10,
	/* Bytes: extents are shared by the block, and none is smaller in
	 * practice. Between offsets that lie apart by part of one the kernel
	 * splices, which takes three times as long as rw on Btrfs. */
	BLOCK = 4 << 10,
	/* The position need not be seen: if it stays 0, the range lies before
	 * 0, where the kernel refuses to write. */
	UNSEEN = -1,
};

/* Whether a range of the sink may be reserved, and is then worth it: the caller
 * has named the methods, or extents are shared. Elsewhere the kernel would
 * splice, no faster than read(2) and write(2). Calls of no bytes say whether
 * there is such a call, that the sink is not appended to, and that the range
 * can be filled by pwrite(2). A source that is read by whole blocks (O_DIRECT)
 * has no part of one for the rest of a range. Where a file may not grow beyond
 * a limit, there is a signal that ends us (SIGXFSZ) before a range is given
 * back. Returns 0, or ZC_PASSED_OVER or -errno if not. */
static int refusal(const struct zc *z, const struct zc_source *in,
		   const struct zc_sink *out)
{
	int status;

	if (zc_is_at_offset(&out->end))
		return ZC_PASSED_OVER;
	if (!z->methods) {
		status = zc_sys_share_extents(in->fd, out->fd);
		if (status != -EINVAL)
			return status;
	}
	if (zc_may_have(zc_fcntl(in->fd, F_GETFL, 0), O_DIRECT) ||
	    zc_sys_file_limited())
		return ZC_PASSED_OVER;
	status = zc_sys_copy_file_range(in->fd, NULL, out->fd, NULL, 0);
	return status ? status : zc_sys_pwrite(out->fd, "", 0, 0);
}

/* Fills the rest of the sink's range after a short call: another process may
 * write behind it already, and only we fill it. Failures are reported as those
 * of read(2) and write(2). */
static void fill(struct zc *z, struct zc_source *in, struct zc_sink *out,
		 struct zc_range *to)
{
	char *p = NULL;
	ssize_t n = 0, done;

	while (zc_is_left(to)) {
		in->by_read = true;
		if (!n) {
			p = zc_buffer(z);
			n = zc_read(z, in, p, to->end - to->at);
		}
		if (n <= 0)
			return;
		done = ZC_PLAIN_CALL(z, zc_sys_pwrite(out->fd, p, n, to->at),
				     NULL, out);
		if (done <= 0) {
			zc_fail_write(out, done);
			return;
		}
		p += done;
		n -= done;
		out->bytes += done;
		to->at += done;
	}
}

/* Copies to the range of the sink. Returns bytes, or -errno. */
static ssize_t copy_once(struct zc *z, struct zc_source *in,
			 struct zc_sink *out, struct zc_range *to)
{
	ssize_t n = zc_sys_copy_file_range(in->fd, &in->range.at, out->fd,
					   &to->at, to->end - to->at);

	z->calls++;
	zc_count(in, out, n);
	return n;
}

static ssize_t copy_file_range_run(struct zc *z, struct zc_source *in,
				   struct zc_sink *out)
{
	struct zc_range to;
	bool begun = in->bytes;
	off_t start, done;
	ssize_t n;
	int status;

	n = in->may_copy ? 0 : refusal(z, in, out);
	if (n)
		return n;
	in->may_copy = true;
	n = zc_reserve_source(in, MOST);
	if (n <= 0)
		return n;
	status = zc_reserve(out->fd, &to, UNSEEN, n);
	if (status)
		return status;
	start = to.at;
	n = z->methods || (start - in->range.at) % BLOCK == 0 ?
		    copy_once(z, in, out, &to) :
		    0;
	fill(z, in, out, &to);
	/* A network file system reports the failure of an earlier write once,
	 * in any call. */
	if (begun && !in->error && !out->error && zc_is_final(n))
		out->error = -n;
	done = to.at - start;
	/* The source has become shorter, or the sink is full. */
	if (zc_is_left(&to))
		zc_move_back(out->fd, &to, to.at);
	return done ? done : n;
}

const struct zc_method zc_method_copy_file_range = {
	.name = "copy_file_range",
	.from = ZC_FILE,
	.to = ZC_REGULAR,
	.run = copy_file_range_run,
};
