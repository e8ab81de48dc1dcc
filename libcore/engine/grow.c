/* SPDX-License-Identifier: 0BSD */
/* Enlarges pipes. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "engine.h"

enum {
	LEAST = 64 << 10, /* bytes: a run that may have filled a pipe */
	PIPE_MAX = CONFIG_ZC_PIPE_KB << 10,
};

static bool grow(int fd, struct zc_pipe_size *size, size_t n)
{
	if (size->settled || n < LEAST)
		return false;
	if (!size->bytes)
		size->bytes = zc_sys_fcntl(fd, F_GETPIPE_SZ, 0);
	if (size->bytes > 0 && n < (size_t)size->bytes)
		return false;
	size->settled = true;
	/* A request below the present size would shrink the pipe (fcntl(2)). */
	if (size->bytes < 0 || size->bytes >= PIPE_MAX ||
	    zc_sys_fcntl(fd, F_SETPIPE_SZ, PIPE_MAX) < 0)
		return false;
	size->bytes = PIPE_MAX;
	return true;
}

bool zc_grow(struct zc_endpoint *pipe, size_t n)
{
	return pipe->kind == ZC_PIPE && grow(pipe->fd, &pipe->size_of_pipe, n);
}

bool zc_relay_grow(struct zc_relay *relay, size_t n)
{
	return grow(relay->sink, &relay->size, n);
}
