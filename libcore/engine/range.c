/* SPDX-License-Identifier: 0BSD */
/* Reserve, then fill. read(2), write(2) and lseek(2) move a file's position
 * under a lock; splice(2), sendfile(2) and copy_file_range(2) do not, and
 * processes that share the position then read or write the same range twice. So
 * these work at offsets of ours, in a range that lseek(2) has taken for us. */
#include <fcntl.h>
#include <unistd.h>

#include "engine.h"

enum {
	PAGE = 4 << 10,
	FOLIO = 1 << 20,  /* bytes: of a file's cache, and of most relays */
	LEAST = 64 << 10, /* bytes: what is worth a run */
	PATIENCE = 10,	  /* ms, for others to give back first */
};

off_t *zc_offset(struct zc_endpoint *end)
{
	return end->kind & (ZC_FILE | ZC_SMALL) ? &end->range_at : NULL;
}

/* Returns n, or what is left of the range if that is less. */
static size_t rest(const struct zc_endpoint *end, size_t n)
{
	off_t left = end->range_end - end->range_at;

	return (off_t)n < left ? n : (size_t)left;
}

/* Moves the position from the end of the range back to `to', where the range
 * then ends, unless somebody else has moved it. Whoever moves it just after we
 * have looked finds it moved twice: back, and forth again. Whoever moves it
 * between these two is in the range, which then begins behind that. */
static void move_back(struct zc_endpoint *end, off_t to)
{
	off_t by = end->range_end - to, at;

	if (zc_sys_lseek(end->fd, 0, SEEK_CUR) != end->range_end)
		return;
	at = zc_sys_lseek(end->fd, -by, SEEK_CUR);
	if (at == to) {
		end->range_end = to;
	} else if (at >= 0) {
		off_t theirs_end = zc_sys_lseek(end->fd, by, SEEK_CUR) - by;

		if (theirs_end > at && at < end->range_end)
			end->range_at = theirs_end;
	}
}

/* A range has to begin where the one before ends, or further on, and the first
 * one where the position has been seen. It does not where somebody has moved
 * the position back, which is then left to him, nor in files of the kernel's
 * that answer lseek(2) and move nothing (tracefs). */
static int reserve(struct zc_endpoint *end, size_t n)
{
	off_t to = zc_sys_lseek(end->fd, n, SEEK_CUR), least = end->range_end;

	end->range_at = to - n;
	end->range_end = to;
	if (end->range_at >= least)
		return 0;
	move_back(end, end->range_at);
	end->range_at = end->range_end;
	errno = EINVAL;
	return -1;
}

/* What is appended has no place of its own, and is not to be spliced:
 * splice(2), EINVAL. Where a file may not grow beyond a limit, there is a
 * signal that ends us (SIGXFSZ), and nobody to give the range back: write(2)
 * asks for it. */
static bool may_reserve(int fd)
{
	return !(zc_sys_fcntl(fd, F_GETFL, 0) & O_APPEND) &&
	       !zc_sys_file_limited();
}

ssize_t zc_reserve_sink(struct zc_endpoint *out, size_t n)
{
	if (!zc_offset(out))
		return n;
	if (zc_has_range(out))
		return rest(out, n);
	if (!out->range_end) {
		if (!may_reserve(out->fd)) {
			errno = EINVAL;
			return -1;
		}
		out->range_end = zc_sys_lseek(out->fd, 0, SEEK_CUR);
	}
	return reserve(out, n) ? -1 : (ssize_t)n;
}

/* Returns n, or what the size of the file says is left of the range if that is
 * less. */
static ssize_t rest_of_source(const struct zc_endpoint *in, size_t n)
{
	off_t left = in->size - in->range_at;

	if (left <= 0)
		return 0;
	return rest(in, (off_t)n < left ? n : (size_t)left);
}

ssize_t zc_reserve_source(struct zc_endpoint *in, size_t max)
{
	off_t at, left;

	if (!zc_offset(in))
		return ZC_RUN_MAX;
	if (zc_has_range(in))
		return rest_of_source(in, max);
	at = zc_sys_lseek(in->fd, 0, SEEK_CUR);
	if (at < 0)
		return -1;
	left = in->size - at;
	if (left <= 0)
		return 0;
	/* Others may read meanwhile: half of the rest is left to them. */
	if ((off_t)max > left / 2 && left / 2 > LEAST)
		max = left / 2;
	/* The next run is to begin with a whole folio, which the kernel writes
	 * as one, or else with a whole page, which a pipe buffer holds. */
	if (left > (off_t)max) {
		left = (off_t)max - (at + max) % FOLIO;
		if (left <= 0)
			left = max - (at + max) % PAGE % max;
	}
	in->range_end = at;
	if (reserve(in, left))
		return -1;
	/* If that was not enough, we are beyond the end. */
	if (in->range_end > in->size)
		move_back(in,
			  in->range_at < in->size ? in->size : in->range_at);
	return rest_of_source(in, max);
}

ssize_t zc_reserve_both(struct zc_endpoint *in, struct zc_endpoint *out,
			size_t max)
{
	ssize_t n = zc_reserve_sink(out, 0);

	if (n >= 0)
		n = zc_reserve_source(in, max);
	return n > 0 ? zc_reserve_sink(out, n) : n;
}

ssize_t zc_read_range(struct zc *z, struct zc_endpoint *in, void *buf,
		      size_t size)
{
	/* All of the buffer, even if that is too much: O_DIRECT wants whole
	 * blocks (open(2)). */
	ssize_t n = ZC_PLAIN_CALL(z,
				  zc_sys_pread(in->fd, buf, size, in->range_at),
				  in, NULL);

	if (n > 0)
		n = rest(in, n);
	if (n > 0)
		in->range_at += n;
	if (!n || (n < 0 && !zc_is_final(errno))) {
		zc_give_back(in);
		if (!zc_has_range(in))
			n = 0;
	}
	return n;
}

ssize_t zc_write_range(struct zc *z, struct zc_endpoint *out, const void *buf,
		       size_t len)
{
	ssize_t n = ZC_PLAIN_CALL(
		z, zc_sys_pwrite(out->fd, buf, rest(out, len), out->range_at),
		NULL, out);

	if (n > 0)
		out->range_at += n;
	return n;
}

void zc_give_back(struct zc_endpoint *end)
{
	/* Somebody who is further beyond the end of a source goes first. */
	for (int i = 0; zc_has_range(end) && i < PATIENCE; i++) {
		if (i)
			zc_nap(1);
		move_back(end, end->range_at);
		if (end->range_at < end->size || !end->size)
			break;
	}
}
