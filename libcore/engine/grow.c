/* SPDX-License-Identifier: 0BSD */
/* How large pipes become. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "engine.h"
#include "number/ZC_PIPE_KB.h"

enum {
	LEAST = 64 << 10, /* bytes: a run that may have filled a pipe */
	PIPE_MAX = CONFIG_ZC_PIPE_KB << 10,
};

bool zc_grow(struct zc_endpoint *pipe, size_t n)
{
	int size = pipe->pipe_size;

	if (pipe->kind != ZC_PIPE || pipe->size_settled || n < LEAST)
		return false;
	if (!size)
		size = zc_sys_fcntl(pipe->fd, F_GETPIPE_SZ, 0);
	if (size > 0)
		pipe->pipe_size = size;
	if (size > 0 && n < (size_t)size)
		return false;
	pipe->size_settled = true;
	/* Asking for less than there is would shrink it: fcntl(2). */
	if (size < 0 || size >= PIPE_MAX ||
	    zc_sys_fcntl(pipe->fd, F_SETPIPE_SZ, PIPE_MAX) < 0)
		return false;
	pipe->pipe_size = PIPE_MAX;
	return true;
}
