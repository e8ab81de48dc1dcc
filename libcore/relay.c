/* SPDX-License-Identifier: 0BSD */
/* Pipes and sockets of our own between two ends, and how large pipes become. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "method.h"
#include "number/ZC_PIPE_KB.h"

enum {
	PIPE_DEFAULT = 64 << 10,
	PIPE_MAX = CONFIG_ZC_PIPE_KB << 10,
	CONTROL_MAX = 4 << 10,	/* bytes: what a control file takes at most */
};

bool zc_grow(struct zc_end *pipe, size_t n)
{
	/* Asking for less than there is would shrink it: fcntl(2). */
	if (pipe->kind != ZC_PIPE || pipe->no_grow || n < PIPE_DEFAULT)
		return false;
	if (!pipe->pipe_size)
		pipe->pipe_size = zc_fcntl(pipe->fd, F_GETPIPE_SZ, 0);
	if (n < pipe->pipe_size)
		return false;
	pipe->no_grow = true;
	if (pipe->pipe_size >= PIPE_MAX ||
	    zc_fcntl(pipe->fd, F_SETPIPE_SZ, PIPE_MAX) < 0)
		return false;
	pipe->pipe_size = PIPE_MAX;
	return true;
}

static int keep(struct zc_relay *relay, int fd[2], int failed)
{
	if (failed)
		return -1;
	fd[0] = zc_above_stdio(fd[0]);
	fd[1] = zc_above_stdio(fd[1]);
	if (fd[0] < 0 || fd[1] < 0) {
		close(fd[0]);
		close(fd[1]);
		errno = EMFILE;
		return -1;
	}
	relay->fd = fd[0];
	relay->end = (struct zc_end){ .fd = fd[1], .kind = ZC_PIPE };
	return 0;
}

int zc_relay_open(struct zc_relay *relay)
{
	int fd[2];

	return relay->fd ? 0 : keep(relay, fd, zc_pipe(fd));
}

int zc_socket_open(struct zc_relay *relay)
{
	int fd[2];

	return relay->fd ? 0 :
	       keep(relay, fd, syscall(SYS_socketpair, AF_UNIX,
				       SOCK_STREAM | SOCK_NONBLOCK, 0, fd));
}

void zc_relay_close(struct zc_relay *relay)
{
	close(relay->fd);
	close(relay->end.fd);
	relay->fd = 0;
}

size_t zc_room(const struct zc_relay *relay)
{
	return relay->end.pipe_size ? relay->end.pipe_size : PIPE_DEFAULT;
}

ssize_t zc_fill(struct zc_relay *relay, struct zc_end *in)
{
	ssize_t n;

	if (zc_relay_open(relay))
		return -1;
	n = zc_reserve_source(in, zc_room(relay));
	if (n > 0)
		n = ZC_CALL(splice(in->fd, zc_offset(in), relay->end.fd, NULL,
				   n, SPLICE_F_NONBLOCK), in, NULL);
	if (n < 0 && !zc_refusal(errno))
		in->error = errno;
	if (n > 0)
		zc_grow(in, n);
	return n;
}

/* A connection that is reset tells of it once, and a call that it cuts short
 * takes that word along: splice(2) sends piece after piece. What is left is a
 * hang-up without an error, and a SIGPIPE at the next call. Sockets of the same
 * machine (unix(7)) end like pipes. */
void zc_cut_short(struct zc_end *out)
{
	struct pollfd p = { .fd = out->fd };
	int domain = AF_UNIX;
	socklen_t len = sizeof(domain);

	if (out->kind != ZC_SOCKET || poll(&p, 1, 0) != 1 ||
	    p.revents & POLLERR)
		return;
	getsockopt(out->fd, SOL_SOCKET, SO_DOMAIN, &domain, &len);
	if (domain != AF_UNIX)
		out->error = ECONNRESET;
}

size_t zc_pass(struct zc_relay *relay, size_t n, struct zc_end *out)
{
	while (n && !out->error && !out->no_splice) {
		ssize_t max = zc_reserve_sink(out, n), m = max;

		if (max > 0)
			m = ZC_CALL(splice(relay->fd, NULL, out->fd,
					   zc_offset(out), max,
					   SPLICE_F_NONBLOCK), NULL, out);
		if (m > 0)
			n -= m;
		else if (m == 0 || zc_refusal(errno))
			out->no_splice = true;
		else
			out->error = errno;
		if (m > 0 && m < max)
			zc_cut_short(out);
	}
	return n;
}

/* A control file, as in /proc/sys, is a file of size 0. It gets what it is told
 * by one write(2), which is not made again if it fails. */
static bool may_be_control(const struct zc_end *out, size_t n)
{
	return out->kind == ZC_SMALL && !out->size && n <= CONTROL_MAX;
}

void zc_drain(struct zc_relay *relay, size_t n, struct zc_end *out)
{
	size_t left = may_be_control(out, n) ? n : zc_pass(relay, n, out);

	zc_grow(out, n - left);
	if (left)
		zc_spill(relay, left, out, 1, 0);
}

void zc_spill(struct zc_relay *relay, size_t n, struct zc_end *out, int nout,
	      size_t skip)
{
	while (n) {
		size_t max = n < sizeof(zc_buffer) ? n : sizeof(zc_buffer);
		ssize_t m = ZC_CALL(read(relay->fd, zc_buffer, max), NULL,
				    NULL);
		size_t had;

		if (m <= 0)
			break;
		had = skip < (size_t)m ? skip : (size_t)m;
		zc_write(out, zc_buffer + had, m - had);
		for (int i = 1; i < nout; i++)
			zc_write(&out[i], zc_buffer, m);
		skip -= had;
		n -= m;
	}
	if (!n)
		return;
	/* What is stuck in the relay is lost: let no sink call that success,
	 * and none see it later. */
	for (int i = 0; i < nout; i++)
		if (!out[i].error)
			out[i].error = errno;
	zc_relay_close(relay);
}
