/* SPDX-License-Identifier: 0BSD */
/* Reserve, then read. read(2), write(2) and lseek(2) move a file's position
 * under a lock; splice(2), sendfile(2) and copy_file_range(2) do not, and
 * processes that share the position then read or write the same range twice. So
 * these work at offsets of ours, in a range that lseek(2) has taken for us. */
#include <unistd.h>

#include "engine.h"

enum {
	PAGE = 4 << 10,
	LEAST = 128 << 10, /* bytes: the least that is worth a run */
	PATIENCE = 10,	   /* ms, for others to give back first */
};

void zc_move_back(struct zc_endpoint *end, off_t to)
{
	off_t by = end->range_end - to, at, forth;

	/* Another process may move the position between these calls: it is
	 * moved forth again. If that process moves it once more before that,
	 * its bytes are inside the range, which then begins behind them
	 * (docs/DESIGN.md, 10). */
	if (zc_sys_lseek(end->fd, 0, SEEK_CUR) != end->range_end)
		return;
	at = zc_sys_lseek(end->fd, -by, SEEK_CUR);
	if (at == to) {
		end->range_end = to;
	} else if (at >= 0) {
		forth = zc_sys_lseek(end->fd, by, SEEK_CUR);
		/* Some of the kernel's files answer and never move (tracefs).
		 */
		if (forth == at)
			end->range_at = end->range_end;
		else if (forth - by > at && at < end->range_end)
			end->range_at = forth - by;
	}
}

int zc_reserve(struct zc_endpoint *end, off_t seen, size_t n)
{
	off_t to = zc_sys_lseek(end->fd, n, SEEK_CUR);

	if (to < 0)
		return to;
	end->range_at = to - n;
	end->range_end = to;
	/* Either the position of this file never moves, or another process has
	 * moved it back by as much, and the range is ours. The range is kept if
	 * a process has moved on from its end. Otherwise it is given back. */
	if (to == seen)
		zc_move_back(end, end->range_at);
	if (!zc_has_range(end))
		return ZC_PASSED_OVER;
	return 0;
}

/* Returns n, or the rest of the range up to the size of the file if that is
 * less. */
static ssize_t rest_of_source(const struct zc_endpoint *in, size_t n)
{
	off_t end = zc_least(in->range_end, in->size);

	return zc_least(n, zc_excess(end, in->range_at));
}

ssize_t zc_reserve_source(struct zc_endpoint *in, size_t max)
{
	off_t at, left, odd;
	int status;

	max = zc_at_most(in, max);
	if (!zc_offset(in))
		return zc_at_most(in, ZC_RUN_MAX);
	if (zc_has_range(in) || zc_is_at_offset(in))
		return rest_of_source(in, max);
	at = zc_sys_lseek(in->fd, 0, SEEK_CUR);
	if (at < 0)
		return at;
	left = in->size - at;
	if (left <= 0)
		return 0;
	/* Others may read meanwhile: half of the rest is left to them, unless
	 * that is little. */
	max = zc_least(max, zc_most(left / 2, LEAST));
	/* The next run is to begin with a whole page, which a pipe buffer
	 * holds. */
	if (left > (off_t)max) {
		left = max;
		odd = (at + left) % PAGE;
		if (odd < left)
			left -= odd;
	}
	status = zc_reserve(in, at, left);
	if (status)
		return status;
	/* Others have reserved meanwhile: the range ends beyond the file. */
	if (in->range_end > in->size)
		zc_move_back(in, zc_most(in->range_at, in->size));
	return rest_of_source(in, max);
}

ssize_t zc_read_range(struct zc *z, struct zc_endpoint *in, void *buf,
		      size_t size)
{
	/* All of the buffer, even if that is too much: O_DIRECT wants whole
	 * blocks (open(2)). */
	ssize_t n = ZC_PLAIN_CALL(z,
				  zc_sys_pread(in->fd, buf, size, in->range_at),
				  in, NULL);

	if (n > 0) {
		n = zc_least(n, in->range_end - in->range_at);
		in->range_at += n;
		return n;
	}
	/* EAGAIN has been waited for: read(2) would say it as long again. */
	if (n == -EAGAIN || zc_is_final(n))
		return n;
	/* The file has become shorter, or cannot be read at an offset: read(2)
	 * returns the rest, or the error. */
	zc_give_back(in);
	return zc_has_range(in) ? n : 0;
}

void zc_give_back(struct zc_endpoint *end)
{
	if (zc_is_at_offset(end))
		return;
	/* A process whose range is further beyond the end goes first. */
	for (int i = 0; zc_has_range(end) && i < PATIENCE; i++) {
		if (i)
			zc_nap(1);
		zc_move_back(end, end->range_at);
		if (end->range_at < end->size)
			break;
	}
}

void zc_begin_at(struct zc_endpoint *end)
{
	if (!zc_is_at_offset(end))
		return;
	/* splice(2) would move the position. */
	if (end->kind == ZC_SOLE)
		end->kind = ZC_FILE;
	if (!zc_offset(end)) {
		if (!end->error)
			end->error = ESPIPE;
		return;
	}
	end->range_at = end->offset;
	end->range_end = INT64_MAX;
}

void zc_end_at(struct zc_endpoint *in)
{
	if (!zc_is_at_offset(in) || !zc_offset(in))
		return;
	in->offset = in->range_at;
	in->range_at = in->range_end = 0;
}

ssize_t zc_write_at(struct zc_endpoint *out, const void *buf, size_t len)
{
	ssize_t n = zc_sys_pwrite(out->fd, buf, len, out->offset);

	if (n > 0)
		out->offset += n;
	return n;
}
