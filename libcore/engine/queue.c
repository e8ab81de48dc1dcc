/* SPDX-License-Identifier: 0BSD */
/* The queue of a sink: a relay of its own, for the bytes by which it has fallen
 * behind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>

#include "engine.h"

/* From this nap on, in milliseconds, read(2) and write(2) are asked where
 * splice(2) says EAGAIN though poll(2) says ready. They may sleep. */
enum { NAP_LONG = 32 };

bool zc_may_queue(const struct zc *z, const struct zc_endpoint *out)
{
	return !z->no_queue && out->kind & ZC_LATE;
}

/* Moves a queue with a limit to a new pipe as large, in whole pages: these fill
 * at most half of it. Returns whether there is such a pipe. If bytes are lost,
 * the sink has failed. */
static bool pack(struct zc_endpoint *out)
{
	struct zc_relay *queue = &out->queue, old = *queue;
	char page[PIPE_BUF];
	ssize_t n;

	queue->fd = 0;
	if (zc_relay_open(queue) ||
	    zc_fcntl(queue->sink, F_SETPIPE_SZ, old.size.bytes) < 0) {
		zc_relay_close(queue);
		*queue = old;
		return false;
	}
	queue->size = old.size;
	queue->held = 0;
	do {
		n = zc_sys_read(old.fd, page, sizeof(page));
		if (n > 0)
			zc_queue_write(out, page, n);
	} while (n > 0 || n == -EINTR);
	if (queue->held != old.held)
		out->error = EIO;
	zc_relay_close(&old);
	return true;
}

/* Spliced small pieces may fill the buffers of a queue before its bytes reach
 * the limit. Returns whether there is room now. */
static bool make_room(struct zc_endpoint *out)
{
	if (!out->queue.size.most)
		return false;
	if (zc_relay_grow(&out->queue, SIZE_MAX))
		return true;
	return zc_limited(out) && pack(out);
}

size_t zc_queue_write(struct zc_endpoint *out, const char *p, size_t len)
{
	size_t all = 0;

	while (all < len) {
		ssize_t n = zc_sys_write(out->queue.sink, p + all, len - all);

		if (n > 0) {
			out->queue.held += n;
			all += n;
		} else if (n != -EINTR && !make_room(out)) {
			break;
		}
	}
	return all;
}

/* Whether splice(2) moves the queued bytes: it does so without sleeping to a
 * pipe, and to a terminal or a socket that is O_NONBLOCK. */
static bool splices(const struct zc_endpoint *out)
{
	if (out->no_splice)
		return false;
	if (!zc_splices_now(out) && !zc_never_sleeps(out))
		return false;
	return zc_limited(out) || out->nap < NAP_LONG;
}

/* Splices bytes of the queue to the sink. Returns how many, or -errno. */
static ssize_t splice_out(struct zc *z, struct zc_endpoint *out)
{
	struct zc_relay *queue = &out->queue;
	ssize_t n = zc_sys_splice(queue->fd, NULL, out->fd, queue->held);

	z->calls++;
	if (n > 0) {
		out->bytes += n;
		zc_check_reset(out, n, queue->held);
	} else if (n != -EAGAIN && n != -EINTR) {
		zc_record(out, n);
		out->no_splice = !out->error;
	}
	return n;
}

/* Likewise by read(2) and write(2). Bytes that cannot be read are lost. */
static ssize_t copy_out(struct zc *z, struct zc_endpoint *out)
{
	/* The run before it may still be lacked by others; zc_polled() is
	 * behind it. */
	char *piece = zc_buffer(z) + ZC_MESSAGE;
	size_t promise = zc_promise(z, out, out->queue.held);
	ssize_t n = zc_relay_read(z, &out->queue, piece,
				  zc_least(promise, ZC_PIECE));

	if (n > 0)
		zc_write_pages(z, out, piece, n);
	else
		out->error = -n;
	return n;
}

void zc_queue_drain(struct zc *z, struct zc_endpoint *out)
{
	ssize_t n;

	if (splices(out))
		n = splice_out(z, out);
	else
		n = copy_out(z, out);
	if (n > 0) {
		out->queue.held -= n;
		zc_grow(out, n);
	}
}
