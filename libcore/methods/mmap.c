/* SPDX-License-Identifier: 0BSD */
/* mmap(2): a window of the source, written as if it were memory. */
#include <sys/mman.h>

#include "engine/engine.h"

enum {
	GRAIN = 64 << 10, /* a multiple of every usual page size */
	WINDOW = CONFIG_ZC_MMAP_KB << 10,
};

_Static_assert(WINDOW >= GRAIN && WINDOW % GRAIN == 0,
	       "ZC_MMAP_KB must be a multiple of 64, the largest page in KiB");

/* Returns the size of a file, or -errno. */
static off_t size_of(int fd)
{
	struct zc_stat st;
	int status = zc_stat(fd, NULL, &st);

	return status ? status : st.size;
}

/* Returns whether a file has a byte before `end': 1, 0 or -errno. Where
 * fstat(2) is refused, pread(2) tells. */
static ssize_t reaches(int fd, off_t end)
{
	off_t size = size_of(fd);
	char last;

	if (size >= 0)
		return size >= end;
	return zc_sys_pread(fd, &last, 1, end - 1);
}

/* Takes the source past n bytes that the sink has had. A source cut short under
 * the map shows zeros to the end of its last page, and the sink may have had
 * them. */
static void advance(struct zc_source *in, ssize_t n)
{
	ssize_t there;

	in->range.at += n;
	there = reaches(in->fd, in->range.at);
	if (there <= 0)
		in->error = there ? -there : EIO;
}

/* Only the kernel looks into the window. Where the source no longer reaches so
 * far, write(2) is short or says EFAULT, and nobody gets a SIGBUS. */
static ssize_t write_window(struct zc *z, struct zc_source *in,
			    struct zc_sink *out, size_t skip, size_t len)
{
	/* The last one is gone, so this one gets the same address. */
	void *window;
	ssize_t n = zc_sys_map(&window, skip + len, PROT_READ, in->fd,
			       in->range.at - skip);

	if (n)
		return zc_refusal(n);
	n = zc_write_once(z, out, (char *)window + skip, len);
	zc_count(in, out, n);
	if (n > 0)
		advance(in, n);
	else if (n != -EFAULT)
		zc_fail_write(out, n);
	zc_sys_unmap(window, skip + len);
	return n;
}

/* A block device has no size here, and so is left to others. */
static ssize_t mmap_run(struct zc *z, struct zc_source *in, struct zc_sink *out)
{
	off_t size = size_of(in->fd), left;
	ssize_t n = ZC_PASSED_OVER;
	size_t skip;

	/* A file of FUSE may end before its size, and a map shows zeros up to
	 * the end of that page. */
	if (size > 0 && !zc_is_fuse(&in->end))
		n = zc_reserve_source(in, WINDOW);
	if (n <= 0)
		return n;
	skip = in->range.at & (GRAIN - 1);
	left = zc_least(zc_excess(size, in->range.at),
			zc_least(n, WINDOW - skip));
	if (!left)
		return 0;
	n = write_window(z, in, out, skip, left);
	if (n > 0)
		zc_grow(&out->end, n);
	return n;
}

const struct zc_method zc_method_mmap = {
	.name = "mmap",
	.from = ZC_FILE,
	.to = ZC_ANY & ~ZC_DATAGRAM,
	.run = mmap_run,
};
