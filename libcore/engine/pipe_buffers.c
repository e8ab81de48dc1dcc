/* SPDX-License-Identifier: 0BSD */
/* Large pipe buffers (pipe(7)) for written bytes. Both ends of a pipe pay by
 * the buffer, and write(2) fills each with 4 KiB. A Unix socket takes 48 KiB at
 * a time, in pages of up to 32. The socket is our own and never sleeps, so
 * splicing from it straight into the pipe keeps nobody waiting. */
#include "engine.h"

enum { LEAST = 32 << 10 }; /* bytes: less stays in small pages */

bool zc_has_pipe_buffers(const struct zc_endpoint *out)
{
	if (out->kind != ZC_PIPE)
		return false;
	return !out->no_splice && !out->no_socket;
}

size_t zc_write_pipe_buffers(struct zc *z, struct zc_endpoint *out,
			     const void *buf, size_t len)
{
	ssize_t n;
	size_t left;

	if (len < LEAST || !zc_has_pipe_buffers(out))
		return 0;
	if (!z->socket.fd && out->size_of_pipe.most >= 0)
		out->size_of_pipe.most = ZC_DENSE_MAX;
	if (zc_socket_open(&z->socket)) {
		out->no_socket = true;
		return 0;
	}
	z->calls++;
	n = zc_sys_write(z->socket.sink, buf, len);
	if (n < 0)
		return 0;
	left = zc_relay_out(z, &z->socket, n, out);
	/* The rest is still in the caller's memory. */
	if (left)
		zc_relay_close(&z->socket);
	return n - left;
}
