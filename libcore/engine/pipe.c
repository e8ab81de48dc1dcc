/* SPDX-License-Identifier: 0BSD */
/* Pipes: those of our own between two ends, their sizes, and large pipe
 * buffers. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>

#include "engine.h"

enum {
	PIPE_DEFAULT = 64 << 10, /* bytes */
	FILLS = 64 << 10,	 /* bytes: a run that may have filled a pipe */
	/* Bytes to splice to a file at once. Larger calls get larger folios,
	 * and of these the kernel has too few. */
	FOLIO = 256 << 10,
	BUFFERS = 32 << 10, /* bytes: less stays in small pages */
};

/* If the kernel does not tell the size, the pipe keeps it. */
static bool grow(int fd, struct zc_pipe_size *size, size_t n)
{
	int most = size->most, now;

	if (!most || n < FILLS)
		return false;
	/* Another process may have enlarged it since. */
	if (n >= (size_t)size->bytes)
		size->bytes = zc_fcntl(fd, F_GETPIPE_SZ, 0);
	if (n < (size_t)size->bytes)
		return false;
	size->most = 0;
	/* A request below the present size, which may be unknown here, would
	 * shrink the pipe (fcntl(2)). */
	if ((unsigned)size->bytes >= (unsigned)most)
		return false;
	now = zc_fcntl(fd, F_SETPIPE_SZ, most);
	if (now < 0)
		return false;
	size->bytes = now;
	return true;
}

void zc_grow(struct zc_endpoint *pipe, size_t n)
{
	if (pipe->kind == ZC_PIPE)
		grow(pipe->fd, &pipe->size_of_pipe, n);
}

bool zc_relay_grow(struct zc_relay *relay, size_t n)
{
	return grow(relay->to, &relay->size, n);
}

/* Opens a relay whose ends `make' makes, unless it is open. */
static int open_relay(struct zc_relay *relay, int flags,
		      int (*make)(int fd[2], int flags))
{
	int fd[2], status;

	if (relay->fd)
		return 0;
	status = make(fd, flags);
	if (status)
		return zc_refusal(status);
	fd[0] = zc_above_stdio(fd[0]);
	fd[1] = zc_above_stdio(fd[1]);
	if (fd[0] < 0 || fd[1] < 0) {
		zc_sys_close(fd[0]);
		zc_sys_close(fd[1]);
		return -EMFILE;
	}
	relay->fd = fd[0];
	relay->to = fd[1];
	relay->size = (struct zc_pipe_size){ .bytes = PIPE_DEFAULT,
					     .most = ZC_PIPE_MAX };
	return 0;
}

int zc_relay_open(struct zc_relay *relay, int flags)
{
	return open_relay(relay, flags, zc_pipe);
}

int zc_socket_open(struct zc_relay *relay)
{
	return open_relay(relay, O_NONBLOCK, zc_socketpair);
}

void zc_relay_close(struct zc_relay *relay)
{
	if (!relay->fd)
		return;
	zc_sys_close(relay->fd);
	zc_sys_close(relay->to);
	/* Writes to it fail from here on. */
	*relay = (struct zc_relay){ .to = -1 };
}

void zc_close_relay_of(struct zc *z)
{
	zc_relay_close(&z->relay);
}

/* Whether a relay is open, and the file is its pipe. */
static bool is_pipe_of(const struct zc_relay *relay,
		       const struct zc_file_id *file)
{
	struct zc_stat st;

	return relay->fd && !zc_stat(relay->fd, NULL, &st) &&
	       zc_is_same_file(&st.id, file);
}

bool zc_is_pipe_of(const struct zc *z, const struct zc_file_id *file)
{
	for (struct zc_sink *o = z->job.out; o; o = o->peer)
		if (is_pipe_of(&o->queue, file))
			return true;
	return is_pipe_of(&z->relay, file);
}

ssize_t zc_splice(struct zc *z, int from, off_t *from_at, int to, size_t len,
		  const struct zc_source *in, const struct zc_sink *out)
{
	/* Between pipes the call has neither locked while it sleeps, and saves
	 * poll(2). With another processor a few yields before are better. */
	/* cppcheck-suppress nullPointer ; one of them is an end */
	bool sleeps = (in ? in->kind : out->kind) == ZC_PIPE && z->alone &&
		      !zc_may_stop(z) && !(out && out->retire_on_hangup);

	return ZC_CALL(z, zc_sys_splice(from, from_at, to, len, sleeps), in,
		       out);
}

ssize_t zc_relay_in(struct zc *z, struct zc_source *in, bool half, ssize_t max)
{
	struct zc_relay *relay = &z->relay;
	ssize_t n = zc_relay_open(relay, 0);

	if (n)
		return n;
	max = zc_least(max, half ? relay->size.bytes / 2 : relay->size.bytes);
	n = zc_reserve_source(in, max);
	if (n > 0)
		n = zc_splice(z, in->fd, zc_offset(in), relay->to, n, in, NULL);
	zc_record(&in->end, n);
	if (n > 0) {
		in->bytes += n;
		zc_grow(&in->end, n);
	}
	return n;
}

/* A connection tells its reset once, and a call that the reset cuts short
 * swallows that: splice(2) sends piece after piece. The socket then shows a
 * hang-up without an error, and the next call raises SIGPIPE. */
void zc_check_reset(struct zc_sink *out, ssize_t n, ssize_t max)
{
	struct pollfd p = { .fd = out->fd };

	if (out->kind != ZC_SOCKET || n >= max)
		return;
	zc_sys_poll(&p, 1, 0);
	if (p.revents == POLLHUP && zc_is_remote(out->fd))
		out->error = n < 0 ? -n : ECONNRESET;
}

size_t zc_relay_out(struct zc *z, struct zc_relay *relay, size_t n,
		    struct zc_sink *out)
{
	size_t left = n;

	while (left && !out->error) {
		size_t piece = out->kind & ZC_REGULAR ? zc_least(left, FOLIO) :
							left;
		ssize_t m = zc_splice(z, relay->fd, NULL, out->fd, piece, NULL,
				      out);

		if (m <= 0) {
			/* A splice(2) that waits for room while the reader of
			 * a Unix socket goes fails without SIGPIPE, so ask
			 * write(2). */
			if (m != -EPIPE || out->kind != ZC_SOCKET)
				zc_record(&out->end, m);
			out->no_splice = !out->error;
			break;
		}
		zc_check_reset(out, m, left);
		left -= m;
		out->bytes += m;
	}
	zc_grow(&out->end, n - left);
	return left;
}

ssize_t zc_relay_read(struct zc *z, struct zc_relay *relay, char *buf,
		      size_t size)
{
	ssize_t n = ZC_CALL(z, zc_sys_read(relay->fd, buf, size), NULL, NULL);

	if (n > 0)
		return n;
	zc_relay_close(relay);
	if (n)
		return n;
	return -EIO;
}

/* Large pipe buffers (pipe(7)) for written bytes. Both ends of a pipe pay by
 * the buffer, and write(2) fills each with 4 KiB. A Unix socket takes 48 KiB at
 * a time, in pages of up to 32. The socket is our own and never sleeps, so
 * splicing from it straight into the pipe keeps nobody waiting. */
size_t zc_write_pipe_buffers(struct zc *z, struct zc_sink *out, const void *buf,
			     size_t len)
{
	ssize_t n;
	size_t left;

	if (len < BUFFERS || !zc_has_pipe_buffers(z, out))
		return 0;
	if (out->size_of_pipe.most > ZC_DENSE_MAX)
		out->size_of_pipe.most = ZC_DENSE_MAX;
	if (zc_socket_open(&z->socket)) {
		z->job.no_socket = true;
		return 0;
	}
	z->calls++;
	n = zc_sys_write(z->socket.to, buf, len);
	if (n < 0)
		return 0;
	left = zc_relay_out(z, &z->socket, n, out);
	/* The rest is still in the caller's memory. */
	if (left)
		zc_relay_close(&z->socket);
	return n - left;
}
