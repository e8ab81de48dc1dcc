/* SPDX-License-Identifier: 0BSD */
/* The kinds of endpoints, engine/endpoint.c, and read(2) and write(2): io.c,
 * own.c and pipe_buffers.c. */
#pragma once

#include "kconfig.h"
#include "sys.h"
#include "core.h"

/* Returns whether send(2) writes to a sink without sleeping. A build without
 * queues leaves sockets to write(2). */
static inline bool zc_sends(const struct zc_endpoint *out)
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

/* Returns how many of n bytes, the rest of a run, go to a sink at once: as many
 * as one message may have, where it keeps them apart and they are none
 * themselves. A run that one message of UDP can have stays one. */
static inline size_t zc_one_message(
	const struct zc *z, const struct zc_endpoint *out, size_t run, size_t n)
{
	enum { WHOLE = 65507 };
	size_t max = out->message_max;

	return max && max < n && run > WHOLE && !z->message ? max : n;
}

/* Returns ZC_LEAST, or more bytes than a page has, if that is more: no packet
 * (O_DIRECT, pipe2(2)) has as many. */
size_t zc_least_run(void);

/* Counts n bytes, if it is not an error, that a call has moved. */
static inline void zc_count(struct zc_endpoint *in, struct zc_endpoint *out,
			    ssize_t n)
{
	if (n > 0) {
		in->bytes += n;
		out->bytes += n;
	}
}

/* munmap(2), unless p is NULL. */
void zc_unmap(void *p, size_t len);

/* write(2). Returns bytes, or -errno. */
ssize_t zc_write_once(struct zc *z, struct zc_endpoint *out, const void *buf,
		      size_t len);

/* Returns whether a function of the caller's moves the bytes. */
static inline bool zc_is_own(const struct zc_endpoint *end)
{
	return IS_ENABLED(CONFIG_ZC_OWN) && end->kind == ZC_OWN;
}

/* Returns whether that function is as prompt as a file. */
static inline bool zc_is_prompt(const struct zc_endpoint *end)
{
	return zc_is_own(end) && end->prompt;
}

/* Returns whether an end has no descriptor to ask poll(2) of. */
static inline bool zc_is_always_ready(const struct zc_endpoint *end)
{
	return zc_is_own(end) && end->fd < 0;
}

#ifdef CONFIG_ZC_OWN

/* read(2), or the function of a source of the kind ZC_OWN. */
ssize_t zc_own_read(struct zc_endpoint *in, void *buf, size_t size);

/* Makes an end with a function of its own, the reader of a source or the writer
 * of a sink, one of the kind ZC_OWN, and identifies any other. One that has
 * only the function of the other side gets the error EINVAL. */
void zc_own_identify(struct zc_endpoint *end, const void *function);

/* write(2), or the function of a sink of the kind ZC_OWN. */
ssize_t zc_own_write(struct zc_endpoint *out, const void *buf, size_t len);

/* Calls the ends ready of which poll(2) says nothing: those without a
 * descriptor, which are always ready. */
void zc_own_ready(struct pollfd *p, int n);

#else

static inline void zc_own_identify(struct zc_endpoint *end,
				   const void *function)
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

/* zc_write() by write(2) alone, which fills a pipe's pages: promised bytes fit.
 */
void zc_write_pages(struct zc *z, struct zc_endpoint *out, const void *buf,
		    size_t len);

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
