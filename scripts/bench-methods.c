// SPDX-License-Identifier: 0BSD
/* bench-methods FILE SECONDS. Requests a second: a page at a time from FILE,
 * which is written anew and so is in the page cache, to /dev/null, so that all
 * there is to time is asking for it. (Files on tmpfs will not do: the kernel
 * never reads one without a worker thread.) Prints a line for each way and
 * queue depth: its name, the depth, thousands of requests a second; or the name
 * and why not. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, DEPTH_MAX = 32, SLOTS = 2 * DEPTH_MAX };

static char buf[DEPTH_MAX][PAGE] __attribute__((aligned(PAGE)));
static int file, null, end[2];

static struct {
	int fd;
	unsigned *tail, *slot, mask, *done_head, *done_tail, done_mask, added;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
} ring;

static void die(const char *what)
{
	fprintf(stderr, "bench-methods: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long checked(long n, const char *what)
{
	if (n < 0)
		die(what);
	return n;
}

/* Every request is for one page: anything else is not what is measured. */
static void page(long n, const char *what)
{
	if (n == PAGE)
		return;
	if (n >= 0)
		errno = EIO;
	die(what);
}

static void *map(size_t size, off_t what)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_POPULATE, ring.fd, what);

	if (p == MAP_FAILED)
		die("mmap of the ring");
	return p;
}

/* Returns 0, or -1 where io_uring is turned off or too old. */
static int open_ring(void)
{
	struct io_uring_params p = {
		.flags = IORING_SETUP_SINGLE_ISSUER |
			 IORING_SETUP_DEFER_TASKRUN,
	};
	struct iovec lent = { buf, sizeof(buf) };
	char *base;

	ring.fd = syscall(SYS_io_uring_setup, SLOTS, &p);
	if (ring.fd < 0)
		return -1;
	base = map(p.sq_off.array + p.sq_entries * sizeof(unsigned),
		   IORING_OFF_SQ_RING);
	ring.tail = (unsigned *)(base + p.sq_off.tail);
	ring.slot = (unsigned *)(base + p.sq_off.array);
	ring.mask = p.sq_entries - 1;
	base = map(p.cq_off.cqes + p.cq_entries * sizeof(*ring.cqe),
		   IORING_OFF_CQ_RING);
	ring.done_head = (unsigned *)(base + p.cq_off.head);
	ring.done_tail = (unsigned *)(base + p.cq_off.tail);
	ring.done_mask = p.cq_entries - 1;
	ring.cqe = (struct io_uring_cqe *)(base + p.cq_off.cqes);
	ring.sqe = map(p.sq_entries * sizeof(*ring.sqe), IORING_OFF_SQES);
	checked(syscall(SYS_io_uring_register, ring.fd,
			IORING_REGISTER_BUFFERS, &lent, 1), "register");
	return 0;
}

static struct io_uring_sqe *add(int opcode, int fd, int flags)
{
	struct io_uring_sqe *sqe = &ring.sqe[ring.added];

	*sqe = (struct io_uring_sqe){
		.opcode = opcode, .fd = fd, .len = PAGE, .flags = flags,
	};
	ring.slot[(*ring.tail + ring.added) & ring.mask] = ring.added;
	ring.added++;
	return sqe;
}

static void submit(const char *what)
{
	unsigned n = ring.added, head = *ring.done_head;

	ring.added = 0;
	__atomic_store_n(ring.tail, *ring.tail + n, __ATOMIC_RELEASE);
	checked(syscall(SYS_io_uring_enter, ring.fd, n, n,
			IORING_ENTER_GETEVENTS, NULL, 0), "io_uring_enter");
	while (__atomic_load_n(ring.done_tail, __ATOMIC_ACQUIRE) - head < n)
		checked(syscall(SYS_io_uring_enter, ring.fd, 0, n,
				IORING_ENTER_GETEVENTS, NULL, 0), "wait");
	for (unsigned i = 0; i < n; i++) {
		long res = ring.cqe[(head + i) & ring.done_mask].res;

		if (res < 0)
			errno = -res;
		page(res, what);
	}
	__atomic_store_n(ring.done_head, head + n, __ATOMIC_RELEASE);
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

static void by_op_splice(int depth)
{
	for (int i = 0; i < depth; i++) {
		struct io_uring_sqe *in = add(IORING_OP_SPLICE, end[1],
					      IOSQE_IO_LINK);
		struct io_uring_sqe *out = add(IORING_OP_SPLICE, null, 0);

		in->splice_fd_in = file;
		in->off = out->off = out->splice_off_in = -1;
		out->splice_fd_in = end[0];
	}
	submit("OP_SPLICE");
}

static void by_fixed(int depth)
{
	for (int i = 0; i < depth; i++) {
		add(IORING_OP_READ_FIXED, file, IOSQE_IO_LINK)->addr =
			(uintptr_t)buf[i];
		add(IORING_OP_WRITE_FIXED, null, 0)->addr = (uintptr_t)buf[i];
	}
	submit("fixed buffers");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void measure(const char *name, void (*batch)(int), double seconds)
{
	for (int depth = 1; depth <= DEPTH_MAX; depth *= 2) {
		double start = now(), took;
		long n = 0;

		do {
			for (int i = 0; i < 64; i++)
				batch(depth);
			n += 64L * depth;
			took = now() - start;
		} while (took < seconds);
		printf("%s %d %.0f\n", name, depth, n / took / 1000);
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
	checked(fcntl(end[1], F_SETPIPE_SZ, SLOTS * PAGE), "F_SETPIPE_SZ");
	measure("read+write", by_read, seconds);
	measure("splice+splice", by_splice, seconds);
	if (open_ring()) {
		printf("OP_SPLICE %s\nfixed %s\n", strerror(errno),
		       strerror(errno));
		return 0;
	}
	measure("OP_SPLICE", by_op_splice, seconds);
	measure("fixed", by_fixed, seconds);
	return 0;
}
