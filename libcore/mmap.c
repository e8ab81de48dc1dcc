/* SPDX-License-Identifier: 0BSD */
/* mmap(2): a window of the source, written as if it were memory. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "method.h"
#include "number/ZC_MMAP_KB.h"

enum {
	GRAIN = 64 << 10,	/* a multiple of every usual page size */
	WINDOW = CONFIG_ZC_MMAP_KB << 10,
};

_Static_assert(WINDOW >= GRAIN && WINDOW % GRAIN == 0,
	       "ZC_MMAP_KB must be a multiple of 64, the largest page in KiB");

/* The bytes of a file after at, or 0 where it does not tell: a block device
 * does not. */
static off_t left(int fd, off_t at)
{
	struct stat st;

	return fstat(fd, &st) || st.st_size < at ? 0 : st.st_size - at;
}

/* Takes the source past n bytes that the sink has had. */
static void advance(struct zc_end *in, off_t at, ssize_t n)
{
	if (lseek(in->fd, n, SEEK_CUR) < 0)
		in->error = errno;
	/* A source cut short under the map shows zeros to the end of its last
	 * page, and the sink may have had them. */
	else if (left(in->fd, at) < n)
		in->error = EIO;
}

/* Only the kernel looks into the window. Where the source no longer reaches so
 * far, write(2) is short or says EFAULT, and nobody gets a SIGBUS. */
static ssize_t show(struct zc_end *in, struct zc_end *out, off_t at, size_t len)
{
	size_t skip = at & (GRAIN - 1);
	/* The last one is gone, so this one gets the same address. */
	char *window = mmap(NULL, skip + len, PROT_READ, MAP_SHARED, in->fd,
			    at - skip);
	ssize_t n;

	if (window == MAP_FAILED) {
		errno = zc_refusal(errno) ? errno : ENODEV;
		return -1;
	}
	n = ZC_CALL(write(out->fd, window + skip, len), NULL, out);
	if (n > 0)
		advance(in, at, n);
	else if (errno != EFAULT)
		out->error = errno;
	munmap(window, skip + len);
	return n;
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	off_t at = lseek(in->fd, 0, SEEK_CUR);
	off_t len = at < 0 ? 0 : left(in->fd, at);
	off_t max = WINDOW - (at & (GRAIN - 1));
	ssize_t n;

	(void)nout;
	if (!len) {
		errno = EINVAL;
		return at > 0 ? 0 : -1;
	}
	n = show(in, out, at, len < max ? len : max);
	if (n > 0)
		zc_grow(out, n);
	return n;
}

const struct zc_method method_mmap = {
	.name = "mmap", .from = ZC_FILE, .to = ZC_ANY, .run = run,
};
