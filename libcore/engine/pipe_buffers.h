/* SPDX-License-Identifier: 0BSD */
/* Large pipe buffers for written bytes: engine/pipe_buffers.c. */
#pragma once

#include "kconfig.h"
#include "core.h"

#ifdef CONFIG_ZC_PIPE_BUFFERS

/* Returns whether it is a pipe, and bytes may be written to it in large pipe
 * buffers. */
bool zc_has_pipe_buffers(const struct zc_endpoint *out);

/* Writes some of len bytes to a pipe in large pipe buffers. Returns how many:
 * none where write(2) is to do it, or with out->error set. */
size_t zc_write_pipe_buffers(struct zc *z, struct zc_endpoint *out,
			     const void *buf, size_t len);

#else

static inline bool zc_has_pipe_buffers(const struct zc_endpoint *out)
{
	return false;
}

static inline size_t zc_write_pipe_buffers(
	struct zc *z, struct zc_endpoint *out, const void *buf, size_t len)
{
	return 0;
}

#endif
