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

void zc_move_back(int fd, struct zc_range *range, off_t to)
{
	off_t by = range->end - to, at, forth;

	/* Another process may move the position between these calls: it is
	 * moved forth again. If that process moves it once more before that,
	 * its bytes are inside the range, which then begins behind them
	 * (docs/DESIGN.md, 10). */
	if (zc_sys_lseek(fd, 0, SEEK_CUR) != range->end)
		return;
	at = zc_sys_lseek(fd, -by, SEEK_CUR);
	if (at == to) {
		range->end = to;
	} else if (at >= 0) {
		forth = zc_sys_lseek(fd, by, SEEK_CUR);
		/* Some of the kernel's files answer and never move (tracefs).
		 */
		if (forth == at)
			range->at = range->end;
		else if (forth - by > at && at < range->end)
			range->at = forth - by;
	}
}

int zc_reserve(int fd, struct zc_range *range, off_t seen, size_t n)
{
	off_t to = zc_sys_lseek(fd, n, SEEK_CUR);

	if (to < 0)
		return to;
	range->at = to - n;
	range->end = to;
	/* Either the position of this file never moves, or another process has
	 * moved it back by as much, and the range is ours. The range is kept if
	 * a process has moved on from its end. Otherwise it is given back. */
	if (to == seen)
		zc_move_back(fd, range, range->at);
	if (!zc_is_left(range))
		return ZC_PASSED_OVER;
	return 0;
}

/* Returns n, or the rest of the range up to the size of the file if that is
 * less. */
static ssize_t rest_of_source(const struct zc_source *in, size_t n)
{
	off_t end = zc_least(in->range.end, in->size);

	return zc_least(n, zc_excess(end, in->range.at));
}

ssize_t zc_reserve_source(struct zc_source *in, size_t max)
{
	off_t at, left, odd;
	int status;

	max = zc_at_most(in, max);
	if (!zc_offset(in))
		return max;
	if (zc_is_left(&in->range) || zc_is_at_offset(&in->end))
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
	status = zc_reserve(in->fd, &in->range, at, left);
	if (status)
		return status;
	/* Others have reserved meanwhile: the range ends beyond the file. */
	if (in->range.end > in->size)
		zc_move_back(in->fd, &in->range,
			     zc_most(in->range.at, in->size));
	return rest_of_source(in, max);
}

ssize_t zc_read_range(struct zc *z, struct zc_source *in, void *buf,
		      size_t size)
{
	/* All of the buffer, even if that is too much: O_DIRECT wants whole
	 * blocks (open(2)). */
	ssize_t n = ZC_PLAIN_CALL(z,
				  zc_sys_pread(in->fd, buf, size, in->range.at),
				  in, NULL);

	if (n > 0) {
		n = zc_least(n, in->range.end - in->range.at);
		in->range.at += n;
		return n;
	}
	/* EAGAIN has been waited for: read(2) would say it as long again. */
	if (n == -EAGAIN || zc_is_final(n))
		return n;
	/* The file has become shorter, or cannot be read at an offset: read(2)
	 * returns the rest, or the error. */
	zc_give_back(in);
	return zc_is_left(&in->range) ? n : 0;
}

void zc_give_back(struct zc_source *in)
{
	if (zc_is_at_offset(&in->end))
		return;
	/* A process whose range is further beyond the end goes first. */
	for (int i = 0; zc_is_left(&in->range) && i < PATIENCE; i++) {
		if (i)
			zc_nap(1);
		zc_move_back(in->fd, &in->range, in->range.at);
		if (in->range.at < in->size)
			break;
	}
}

/* Returns whether a file is used at the caller's offset. */
static bool begin_at(struct zc_endpoint *end)
{
	if (!zc_is_at_offset(end))
		return false;
	if (end->kind & ZC_REGULAR)
		return true;
	if (!end->error)
		end->error = ESPIPE;
	return false;
}

void zc_begin_at_source(struct zc_source *in)
{
	if (begin_at(&in->end))
		in->range = (struct zc_range){ in->offset, INT64_MAX };
}

void zc_begin_at_sink(struct zc_sink *out)
{
	/* splice(2) would move the position. */
	if (begin_at(&out->end) && out->kind == ZC_SOLE)
		out->kind = ZC_FILE;
}

void zc_end_at(struct zc_source *in)
{
	if (!zc_is_at_offset(&in->end) || !zc_offset(in))
		return;
	in->offset = in->range.at;
	in->range = (struct zc_range){ .at = 0 };
}

ssize_t zc_write_at(struct zc_sink *out, const void *buf, size_t len)
{
	ssize_t n = zc_sys_pwrite(out->fd, buf, len, out->offset);

	if (n > 0)
		out->offset += n;
	return n;
}
