/* SPDX-License-Identifier: 0BSD */
/* io_uring: reads into registered buffers, each linked to its write. */
#include "engine/engine.h"
#include "methods/ring.h"

enum { DEPTH = CONFIG_ZC_IO_URING_DEPTH, BLOCK = ZC_BUFFER };

/* How many of len bytes are the i-th pair's. */
static size_t share(size_t len, int i)
{
	size_t left = len - (size_t)i * BLOCK;

	return zc_least(left, BLOCK);
}

/* Adds pairs of a read and a write, all linked. A file is read at offsets of
 * ours, because the ring takes no lock on its position. */
static void add_pairs(struct zc *z, struct zc_source *in, struct zc_sink *out,
		      size_t len)
{
	off_t *from = zc_offset(in);

	for (int i = 0; (size_t)i * BLOCK < len; i++) {
		off_t at = (off_t)i * BLOCK;
		char *buf = z->ring.buffers + at;
		size_t n = share(len, i);

		zc_ring_rw(&z->ring, false, in->fd, buf, n,
			   from ? *from + at : -1, true);
		zc_ring_rw(&z->ring, true, out->fd, buf, n, -1, at + n < len);
	}
}

/* Writes by hand the bytes that the first short pair has read and not written,
 * which also finds the sink's error. The chain has stopped there, so later
 * buffers hold no byte that only we have. */
static ssize_t finish(struct zc *z, struct zc_source *in, struct zc_sink *out,
		      size_t len, const int *result)
{
	off_t *from = zc_offset(in), got = 0, put = 0;

	for (int i = 0; (size_t)i * BLOCK < len && got == put; i++) {
		const int *r = result + 2 * i;

		got += r[0] > 0 ? r[0] : 0;
		put += r[1] > 0 ? r[1] : 0;
		if (r[0] != (int)share(len, i))
			break;
	}
	if (from)
		*from += got;
	in->bytes += got;
	out->bytes += put;
	zc_write(z, out, z->ring.buffers + put, got - put);
	return got ? got : zc_ring_value(result[0]);
}

static ssize_t move(struct zc *z, struct zc_source *in, struct zc_sink *out)
{
	int results[2 * DEPTH];
	ssize_t n = BLOCK;
	int status;

	if (zc_offset(in))
		n = zc_reserve_source(in, DEPTH * BLOCK);
	if (n <= 0)
		return n;
	add_pairs(z, in, out, n);
	status = zc_ring_run(&z->ring, results);
	return status ? status : finish(z, in, out, n, results);
}

static ssize_t io_uring_run(struct zc *z, struct zc_source *in,
			    struct zc_sink *out)
{
	ssize_t n;

	/* A ring reads a file of FUSE wrongly where that keeps nothing in the
	 * page cache (FOPEN_DIRECT_IO) and its reads are short: the kernel
	 * calls the buffer full, and its bytes come from elsewhere (Linux
	 * 6.18). */
	if (zc_is_fuse(&in->end))
		return ZC_PASSED_OVER;
	n = zc_ring_open(&z->ring);
	if (!n)
		n = zc_ring_buffers(&z->ring, DEPTH * BLOCK);
	if (n)
		return n;
	n = ZC_CALL(z, move(z, in, out), in, NULL);
	zc_record(&in->end, n);
	if (n > 0)
		zc_grow(&out->end, n);
	return n;
}

static void io_uring_close(struct zc *z)
{
	zc_ring_close(&z->ring);
}

/* A ring waits for a socket beyond the limits that this has (socket(7)), and
 * takes no lock on the position of a file, which others may share. */
const struct zc_method zc_method_io_uring = {
	.name = "io_uring",
	.from = ZC_FILE | ZC_PIPE | ZC_DEVICE,
	.to = ZC_ANY & ~(ZC_TTY | ZC_SOCKET | ZC_DATAGRAM | ZC_REGULAR),
	.run = io_uring_run,
	.close = io_uring_close,
};
