/* SPDX-License-Identifier: 0BSD */
/* The kinds of endpoints, and descriptors: engine/endpoint.c. */
#pragma once

#include "kconfig.h"
#include "sys.h"
#include "core.h"

/* Returns whether a function of the caller's moves the bytes. */
static inline bool zc_is_own(const struct zc_endpoint *end)
{
	return IS_ENABLED(CONFIG_ZC_OWN) && end->kind == ZC_OWN;
}

/* Likewise of a source: box's applets have no such function. */
static inline bool zc_reads_own(const struct zc_source *in)
{
	return IS_ENABLED(CONFIG_ZC_LIBRARY) && in->read;
}

/* Returns whether the function of such a sink is as prompt as a file. */
static inline bool zc_is_prompt(const struct zc_sink *out)
{
	return zc_is_own(&out->end) && out->prompt;
}

/* Returns whether an end has no descriptor to ask poll(2) of. */
static inline bool zc_is_always_ready(const struct zc_endpoint *end)
{
	return zc_is_own(end) && end->fd < 0;
}

/* Returns whether send(2) writes to a sink without sleeping. A build without
 * queues leaves sockets to write(2). */
static inline bool zc_sends(const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_TEE) && out->socket;
}

/* Returns whether a socket has a limit of time, SO_RCVTIMEO or SO_SNDTIMEO
 * (socket(7)). */
bool zc_has_limit(int fd, int option);

/* Returns whether it is a socket of a network, which may tell of a reset. Those
 * of the same machine (unix(7)) end like pipes. */
bool zc_is_remote(int fd);

/* Returns whether it is a file of FUSE. */
static inline bool zc_is_fuse(const struct zc_endpoint *end)
{
	enum { FUSE = 0x65735546 }; /* statfs(2) */

	return end->kind & ZC_REGULAR && zc_sys_file_system(end->fd) == FUSE;
}

/* munmap(2), unless p is NULL. */
void zc_unmap(void *p, size_t len);
