/* SPDX-License-Identifier: 0BSD */
/* The invariants of docs/DESIGN.md, where somebody else is at the same ends or
 * the kernel is of a mind of its own. */
#define _GNU_SOURCE
#include <sys/sysmacros.h>
#include <time.h>

#include "engine/engine.h"
#include "methods/ring.h"
#include "kernel.h"

enum { SIZE = 5000001 };

static struct zc z;

static off_t position(int fd)
{
	return __real_zc_sys_lseek(fd, 0, SEEK_CUR);
}

static struct zc_source from;

TEST_IF(HAS(ZC_RANGE), a_position_that_does_not_move_gives_no_range)
{
	int null = open("/dev/null", O_RDWR);

	/* It answers lseek(2) with 0. */
	from = (struct zc_source){ .fd = null, .kind = ZC_FILE, .size = SIZE };
	CHECK_EQ(zc_reserve_source(&from, 100000), ZC_PASSED_OVER);
	CHECK(!zc_is_left(&from.range));
}

static uint64_t milliseconds(void)
{
	struct timespec t;

	NEED(!clock_gettime(CLOCK_MONOTONIC, &t));
	return t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1;
}

TEST(the_clock_counts_milliseconds)
{
	uint64_t before = milliseconds(), n = zc_clock();

	CHECK(n >= before && n <= milliseconds());
}

TEST(of_a_name_is_told_what_stat_tells)
{
	struct stat want;
	struct zc_stat st;

	NEED(!stat("/dev/null", &want));
	NEED(!zc_stat(AT_FDCWD, "/dev/null", &st));
	CHECK_EQ(st.mode, want.st_mode);
	CHECK_EQ(st.id.ino, want.st_ino);
	CHECK_EQ(st.size, want.st_size);
	CHECK_EQ(st.rdev, want.st_rdev);
}

TEST_IF(!HAS(SAFE_CALLS), a_socket_of_a_network_is_remote_and_no_other)
{
	int pair[2], net = socket(AF_INET, SOCK_STREAM, 0);

	NEED(net >= 0 && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	CHECK(zc_is_remote(net));
	CHECK(!zc_is_remote(pair[0]));
	CHECK(!zc_is_remote(new_file("", 0)));
}

/* A connection that has been reset, whose error somebody has asked for. */
static int reset_connection(void)
{
	struct linger none = { .l_onoff = 1 };
	socklen_t len = sizeof(int);
	struct pollfd gone = { .fd = -1 };
	int pair[2], error = 0;

	connect_pair(pair);
	gone.fd = pair[1];
	NEED(!setsockopt(pair[0], SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
	close(pair[0]);
	NEED(poll(&gone, 1, 100000) == 1);
	NEED(!getsockopt(gone.fd, SOL_SOCKET, SO_ERROR, &error, &len));
	CHECK_EQ(error, ECONNRESET);
	return gone.fd;
}

TEST_IF(HAS(ZC_SENDFILE),
	a_reset_is_told_of_what_was_short_and_of_a_network_alone)
{
	struct zc_source in = { .fd = new_file(data, 100000) };
	struct zc_sink sink = { .fd = reset_connection() };
	struct zc_sink near = { .kind = ZC_SOCKET };
	int pair[2];

	NEED(!zc_identify(&in.end, false) && !zc_identify(&sink.end, false));
	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	near.fd = pair[0];
	close(pair[1]);
	zc_check_reset(&near, 10, 100);
	CHECK_EQ(near.error, 0);
	/* At the end of a source nothing has been sent. */
	NEED(!ftruncate(in.fd, 0));
	CHECK_EQ(method("sendfile")->run(&z, &in, &sink), 0);
	CHECK_EQ(sink.error, 0);
	zc_check_reset(&sink, 100, 100);
	CHECK_EQ(sink.error, 0);
	zc_check_reset(&sink, 10, 100);
	CHECK_EQ(sink.error, ECONNRESET);
}

/* Another's turns: after the first look at the position, and after it has been
 * moved back. */
static int turns, writes;

static void moves_on(enum call call, int fd)
{
	if (call == CALL_lseek && turns++ < writes)
		NEED(write(fd, "0123456789", 10) == 10);
}

TEST_ROWS_IF(HAS(ZC_RANGE), 2, giving_back_survives_another_between_its_calls)
{
	char got[10];

	/* The first 1000 bytes are reserved, and 400 of them filled. */
	from = (struct zc_source){ .fd = new_file(data, 100000) };
	NEED(!zc_identify(&from.end, false));
	CHECK_EQ(zc_reserve(from.fd, &from.range, 0, 1000), 0);
	CHECK_EQ(position(from.fd), 1000);
	from.range.at = 400;
	writes = row + 1;
	ask.after = moves_on;
	zc_give_back(&from);
	CHECK_EQ(position(from.fd), 1000 + 10 * writes);
	/* The range begins behind what is written into it. */
	CHECK_EQ(from.range.at, writes == 1 ? 400 : 420);
	CHECK_EQ(from.range.end, 1000);
	NEED(pread(from.fd, got, 10, 1000) == 10);
	CHECK(!memcmp(got, "0123456789", 10));
}

/* The only range of a sink is that of copy_file_range(2). */
static struct zc_sink out;

static ssize_t share(int flags)
{
	static const struct zc_method *const asked_for[] = { NULL };

	from = (struct zc_source){ .fd = new_file(data, 100000) };
	out = (struct zc_sink){ .fd = new_file("0123456789", 10) };
	NEED(!zc_identify(&from.end, false) && !zc_identify(&out.end, false));
	NEED(!fcntl(out.fd, F_SETFL, flags));
	z.methods = asked_for;
	return method("copy_file_range")->run(&z, &from, &out);
}

TEST_IF(HAS(ZC_COPY_FILE_RANGE), what_is_appended_has_no_range)
{
	CHECK_EQ(share(O_APPEND), -EBADF);
	CHECK_EQ(was.each[CALL_lseek], 0);
	CHECK_EQ(position(out.fd), 0);
}

/* Another writes behind it once it is reserved, and so it cannot go back. */
static void writes_behind(enum call call, int fd)
{
	if (call == CALL_copy_file_range && !turns++)
		NEED(write(out.fd, "behind", 6) == 6);
}

static void writes_behind_and_fails(enum call call, int fd)
{
	writes_behind(call, fd);
	if (call != CALL_pwrite64)
		return;
	was.hit = false;
	meddle(CALL_pwrite64, was.calls, EIO);
}

TEST_IF(HAS(ZC_COPY_FILE_RANGE),
	a_range_that_cannot_be_filled_is_an_error_of_the_sink)
{
	turns = 0;
	meddle(CALL_copy_file_range, 1, EXDEV);
	ask.from_there_on = true;
	ask.before = writes_behind_and_fails;
	share(0);
	CHECK_EQ(out.error, EIO);
	CHECK_EQ(from.error, 0);
	CHECK_EQ(out.bytes, 0);
}

TEST_ROWS_IF(HAS(ZC_COPY_FILE_RANGE), 3,
	     a_range_of_a_sink_that_others_are_behind_is_filled)
{
	static const int errors[] = { 0, EXDEV, EIO };
	static char got[65542];

	checking("%s", strerror(errors[row]));
	meddle(CALL_copy_file_range, 1, errors[row]);
	ask.from_there_on = true;
	ask.before = writes_behind;
	CHECK_EQ(share(0), 65536);
	CHECK_EQ(position(out.fd), 65542);
	CHECK(from.by_read);
	NEED(pread(out.fd, got, 65542, 0) == 65542);
	CHECK(!memcmp(got, data, 65536));
	CHECK(!memcmp(got + 65536, "behind", 6));
}

TEST_ROWS_IF(HAS(ZC_COPY_FILE_RANGE), 3,
	     where_a_position_may_not_move_no_range_is_left)
{
	meddle(CALL_lseek, row + 1, EPERM);
	CHECK_EQ(share(0), -EPERM);
	CHECK_EQ(position(out.fd), 0);
}

/* Another reads the source between the look at its position and the move. */
static off_t others;

static void reads_too(enum call call, int fd)
{
	if (call == CALL_lseek && !turns++)
		__real_zc_sys_lseek(fd, others, SEEK_CUR);
}

TEST_ROWS_IF(HAS(ZC_RANGE), 3, a_source_has_no_range_beyond_its_end)
{
	static const struct {
		off_t others, left;
	} cases_[] = {
		{ 0, 65536 },
		{ 90000, 10000 },
		{ 100000, 0 },
	};
	struct zc_source in = { .fd = new_file(data, 100000) };
	off_t end = cases_[row].others + cases_[row].left;

	NEED(!zc_identify(&in.end, false));
	others = cases_[row].others;
	ask.after = reads_too;
	CHECK_EQ(zc_reserve_source(&in, 65536), cases_[row].left);
	CHECK_EQ(in.range.at, cases_[row].others);
	CHECK_EQ(in.range.end, end);
	CHECK_EQ(position(in.fd), end);
}

/* How often the processor is yielded before a wait sleeps. The source is ready
 * once that has begun. */
static int yields, wake = -1;

void REAL(yield)(void);
void WRAP(yield)(void)
{
	yields++;
}

/* Whether there is one processor, and how often that was asked. */
static bool alone;
static int asked_alone;

bool WRAP(is_alone)(void)
{
	asked_alone++;
	return alone;
}

/* Sleeps of a time, for nothing else, and how many a signal is to end. */
static int naps, signals;

int REAL(poll)(struct pollfd *p, int n, int ms);
int WRAP(poll)(struct pollfd *p, int n, int ms)
{
	naps += n == 0 && ms > 0;
	if (n == 0 && signals > 0) {
		signals--;
		return -EINTR;
	}
	if (ms < 0 && wake >= 0)
		NEED(write(wake, "x", 1) == 1);
	return REAL(poll)(p, n, ms);
}

static int yields_before_sleep(void)
{
	static int idle[2], open[2];
	struct pollfd p[2];
	char c;

	if (wake < 0)
		NEED(!pipe(idle) && !pipe(open));
	wake = idle[1];
	p[0] = (struct pollfd){ idle[0], POLLIN, 0 };
	p[1] = (struct pollfd){ open[1], 0, 0 };
	yields = 0;
	zc_poll(&z, p, 2, -1);
	NEED(read(idle[0], &c, 1) == 1);
	return yields;
}

TEST_IF(CONFIG_ZC_YIELDS > 0,
	each_wait_yields_half_as_often_as_the_last_that_slept)
{
	struct zc_wait short_one = { .yields = 0 };
	int first = yields_before_sleep();

	CHECK(first > 16);
	CHECK_EQ(yields_before_sleep(), first / 2);
	CHECK_EQ(yields_before_sleep(), first / 4);
	/* One for which yields are enough. */
	CHECK(zc_try_soon(&z, &short_one));
	CHECK_EQ(yields_before_sleep(), first / 4);
}

TEST_IF(CONFIG_ZC_YIELDS > 0, with_one_processor_no_wait_yields)
{
	alone = true;
	for (int i = 0; i < 4; i++)
		CHECK_EQ(yields_before_sleep(), 0);
	CHECK_EQ(asked_alone, 1);
}

TEST_IF(HAS(ZC_SPLICE), a_socket_is_sent_parts_unless_there_is_one_processor)
{
	int pair[2];

	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	for (int i = 0; i < 2; i++) {
		struct zc_sink sink = { .fd = pair[1] };

		alone = i;
		NEED(!zc_identify(&sink.end, false));
		CHECK_EQ(sink.run_max == 0, alone);
	}
}

static int asked_limit;

int REAL(getsockopt)(int fd, int option, void *value, size_t size);
int WRAP(getsockopt)(int fd, int option, void *value, size_t size)
{
	asked_limit += option == SO_SNDTIMEO;
	return REAL(getsockopt)(fd, option, value, size);
}

TEST_IF(!HAS(SAFE_CALLS), a_sink_is_asked_once_for_a_limit_of_time)
{
	struct timeval second = { .tv_sec = 1 };
	int pair[2];

	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	for (int limited = 0; limited < 2; limited++) {
		struct zc_sink sink = { .fd = pair[1] };

		if (limited)
			NEED(!setsockopt(pair[1], SOL_SOCKET, SO_SNDTIMEO,
					 &second, sizeof(second)));
		asked_limit = 0;
		for (int i = 0; i < 3; i++) {
			struct zc_source in = { .fd = new_file("abc", 3) };

			CHECK_EQ(zc_copy(&z, &in, &sink), 0);
			close(in.fd);
		}
		CHECK_EQ(asked_limit, 1);
		CHECK_EQ(sink.kind, limited ? ZC_UNKNOWN : ZC_SOCKET);
	}
}

/* Another takes the rest, goes beyond the end too, and gives that back. */
static void goes_beyond(enum call call, int fd)
{
	static const off_t by[] = { 100000, 10, 0, -10 };

	if (call == CALL_lseek && turns < 4)
		__real_zc_sys_lseek(fd, by[turns++], SEEK_CUR);
}

TEST_IF(HAS(ZC_RANGE), who_is_further_beyond_the_end_gives_back_first)
{
	struct zc_source in = { .fd = new_file(data, 100000) };

	NEED(!zc_identify(&in.end, false));
	ask.after = goes_beyond;
	CHECK_EQ(zc_reserve_source(&in, 65536), 0);
	CHECK(zc_is_left(&in.range));
	naps = 0;
	zc_give_back(&in);
	CHECK_EQ(position(in.fd), 100000);
	CHECK(!zc_is_left(&in.range));
	CHECK(naps > 0);
}

TEST(a_signal_halves_a_nap_and_signals_for_ever_end_it)
{
	naps = 0;
	signals = 1;
	zc_nap(8);
	CHECK_EQ(naps, 2);
	naps = 0;
	signals = 99;
	zc_nap(8);
	CHECK_EQ(naps, 4);
}

/* Pipes: how large they become. */
enum { LARGEST = CONFIG_ZC_PIPE_KB << 10 };
static int asked;

static void count_asked(enum call call, int fd)
{
	asked += call == CALL_fcntl && was.command == F_SETPIPE_SZ;
}

static int grown(const char *name, int size, int never)
{
	struct end in, sink;
	int now;

	checking("%s, a pipe of %d", name, size);
	kernel_new();
	asked = 0;
	ask.before = count_asked;
	ask.never = never;
	use(&z, name);
	open_source(&in, ZC_FILE, SIZE);
	open_sink(&sink, ZC_PIPE, SIZE + 1);
	/* Some may not have so large a one. */
	size = fcntl(sink.sink.fd, F_SETPIPE_SZ, size);
	CHECK_EQ(zc_copy(&z, &in.source, &sink.sink), 0);
	now = fcntl(sink.sink.fd, F_GETPIPE_SZ);
	CHECK(now >= size);
	zc_close(&z);
	close_source(&in);
	check_all(&sink, SIZE);
	return now;
}

TEST_IF(!HAS(SAFE_CALLS), pipes_only_grow_and_are_asked_once)
{
	/* rw fills large pipe buffers, a quarter of which holds as much. */
	static const struct {
		const char *name;
		int most;
	} by[] = { { "splice", LARGEST },
		   { "mmap", LARGEST },
		   { "rw", HAS(ZC_PIPE_BUFFERS) ? LARGEST / 4 : 0 } };

	for (int i = 0; i < 3; i++) {
		if (!method(by[i].name))
			continue;
		CHECK_EQ(grown(by[i].name, 64 << 10, 0),
			 zc_most(by[i].most, 64 << 10));
		CHECK_EQ(grown(by[i].name, LARGEST, 0), LARGEST);
		grown(by[i].name, 4 * LARGEST, 0);
		CHECK_EQ(grown(by[i].name, 64 << 10, F_SETPIPE_SZ), 64 << 10);
		/* The sink, and the relays, once each. */
		CHECK(asked <= 3);
	}
}

/* Copies SIZE bytes to a pipe. Returns how large that is then. */
static int grown_by_buffers(struct end *sink)
{
	struct end in;

	open_source(&in, ZC_FILE, SIZE);
	CHECK_EQ(zc_copy(&z, &in.source, &sink->sink), 0);
	close_source(&in);
	return fcntl(sink->sink.fd, F_GETPIPE_SZ);
}

TEST_IF(HAS(ZC_PIPE_BUFFERS), each_pipe_of_a_context_has_as_many_large_buffers)
{
	struct end sink[2];

	use(&z, "rw");
	for (int i = 0; i < 2; i++) {
		checking("pipe %d", i);
		open_sink(&sink[i], ZC_PIPE, SIZE + 1);
		CHECK_EQ(grown_by_buffers(&sink[i]),
			 zc_most(LARGEST / 4, 64 << 10));
		check_all(&sink[i], SIZE);
	}
}

TEST_IF(HAS(ZC_PIPE_BUFFERS), a_pipe_gets_large_buffers_once_there_is_a_socket)
{
	struct end sink;

	use(&z, "rw");
	open_sink(&sink, ZC_PIPE, 2 * SIZE + 1);
	for (int times = 0; times < 2; times++) {
		kernel_new();
		meddle(CALL_socketpair, times ? -1 : 1, EMFILE);
		grown_by_buffers(&sink);
		CHECK_EQ(was.each[CALL_splice] > 0, times);
	}
	close_sink(&sink);
	CHECK_EQ(sink.len, 2 * SIZE);
}

TEST_IF(!HAS(SAFE_CALLS), a_pipe_whose_size_is_not_told_keeps_it)
{
	CHECK_EQ(grown("rw", 64 << 10, F_GETPIPE_SZ), 64 << 10);
	CHECK_EQ(asked, 0);
	if (HAS(ZC_SPLICE))
		CHECK_EQ(grown("splice", 256 << 10, F_GETPIPE_SZ), 256 << 10);
}

TEST_IF(HAS(ZC_TEE), nor_does_one_grow_that_a_line_fills)
{
	struct end sink;

	kernel_new();
	use(&z, "tee");
	open_sink(&sink, ZC_PIPE, 100000);
	NEED(fcntl(sink.sink.fd, F_SETPIPE_SZ, LARGEST) > 0);
	ask.never = F_GETPIPE_SZ;
	zc_repeat(&z, data, 1000, &sink.sink);
	close_sink(&sink);
	CHECK_EQ(sink.len, 100000);
	free(sink.got);
	zc_close(&z);
}

TEST_IF(HAS(ZC_VMSPLICE), what_was_lent_goes_once_it_was_repeated)
{
	struct end sink;

	use(&z, "vmsplice");
	open_sink(&sink, ZC_PIPE, 100000);
	zc_repeat(&z, data, 1000, &sink.sink);
	CHECK(was.each[CALL_vmsplice]);
	CHECK_EQ(was.maps, 0);
	close_sink(&sink);
}

/* And not the first one, of which a short tee(2) leaves some in a pipe. */
TEST_IF(HAS(ZC_TEE), a_second_line_is_repeated)
{
	enum { LINE = 100, LINES = 1000 };
	struct end sink;

	for (int i = 0; i < 2; i++) {
		kernel_new();
		meddle(CALL_tee, 1, 0);
		ask.from_there_on = true;
		ask.most = LINE;
		open_sink(&sink, ZC_PIPE, LINE * LINES);
		zc_repeat(&z, data + i, LINE, &sink.sink);
		close_sink(&sink);
		for (int j = 0; j < LINES; j++)
			CHECK(!memcmp(sink.got + j * LINE, data + i, LINE));
	}
}

/* The bytes that came through are those of the line, and the sink has failed by
 * its reader or by the call that was refused. */
static void repeat_refused(const char *by, size_t len)
{
	enum { TAKEN = 100000 };
	int before = count_descriptors();
	struct end sink;

	use(&z, by);
	open_sink(&sink, ZC_PIPE, TAKEN);
	zc_repeat(&z, data, len, &sink.sink);
	CHECK(sink.sink.error == EPIPE ||
	      (was.hit && ask.error && sink.sink.error == ask.error));
	close_sink(&sink);
	CHECK(sink.len == TAKEN || sink.sink.error == ask.error);
	for (size_t i = 0; i < sink.len; i += len)
		CHECK(!memcmp(sink.got + i, data, zc_least(len, sink.len - i)));
	free(sink.got);
	zc_close(&z);
	CHECK_EQ(count_descriptors(), before);
	CHECK_EQ(was.maps, 0);
}

/* Each call in turn is refused, or moves a byte. */
TEST_ROWS(6, a_line_is_repeated_whichever_call_is_refused)
{
	static const size_t lens[] = { 1000, 30000, 70000 };
	size_t len = lens[row / 2];
	int at;

	for (int i = 0; zc_methods[i]; i++) {
		if (!(zc_methods[i]->from & ZC_REPEAT))
			continue;
		for (at = 1; at == 1 || was.hit; at++) {
			checking("%zu bytes by %s, call %d", len,
				 zc_methods[i]->name, at);
			kernel_new();
			ask.at = at;
			ask.error = row & 1 ? ENOMEM : 0;
			ask.most = 1;
			repeat_refused(zc_methods[i]->name, len);
		}
		CHECK(at > 3);
	}
}

/* The buffer is written to again: it is not to be lent. */
TEST_IF(HAS(ZC_VMSPLICE), where_there_is_no_memory_nothing_is_lent)
{
	struct end sink;

	meddle(CALL_mmap, 1, ENOMEM);
	use(&z, "vmsplice");
	open_sink(&sink, ZC_PIPE, 100000);
	zc_repeat(&z, data, 1000, &sink.sink);
	CHECK_EQ(sink.sink.error, EPIPE);
	CHECK(was.hit && !was.each[CALL_vmsplice]);
	close_sink(&sink);
	CHECK(!memcmp(sink.got, data, 1000));
}

TEST_ROWS(9, what_a_context_has_mapped_goes_with_it)
{
	/* The number of the map for bytes. */
	static const struct {
		const char *by;
		int map;
	} rows[] = { { "mmap", 1 }, { "io_uring", 3 }, { "dontcache", 1 } };
	static const struct {
		enum call call;
		bool fails;
	} how[] = { { CALL_mmap, false },
		    { CALL_mmap, true },
		    { CALL_io_uring_register, true } };

	if (!method(rows[row / 3].by))
		return;
	meddle(how[row % 3].call, -1, ENOMEM);
	if (how[row % 3].fails)
		ask.at = ask.only == CALL_mmap + 1 ? rows[row / 3].map : 1;
	use(&z, rows[row / 3].by);
	copy_all(&z, ZC_FILE, ZC_PIPE, 1, SIZE);
	zc_close(&z);
	CHECK_EQ(was.maps, 0);
}

/* Not even where another call has failed on the way: a relay that may not grow.
 */
TEST_IF(HAS(ZC_TEE), a_short_tee_does_not_end_queues)
{
	ask.never = F_SETPIPE_SZ;
	meddle(CALL_tee, 1, 0);
	ask.most = 100;
	use(&z, "tee");
	copy_all(&z, ZC_FILE, ZC_PIPE, 2, SIZE);
	CHECK(was.hit);
	CHECK(!z.job.no_queue);
}

/* A message is received, or read where that is refused. */
TEST_ROWS(2, what_follows_a_message_is_none)
{
	struct zc_source in = { 0 };
	struct end sink;
	int pair[2];

	meddle(CALL_recvfrom, row ? 1 : -1, EPERM);
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
	NEED(write(pair[1], data, 1000) == 1000);
	close(pair[1]);
	in.fd = pair[0];
	use(&z, "rw");
	open_sink(&sink, ZC_PIPE, SIZE);
	CHECK_EQ(zc_copy(&z, &in, &sink.sink), 0);
	CHECK(!z.job.message);
	check_all(&sink, 1000);
}

TEST_IF(HAS(ZC_TEE), a_send_that_is_refused_is_a_write)
{
	meddle(CALL_sendto, 1, EPERM);
	use(&z, "rw");
	copy_all(&z, ZC_FILE, ZC_SOCKET, 2, SIZE);
	CHECK(was.hit);
}

/* It would be descriptor 0. */
TEST_IF(HAS(ZC_RANGE), a_relay_that_may_have_no_other_number_is_none)
{
	struct zc_relay relay = { .fd = 0 };

	ask.never = F_DUPFD_CLOEXEC;
	close(0);
	CHECK_EQ(zc_relay_open(&relay, 0), -EMFILE);
	CHECK_EQ(open("/dev/null", O_RDONLY), 0);
}

static void relents(enum call call, int fd)
{
	ask.from_there_on = was.each[CALL_read] < CONFIG_ZC_YIELDS + 30;
}

/* For ever, as if it were O_NONBLOCK. */
TEST_IF(!HAS(SAFE_CALLS), a_pipe_whose_flags_are_not_told_is_waited_for)
{
	struct end in, sink;

	meddle(CALL_read, 1, EAGAIN);
	ask.from_there_on = true;
	ask.never = F_GETFL;
	ask.before = relents;
	signals = 1000;
	use(&z, "rw");
	open_source(&in, ZC_PIPE, SIZE);
	open_sink(&sink, ZC_PIPE, SIZE + 1);
	CHECK_EQ(zc_copy(&z, &in.source, &sink.sink), 0);
	close_source(&in);
	check_all(&sink, SIZE);
}

TEST_IF(HAS(ZC_SENDFILE), an_error_of_the_source_is_told_by_sendfile)
{
	struct end in, sink;

	meddle(CALL_sendfile, 2, EIO);
	use(&z, "sendfile");
	open_source(&in, ZC_FILE, SIZE);
	open_sink(&sink, ZC_SOCKET, SIZE + 1);
	CHECK_EQ(zc_copy(&z, &in.source, &sink.sink), -1);
	CHECK_EQ(in.source.error, EIO);
	CHECK_EQ(sink.sink.error, 0);
	close_source(&in);
	close_sink(&sink);
	CHECK_EQ(sink.len, sink.sink.bytes);
	CHECK(is_prefix(&sink));
}

TEST_IF(HAS(ZC_PIPE_BUFFERS), a_socket_for_large_pipe_buffers_is_kept)
{
	struct end sink;

	open_sink(&sink, ZC_PIPE, SIZE);
	NEED(!zc_identify(&sink.sink.end, false));
	for (int at = 0; at < 10 * ZC_BUFFER; at += ZC_BUFFER)
		CHECK_EQ(zc_write(&z, &sink.sink, data + at, ZC_BUFFER), 0);
	CHECK_EQ(was.each[CALL_socketpair], 1);
	zc_close(&z);
	check_all(&sink, 10 * ZC_BUFFER);
}

/* Copies to n pipes by the method, where the call is refused from its first one
 * on, and then where it is not. Returns how many calls of this kind the second
 * copy made. */
static int calls_after_refusal(const char *name, int n, enum call refused,
			       enum call counted)
{
	use(&z, name);
	for (int times = 0; times < 2; times++) {
		checking("%s, %s is refused", name, call_facts[refused].name);
		kernel_new();
		if (!times) {
			meddle(refused, 1, EMFILE);
			ask.from_there_on = true;
		}
		copy_all(&z, ZC_FILE, ZC_PIPE, n, SIZE);
		CHECK_EQ(was.hit, !times);
	}
	zc_close(&z);
	return was.each[counted];
}

TEST_IF(HAS(ZC_TEE), what_one_call_is_refused_the_next_one_gets)
{
	CHECK(calls_after_refusal("tee", 2, CALL_tee, CALL_tee) > 1);
	CHECK(calls_after_refusal("tee", 2, CALL_pipe2, CALL_tee) > 1);
	CHECK(calls_after_refusal("rw", 2, CALL_pipe2, CALL_pipe2) > 0);
	if (HAS(ZC_PIPE_BUFFERS))
		CHECK(calls_after_refusal("rw", 1, CALL_socketpair,
					  CALL_splice) > 1);
	if (HAS(ZC_IO_URING) && rings_are_allowed())
		CHECK(calls_after_refusal("io_uring", 1, CALL_io_uring_setup,
					  CALL_io_uring_enter) > 1);
}

TEST_IF(HAS(ZC_SPLICE), a_relay_that_could_not_grow_grows_in_the_next_call)
{
	use(&z, "splice");
	for (int times = 0; times < 2; times++) {
		kernel_new();
		ask.never = times ? 0 : F_SETPIPE_SZ;
		copy_all(&z, ZC_FILE, ZC_PIPE, 1, SIZE);
		CHECK_EQ(fcntl(z.relay.fd, F_GETPIPE_SZ),
			 times ? LARGEST : 64 << 10);
	}
}

TEST_ROWS_IF(HAS(ZC_RANGE) && !HAS(SAFE_CALLS), 2,
	     a_pipe_that_no_run_has_filled_does_not_grow)
{
	struct zc_sink pipe_end = { .kind = ZC_PIPE };
	int fd[2];

	pipe_end.size_of_pipe.most = LARGEST;
	NEED(!pipe(fd) && fcntl(fd[1], F_SETPIPE_SZ, 256 << 10) == 256 << 10);
	pipe_end.fd = fd[1];
	zc_grow(&pipe_end.end, 64 << 10);
	CHECK_EQ(fcntl(fd[1], F_GETPIPE_SZ), 256 << 10);
	/* Nor does one become smaller, which another process may enlarge. */
	if (row)
		NEED(fcntl(fd[1], F_SETPIPE_SZ, zc_most(LARGEST, 256 << 10)) >
		     0);
	zc_grow(&pipe_end.end, 256 << 10);
	CHECK_EQ(fcntl(fd[1], F_GETPIPE_SZ), zc_most(LARGEST, 256 << 10));
}

/* So that its writer fills more at a time; a sink that it has filled, too. */
TEST_ROWS_IF(HAS(ZC_SPLICE), 3, a_source_that_a_run_has_emptied_grows)
{
	static const unsigned sinks[] = { ZC_NULL, ZC_PIPE, ZC_FILE };
	static const char *const by[] = { "splice", "splice", "rw" };
	struct zc_source in = { 0 };
	struct end sink;
	int fd[2];

	NEED(!pipe(fd) && write(fd[1], data, 64 << 10) == 64 << 10);
	close(fd[1]);
	in.fd = fd[0];
	open_sink(&sink, sinks[row], 64 << 10);
	NEED(!zc_identify(&in.end, false) &&
	     !zc_identify(&sink.sink.end, false));
	in.size_of_pipe.most = sink.sink.size_of_pipe.most = LARGEST;
	CHECK_EQ(method(by[row])->run(&z, &in, &sink.sink), 64 << 10);
	CHECK_EQ(fcntl(fd[0], F_GETPIPE_SZ), LARGEST);
	if (sinks[row] == ZC_PIPE)
		CHECK_EQ(fcntl(sink.sink.fd, F_GETPIPE_SZ), LARGEST);
}

/* And one of which several sinks get all. */
TEST_IF(HAS(ZC_TEE), a_source_that_several_sinks_get_grows)
{
	struct zc_sink out[2];
	struct end source, sink[2];

	use(&z, "tee");
	open_source(&source, ZC_PIPE, SIZE);
	open_row(sink, out, 2, ZC_PIPE, SIZE + 1);
	CHECK_EQ(fan(&z, &source.source, out, 2), ZC_ENDED);
	/* Beside others a pipe has half of the budget. */
	CHECK_EQ(fcntl(source.source.fd, F_GETPIPE_SZ),
		 zc_most(LARGEST / 2, 64 << 10));
	zc_close(&z);
	close_source(&source);
	for (int i = 0; i < 2; i++)
		check_all(&sink[i], SIZE);
}

/* What a short tee(2) leaves in the relay is read, and that read fails once:
 * the simulator's pipes always work. */
static int read_error;

static void then_read_fails(enum call call, int fd)
{
	if (call != CALL_tee || ask.error)
		return;
	was.hit = false;
	was.calls = 0;
	meddle(CALL_read, 1, read_error);
}

static void is_open(enum call call, int fd)
{
	CHECK(call != CALL_read || fd > STDERR_FILENO);
}

/* Each sink has this error then, if any, and else all. */
static void read_from_relay_fails(int error, int error_of_sinks)
{
	enum { LEN = 100001, SINKS = 3 };
	struct zc_sink row[SINKS];
	struct end source, sink[SINKS];

	read_error = error;
	meddle(CALL_tee, 1, 0);
	ask.most = 4097;
	ask.before = is_open;
	ask.after = then_read_fails;
	open_source(&source, ZC_PIPE, LEN);
	open_row(sink, row, SINKS, ZC_PIPE, LEN + 1);
	while (fan(&z, &source.source, row, SINKS) &&
	       !(row[0].error && row[1].error && row[2].error))
		;
	zc_close(&z);
	CHECK(was.hit);
	CHECK_EQ(source.source.error, 0);
	close_source(&source);
	for (int i = 0; i < SINKS; i++) {
		CHECK_EQ(row[i].error, error_of_sinks);
		close_sink(&sink[i]);
		CHECK(is_prefix(&sink[i]));
		CHECK(error_of_sinks || sink[i].len == LEN);
		free(sink[i].got);
	}
}

TEST_IF(HAS(ZC_TEE), behind_what_is_stuck_in_a_relay_nothing_follows)
{
	read_from_relay_fails(EIO, EIO);
}

TEST_IF(HAS(ZC_TEE), a_relay_that_is_not_ready_is_asked_again)
{
	read_from_relay_fails(EAGAIN, 0);
}

/* Made again, as EINTR is, or a refusal. */
TEST_IF(HAS(ZC_IO_URING),
	a_request_that_a_stop_or_a_cancel_has_ended_is_not_done)
{
	enum { ERESTARTSYS = 512, ERESTART_RESTARTBLOCK = 516 };

	CHECK_EQ(zc_ring_value(-ERESTARTSYS), -EINTR);
	CHECK_EQ(zc_ring_value(-ERESTART_RESTARTBLOCK), -EINTR);
	CHECK(zc_ring_value(-ECANCELED) < 0);
	CHECK(!zc_is_final(zc_ring_value(-ECANCELED)));
}

TEST_ROWS_IF(HAS(ZC_IO_URING), 2, a_ring_that_cannot_be_mapped_is_closed)
{
	struct zc_ring ring = { .fd = 0 };
	int before = count_descriptors();
	bool refused = row;

	meddle(CALL_mmap, refused ? 1 : -1, ENOMEM);
	CHECK_EQ(zc_ring_open(&ring), refused ? -ENOSYS : 0);
	CHECK_EQ(!ring.fd, refused);
	zc_ring_close(&ring);
	CHECK_EQ(count_descriptors(), before);
}

/* A ring that is interrupted while it waits, and may wait no more. */
static pthread_t waiter;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
	interrupted = true;
}

static void refuse_then(enum call call, int fd)
{
	if (call == CALL_io_uring_enter && interrupted && ask.at < 0)
		ask.at = was.calls;
}

static void *interrupt(void *arg)
{
	int *to = arg;

	usleep(50000);
	pthread_kill(waiter, SIGUSR1);
	usleep(100000);
	NEED(write(*to, "abc", 3) == 3);
	close(*to);
	return NULL;
}

TEST_IF(HAS(ZC_IO_URING),
	what_a_ring_has_begun_ends_though_it_may_not_be_waited_for)
{
	struct sigaction wake = { .sa_handler = on_interrupt };
	/* From a pipe to another rw would begin. */
	struct zc_source from = { .kind = ZC_DEVICE };
	struct end sink;
	pthread_t other;
	int source[2];

	ask.before = refuse_then;
	meddle(CALL_io_uring_enter, -1, EBADF);
	ask.from_there_on = true;
	waiter = pthread_self();
	NEED(!sigaction(SIGUSR1, &wake, NULL) && !pipe(source));
	from.fd = source[0];
	use(&z, "io_uring");
	open_sink(&sink, ZC_PIPE, 100);
	NEED(!pthread_create(&other, NULL, interrupt, &source[1]));
	CHECK_EQ(zc_copy(&z, &from, &sink.sink), 0);
	CHECK(was.hit);
	NEED(!pthread_join(other, NULL));
	zc_close(&z);
	close_sink(&sink);
	CHECK_EQ(sink.len, 3);
	CHECK(!memcmp(sink.got, "abc", 3));
}
