/* SPDX-License-Identifier: 0BSD */
/* io_uring(7) by its three system calls, which the C library lacks. */
#include <linux/io_uring.h>
#include <sys/mman.h>

#include "engine/engine.h"
#include "methods/ring.h"

enum { BATCH = 2 * CONFIG_ZC_IO_URING_DEPTH };

static void *map(struct zc_ring *ring, int i, size_t size, off_t what)
{
	ring->map_sizes[i] = size;
	zc_sys_map(&ring->maps[i], size, PROT_READ | PROT_WRITE, ring->fd,
		   what);
	return ring->maps[i];
}

static bool map_all(struct zc_ring *ring, const struct io_uring_params *p)
{
	size_t asked = p->sq_off.array + p->sq_entries * sizeof(*ring->slots);
	size_t done = p->cq_off.cqes + p->cq_entries * sizeof(*ring->answers);
	char *base = map(ring, 0, zc_most(asked, done), IORING_OFF_SQ_RING);

	ring->requests = map(ring, 1, p->sq_entries * sizeof(*ring->requests),
			     IORING_OFF_SQES);
	if (!base || !ring->requests)
		return false;
	ring->head = (unsigned *)(base + p->sq_off.head);
	ring->tail = (unsigned *)(base + p->sq_off.tail);
	ring->slots = (unsigned *)(base + p->sq_off.array);
	ring->mask = p->sq_entries - 1;
	ring->done_head = (unsigned *)(base + p->cq_off.head);
	ring->done_tail = (unsigned *)(base + p->cq_off.tail);
	ring->done_mask = p->cq_entries - 1;
	ring->answers = (struct io_uring_cqe *)(base + p->cq_off.cqes);
	return true;
}

int zc_ring_open(struct zc_ring *ring)
{
	/* One map for both queues (Linux 5.4), and offsets of -1 (5.6). */
	const unsigned must = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_RW_CUR_POS;
	struct io_uring_params p = { .flags = 0 };
	int fd;

	if (ring->fd)
		return 0;
	fd = zc_above_stdio(zc_sys_io_uring_setup(BATCH, &p));
	if (fd < 0)
		return zc_refusal(fd);
	ring->fd = fd;
	if ((p.features & must) == must && map_all(ring, &p))
		return 0;
	zc_ring_close(ring);
	return -ENOSYS;
}

int zc_ring_buffers(struct zc_ring *ring, size_t size)
{
	char *p;
	int status;

	if (ring->buffers)
		return 0;
	p = zc_map(size);
	if (!p)
		return -ENOMEM;
	status = zc_sys_io_uring_register(ring->fd, p, size);
	if (status) {
		zc_sys_unmap(p, size);
		return zc_refusal(status);
	}
	ring->buffers = p;
	ring->buffers_size = size;
	return 0;
}

void zc_ring_close(struct zc_ring *ring)
{
	for (int i = 0; i < 2; i++)
		zc_unmap(ring->maps[i], ring->map_sizes[i]);
	zc_unmap(ring->buffers, ring->buffers_size);
	if (ring->fd)
		zc_sys_close(ring->fd);
	*ring = (struct zc_ring){ .fd = 0 };
}

void zc_ring_rw(struct zc_ring *ring, bool write, int fd, void *buf, size_t len,
		off_t at, bool link)
{
	unsigned i = ring->added++;

	ring->requests[i] = (struct io_uring_sqe){
		.opcode = write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED,
		.fd = fd,
		.addr = (uintptr_t)buf,
		.len = len,
		.off = at,
		.flags = link ? IOSQE_IO_LINK : 0,
		.user_data = i,
	};
	ring->slots[(*ring->tail + i) & ring->mask] = i;
}

/* Returns the number of answers. */
static unsigned collect(struct zc_ring *ring, int *results)
{
	unsigned head = *ring->done_head;
	unsigned n = __atomic_load_n(ring->done_tail, __ATOMIC_ACQUIRE) - head;

	for (unsigned i = 0; i < n; i++) {
		struct io_uring_cqe *a =
			&ring->answers[(head + i) & ring->done_mask];

		results[a->user_data] = a->res;
	}
	__atomic_store_n(ring->done_head, head + n, __ATOMIC_RELEASE);
	return n;
}

int zc_ring_run(struct zc_ring *ring, int *results)
{
	unsigned start = *ring->tail, n = ring->added, in_flight;
	struct pollfd p = { .fd = ring->fd, .events = POLLIN };
	int status;

	for (unsigned i = 0; i < n; i++)
		results[i] = -ECANCELED;
	ring->added = 0;
	__atomic_store_n(ring->tail, start + n, __ATOMIC_RELEASE);
	do
		status = zc_sys_io_uring_enter(ring->fd, n, n);
	while (status == -EINTR);
	/* The queue itself tells which requests have started; the rest is taken
	 * back. */
	in_flight = __atomic_load_n(ring->head, __ATOMIC_ACQUIRE) - start;
	__atomic_store_n(ring->tail, start + in_flight, __ATOMIC_RELEASE);
	if (!in_flight)
		return zc_refusal(status < 0 ? status : -EBUSY);
	/* A request that has started must end, even if waiting by the ring is
	 * refused. */
	while (in_flight -= collect(ring, results), in_flight) {
		status = zc_sys_io_uring_enter(ring->fd, 0, in_flight);
		if (status < 0 && status != -EINTR)
			zc_sys_poll(&p, 1, -1);
	}
	return 0;
}

ssize_t zc_ring_value(int result)
{
	enum { RESTART = 512 };

	/* A worker thread that may not be started cancels its requests. */
	if (result == -ECANCELED)
		return -EBUSY;
	/* A worker that is stopped answers with errnos that otherwise stay in
	 * the kernel: ERESTARTSYS and the next ones. */
	if (result <= -RESTART)
		return -EINTR;
	return result;
}
