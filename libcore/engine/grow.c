/* SPDX-License-Identifier: 0BSD */
/* Enlarges pipes. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "engine.h"

enum {
	LEAST = 64 << 10, /* bytes: a run that may have filled a pipe */
};

/* If the kernel does not tell the size, the pipe keeps it. */
static bool grow(int fd, struct zc_pipe_size *size, size_t n)
{
	int most = size->most, now;

	if (most <= 0 || n < LEAST)
		return false;
	if (!size->bytes)
		size->bytes = zc_fcntl(fd, F_GETPIPE_SZ, 0);
	if (size->bytes < 0 || n < (size_t)size->bytes)
		return false;
	size->most = 0;
	/* A request below the present size would shrink the pipe (fcntl(2)). */
	if (size->bytes >= most)
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
	return grow(relay->sink, &relay->size, n);
}
