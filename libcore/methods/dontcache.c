/* SPDX-License-Identifier: 0BSD */
/* Reading and writing files without leaving them in the page cache: by
 * RWF_DONTCACHE (Linux 6.14), or else by dropping the copied pages. */
#include <unistd.h>

#include "engine/engine.h"

enum {
	LARGE = 4 << 20,   /* bytes of z->large */
	LARGEST = 2 << 20, /* bytes: a page of the page cache, at the most */
	BEHIND = 8 << 20,  /* bytes: written to disk when they are dropped */
};

/* Drops n bytes before `to' from the page cache, once they are on the disk. A
 * page of which only a part is meant would stay, so it begins one earlier. */
static void drop(int fd, off_t to, off_t n)
{
	off_t from = zc_excess(to, n + LARGEST);

	if (to <= 0)
		return;
	zc_sys_sync_range(fd, from, to - from, true);
	zc_sys_drop_cache(fd, from, to - from);
}

/* The kernel reads nothing ahead of such a read, so a file is read in pieces
 * that are large enough to be quick. Returns the memory for a piece, and its
 * size. */
static char *buffer(struct zc *z, const struct zc_source *in, size_t *size)
{
	*size = ZC_BUFFER;
	if (in->kind != ZC_FILE)
		return zc_buffer(z);
	if (!z->large)
		z->large = zc_map(LARGE);
	if (!z->large)
		return zc_buffer(z);
	*size = LARGE;
	return z->large;
}

/* Reads a piece of a file. Returns as zc_read(). */
static ssize_t get(struct zc *z, struct zc_source *in, char *p, size_t size)
{
	ssize_t max = zc_reserve_source(in, size), n;
	off_t at = in->range.at;

	if (max <= 0)
		return max;
	if (!in->no_dontcache) {
		n = ZC_CALL(z, zc_sys_read_uncached(in->fd, p, max, at), in,
			    NULL);
		if (n > 0) {
			in->bytes += n;
			in->range.at += n;
			return n;
		}
		if (zc_is_final(n)) {
			in->error = -n;
			return n;
		}
		in->no_dontcache = true;
	}
	n = zc_read(z, in, p, ZC_BUFFER);
	if (n > 0)
		drop(in->fd, at + n, n);
	return n;
}

/* Writes to a file where its position is, which an offset of -1 stands for
 * (pwritev2(2)). Returns bytes, or 0 with out->error set. */
static size_t put_some(struct zc *z, struct zc_sink *out, const char *p,
		       size_t len)
{
	ssize_t n = 0;
	off_t at;

	if (!out->no_dontcache) {
		n = ZC_CALL(z, zc_sys_write_uncached(out->fd, p, len, -1), NULL,
			    out);
		out->no_dontcache = n <= 0;
	}
	/* An error that is told once would not come again. */
	if (out->no_dontcache && !zc_is_final(n))
		n = zc_write_once(z, out, p, len);
	if (n <= 0) {
		zc_fail_write(out, n);
		return 0;
	}
	out->bytes += n;
	if (out->no_dontcache) {
		/* This piece starts on its way to the disk; one before it is
		 * there. */
		at = zc_sys_lseek(out->fd, 0, SEEK_CUR) - n;
		zc_sys_sync_range(out->fd, at, n, false);
		if (at > BEHIND)
			drop(out->fd, at - BEHIND, n);
	}
	return n;
}

/* Writes a piece to a sink that is a file: then it has had that. */
static void put(struct zc *z, struct zc_sink *out, const char *p, size_t len)
{
	if (!(out->kind & ZC_REGULAR))
		return;
	out->had = len;
	while (len && !out->error) {
		size_t n = put_some(z, out, p, len);

		p += n;
		len -= n;
	}
}

/* Reads a piece, which is then at *p, and writes it to the sinks that are
 * files: out is the first, and `kinds' are those of all. Serves only callers
 * that name methods, because the other methods are faster. Returns as
 * zc_read(). */
static ssize_t take(struct zc *z, struct zc_source *in, struct zc_sink *out,
		    unsigned kinds, char **p)
{
	size_t size;
	ssize_t n;

	if (!z->methods || !((in->kind | kinds) & ZC_REGULAR))
		return ZC_PASSED_OVER;
	*p = buffer(z, in, &size);
	n = zc_offset(in) ? get(z, in, *p, size) : zc_read(z, in, *p, size);
	for (; out; out = out->peer)
		if (n > 0)
			put(z, out, *p, n);
		else if (out->no_dontcache)
			drop(out->fd, zc_sys_lseek(out->fd, 0, SEEK_CUR),
			     2 * BEHIND);
	return n;
}

/* A piece of LARGE bytes must fit the limit of each sink. */
static ssize_t dontcache_fan(struct zc_job *j)
{
	ssize_t n;
	char *p;

	if (zc_lag_run(j) < LARGE)
		return ZC_PASSED_OVER;
	n = take(j->z, j->in, j->out, j->kinds, &p);
	if (n <= 0)
		return n;
	j->span = p;
	return n;
}

static ssize_t dontcache_run(struct zc *z, struct zc_source *in,
			     struct zc_sink *out)
{
	char *p;
	ssize_t n = take(z, in, out, out->kind, &p);

	if (n > 0)
		zc_write(z, out, p + out->had, n - out->had);
	out->had = 0;
	return n;
}

static void dontcache_close(struct zc *z)
{
	zc_unmap(z->large, LARGE);
}

const struct zc_method zc_method_dontcache = {
	.name = "dontcache",
	.from = ZC_REGULAR | ZC_PIPE | ZC_SOCKET | ZC_DEVICE,
	.to = ZC_ANY,
	.uncached = true,
	.run = dontcache_run,
	.fan = dontcache_fan,
	.close = dontcache_close,
};
