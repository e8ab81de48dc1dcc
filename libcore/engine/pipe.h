/* SPDX-License-Identifier: 0BSD */
/* Pipes: engine/pipe.c. */
#pragma once

#include "kconfig.h"
#include "core.h"

/* Relays. All bytes that enter one are taken out before another endpoint sees
 * it, or closed with it. Between two turns z->socket is empty, z->relay may
 * hold the rest of a run, which is the next run then, a queue may hold bytes,
 * and z->pattern keeps its own. The caller counts what is `held'. */

#ifdef CONFIG_ZC_RANGE

/* Opens a relay that is not yet open. The flags are O_NONBLOCK if write(2) puts
 * bytes into it, or else 0: then splice(2) between it and another pipe may
 * sleep. Returns 0, or -errno. */
int zc_relay_open(struct zc_relay *relay, int flags);

/* Closes a relay and drops its bytes, if it is open. */
void zc_relay_close(struct zc_relay *relay);

/* Reads up to size bytes of a relay. Returns bytes, which the caller subtracts
 * from `held', or -errno: then the rest is lost, and the relay closed. */
ssize_t zc_relay_read(struct zc *z, struct zc_relay *relay, char *buf,
		      size_t size);

/* After a call that moved n bytes to out, of max (n is -errno where it
 * failed): records the error of a connection that was reset meanwhile. */
void zc_check_reset(struct zc_sink *out, ssize_t n, ssize_t max);

/* Makes a pipe as large as it may grow, after a run of n bytes that filled it.
 * Being refused is no error. */
void zc_grow(struct zc_endpoint *pipe, size_t n);

/* Likewise for a relay. Returns whether it grew. */
bool zc_relay_grow(struct zc_relay *relay, size_t n);

/* Writes some of len bytes to a pipe in large pipe buffers. Returns how many:
 * none where write(2) is to do it, or with out->error set. */
size_t zc_write_pipe_buffers(struct zc *z, struct zc_sink *out, const void *buf,
			     size_t len);

#else

static inline int zc_relay_open(struct zc_relay *relay, int flags)
{
	return -ENOSYS;
}

static inline void zc_relay_close(struct zc_relay *relay)
{
}

static inline void zc_check_reset(struct zc_sink *out, ssize_t n, ssize_t max)
{
}

static inline ssize_t zc_relay_read(struct zc *z, struct zc_relay *relay,
				    char *buf, size_t size)
{
	return -ENOSYS;
}

static inline void zc_grow(struct zc_endpoint *pipe, size_t n)
{
}

static inline bool zc_relay_grow(struct zc_relay *relay, size_t n)
{
	return false;
}

static inline size_t zc_write_pipe_buffers(struct zc *z, struct zc_sink *out,
					   const void *buf, size_t len)
{
	return 0;
}

#endif

/* Returns whether it is a pipe, and bytes may be written to it in large pipe
 * buffers. */
static inline bool zc_has_pipe_buffers(const struct zc *z,
				       const struct zc_sink *out)
{
	return IS_ENABLED(CONFIG_ZC_PIPE_BUFFERS) && out->kind == ZC_PIPE &&
	       !out->no_splice && !z->job.no_socket;
}

/* Opens a relay that is a pair of Unix sockets, unless it is open. Returns 0,
 * or -errno. */
int zc_socket_open(struct zc_relay *relay);

/* Bytes of a run that pays to be spliced on. */
enum { ZC_SPLICE_LEAST = 16 << 10 };

/* Returns how many bytes to move at once. From a socket, also to another one,
 * it is best to take all. */
static inline ssize_t zc_run_max(const struct zc_source *in,
				 const struct zc_sink *out)
{
	bool bounded = out->run_max && in->kind != ZC_SOCKET;

	return bounded ? out->run_max : ZC_RUN_MAX;
}

/* splice(2), which waits for in and out; an end of our own is NULL. */
ssize_t zc_splice(struct zc *z, int from, off_t *from_at, int to, size_t len,
		  const struct zc_source *in, const struct zc_sink *out);

/* Splices a run of at most max bytes from in to z->relay, and at most as many
 * as that may hold, or half as many. Returns bytes, 0 at the end of input, or
 * -errno, which zc_record() has seen. Once they have left, the relay may grow.
 */
ssize_t zc_relay_in(struct zc *z, struct zc_source *in, bool half, ssize_t max);

/* Splices n bytes to out. Returns how many are left in the relay, where out
 * refuses that or has failed. */
size_t zc_relay_out(struct zc *z, struct zc_relay *relay, size_t n,
		    struct zc_sink *out);
