/* SPDX-License-Identifier: 0BSD */
/* How far a sink may be behind, and what is left out: engine/lag.c, without a
 * reader. */
#define _GNU_SOURCE
#include <limits.h>
#include <sys/resource.h>

#include "engine/engine.h"
#include "kernel.h"

enum { FREE = 3 * PIPE_BUF };

static struct zc_lag lag;
static struct zc_sink out;
static int far; /* the end that nobody reads */

/* What it lacks is left out, because the reader of another end is ahead. */
static void check_beside_another(void)
{
	static struct zc z;
	struct zc_sink sinks[2] = { out, { .kind = ZC_NULL } };

	sinks[0].peer = &sinks[1];
	zc_lag_enforce(&out,
		       &(struct zc_job){ .z = &z, .out = sinks, .nout = 2 });
}

static void late_pipe(size_t max, enum zc_late late)
{
	int fd[2];

	NEED(!pipe2(fd, O_NONBLOCK));
	far = fd[0];
	lag = (struct zc_lag){ .max = max, .late = late };
	out = (struct zc_sink){ .fd = fd[1],
				.kind = ZC_PIPE,
				.lag = &lag,
				.limited = true,
				.queue_max = max };
}

static void late_queue(size_t max, enum zc_late late)
{
	late_pipe(max, late);
	NEED(!zc_queue_open(&out));
}

/* Takes out of the queue what a pipe of one page takes at once. */
static ssize_t take_page(int one[2])
{
	char taken[PIPE_BUF];
	ssize_t n = splice(out.queue.fd, NULL, one[1], NULL, PIPE_BUF, 0);

	NEED(read(one[0], taken, sizeof(taken)) == n);
	out.queue.held -= n;
	return n;
}

/* What is read at once and fits PIPE_BUF reaches a pipe as one piece, which no
 * other writer's comes between: write(2), pipe(7). Out of the queue whole pages
 * are spliced. */
TEST_ROWS(6, a_small_piece_does_not_cross_a_page_of_the_queue)
{
	static const size_t pieces[] = { 100, 2047, 2049, 3000, 4095, 4096 };
	struct zc_sink sinks[2];
	int one[2];

	late_pipe(100 * pieces[row], ZC_WAIT);
	NEED(!pipe(one));
	NEED(fcntl(one[1], F_SETPIPE_SZ, PIPE_BUF) == PIPE_BUF);
	NEED(!zc_queue_open(&out));
	for (int times = 0; times < 2; times++) {
		size_t room;

		while ((room = zc_queue_room(&out))) {
			size_t n = zc_least(pieces[row], room);

			NEED(zc_queue_write(&out, data, n) == n);
		}
		CHECK_EQ(out.queue.held, 100 * pieces[row]);
		while (out.queue.held > 10 * pieces[row])
			CHECK_EQ(take_page(one) % pieces[row], 0);
	}
	/* Runs are spliced all the same. */
	sinks[0] = sinks[1] = out;
	sinks[0].peer = &sinks[1];
	CHECK_EQ(!zc_lag_run(&(struct zc_job){ .out = sinks, .nout = 2 }),
		 pieces[row] == 100);
}

/* Pipes may not grow, or not so far, or there is none. */
TEST_ROWS(3, what_a_queue_lacks_of_its_limit_is_told)
{
	static const struct {
		size_t max, room;
		int never, error; /* of fcntl(2), and of the first call */
		enum call call;
	} rows[] = {
		{ 1 << 20, (32 << 10) - FREE, F_SETPIPE_SZ, 0, CALL_fcntl },
		{ 100000, (64 << 10) - FREE, 0, EPERM, CALL_fcntl },
		{ 1 << 20, 0, 0, EMFILE, CALL_pipe2 },
	};

	late_pipe(rows[row].max, ZC_SKIP);
	ask.never = rows[row].never;
	meddle(rows[row].call, rows[row].error ? 1 : -1, rows[row].error);
	CHECK_EQ(zc_queue_open(&out), rows[row].room ? 0 : -EMFILE);
	CHECK_EQ(lag.lacks, rows[row].max - rows[row].room);
	/* It may be had later. */
	NEED(!zc_queue_open(&out));
	CHECK_EQ(lag.lacks + zc_queue_room(&out), rows[row].max);
}

/* Of 32 bits a size_t does not hold the double of that. */
TEST(the_largest_limit_gets_as_large_a_queue_as_there_is)
{
	late_queue(zc_lag_max(), ZC_SKIP);
	CHECK_EQ(zc_lag_max(), 1 << 30);
	CHECK(zc_queue_room(&out) >= (1 << 19) - FREE);
	CHECK_EQ(zc_queue_room(&out) + lag.lacks, 1 << 30);
}

TEST(what_goes_to_a_terminal_of_its_own_is_counted)
{
	struct zc_source in = { 0 };
	struct zc_sink both[2];
	static struct zc z;

	late_pipe(100000, ZC_WAIT);
	out.kind = ZC_TTY;
	lag.nonblock = true;
	in.fd = new_file("a line\n", 7);
	both[0] = out;
	both[1] = (struct zc_sink){ .fd = new_file("", 0) };
	use(&z, "rw");
	CHECK_EQ(fan(&z, &in, both, 2), 0);
	/* Two reads, and a write to each. */
	CHECK_EQ(z.calls, 4);
}

/* A line that has begun is ended, though its end is to come. One that is longer
 * than PIPE_BUF is cut. */
TEST_ROWS(5, a_gap_begins_behind_a_line)
{
	static char line[PIPE_BUF + 3];
	static const struct {
		const char *run;
		size_t held, left;
	} rows[] = {
		{ "abc\n", 4, 0 }, { "abc\ndef\n", 4, 4 },    { "\nabc", 1, 3 },
		{ "abc", 3, 0 },   { line, 0, PIPE_BUF + 2 },
	};

	memset(line, 'x', PIPE_BUF + 2);
	late_queue(1, ZC_SKIP);
	out.lack = strlen(rows[row].run);
	out.next = rows[row].run;
	check_beside_another();
	CHECK_EQ(out.lack, 0);
	CHECK_EQ(out.queue.held, rows[row].held);
	CHECK_EQ(lag.left_out, rows[row].left);
	CHECK_EQ(lag.gap, rows[row].left);
	CHECK_EQ(lag.cut, row > 2);
}

/* One that has begun ends in what is kept free, and no other begins there. */
TEST(a_gap_lasts_for_lines_until_half_of_the_queue_is_free)
{
	static const struct {
		size_t held;
		const char *text;
		size_t skipped, gap, left_out;
	} rows[] = {
		{ 5001, "abc\n", 0, 0, 0 },
		{ 5001, "de", 2, 2, 2 },
		{ 5001, "f\ng\n", 4, 6, 6 },
		{ 2500, "hi\n", 0, 0, 6 },
		/* It was full, and nothing was left out: no gap. */
		{ 5000, "jk\n", 0, 0, 6 },
		{ 5001, "a\nbc\n", 5, 5, 11 },
		{ 2501, "a\nbc", 4, 9, 15 },
		{ 2500, "abc", 3, 12, 18 },
		{ 2500, "d\n", 2, 14, 20 },
		{ 2500, "abc", 0, 0, 20 },
		{ 2500, "\n", 0, 0, 20 },
		{ 5001, "x", 1, 1, 21 },
		{ 2500, "abc\ndef", 4, 0, 25 },
	};

	late_queue(5000, ZC_SKIP);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *text = rows[i].text;

		checking("%zu", i);
		out.queue.held = rows[i].held;
		CHECK_EQ(zc_lag_admit(&out, text, strlen(text)),
			 rows[i].skipped);
		CHECK_EQ(lag.gap, rows[i].gap);
		CHECK_EQ(lag.left_out, rows[i].left_out);
		CHECK(!lag.cut);
	}
}

TEST(what_is_queued_does_not_come_in_ever_smaller_pieces)
{
	static struct zc z;

	late_queue(5000, ZC_SKIP);
	CHECK_EQ(zc_queue_write(&out, data, 4999), 4999);
	out.lack = 10;
	out.next = (char *)data;
	zc_queue_lack(&z, &out);
	CHECK_EQ(out.lack, 10);
	/* What fits is put there. */
	out.lack = 1;
	out.next = (char *)data;
	zc_queue_lack(&z, &out);
	CHECK_EQ(out.lack, 0);
	CHECK_EQ(out.queue.held, 5000);
	CHECK(!z.job.no_queue);
	/* A queue that can take nothing is none: all that an ordinary user may
	 * get is pipe-user-pages-soft (pipe(7)). */
	late_queue(5000, ZC_SKIP);
	out.queue_max = 0;
	out.lack = 10;
	out.next = (char *)data;
	zc_queue_lack(&z, &out);
	CHECK_EQ(out.lack, 10);
	CHECK(z.job.no_queue);
}

/* Puts pieces of 1,000 bytes into the queue, each in its own pipe buffer, until
 * it takes none. Returns the number of bytes. */
static size_t fill_buffers(void)
{
	static char zeros[1000];
	int one[2];

	late_queue(400000, ZC_SKIP);
	NEED(!pipe(one));
	do
		NEED(write(one[1], zeros, sizeof(zeros)) == sizeof(zeros));
	while (zc_sys_splice(one[0], NULL, out.queue.to, sizeof(zeros), false) >
		       0 &&
	       (out.queue.held += sizeof(zeros)));
	close(one[0]);
	close(one[1]);
	return out.queue.held;
}

/* Whether the queue holds so many zeros, and then n bytes of the data. */
static void holds(size_t zeros, size_t n)
{
	static unsigned char got[1 << 20];

	CHECK_EQ(out.queue.held, zeros + n);
	CHECK_EQ(read(out.queue.fd, got, sizeof(got)), zeros + n);
	for (size_t i = 0; i < zeros; i++)
		CHECK(!got[i]);
	CHECK(!memcmp(got + zeros, data, n));
}

TEST_ROWS(2, spliced_small_pieces_leave_room_for_the_limit)
{
	size_t n = fill_buffers();

	CHECK(n < 400000);
	if (row) {
		meddle(CALL_read, was.calls + 1, EINTR);
	}
	CHECK_EQ(zc_queue_write(&out, data, 400000 - n), 400000 - n);
	CHECK_EQ(was.hit, row);
	CHECK_EQ(out.error, 0);
	CHECK(!out.queue.size.most);
	holds(n, 400000 - n);
}

TEST_ROWS(2, where_no_other_pipe_is_to_be_had_the_queue_stays)
{
	size_t n = fill_buffers();
	int fd = out.queue.fd;

	meddle(CALL_pipe2, 1, row ? 0 : EMFILE);
	ask.never = row ? F_SETPIPE_SZ : 0;
	was.calls = 0;
	CHECK_EQ(zc_queue_write(&out, data, PIPE_BUF), 0);
	CHECK(was.hit);
	CHECK_EQ(out.queue.fd, fd);
	CHECK_EQ(out.error, 0);
	CHECK_EQ(lag.lacks, 0);
	holds(n, 0);
}

TEST(a_queue_that_cannot_be_read_is_an_error)
{
	static struct zc z;

	fill_buffers();
	meddle(CALL_read, was.calls + 3, EIO);
	zc_queue_write(&out, data, PIPE_BUF);
	CHECK(was.hit);
	CHECK_EQ(out.error, EIO);
	/* Nor are its bytes for the sink, where that is written to. */
	out.error = 0;
	out.no_splice = true;
	was.hit = false;
	ask.at = was.calls + 1;
	zc_queue_drain(&z, &out);
	CHECK(was.hit);
	CHECK_EQ(out.error, EIO);
}

/* It was ready and took nothing: write(2) decides after poll(2), and sleeps. */
TEST(a_queue_is_not_passed_on_by_a_call_that_sleeps)
{
	static struct zc z;

	late_queue(1000, ZC_WAIT);
	CHECK_EQ(zc_queue_write(&out, "abc", 3), 3);
	out.limited = false;
	out.rest = 127;
	was.each[CALL_write] = 0;
	zc_queue_pass_on(&z, &out);
	CHECK_EQ(was.each[CALL_write], 0);
	CHECK_EQ(out.queue.held, 3);
	out.rest = 0;
	zc_queue_pass_on(&z, &out);
	CHECK_EQ(out.queue.held, 0);
}

TEST(who_is_dropped_has_failed)
{
	late_queue(1000, ZC_DROP);
	lag.bytes = 15;
	CHECK_EQ(zc_queue_write(&out, "abc", 3), 3);
	out.lack = 1;
	out.next = "d";
	check_beside_another();
	CHECK_EQ(out.error, ETIME);
	CHECK_EQ(lag.bytes, 11);
}

TEST(who_is_waited_for_bounds_what_is_read)
{
	struct zc_source in = { .kind = ZC_PIPE };
	struct zc_sink sinks[2];
	struct zc_job j = { .in = &in, .out = sinks, .nout = 2 };

	late_pipe(10000, ZC_WAIT);
	sinks[0] = sinks[1] = out;
	sinks[0].peer = &sinks[1];
	CHECK_EQ(zc_lag_read(&j), 8192);
	sinks[1].queue.held = 9000;
	CHECK_EQ(zc_lag_read(&j), PIPE_BUF);
	in.kind = ZC_UNKNOWN;
	CHECK_EQ(zc_lag_read(&j), ZC_BUFFER);
	in.kind = ZC_FILE;
	lag.late = ZC_SKIP;
	CHECK_EQ(zc_lag_read(&j), ZC_BUFFER);
}

TEST_ROWS(20, who_skips_misses_all_of_a_run_that_another_gets_in_two)
{
	static struct zc z;
	struct zc_lag skips = { .max = 1000, .late = ZC_SKIP };
	struct zc_source in = { .kind = ZC_PIPE };
	struct zc_sink sinks[2];
	int source[2], other[2];
	ssize_t n;

	late_pipe(20000, ZC_WAIT);
	NEED(!pipe(source) && !pipe2(other, O_NONBLOCK));
	NEED(write(source[1], data, 1000) == 1000);
	in.fd = source[0];
	sinks[0] = sinks[1] = out;
	sinks[0].peer = &sinks[1];
	sinks[1].fd = other[1];
	sinks[1].lag = &skips;
	NEED(!zc_queue_open(&sinks[1]));
	CHECK_EQ(zc_queue_write(&sinks[1], data, 600), 600);
	skips.gap = skips.left_out = 1;
	meddle(CALL_splice, row + 1, 0);
	ask.most = 100;
	n = zc_method_tee.fan(&(struct zc_job){
		.z = &z,
		.in = &in,
		.out = sinks,
		.nout = 2,
		.kinds = ZC_PIPE });
	CHECK(n == 1000 || n == 100);
	CHECK_EQ(skips.left_out, 1 + (uint64_t)n);
	/* The rest of the run goes with the job. */
	zc_end(&z);
	CHECK(!HAS(ZC_LIBRARY) || !z.relay.held);
}

/* Time passes only here: where libcore sleeps. */
static uint64_t now;
static int sent_each_nap = -1; /* bytes, by the terminal, if there is one */
static size_t in_terminal;
static bool asleep;

uint64_t __wrap_zc_clock(void)
{
	return now + 1;
}

size_t __real_zc_unread(int fd);

size_t __wrap_zc_unread(int fd)
{
	return sent_each_nap >= 0 ? in_terminal : __real_zc_unread(fd);
}

int __real_zc_sys_poll(struct pollfd *p, int n, int ms);

int __wrap_zc_sys_poll(struct pollfd *p, int n, int ms)
{
	int ready = __real_zc_sys_poll(p, n, asleep ? 0 : ms);

	if (ready || !ms || !asleep)
		return ready;
	now += ms > 0 ? ms : 1000000;
	if (in_terminal)
		in_terminal -= sent_each_nap;
	return __real_zc_sys_poll(p, n, 0);
}

/* Copies so many bytes to the pipe and to a file. Returns what zc_run() does.
 */
static int copy_late(size_t len)
{
	static struct zc z;
	struct zc_source in = { 0 };
	struct zc_sink both[2];
	int status;

	in.fd = new_file(data, len);
	NEED(fcntl(out.fd, F_SETPIPE_SZ, PIPE_BUF) > 0);
	both[0] = out;
	both[1] = (struct zc_sink){ .fd = new_file("", 0) };
	now = 100;
	asleep = true;
	status = fan(&z, &in, both, 2);
	asleep = false;
	CHECK_EQ(lseek(both[1].fd, 0, SEEK_END), len);
	CHECK_EQ(in.error, 0);
	out = both[0];
	close(in.fd);
	close(both[1].fd);
	zc_close(&z);
	return status;
}

static struct end from, sole;
static struct zc_sink both[2]; /* `sole', and another */
static int runs;

static void check_no_queue(enum call call, int fd)
{
	if (fd != from.source.fd)
		return;
	runs++;
	CHECK_EQ(both[0].queue.held, 0);
}

/* Its queue is not as large as a limit asks for. */
TEST_IF(HAS(ZC_TEE), a_sole_file_that_refuses_splice_keeps_nothing_queued)
{
	enum { LEN = 300000 };
	struct end other;
	static struct zc z;

	open_source(&from, ZC_PIPE, LEN);
	open_sink(&sole, ZC_SOLE, LEN + 1);
	open_sink(&other, ZC_PIPE, LEN + 1);
	NEED(!fcntl(sole.sink.fd, F_SETFL, O_APPEND));
	lag = (struct zc_lag){ .max = 20000, .late = ZC_SKIP };
	sole.sink.lag = &lag;
	both[0] = sole.sink;
	both[1] = other.sink;
	ask.before = check_no_queue;
	CHECK_EQ(fan(&z, &from.source, both, 2), 0);
	CHECK(runs > 2);
	zc_close(&z);
	close_source(&from);
	close_sink(&sole);
	close_sink(&other);
	CHECK(is_all(&sole, LEN));
	CHECK(is_all(&other, LEN));
}

TEST_ROWS(5, what_a_terminal_has_to_send_is_waited_for)
{
	static const struct {
		enum zc_late late;
		int sent, status;
	} runs[] = { { ZC_SKIP, 1, 0 },
		     { ZC_DROP, 1, 0 },
		     { ZC_SKIP, 0, -1 },
		     { ZC_DROP, 0, -1 },
		     { ZC_WAIT, 0, 0 } };
	bool given_up = runs[row].status;

	late_pipe(64 << 10, runs[row].late);
	out.kind = ZC_TTY;
	lag.nonblock = true;
	in_terminal = 600;
	sent_each_nap = runs[row].sent;
	CHECK_EQ(copy_late(1000), runs[row].status);
	CHECK_EQ(out.error, given_up ? ETIME : 0);
	/* A byte each nap, and for longer than it may take none. */
	CHECK_EQ(in_terminal, runs[row].sent ? 0 : 600);
	CHECK(runs[row].late == ZC_WAIT || now > 5000);
	CHECK(!given_up || now < 6000);
	/* What it holds it has had. */
	CHECK_EQ(lag.left_out, 0);
	CHECK_EQ(lag.bytes, 1000);
}

static size_t tell(char *text, uint64_t missing)
{
	return sprintf(text, "%d bytes missing\n", (int)missing);
}

TEST(what_a_terminal_is_told_is_none_of_the_bytes_that_it_misses)
{
	late_pipe(64 << 10, ZC_SKIP);
	out.kind = ZC_TTY;
	lag.nonblock = lag.line_start = true;
	lag.tell = tell;
	lag.gap = lag.left_out = lag.bytes = 5;
	NEED(fcntl(out.fd, F_SETPIPE_SZ, PIPE_BUF) > 0);
	NEED(write(out.fd, data, PIPE_BUF) == PIPE_BUF);
	CHECK_EQ(copy_late(1000), -1);
	CHECK_EQ(out.error, ETIME);
	CHECK_EQ(lag.bytes, 1005);
	CHECK_EQ(lag.left_out, 1005);
}

/* Behind a line that was cut it begins one. */
TEST_ROWS(2, what_a_terminal_is_told_is_a_line_of_its_own)
{
	const char *want = "\n7 bytes missing\na\n";
	char got[100] = "";
	bool cut = row;

	late_queue(1000, ZC_SKIP);
	out.kind = ZC_TTY;
	lag.tell = tell;
	lag.gap = lag.left_out = 7;
	lag.cut = cut;
	lag.line_start = true;
	CHECK_EQ(zc_lag_admit(&out, "a\n", 2), 0);
	CHECK_EQ(zc_queue_write(&out, "a\n", 2), 2);
	CHECK(read(out.queue.fd, got, sizeof(got)) > 0);
	CHECK(!strcmp(got, want + !cut));
}

/* Else what its queue holds would be taken for the source's bytes. */
TEST(no_gap_ends_while_a_line_about_another_is_queued)
{
	struct zc_job j = { .out = &out, .nout = 1 };

	late_queue(5000, ZC_SKIP);
	out.kind = ZC_TTY;
	lag.tell = tell;
	lag.line_start = true;
	lag.gap = lag.left_out = 7;
	CHECK_EQ(zc_lag_admit(&out, "a\n", 2), 0);
	CHECK_EQ(lag.told, strlen("7 bytes missing\n"));
	lag.gap = lag.left_out = 8;
	CHECK_EQ(zc_lag_admit(&out, "b\n", 2), 2);
	zc_lag_finish(&j);
	CHECK_EQ(lag.gap, 10);
	/* Once it has left, this one is told. */
	out.bytes += out.queue.held;
	out.queue.held = 0;
	zc_lag_finish(&j);
	CHECK_EQ(lag.gap, 0);
	CHECK_EQ(out.queue.held, strlen("10 bytes missing\n"));
	CHECK_EQ(lag.left_out, 10);
}

/* Of a caller of libzc, from here on. */

/* The job of a sink, its limit, and a file of len bytes; beside /dev/null. */
static struct zc z;
static struct zc_source from_file;
static struct zc_sink null;

static void begin_late(size_t len)
{
	from_file = (struct zc_source){ .fd = new_file(data, len) };
	null = (struct zc_sink){ .fd = open("/dev/null", O_WRONLY) };
	NEED(fcntl(out.fd, F_SETPIPE_SZ, PIPE_BUF) > 0);
	zc_begin(&z, &from_file);
	zc_add(&z, &out);
	zc_add(&z, &null);
	asleep = true;
}

/* What the pipe has, and the file behind it, are the first bytes of data[]. */
static void check_both(int file, size_t len)
{
	char *got = calloc(1, len);
	ssize_t n = read(far, got, len);

	NEED(n > 0);
	CHECK_EQ(pread(file, got + n, len, 0), len - n);
	CHECK(!memcmp(got, data, len));
	CHECK_EQ(out.bytes, len);
	CHECK_EQ(out.missing, 0);
}

/* It is given up within a run in z.relay: no queue is to be had, or none is
 * refused. */
TEST_ROWS_IF(HAS(ZC_LIBRARY), 2, who_is_replaced_gets_all_that_it_lacks)
{
	enum { LEN = 300000 };
	int file = new_file("", 0), status;

	late_pipe(64 << 10, ZC_DROP);
	meddle(CALL_pipe2, row ? 0 : 2, EMFILE);
	ask.from_there_on = true;
	begin_late(LEN);
	while ((status = zc_run(&z, ZC_EVER, -1)) == ZC_FAILED) {
		CHECK_EQ(out.error, ETIME);
		zc_replace(&out, file);
	}
	CHECK_EQ(status, ZC_ENDED);
	check_both(file, LEN);
}

TEST_IF(HAS(ZC_LIBRARY), who_is_replaced_has_as_much_time_as_others)
{
	int file = new_file("", 0);

	late_pipe(64 << 10, ZC_DROP);
	begin_late(8000);
	CHECK_EQ(zc_run(&z, ZC_EVER, -1), ZC_FAILED);
	CHECK_EQ(out.error, ETIME);
	CHECK(out.queue.held > 0);
	zc_replace(&out, file);
	lag.taken = out.bytes - out.queue.held;
	CHECK_EQ(zc_run(&z, ZC_EVER, -1), ZC_ENDED);
	check_both(file, 8000);
}

TEST_IF(HAS(ZC_LIBRARY), a_source_that_goes_on_gives_time_anew)
{
	late_pipe(64 << 10, ZC_SKIP);
	lag.until = 1;
	zc_lag_count(&(struct zc_job){ .out = &out }, 1);
	CHECK_EQ(lag.until, 0);
}

/* It has a queue of bytes. */
TEST_IF(HAS(ZC_LIBRARY), a_sink_of_messages_that_is_given_a_queue_keeps_bounds)
{
	int fd[2];

	late_queue(64 << 10, ZC_WAIT);
	NEED(zc_queue_write(&out, data, 100) == 100);
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd));
	zc_replace(&out, fd[1]);
	NEED(!zc_identify(&out.end, false));
	zc_check_sink(&out);
	CHECK_EQ(out.kind, ZC_DATAGRAM);
	out.queue_max = 64 << 10;
	out.next = data;
	out.lack = 50;
	zc_give_now(&z, &out);
	CHECK_EQ(out.queue.held, 100);
	CHECK_EQ(out.lack, 50);
}

/* It would be an end for its reader. */
TEST_IF(HAS(ZC_LIBRARY), a_full_sink_of_messages_with_a_queue_gets_no_empty_one)
{
	int fd[2];

	late_pipe(64 << 10, ZC_WAIT);
	begin_late(8000);
	for (int i = 0; i < 3; i++)
		zc_run(&z, ZC_NOW, -1);
	CHECK(out.queue.held > 0);
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd));
	while (send(fd[1], data, 1000, MSG_DONTWAIT) > 0)
		;
	zc_replace(&out, fd[1]);
	for (int i = 0; i < 3; i++)
		CHECK_EQ(zc_run(&z, ZC_NOW, -1), ZC_AGAIN);
	CHECK_EQ(was.each[CALL_sendto], 0);
	/* Later on it is sent to without sleeping. */
	CHECK(zc_sends(&out));
}

/* poll(2) calls it ready, and it takes nothing. It rests from one step to the
 * next, and is late then. */
TEST_IF(HAS(ZC_LIBRARY), who_takes_nothing_in_steps_keeps_no_other_waiting)
{
	enum { LEN = 200000 };
	int status = ZC_AGAIN;

	late_pipe(4096, ZC_SKIP);
	meddle(CALL_splice, 1, EAGAIN);
	ask.from_there_on = true;
	begin_late(LEN);
	for (int i = 0; i < 1000 && null.bytes < LEN; i++) {
		status = zc_run(&z, ZC_NOW, -1);
		now += 10;
	}
	CHECK_EQ(status, ZC_AGAIN);
	CHECK_EQ(null.bytes, LEN);
	CHECK(lag.left_out > 0);
}

/* poll(2) has called it ready. */
TEST_IF(HAS(ZC_LIBRARY), a_step_does_not_wait_for_room_that_another_has_taken)
{
	late_pipe(0, ZC_WAIT);
	out.kind = ZC_UNIDENTIFIED;
	from_file = (struct zc_source){ .fd = new_file(data, 8000) };
	zc_begin(&z, &from_file);
	zc_add(&z, &out);
	meddle(CALL_write, 1, EAGAIN);
	ask.from_there_on = true;
	for (int i = 0; i < 3; i++)
		CHECK_EQ(zc_run(&z, ZC_NOW, -1), ZC_AGAIN);
	CHECK(was.hit);
}

static void time_passes(enum call call, int fd)
{
	now += 100;
}

/* The machine is slower than the time of the call. */
TEST_IF(HAS(ZC_LIBRARY), a_call_that_begins_late_moves_what_is_ready)
{
	late_pipe(64 << 10, ZC_WAIT);
	begin_late(8000);
	ask.before = time_passes;
	CHECK_EQ(zc_run(&z, zc_clock() + 50, -1), ZC_AGAIN);
	CHECK_EQ(null.bytes, 8000);
}

/* It has failed within a run. */
TEST_IF(HAS(ZC_LIBRARY), the_bytes_of_a_run_count_for_a_sink_that_fails_in_it)
{
	struct zc_source in = { .fd = new_file(data, 8000) };

	lag = (struct zc_lag){ .max = 0 };
	out = (struct zc_sink){ .fd = open("/dev/full", O_WRONLY),
				.lag = &lag };
	CHECK_EQ(zc_copy(&z, &in, &out), ZC_FAILED);
	CHECK_EQ(out.error, ENOSPC);
	CHECK_EQ(lag.bytes, in.bytes);
}

/* Not in `bytes': a call has failed with it. Or its queue has gone. */
TEST_ROWS_IF(HAS(ZC_LIBRARY), 2, a_line_that_is_lost_keeps_no_gap)
{
	late_queue(5000, ZC_SKIP);
	out.kind = ZC_TTY;
	lag.tell = tell;
	lag.told = 16;
	lag.told_end = out.bytes + 16;
	out.queue.held = row ? 1000 : 0;
	lag.gap = lag.left_out = 8;
	if (row) {
		begin_late(0);
		CHECK_EQ(lag.told, 0);
		CHECK_EQ(lag.gap, 0);
	}
	zc_lag_finish(&(struct zc_job){ .out = &out, .nout = 1 });
	CHECK_EQ(lag.gap, 0);
}

TEST_IF(HAS(ZC_LIBRARY), a_gap_ends_where_a_file_takes_the_place_of_a_pipe)
{
	late_pipe(5000, ZC_SKIP);
	lag.gap = lag.left_out = 8;
	zc_replace(&out, new_file("", 0));
	out.sole = true;
	NEED(!zc_identify(&out.end, true));
	zc_check_limit(&out);
	CHECK_EQ(lag.gap, 0);
	CHECK_EQ(lag.left_out, 8);
}

/* A file is full, and spliced to no more. */
TEST_IF(HAS(ZC_LIBRARY), who_has_no_space_loses_one_piece)
{
	enum { LEN = 300000 };
	struct rlimit limit = { 100000, RLIM_INFINITY };
	int file = new_file("", 0), status;
	struct end other;

	signal(SIGXFSZ, SIG_IGN);
	open_source(&from, ZC_PIPE, LEN);
	open_sink(&sole, ZC_SOLE, LEN + 1);
	open_sink(&other, ZC_PIPE, LEN + 1);
	zc_begin(&z, &from.source);
	zc_add(&z, &sole.sink);
	zc_add(&z, &other.sink);
	NEED(!setrlimit(RLIMIT_FSIZE, &limit));
	while ((status = zc_run(&z, ZC_EVER, -1)) == ZC_FAILED) {
		CHECK_EQ(sole.sink.error, EFBIG);
		limit.rlim_cur = RLIM_INFINITY;
		NEED(!setrlimit(RLIMIT_FSIZE, &limit));
		zc_replace(&sole.sink, file);
	}
	CHECK_EQ(status, ZC_ENDED);
	CHECK_EQ(sole.sink.bytes + sole.sink.missing, LEN);
	CHECK(sole.sink.missing <= PIPE_BUF);
	CHECK_EQ(lseek(file, 0, SEEK_END) + 100000, sole.sink.bytes);
}

/* It has nothing for 3 seconds, though poll(2) calls its descriptor ready. */
static ssize_t write_late(struct zc_sink *sink, const void *buf, size_t len)
{
	CHECK(!memcmp(buf, data, len));
	return now < 3000 ? -EAGAIN : (ssize_t)len;
}

TEST_ROWS_IF(HAS(ZC_LIBRARY), 2, a_function_that_is_given_a_queue_may_wait)
{
	struct timeval limit = { .tv_sec = 1 };
	int fd[2];

	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	if (row)
		NEED(!setsockopt(fd[1], SOL_SOCKET, SO_SNDTIMEO, &limit,
				 sizeof(limit)));
	late_queue(64 << 10, ZC_WAIT);
	NEED(zc_queue_write(&out, data, 100) == 100);
	zc_replace(&out, fd[1]);
	zc_write_by(&out, write_late);
	out.kind = ZC_OWN;
	asleep = true;
	zc_queue_drain(&z, &out);
	CHECK_EQ(out.error, 0);
	CHECK_EQ(out.bytes, 100);
	CHECK(now >= 3000);
}

TEST_IF(HAS(ZC_LIBRARY), a_limit_is_looked_at_in_each_run)
{
	late_pipe(0, ZC_SKIP);
	begin_late(100);
	CHECK_EQ(zc_run(&z, ZC_EVER, -1), ZC_ENDED);
	from_file.ended = false;
	lag.max = 10;
	CHECK_EQ(zc_run(&z, ZC_EVER, -1), ZC_FAILED);
	CHECK_EQ(out.error, EINVAL);
}

/* No other call ends early. */
TEST_IF(HAS(ZC_LIBRARY), a_socket_that_is_alone_is_given_up_likewise)
{
	struct zc_source in = { .fd = new_file(data, 40000) };
	int fd[2], room = 0;
	static struct zc z;

	late_pipe(64 << 10, ZC_SKIP);
	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	NEED(!setsockopt(fd[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room)));
	out = (struct zc_sink){ .fd = fd[1], .lag = &lag };
	early.deadline = 100000;
	asleep = true;
	CHECK_EQ(copy(&z, &in, &out), ZC_FAILED);
	asleep = false;
	CHECK_EQ(out.error, ETIME);
	CHECK_EQ(out.bytes + lag.left_out, 40000);
}
