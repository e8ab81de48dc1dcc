/* SPDX-License-Identifier: 0BSD */
/* One ring of io_uring(7), used a batch at a time: between two batches nothing
 * is in flight. */
#pragma once

#include "kconfig.h"
#include "core.h"

/* Opens the ring unless it is open. Returns 0, or -errno, which
 * is not final. */
int zc_ring_open(struct zc_ring *ring);

/* Maps and registers size bytes for zc_ring_rw(), once. Returns 0, or -errno,
 * which is not final. */
int zc_ring_buffers(struct zc_ring *ring, size_t size);

/* Adds a request to the batch. A request that is linked to the next holds it
 * back until it has done all, and cancels it if it falls short. An offset of -1
 * is the kernel's own file position. */
void zc_ring_rw(struct zc_ring *ring, bool write, int fd, void *buf, size_t len,
		off_t at, bool link);

/* Starts the batch and waits for all of it. Returns 0 with the value of each
 * call in results: bytes, or a negative errno, which is -ECANCELED for a call
 * that was not made. If no call was made, returns a negative errno that is not
 * final. */
int zc_ring_run(struct zc_ring *ring, int *results);

/* Returns a result as the system call would: bytes, or -errno. A call that has
 * not been made is -EBUSY. */
ssize_t zc_ring_value(int result);

/* Closes the ring and frees its memory. */
void zc_ring_close(struct zc_ring *ring);
