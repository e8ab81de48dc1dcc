/* SPDX-License-Identifier: 0BSD */
/* Sources that are copied from an offset, ends that are functions, and a step
 * of a copy. */
#define _GNU_SOURCE
#include <limits.h>

#include "kernel.h"
#include "own.h"

static struct zc z;
static const unsigned kinds[] = { ZC_FILE, ZC_PIPE, ZC_SOCKET };

enum { SIZE = 400000 };

TEST_ROWS(84, at_an_offset_no_position_moves)
{
	static const off_t offsets[] = { 0,    1,	 5000,	   390000,
					 SIZE, SIZE + 7, INT64_MAX };
	off_t at = offsets[row % 7];
	size_t left = at < SIZE ? SIZE - at : 0, max = row & 1 ? 3000 : SIZE;
	struct end in, out;

	if (left > max)
		left = max;
	open_source(&in, ZC_FILE, SIZE);
	open_sink(&out, kinds[row / 28], SIZE);
	checking("from %ld to %s, %zu", (long)at, kind_name(out.kind), max);
	if (row / 7 & 1)
		in.source.kind = ZC_SMALL;
	NEED(lseek(in.source.fd, 777, SEEK_SET) == 777);
	in.source.has_offset = in.source.has_max = true;
	in.source.offset = at;
	in.source.max = max;
	CHECK_EQ(copy(&z, &in.source, &out.sink), ZC_ENDED);
	CHECK_EQ(in.source.bytes, left);
	CHECK_EQ(in.source.offset, at + (off_t)left);
	CHECK_EQ(lseek(in.source.fd, 0, SEEK_CUR), 777);
	close_sink(&out);
	CHECK_EQ(out.len, left);
	CHECK(!memcmp(out.got, data + at, left));
}

/* As on a file system that could share extents, but not these. */
static bool may_share;
int __real_zc_sys_share_extents(int from, int to);
int __wrap_zc_sys_share_extents(int from, int to)
{
	return may_share ? -EINVAL : __real_zc_sys_share_extents(from, to);
}

/* A sink before it allowed copy_file_range(2). */
TEST(each_sink_is_asked_whether_ranges_are_copied_to_it)
{
	static char got[SIZE + 100];
	struct end in, out[2];

	may_share = true;
	open_source(&in, ZC_FILE, SIZE);
	open_sink(&out[0], ZC_FILE, SIZE);
	open_sink(&out[1], ZC_FILE, SIZE);
	in.source.has_max = true;
	in.source.max = SIZE / 2;
	CHECK_EQ(copy(&z, &in.source, &out[0].sink), ZC_ENDED);
	in.source.max = SIZE;
	out[1].sink.has_offset = out[1].sink.sole = true;
	out[1].sink.offset = 100;
	reserved[out[1].sink.fd].end = SIZE; /* by the caller */
	CHECK_EQ(copy(&z, &in.source, &out[1].sink), ZC_ENDED);
	may_share = false;
	CHECK_EQ(lseek(out[1].sink.fd, 0, SEEK_CUR), 0);
	NEED(pread(out[1].sink.fd, got, sizeof(got), 0) == SIZE / 2 + 100);
	CHECK(!memcmp(got + 100, data + SIZE / 2, SIZE / 2));
}

/* Its open file has no other user, and is not spliced to all the same. */
TEST(a_sink_of_ones_own_is_written_at_its_offset)
{
	struct end in, out;

	kernel_new();
	open_source(&in, ZC_PIPE, SIZE);
	open_sink(&out, ZC_SOLE, SIZE + 100);
	out.sink.has_offset = true;
	out.sink.offset = 100;
	reserved[out.sink.fd].end = SIZE + 100; /* by the caller */
	CHECK_EQ(copy(&z, &in.source, &out.sink), ZC_ENDED);
	CHECK_EQ(out.sink.offset, SIZE + 100);
	CHECK_EQ(lseek(out.sink.fd, 0, SEEK_CUR), 0);
	close_source(&in);
	close_sink(&out);
	CHECK_EQ(out.len, SIZE + 100);
	CHECK(!memcmp(out.got + 100, data, SIZE));
	free(out.got);
}

TEST(what_has_no_offsets_says_so)
{
	struct end in = { .kind = ZC_PIPE }, out = { .kind = ZC_PIPE };
	struct zc_source file = { .fd = new_file(data, 100) };

	in.source.fd = new_channel(&in, true);
	out.sink.fd = new_channel(&out, false);
	in.source.has_offset = true;
	CHECK_EQ(copy(&z, &in.source, &out.sink), ZC_FAILED);
	CHECK_EQ(in.source.error, ESPIPE);
	CHECK_EQ(out.sink.error, 0);
	out.sink.has_offset = true;
	CHECK_EQ(copy(&z, &file, &out.sink), ZC_FAILED);
	CHECK_EQ(out.sink.error, ESPIPE);
	CHECK_EQ(file.bytes, 0);
}

/* A caller may clear the error, and read on. */
TEST(a_call_that_does_nothing_leaves_the_offset)
{
	struct zc_source in = { .fd = new_file(data, SIZE) };
	struct end out;

	open_sink(&out, ZC_PIPE, SIZE);
	in.has_offset = in.has_max = true;
	in.offset = 100;
	in.max = 5000;
	CHECK_EQ(copy(&z, &in, &out.sink), ZC_ENDED);
	in.error = EIO;
	CHECK_EQ(copy(&z, &in, &out.sink), ZC_FAILED);
	CHECK_EQ(in.offset, 5100);
	in.error = 0;
	out.sink.error = EIO;
	CHECK_EQ(copy(&z, &in, &out.sink), ZC_FAILED);
	CHECK_EQ(in.offset, 5100);
	out.sink.error = 0;
	in.max = SIZE;
	CHECK_EQ(copy(&z, &in, &out.sink), ZC_ENDED);
	close_sink(&out);
	CHECK_EQ(out.len, SIZE - 100);
	CHECK(!memcmp(out.got, data + 100, SIZE - 100));
}

TEST(a_sink_that_cannot_be_identified_is_a_failure)
{
	struct zc_source in = { .fd = new_file(data, SIZE) };
	struct zc_sink out[2] = { { .fd = -1 }, { .fd = new_file("", 0) } };

	CHECK_EQ(fan(&z, &in, out, 2), ZC_FAILED);
	CHECK_EQ(out[0].error, EBADF);
	CHECK_EQ(out[1].bytes, 0);
	CHECK_EQ(fan(&z, &in, out, 2), ZC_ENDED);
	CHECK_EQ(out[1].bytes, SIZE);
}

/* It has no reader that could go, and is not asked again and again whether that
 * has. */
TEST(a_function_without_a_descriptor_has_no_hangup)
{
	struct zc_source in = { .fd = -1 };
	struct zc_sink out = { 0 };
	struct own *to = new_own(&out.end, -1, 0);
	int source[2], n, ms;

	NEED(!pipe(source));
	to->busy = 0;
	in.fd = source[0];
	out.write = own_write;
	out.retire_on_hangup = true;
	early.steps = true;
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(fan(&z, &in, &out, 1), ZC_AGAIN);
		CHECK_EQ(out.error, 0);
		zc_polls(&z, &n, &ms);
		CHECK_EQ(ms, -1);
	}
	NEED(write(source[1], data, 300) == 300);
	close(source[1]);
	early.steps = false;
	CHECK_EQ(fan(&z, &in, &out, 1), ZC_ENDED);
	CHECK_EQ(out.bytes, 300);
	CHECK(!memcmp(to->got, data, 300));
}

TEST_ROWS(3, a_function_has_no_limit_and_the_others_wait)
{
	static const enum zc_late kinds_of_late[] = { ZC_WAIT, ZC_SKIP,
						      ZC_DROP };
	struct zc_lag lag = { .max = 8192, .late = kinds_of_late[row] };
	struct zc_sink out[2] = { { 0 }, { 0 } };
	struct end in, pipe;
	struct own *to;
	int fds[2];

	NEED(!pipe2(fds, 0));
	/* It is late for half a second. */
	to = new_own(&out[0].end, fds[1], -EAGAIN);
	to->busy = 9;
	out[0].write = own_write;
	out[0].lag = &lag;
	open_source(&in, ZC_FILE, SIZE);
	open_sink(&pipe, ZC_PIPE, SIZE);
	out[1] = pipe.sink;
	CHECK_EQ(fan(&z, &in.source, out, 2), ZC_ENDED);
	CHECK_EQ(out[0].bytes, SIZE);
	CHECK_EQ(lag.bytes, SIZE);
	CHECK_EQ(lag.left_out, 0);
	CHECK(!memcmp(to->got, data, SIZE));
	check_all(&pipe, SIZE);
}

/* Says what it is told to, or that it has moved more than there was. */
static int64_t said;

static ssize_t read_says(struct zc_source *in, void *buf, size_t size)
{
	return said > 0 ? (ssize_t)size + 1 : said;
}

static ssize_t write_says(struct zc_sink *out, const void *buf, size_t len)
{
	return said > 0 ? (ssize_t)len + 1 : said;
}

/* Nothing tells when a function without a descriptor is ready: EAGAIN is an
 * error like others. A writer that takes nothing has no room. The last four are
 * no errnos: libcore has a meaning of its own for two, no int holds the others.
 */
TEST_ROWS(15, the_error_of_a_function_is_its_ends)
{
	static const struct {
		int64_t said;
		int error;
	} rows[] = {
		{ 0, ENOSPC },
		{ -EPROTO, EPROTO },
		{ -EAGAIN, EAGAIN },
		{ 1, EIO },
		{ ZC_PASSED_OVER, EIO },
		{ ZC_CUT_SHORT, EIO },
		{ -((int64_t)1 << 32), EIO },
		{ INT64_MIN, EIO },
	};
	/* For a reader 0 is the end. */
	bool writes = !(row & 1);
	struct zc_source in = { .fd = new_file("text", 4) };
	struct zc_sink out = { .fd = new_file("", 0) };
	struct zc_endpoint *own = writes ? &out.end : &in.end;

	said = rows[(row + 1) / 2].said;
	own->fd = -1;
	in.read = writes ? NULL : read_says;
	out.write = writes ? write_says : NULL;
	CHECK_EQ(copy(&z, &in, &out), ZC_FAILED);
	CHECK_EQ(own->error, rows[(row + 1) / 2].error);
	CHECK_EQ(own->bytes, 0);
	CHECK_EQ(writes ? in.error : out.error, 0);
}

TEST(a_step_from_a_silent_source_returns)
{
	struct end in = { .kind = ZC_PIPE };
	struct zc_sink out = { .fd = new_file("", 0) };
	struct pollfd *p;
	int n, ms;

	in.source.fd = new_channel(&in, true);
	early.steps = true;
	CHECK_EQ(copy(&z, &in.source, &out), ZC_AGAIN);
	p = zc_polls(&z, &n, &ms);
	CHECK_EQ(ms, -1);
	CHECK_EQ(n, 3);
	CHECK_EQ(p[1].fd, in.source.fd);
	CHECK_EQ(p[1].events, POLLIN);
}

TEST(one_call_moves_a_part_and_says_what_failed)
{
	int in = new_file(data, SIZE), out = new_file("", 0), error = -1,
	    before;
	struct end pipe;
	char got[200];

	CHECK_EQ(zc_version(), ZC_VERSION);
	CHECK_EQ(zc_move(in, out, 100, &error), 100);
	CHECK_EQ(error, 0);
	CHECK_EQ(pread(out, got, sizeof(got), 0), 100);
	CHECK(!memcmp(got, data, 100));
	open_sink(&pipe, ZC_PIPE, SIZE);
	before = count_descriptors();
	CHECK_EQ(zc_move(in, pipe.sink.fd, UINT64_MAX, NULL), SIZE - 100);
	CHECK_EQ(count_descriptors(), before);
	close_sink(&pipe);
	CHECK_EQ(pipe.len, SIZE - 100);
	CHECK(!memcmp(pipe.got, data + 100, SIZE - 100));
	CHECK_EQ(zc_move(-1, out, 100, &error), 0);
	CHECK_EQ(error, EBADF);
	zc_free(NULL);
}
