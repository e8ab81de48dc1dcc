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
	static const uint32_t types[] = {
		0x00006969, /* NFS */
		0x00c36400, /* Ceph */
		0x2fc12fc1, /* ZFS */
		0x58465342, /* XFS */
		0x65735546, /* FUSE */
		0x7461636f, /* OCFS2 */
		0x794c7630, /* overlayfs */
		0x9123683e, /* Btrfs */
		0xca451a4e, /* bcachefs */
		0xfe534d42, /* SMB */
		0xff534d42, /* CIFS */
	};
	uint32_t type = zc_sys_file_system(fd);

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i] == type)
			return true;
	return false;
}

/* What is appended has no place of its own. Where a file may not grow beyond a
 * limit, there is a signal that ends us (SIGXFSZ), and nobody to give the range
 * back. A file that refuses pwrite(2) cannot be filled, and keeps a hole where
 * others have moved on. */
static bool may_reserve(int fd)
{
	return !(zc_sys_fcntl(fd, F_GETFL, 0) & O_APPEND) &&
	       !zc_sys_file_limited() && !zc_sys_pwrite(fd, "", 0, 0);
}

/* Fills what the call has left of the sink's range: another process may write
 * behind it already, and nobody else fills it. */
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
	/* These two tell a failure as read(2) and write(2) do. */
	if (n < 0 && zc_is_final(errno))
		end->error = errno;
}

/* Ends the range of the sink after a call that has returned n. A failure that
 * is final is left for rw to repeat, or else to be told. What is not filled
 * goes back: the source has become shorter, or the sink is full. */
static void end_range(struct zc *z, struct zc_endpoint *in,
		      struct zc_endpoint *out, ssize_t n)
{
	int err = errno;

	if (n >= 0 || !in->moved || !zc_is_final(err)) {
		in->no_splice = true;
		fill(z, in, out);
	}
	if (zc_has_range(out))
		zc_move_back(out, out->range_at);
	out->range_at = out->range_end;
	errno = err;
}

static ssize_t copy_file_range_run(struct zc *z, struct zc_endpoint *in,
				   struct zc_endpoint *out, int nout)
{
	ssize_t max, n;
	off_t begin;

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
	if (in->range_at > begin)
		in->moved = out->moved = true;
	if (zc_has_range(out))
		end_range(z, in, out, n);
	return in->range_at > begin ? in->range_at - begin : n;
}

const struct zc_method zc_method_copy_file_range = {
	.name = "copy_file_range",
	.from = ZC_FILE,
	.to = ZC_FILE | ZC_SMALL,
	.run = copy_file_range_run,
};
