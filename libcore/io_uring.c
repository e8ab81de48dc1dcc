/* SPDX-License-Identifier: 0BSD */
/* io_uring: reads into registered buffers, each linked to its write. */
#include <sys/mman.h>
#include <unistd.h>

#include "method.h"
#include "ring.h"

enum { DEPTH = CONFIG_ZC_IO_URING_DEPTH, BLOCK = ZC_BUFFER };

static char *buffers;	/* one for each pair, registered */

static int prepare(void)
{
	char *p;

	if (zc_ring_open() || buffers)
		return zc_ring_open();
	p = mmap(NULL, DEPTH * BLOCK, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -1;
	if (!zc_ring_register(p, DEPTH * BLOCK)) {
		buffers = p;
		return 0;
	}
	munmap(p, DEPTH * BLOCK);
	return -1;
}

/* How many of len bytes are the i-th pair's. */
static size_t share(size_t len, int i)
{
	size_t left = len - (size_t)i * BLOCK;

	return left < BLOCK ? left : BLOCK;
}

/* Adds pairs of a read and a write, all linked. Files are read and written at
 * offsets of ours, for the kernel takes no lock on their own. */
static void add_pairs(struct zc_end *in, struct zc_end *out, size_t len)
{
	off_t *from = zc_offset(in), *to = zc_offset(out);

	for (int i = 0; (size_t)i * BLOCK < len; i++) {
		off_t at = (off_t)i * BLOCK;
		size_t n = share(len, i);

		zc_ring_rw(false, in->fd, buffers + at, n,
			   from ? *from + at : -1, true);
		zc_ring_rw(true, out->fd, buffers + at, n,
			   to ? *to + at : -1, at + n < len);
	}
}

/* What the first pair to stop short has read and not written is written by
 * hand, which also finds out what is wrong with the sink. The chain has stopped
 * there, so no byte that only we have is in a later buffer. */
static ssize_t finish(struct zc_end *in, struct zc_end *out, size_t len,
		      const int *r)
{
	off_t *from = zc_offset(in), *to = zc_offset(out), got, put;
	int i = 0;

	while ((size_t)i * BLOCK < len && r[2 * i] == (int)share(len, i) &&
	       r[2 * i + 1] == r[2 * i])
		i++;
	got = put = (off_t)i * BLOCK;
	if ((size_t)got >= len)
		got = put = len;
	else {
		got += r[2 * i] > 0 ? r[2 * i] : 0;
		put += r[2 * i + 1] > 0 ? r[2 * i + 1] : 0;
	}
	if (from)
		*from += got;
	if (to)
		*to += put;
	zc_write(out, buffers + put, got - put);
	return got ? got : zc_ring_value(r[0]);
}

static ssize_t move(struct zc_end *in, struct zc_end *out)
{
	int results[2 * DEPTH];
	ssize_t n = BLOCK;

	if (zc_offset(in)) {
		n = zc_reserve_source(in, DEPTH * BLOCK);
		if (n > 0)
			n = zc_reserve_sink(out, n);
	} else if (zc_offset(out)) {
		/* How much there is to write must be known before. */
		errno = EINVAL;
		n = -1;
	}
	if (n <= 0)
		return n;
	add_pairs(in, out, n);
	return zc_ring_run(results) ? -1 : finish(in, out, n, results);
}

static ssize_t run(struct zc_end *in, struct zc_end *out, int nout)
{
	ssize_t n;

	(void)nout;
	if (prepare())
		return -1;
	n = ZC_CALL(move(in, out), in, NULL);
	if (n < 0 && !zc_refusal(errno))
		in->error = errno;
	if (n > 0)
		zc_grow(out, n);
	return n;
}

const struct zc_method method_io_uring = {
	.name = "io_uring",
	.from = ZC_FILE | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY & ~(ZC_TTY | ZC_DATAGRAM),
	.run = run,
};
