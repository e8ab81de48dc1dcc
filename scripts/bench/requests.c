// SPDX-License-Identifier: 0BSD
/* requests FILE SECONDS. Requests a second: a page at a time from FILE, which
 * is written anew and so is in the page cache, to /dev/null, so that all there
 * is to time is asking for it. (Files on tmpfs will not do: the kernel never
 * reads one without a worker thread.) Prints a line for each way and queue
 * depth: its name, the depth, thousands of requests a second; or the name and
 * why not. The ring is libcore's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <unistd.h>

#include "../lib.h"
#include "engine/ring.h"

enum { PAGE = 4096, DEPTH_MAX = ZC_RING_BATCH / 2 };

static char buf[DEPTH_MAX][PAGE] __attribute__((aligned(PAGE)));
static int file, null, end[2];
static struct zc_ring ring;

/* Every request is for one page: anything else is not what is measured. */
static void page(ssize_t n, const char *what)
{
	if (n == PAGE)
		return;
	if (n >= 0)
		errno = EIO;
	die(what);
}

static void run_batch(int count, const char *what)
{
	int results[ZC_RING_BATCH];

	checked(zc_ring_run(&ring, results), what);
	for (int i = 0; i < count; i++)
		page(zc_ring_value(results[i]), what);
}

static void by_read(int depth)
{
	for (int i = 0; i < depth; i++)
		page(pread(file, buf[i], PAGE, 0), "pread");
	for (int i = 0; i < depth; i++)
		page(write(null, buf[i], PAGE), "write");
}

static void by_splice(int depth)
{
	for (int i = 0; i < depth; i++) {
		loff_t at = 0;

		page(splice(file, &at, end[1], NULL, PAGE, 0), "splice");
	}
	for (int i = 0; i < depth; i++)
		page(splice(end[0], NULL, null, NULL, PAGE, 0), "splice");
}

/* Adds a splice(2) of a page to the batch: libcore has none through a ring. */
static void add_splice(int from, long long from_at, int to)
{
	struct io_uring_sqe *request = &ring.requests[ring.added];

	zc_ring_rw(&ring, false, to, NULL, PAGE, -1, false);
	request->opcode = IORING_OP_SPLICE;
	request->splice_fd_in = from;
	request->splice_off_in = from_at;
}

static void by_ring_splice(int depth)
{
	for (int i = 0; i < depth; i++)
		add_splice(file, 0, end[1]);
	run_batch(depth, "OP_SPLICE");
	for (int i = 0; i < depth; i++)
		add_splice(end[0], -1, null);
	run_batch(depth, "OP_SPLICE");
}

static void by_ring_fixed(int depth)
{
	for (int i = 0; i < depth; i++) {
		char *p = ring.buffers + i * PAGE;

		zc_ring_rw(&ring, false, file, p, PAGE, 0, true);
		zc_ring_rw(&ring, true, null, p, PAGE, -1, false);
	}
	run_batch(2 * depth, "fixed buffers");
}

static void measure(const char *name, void (*batch)(int), double seconds)
{
	for (int depth = 1; depth <= DEPTH_MAX; depth *= 2) {
		long long start = now_ns(), took;
		long n = 0;

		do {
			for (int i = 0; i < 64; i++)
				batch(depth);
			n += 64L * depth;
			took = now_ns() - start;
		} while (took < seconds * 1e9);
		printf("%s %d %.0f\n", name, depth, n * 1e6 / took);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 1;
	const char *name = argc > 1 ? argv[1] : "page";

	file = checked(open(name, O_RDWR | O_CREAT | O_TRUNC, 0666), name);
	page(write(file, buf, PAGE), name);
	null = checked(open("/dev/null", O_WRONLY), "/dev/null");
	checked(pipe(end), "pipe");
	checked(fcntl(end[1], F_SETPIPE_SZ, DEPTH_MAX * PAGE), "F_SETPIPE_SZ");
	measure("read+write", by_read, seconds);
	measure("splice+splice", by_splice, seconds);
	if (zc_ring_open(&ring) || zc_ring_buffers(&ring, DEPTH_MAX * PAGE)) {
		printf("OP_SPLICE %s\nfixed %s\n", strerror(errno),
		       strerror(errno));
		return 0;
	}
	measure("OP_SPLICE", by_ring_splice, seconds);
	measure("fixed", by_ring_fixed, seconds);
	return 0;
}
