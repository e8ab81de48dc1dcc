/* SPDX-License-Identifier: 0BSD */
/* Ends with a function of the caller's: engine/own.c. */
#pragma once

#include <poll.h>

#include "endpoint.h"

#ifdef CONFIG_ZC_OWN

/* read(2), or the function of a source of the kind ZC_OWN. */
ssize_t zc_own_read(struct zc_endpoint *in, void *buf, size_t size);

/* Makes an end with a function of its own, `read' of a source or `write'
 * of a sink, one of the kind ZC_OWN, and identifies any other. One that has
 * only the function of the other side gets the error EINVAL. */
void zc_own_identify(struct zc_endpoint *end, bool has_function);

/* write(2), or the function of a sink of the kind ZC_OWN. */
ssize_t zc_own_write(struct zc_endpoint *out, const void *buf, size_t len);

/* Calls the ends ready of which poll(2) says nothing: those without a
 * descriptor, which are always ready. */
void zc_own_ready(struct pollfd *p, int n);

#else

static inline void zc_own_identify(struct zc_endpoint *end, bool has_function)
{
	zc_identify(end);
}

static inline void zc_own_ready(struct pollfd *p, int n)
{
}

static inline ssize_t zc_own_read(struct zc_endpoint *in, void *buf,
				  size_t size)
{
	return zc_sys_read(in->fd, buf, size);
}

static inline ssize_t zc_own_write(struct zc_endpoint *out, const void *buf,
				   size_t len)
{
	return zc_sys_write(out->fd, buf, len);
}

#endif
