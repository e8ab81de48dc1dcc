/* SPDX-License-Identifier: 0BSD */
/* io_uring: reads into registered buffers, each linked to its write. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "method.h"
#include "ring.h"

enum { DEPTH = CONFIG_ZC_IO_URING_DEPTH, BLOCK = ZC_BUFFER };

/* Pairs of a read and a write. They run apart from each other, or as one chain
 * in order. */
struct batch {
	struct zc_end *in, *out;
	int pairs;
	bool apart;
	off_t from, to;		/* where the first of them is, or -1 */
	int results[2 * DEPTH];	/* of read, write, read, write, ... */
};

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

/* Files are read and written at offsets of ours: a request at the kernel's own
 * that stops short on an error leaves that where it was. Where a write may
 * overtake another it must be one that can be undone: it has to lengthen a
 * file. Returns 0, or -1 with errno. */
static int place(struct batch *b)
{
	int flags = zc_fcntl(b->out->fd, F_GETFL, 0);
	struct zc_stat st;

	if (flags < 0)
		return -1;
	b->from = b->to = -1;
	if (b->in->kind == ZC_FILE)
		b->from = lseek(b->in->fd, 0, SEEK_CUR);
	if (b->out->kind & (ZC_FILE | ZC_SMALL) && !(flags & O_APPEND))
		b->to = lseek(b->out->fd, 0, SEEK_CUR);
	b->apart = b->from >= 0 && b->to >= 0 &&
		   !zc_stat(b->out->fd, "", &st) && S_ISREG(st.mode) &&
		   (off_t)st.size == b->to;
	return 0;
}

static void add_pairs(struct batch *b)
{
	for (int i = 0; i < b->pairs; i++) {
		char *buf = buffers + (size_t)i * BLOCK;
		off_t at = (off_t)i * BLOCK;

		zc_ring_rw(false, b->in->fd, buf, BLOCK,
			   b->from < 0 ? -1 : b->from + at, true);
		zc_ring_rw(true, b->out->fd, buf, BLOCK,
			   b->to < 0 ? -1 : b->to + at,
			   !b->apart && i + 1 < b->pairs);
	}
}

/* Puts both ends where the pairs in order have brought them, and takes back
 * what a later pair has written. */
static void settle(struct batch *b, off_t got, off_t put)
{
	bool later = false;

	for (int i = put / BLOCK + 1; i < b->pairs; i++)
		later |= b->results[2 * i + 1] > 0;
	if (later && ftruncate(b->out->fd, b->to + put))
		b->out->error = errno;
	if (b->from >= 0 && lseek(b->in->fd, b->from + got, SEEK_SET) < 0)
		b->in->error = errno;
	if (b->to >= 0 && lseek(b->out->fd, b->to + put, SEEK_SET) < 0)
		b->out->error = errno;
}

/* What the first pair to stop short has read and not written is written by
 * hand, which also finds out what is wrong with the sink. A chain has stopped
 * there, so no byte that only we have is in a later buffer. */
static ssize_t finish(struct batch *b)
{
	int *r = b->results, i = 0;
	off_t got, put;

	while (i < b->pairs && r[2 * i] == BLOCK && r[2 * i + 1] == BLOCK)
		i++;
	got = put = (off_t)i * BLOCK;
	if (i < b->pairs && r[2 * i] > 0)
		got += r[2 * i];
	if (i < b->pairs && r[2 * i + 1] > 0)
		put += r[2 * i + 1];
	settle(b, got, put);
	zc_write(b->out, buffers + put, got - put);
	return got ? got : zc_ring_value(r[0]);
}

static ssize_t move(struct zc_end *in, struct zc_end *out)
{
	/* Only a file never keeps a read waiting that follows another. */
	struct batch b = {
		.in = in, .out = out, .pairs = in->kind == ZC_FILE ? DEPTH : 1,
	};

	if (place(&b))
		return -1;
	add_pairs(&b);
	return zc_ring_run(b.results) ? -1 : finish(&b);
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
	.to = ZC_ANY & ~ZC_TTY,
	.run = run,
};
