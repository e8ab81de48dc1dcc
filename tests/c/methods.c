/* SPDX-License-Identifier: 0BSD */
/* Contexts, and what callers give them, between real ends in one process. */
#define _GNU_SOURCE
#include <limits.h>

#include "ends.h"

/* One byte is left where pipes of any size are filled. */
enum { SIZE = (3 << 20) + 1, SMALL = 20001 };

/* Repeats a line into a sink, which takes SIZE bytes. */
static void repeat_all(struct zc *z, const char *line, size_t len, unsigned to)
{
	struct end sink;

	open_sink(&sink, to, SIZE);
	zc_repeat(z, line, len, &sink.sink);
	CHECK(sink.sink.error == EPIPE || sink.sink.error == ECONNRESET);
	close_sink(&sink);
	CHECK_EQ(sink.len, SIZE);
	for (size_t i = 0; i < sink.len; i += len)
		CHECK(!memcmp(sink.got + i, line,
			      sink.len - i < len ? sink.len - i : len));
}

/* What is asked of poll(2) lies behind a run. */
TEST(a_run_for_several_sinks_is_no_longer_than_its_place)
{
	static struct zc z;

	use(&z, "rw");
	copy_all(&z, ZC_FILE, ZC_SOCKET, 3, SIZE);
}

/* Two lines, repeated in two contexts at once, and copies beside them. */
static struct zc contexts[4];

static void *work(void *arg)
{
	int which = (struct zc *)arg - contexts;

	for (int i = 0; i < 3; i++) {
		struct zc *z = &contexts[which];

		checking("thread %d, round %d", which, i);
		if (which % 2)
			repeat_all(z, data + which, 100 + which, ZC_PIPE);
		else
			copy_all(z, which ? ZC_PIPE : ZC_FILE, ZC_PIPE, 1,
				 SIZE);
		if (i)
			zc_close(z);
	}
	return NULL;
}

TEST(contexts_in_threads_know_nothing_of_each_other)
{
	pthread_t thread[4];
	int before = count_descriptors();

	for (int i = 0; i < 4; i++)
		NEED(!pthread_create(&thread[i], NULL, work, &contexts[i]));
	for (int i = 0; i < 4; i++)
		NEED(!pthread_join(thread[i], NULL));
	CHECK_EQ(count_descriptors(), before);
}

TEST(a_context_that_is_closed_is_as_good_as_new)
{
	static const struct zc new;
	static struct zc z;
	struct end in, sink;
	int before;

	/* More than a pipe holds: 256 buffers of 32 KiB. */
	open_source(&in, ZC_FILE, DATA_MAX);
	before = count_descriptors();
	for (int i = 0; i < 20; i++)
		for (int j = 0; zc_methods[j]; j++) {
			checking("round %d, %s", i, zc_methods[j]->name);
			use(&z, zc_methods[j]->name);
			open_sink(&sink, ZC_PIPE, SMALL);
			if (zc_methods[j]->from & ZC_FILE) {
				struct zc_source file = { .fd = in.source.fd };

				NEED(!lseek(file.fd, 0, SEEK_SET));
				CHECK_EQ(zc_copy(&z, &file, &sink.sink), -1);
			} else {
				zc_repeat(&z, data, 1000, &sink.sink);
			}
			CHECK_EQ(sink.sink.error, EPIPE);
			CHECK(z.calls > 0);
			close_sink(&sink);
			free(sink.got);
			zc_close(&z);
			CHECK(!memcmp(&z, &new, offsetof(struct zc, memory)));
			CHECK_EQ(count_descriptors(), before);
			zc_close(&z);
			CHECK_EQ(count_descriptors(), before);
		}
}

/* Messages: socketpair(2) of SOCK_SEQPACKET, pipe2(2) with O_DIRECT, or UDP.
 * What is written to fd[1] is read from fd[0]. */
static void open_messages(int kind, int fd[2])
{
	if (kind == 2) {
		fd[0] = socket(AF_INET, SOCK_DGRAM, 0);
		fd[1] = connect_to(fd[0], SOCK_DGRAM);
	} else {
		NEED(!(kind ? pipe2(fd, O_DIRECT) :
			      socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd)));
	}
}

TEST_ROWS(6, messages_keep_their_bounds)
{
	static const char *const kinds[] = { "socket", "pipe", "network" };
	static const int lens[] = { 1, 4096, 3, 700, 4095 };
	static char got[65536];
	static struct zc z;
	struct zc_source from = { 0 };
	struct zc_sink to = { 0 };
	int in[2], out[2];

	checking("%s to %s", kinds[row & 1], kinds[row / 2]);
	open_messages(row & 1, in);
	open_messages(row / 2, out);
	from.fd = in[0];
	to.fd = out[1];
	for (int i = 0; i < 5; i++)
		NEED(write(in[1], data + i, lens[i]) == lens[i]);
	close(in[1]);
	CHECK_EQ(zc_copy(&z, &from, &to), 0);
	/* A box that only reads and writes treats all pipes alike. */
	if (zc_methods[1])
		CHECK_EQ(to.kind, ZC_DATAGRAM);
	for (int i = 0; i < 5; i++) {
		CHECK_EQ(read(out[0], got, sizeof(got)), lens[i]);
		CHECK(!memcmp(got, data + i, lens[i]));
	}
	zc_close(&z);
}

/* Descriptors that a sink holds in its queue stay with it. */
TEST_IF(HAS(ZC_TEE), the_queue_of_a_sink_that_is_given_up_is_released)
{
	int before = count_descriptors(), late[2], gone[2];
	struct zc_sink out[2] = { { 0 }, { 0 } };
	static struct zc z;
	struct end in;

	open_source(&in, ZC_FILE, 1 << 20);
	NEED(!pipe(late) && !pipe(gone));
	NEED(fcntl(late[1], F_SETPIPE_SZ, 4096) > 0);
	close(gone[0]);
	out[0].fd = late[1];
	out[1].fd = gone[1];
	CHECK_EQ(fan(&z, &in.source, out, 2), -1);
	CHECK_EQ(out[1].error, EPIPE);
	CHECK(out[0].queue.held > 0);
	zc_drop(&z, &out[0]);
	/* Of a caller of libzc once is enough, and none is needed. */
	if (HAS(ZC_LIBRARY)) {
		zc_drop(&z, &out[0]);
		zc_drop(&z, &out[1]);
	}
	zc_close(&z);
	close_source(&in);
	close(late[0]);
	close(late[1]);
	close(gone[1]);
	CHECK_EQ(count_descriptors(), before);
}

static ssize_t write_nothing(struct zc_sink *out, const void *buf, size_t len)
{
	return len;
}

/* Of a caller of libzc: also of sinks that have no limit. */
TEST_ROWS_IF(HAS(ZC_LIBRARY), 12, a_limit_that_cannot_be_is_an_error)
{
	const size_t limits[] = { 1, PIPE_BUF - 1, zc_lag_max() + 1, SIZE_MAX };
	static struct zc z;
	struct zc_lag lag = { .max = limits[row % 4] };
	struct zc_sink out[2] = { { .lag = &lag, .sole = row / 4 == 1 } };
	struct end in;

	if (row / 4 == 2)
		out->write = write_nothing;

	open_source(&in, ZC_PIPE, 100);
	for (int j = 0; j < 2; j++)
		out[j].fd = new_file("", 0);
	CHECK_EQ(fan(&z, &in.source, out, 2), ZC_FAILED);
	CHECK_EQ(out[0].error, EINVAL);
	CHECK_EQ(in.source.bytes, 0);
	CHECK_EQ(fan(&z, &in.source, out, 2), ZC_ENDED);
	CHECK_EQ(out[0].bytes, 0);
	CHECK_EQ(out[1].bytes, 100);
}

/* Of a caller of libzc. */
TEST_IF(HAS(ZC_LIBRARY), a_source_may_be_mended_after_the_job_has_begun)
{
	static struct zc z;
	struct zc_sink out = { .fd = new_file("", 0) };
	struct zc_source *in;
	struct end end;

	open_source(&end, ZC_PIPE, 100);
	in = &end.source;
	in->error = EIO;
	zc_begin(&z, in);
	zc_add(&z, &out);
	CHECK_EQ(zc_run(&z, ZC_EVER, -1), ZC_FAILED);
	in->error = 0;
	CHECK_EQ(zc_run(&z, ZC_EVER, -1), ZC_ENDED);
	CHECK_EQ(out.bytes, 100);
}

/* Of a caller of libzc. */
TEST_IF(HAS(ZC_LIBRARY), a_number_of_sinks_that_cannot_be_is_an_error)
{
	static struct zc_sink out[ZC_SINKS_MAX + 1];
	static struct zc z;
	struct zc_source in = { .fd = -1 };

	CHECK_EQ(fan(&z, &in, out, ZC_SINKS_MAX + 1), ZC_FAILED);
	CHECK_EQ(in.error, EINVAL);
}

/* Each takes what the pipe of another one does, too. */
static void *copy_to_many(void *arg)
{
	static struct zc_sink out[ZC_SINKS_MAX];
	static struct zc z;
	int fd[2], nout = *(int *)arg;
	struct zc_source in = { 0 };

	NEED(!pipe(fd) && write(fd[1], data, 5000) == 5000);
	close(fd[1]);
	in.fd = fd[0];
	for (int i = 0; i < nout; i++) {
		out[i].fd = open("/dev/null", O_WRONLY);
		if (out[i].fd < 0)
			out[i].error = errno;
		/* So that it is looked whether it is ready. */
		out[i].kind = ZC_PIPE;
	}
	CHECK_EQ(fan(&z, &in, out, nout), 0);
	return NULL;
}

TEST_ROWS(2, many_sinks_need_no_large_stack)
{
	static int numbers[] = { 3500, ZC_SINKS_MAX };
	pthread_attr_t attr;
	pthread_t thread;

	NEED(!pthread_attr_init(&attr));
	NEED(!pthread_attr_setstacksize(&attr, 24 << 10));
	NEED(!pthread_create(&thread, &attr, copy_to_many, &numbers[row]));
	NEED(!pthread_join(thread, NULL));
}
