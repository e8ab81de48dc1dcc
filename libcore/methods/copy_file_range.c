/* SPDX-License-Identifier: 0BSD */
/* copy_file_range(2): shares extents, or copies inside the file server. It is
 * the only method that reserves a range of a sink (docs/DESIGN.md, 10). */
#include <fcntl.h>
#include <unistd.h>

#include "engine/engine.h"

/* Whether a file of this file system (statfs(2)) may share extents with
 * another, or be copied by a server. Elsewhere the call would splice, and
 * reading and writing is as fast. */
static bool may_share(int fd)
{
	switch ((uint32_t)zc_sys_file_system(fd)) {
	case 0x00006969: /* NFS */
	case 0x00c36400: /* Ceph */
	case 0x2fc12fc1: /* ZFS */
	case 0x58465342: /* XFS */
	case 0x65735546: /* FUSE */
	case 0x7461636f: /* OCFS2 */
	case 0x794c7630: /* overlayfs */
	case 0x9123683e: /* Btrfs */
	case 0xca451a4e: /* bcachefs */
	case 0xfe534d42: /* SMB */
	case 0xff534d42: /* CIFS */
		return true;
	}
	return false;
}

/* What is appended has no place of its own. Where a file may not grow beyond a
 * limit, there is a signal that ends us (SIGXFSZ), and nobody to give the range
 * back. */
static bool may_reserve(int fd)
{
	return !(zc_sys_fcntl(fd, F_GETFL, 0) & O_APPEND) &&
	       !zc_sys_file_limited();
}

/* Fills what the call has left of the sink's range: another process may write
 * behind it already, and nobody else fills it. Gives back what cannot be
 * filled: the source has become shorter, or the sink is full; write(2) says
 * which. */
static void fill(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out)
{
	struct zc_endpoint *end;
	ssize_t n;

	do {
		off_t left = out->range_end - out->range_at;
		char *buffer = zc_buffer(z);

		n = left < ZC_BUFFER ? left : ZC_BUFFER;
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
	if (n < 0)
		zc_record(end);
	if (zc_has_range(out))
		zc_move_back(out, out->range_at);
	out->range_at = out->range_end;
}

static ssize_t copy_file_range_run(struct zc *z, struct zc_endpoint *in,
				   struct zc_endpoint *out, int nout)
{
	ssize_t max, n;
	off_t begin;
	int err;

	(void)nout;
	if (!(z->methods || may_share(out->fd)) || !may_reserve(out->fd)) {
		errno = EOPNOTSUPP;
		return -1;
	}
	max = zc_reserve_source(in, ZC_RUN_MAX);
	if (max <= 0)
		return max;
	begin = in->range_at;
	if (zc_reserve(out, zc_sys_lseek(out->fd, 0, SEEK_CUR), max))
		return -1;
	do
		n = ZC_CALL(z,
			    zc_sys_copy_file_range(in->fd, &in->range_at,
						   out->fd, &out->range_at,
						   out->range_end -
							   out->range_at),
			    in, out);
	while (n > 0 && zc_has_range(out));
	if (zc_has_range(out)) {
		err = errno;
		in->no_splice = true;
		in->moved |= in->range_at > begin;
		out->moved |= in->range_at > begin;
		fill(z, in, out);
		errno = err;
	}
	return in->range_at > begin ? in->range_at - begin : n;
}

const struct zc_method zc_method_copy_file_range = {
	.name = "copy_file_range",
	.from = ZC_FILE,
	.to = ZC_FILE | ZC_SMALL,
	.run = copy_file_range_run,
};
