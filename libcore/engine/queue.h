/* SPDX-License-Identifier: 0BSD */
/* The bytes by which a sink has fallen behind: engine/queue.c. */
#pragma once

#include "kconfig.h"
#include "core.h"

/* Queues. Their bytes go out to the sink before any others. */

/* Returns how many bytes are in it. */
static inline size_t zc_queued(const struct zc_endpoint *out)
{
	return IS_ENABLED(CONFIG_ZC_TEE) ? out->queue.held : 0;
}

/* Returns whether splicing to a sink never sleeps: it is a pipe, or a socket
 * that is O_NONBLOCK. */
static inline bool zc_splices_now(const struct zc_endpoint *out)
{
	return out->kind == ZC_PIPE ||
	       (IS_ENABLED(CONFIG_ZC_RESUME) && out->nonblock);
}

/* Puts len bytes at p into it. Returns how many have had room. */
size_t zc_queue_write(struct zc_endpoint *out, const char *p, size_t len);

/* Moves some of it to the sink without sleeping: the sink is a pipe, or poll(2)
 * has called it ready. */
void zc_queue_drain(struct zc *z, struct zc_endpoint *out);
