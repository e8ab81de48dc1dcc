/* SPDX-License-Identifier: 0BSD */
/* Calls that are ended by a descriptor, by the time, or after each step. */
#define _GNU_SOURCE
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>

#include "kernel.h"
#include "own.h"

static struct zc z;
static int wakes; /* an eventfd: its counter is what cancels */

static void cancel(void)
{
	uint64_t one = 1;

	NEED(write(wakes, &one, sizeof(one)) == sizeof(one));
}

static void forget(void)
{
	uint64_t n;

	NEED(read(wakes, &n, sizeof(n)) == sizeof(n));
}

static void cancelled_by_eventfd(void)
{
	wakes = eventfd(0, EFD_CLOEXEC);
	NEED(wakes >= 0);
	early.cancels = true;
	early.cancel_fd = wakes;
}

static void *cancel_soon(void *arg)
{
	usleep(100000);
	cancel();
	return NULL;
}

/* A pipe or socket that nobody reads yet. */
static void open_stuck(struct end *e, unsigned kind)
{
	*e = (struct end){ .kind = kind, .max = DATA_MAX };
	e->got = malloc(DATA_MAX);
	NEED(e->got);
	e->sink.fd = new_channel(e, false);
}

/* Another process takes what poll(2) has called ready, before this call. */
static enum call robbed;
static int source;

static void steal(enum call call, int fd)
{
	char c[16];

	if (call == robbed && !was.hit &&
	    (call == CALL_splice || fd == source)) {
		was.hit = true;
		NEED(read(source, c, sizeof(c)) > 0);
		cancel();
	}
}

TEST_ROWS(2, a_source_that_another_reader_has_emptied_is_cancelled)
{
	struct zc_source in = { 0 };
	struct zc_sink out = { 0 };
	int from[2], to[2];

	robbed = row ? CALL_splice : CALL_read;
	checking("by %s", call_facts[robbed].name);
	cancelled_by_eventfd();
	/* A pipe's first run is read, a socket's is spliced, and neither call
	 * sleeps. */
	NEED(!(row ? socketpair(AF_UNIX, SOCK_STREAM, 0, from) :
		     pipe2(from, O_NONBLOCK)));
	NEED(!pipe(to));
	in.fd = source = from[0];
	out.fd = to[1];
	ask.before = steal;
	NEED(write(from[1], "abc", 3) == 3);
	CHECK_EQ(copy(&z, &in, &out), ZC_CANCELED);
	CHECK(was.hit);
	CHECK_EQ(in.error, 0);
	forget();
	close(from[1]);
	CHECK_EQ(copy(&z, &in, &out), ZC_ENDED);
}

TEST_ROWS(24, a_call_that_may_end_moves_large_pieces)
{
	/* Bytes: a socket takes some 100 KiB at a time. */
	enum { A_CALL = 8 << 10 };
	static const unsigned from[] = { ZC_FILE, ZC_PIPE, ZC_SOCKET };
	static const unsigned to[] = { ZC_PIPE, ZC_SOCKET };
	bool steps = row / 6 & 1, nonblock = row / 12;
	struct end in, out;
	int status;

	checking("%s to %s%s%s", kind_name(from[row % 3]),
		 kind_name(to[row / 3 % 2]), steps ? ", steps" : "",
		 nonblock ? ", O_NONBLOCK" : "");
	cancelled_by_eventfd();
	early.steps = steps;
	open_source(&in, from[row % 3], DATA_MAX);
	open_sink(&out, to[row / 3 % 2], DATA_MAX);
	if (nonblock)
		NEED(!fcntl(out.sink.fd, F_SETFL, O_NONBLOCK));
	while ((status = copy(&z, &in.source, &out.sink)) == ZC_AGAIN)
		wait_for_step(&z);
	CHECK_EQ(status, ZC_ENDED);
	CHECK(was.calls < DATA_MAX / A_CALL);
	check_all(&out, DATA_MAX);
}

/* Copies to sinks that nobody reads, or what never comes. */
static void until_cancelled(struct zc_source *in, struct zc_sink *out, int nout)
{
	pthread_t thread;

	NEED(!pthread_create(&thread, NULL, cancel_soon, NULL));
	CHECK_EQ(fan(&z, in, out, nout), ZC_CANCELED);
	NEED(!pthread_join(thread, NULL));
	forget();
}

TEST_ROWS(4, what_a_sink_lacks_goes_to_the_descriptor_that_replaces_its_own)
{
	static const unsigned kinds[] = { ZC_PIPE, ZC_SOCKET };
	static char got[DATA_MAX];
	int nout = 1 + row / 2, file = new_file("", 0);
	struct zc_sink ends[2];
	struct end in, out;
	uint64_t had;

	cancelled_by_eventfd();
	open_source(&in, ZC_FILE, DATA_MAX);
	/* In an earlier job. */
	in.source.bytes = 1000;
	open_stuck(&out, kinds[row % 2]);
	ends[0] = out.sink;
	ends[1] = (struct zc_sink){ .fd = new_file("", 0) };
	until_cancelled(&in.source, ends, nout);
	had = ends[0].bytes;
	CHECK(had < in.source.bytes);
	zc_replace(&ends[0], file);
	CHECK_EQ(fan(&z, &in.source, ends, nout), ZC_ENDED);
	CHECK_EQ(ends[0].bytes, DATA_MAX);
	CHECK_EQ(ends[0].missing, 0);
	CHECK_EQ(pread(file, got, DATA_MAX, 0), DATA_MAX - had);
	CHECK(!memcmp(got, data + had, DATA_MAX - had));
}

/* It is interrupted, or lacks bytes though its descriptor is ready. */
TEST_ROWS(2, a_function_that_gives_nothing_lets_the_call_end)
{
	struct zc_source in = { .read = own_read };
	struct end out;
	struct own *o;

	cancelled_by_eventfd();
	open_sink(&out, ZC_PIPE, DATA_MAX);
	o = row ? new_own(&in.end, eventfd(1, EFD_CLOEXEC), -EAGAIN) :
		  new_own(&in.end, -1, -EINTR);
	until_cancelled(&in, &out.sink, 1);
	early.deadline = zc_clock() + 50;
	CHECK_EQ(copy(&z, &in, &out.sink), ZC_AGAIN);
	early.deadline = 0;
	o->busy = o->calls + 3;
	CHECK_EQ(copy(&z, &in, &out.sink), ZC_ENDED);
	check_all(&out, DATA_MAX);
}

/* poll(2) is asked about no descriptor, or about one, as in some sandboxes. */
TEST_ROWS(2, few_descriptors_let_a_call_end)
{
	struct rlimit before, few;
	struct zc_source in = { .read = own_read };
	struct end out;

	cancelled_by_eventfd();
	open_sink(&out, ZC_PIPE, DATA_MAX);
	new_own(&in.end, eventfd(1, EFD_CLOEXEC), -EAGAIN);
	NEED(!getrlimit(RLIMIT_NOFILE, &before));
	few = (struct rlimit){ row, before.rlim_max };
	NEED(!setrlimit(RLIMIT_NOFILE, &few));
	early.deadline = zc_clock() + 50;
	if (row)
		cancel();
	CHECK_EQ(copy(&z, &in, &out.sink), row ? ZC_CANCELED : ZC_AGAIN);
	CHECK_EQ(in.error, 0);
	/* gcov opens a file at exit(3). */
	NEED(!setrlimit(RLIMIT_NOFILE, &before));
}

static void ignore_signal(int number)
{
}

/* A signal comes each millisecond: a profiler's, or a clock's. The function
 * refuses until it is left alone for much longer. */
TEST(a_rest_ends_however_many_signals_interrupt_it)
{
	struct sigaction act = { .sa_handler = ignore_signal };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGUSR1 };
	struct itimerspec often = { .it_interval = { 0, 1000000 },
				    .it_value = { 0, 1000000 } };
	struct zc_sink out = { 0 };
	struct end in;
	struct own *o;
	timer_t timer;

	cancelled_by_eventfd();
	open_source(&in, ZC_FILE, DATA_MAX);
	o = new_own(&out.end, -1, -EINTR);
	o->busy = 8;
	out.write = own_write;
	NEED(!sigaction(SIGUSR1, &act, NULL));
	NEED(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	NEED(!timer_settime(timer, 0, &often, NULL));
	CHECK_EQ(copy(&z, &in.source, &out), ZC_ENDED);
	NEED(!timer_delete(timer));
	CHECK_EQ(out.bytes, DATA_MAX);
	CHECK(!memcmp(o->got, data, DATA_MAX));
}

/* Steps until a sink has got some bytes. */
static void give_some(struct zc *z, struct zc_source *in, struct zc_sink *row,
		      int n)
{
	early.steps = true;
	while (row[n - 1].bytes < 300000)
		CHECK_EQ(fan(z, in, row, n), ZC_AGAIN);
	early.steps = false;
}

/* Two sources and two contexts, each with a pipe that has had more than a slow
 * function. */
struct two {
	struct zc z[2];
	struct end in[2], pipe[2];
	struct zc_sink out[2][2];
	struct own *own[2];
};

static void open_two(struct two *t)
{
	for (int i = 0; i < 2; i++) {
		open_source(&t->in[i], ZC_FILE, DATA_MAX);
		open_sink(&t->pipe[i], ZC_PIPE, DATA_MAX);
		t->out[i][0] = t->pipe[i].sink;
		t->own[i] = new_own(&t->out[i][1].end, -1, 0);
		t->own[i]->busy = 0;
		t->out[i][1].write = own_write;
		give_some(&t->z[i], &t->in[i].source, t->out[i], 2);
	}
}

/* Both go on to their ends. */
static void close_two(struct two *t)
{
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(fan(&t->z[i], &t->in[i].source, t->out[i], 2),
			 ZC_ENDED);
		CHECK_EQ(t->out[i][1].bytes, DATA_MAX);
		CHECK(!memcmp(t->own[i]->got, data, DATA_MAX));
		close_source(&t->in[i]);
		check_all(&t->pipe[i], DATA_MAX);
		free(t->own[i]);
		zc_close(&t->z[i]);
	}
}

static struct two two;

TEST(a_sink_that_leaves_takes_nothing_from_the_others)
{
	struct zc_source *in = &two.in[0].source;
	struct zc_sink *out = two.out[0];
	uint64_t had, missed;

	open_two(&two);
	had = out[1].bytes;
	missed = in->bytes - had;
	/* Of another job it is none. */
	zc_drop(&two.z[1], &out[1]);
	zc_drop(&two.z[0], &out[1]);
	CHECK_EQ(out[1].missing, missed);
	/* It comes back, and gets none of the bytes that it has missed. */
	CHECK_EQ(fan(&two.z[0], in, out, 2), ZC_ENDED);
	CHECK_EQ(out[0].bytes, DATA_MAX);
	CHECK_EQ(out[1].bytes, DATA_MAX - missed);
	CHECK_EQ(out[1].missing, 0);
	CHECK(!memcmp(two.own[0]->got + had, data + had + missed,
		      DATA_MAX - had - missed));
}

TEST(what_a_sink_has_had_does_not_go_to_the_descriptor_that_replaces_its_own)
{
	static char got[DATA_MAX];
	struct zc_sink *pipe = two.out[0], *own = &two.out[1][1];
	int file = new_file("", 0);
	uint64_t had;

	open_two(&two);
	had = pipe->bytes;
	zc_replace(pipe, file);
	CHECK_EQ(fan(&two.z[0], &two.in[0].source, pipe, 2), ZC_ENDED);
	CHECK_EQ(pread(file, got, DATA_MAX, 0), DATA_MAX - had);
	CHECK(!memcmp(got, data + had, DATA_MAX - had));
	zc_replace(own, file);
	zc_drop(&two.z[1], own);
	CHECK_EQ(own->bytes + own->missing, two.in[1].source.bytes);
}

TEST(a_sink_that_has_all_gets_nothing_twice_though_it_leaves)
{
	open_two(&two);
	for (int i = 0; i < 2; i++) {
		/* It gets what is in its queue, and the other nothing. */
		early.steps = true;
		two.own[i]->refusal = -EINTR;
		two.own[i]->busy = INT_MAX;
		while (two.out[i][0].bytes < two.in[i].source.bytes) {
			CHECK_EQ(fan(&two.z[i], &two.in[i].source, two.out[i],
				     2),
				 ZC_AGAIN);
			wait_for_step(&two.z[i]);
		}
		early.steps = false;
		two.own[i]->busy = 0;
		CHECK(two.out[i][1].bytes < two.in[i].source.bytes);
		zc_drop(&two.z[i], &two.out[i][0]);
		CHECK_EQ(two.out[i][0].missing, 0);
	}
	close_two(&two);
}

/* At a mark of urgent data (tcp(7)) splice(2) says 0, or EAGAIN for ever,
 * though poll(2) calls the source ready, and read(2) goes on. */
TEST_ROWS(4, steps_pass_a_mark_of_urgent_data)
{
	enum { ENOUGH = 100 };
	struct zc_source in = { 0 };
	struct zc_sink out = { 0 };
	int from[2], steps = 0;
	char got[16];

	cancelled_by_eventfd();
	connect_pair(from);
	if (row & 1)
		NEED(!fcntl(from[0], F_SETFL, O_NONBLOCK));
	in.fd = from[0];
	out.fd = new_file("", 0);
	out.sole = row & 2;
	early.steps = true;
	NEED(write(from[1], "abc", 3) == 3);
	NEED(send(from[1], "!", 1, MSG_OOB) == 1);
	NEED(write(from[1], "def", 3) == 3);
	while (copy(&z, &in, &out) == ZC_AGAIN && out.bytes < 6 &&
	       ++steps < ENOUGH)
		wait_for_step(&z);
	CHECK_EQ(out.bytes, 6);
	close(from[1]);
	early.steps = false;
	CHECK_EQ(copy(&z, &in, &out), ZC_ENDED);
	CHECK_EQ(pread(out.fd, got, sizeof(got), 0), 6);
	CHECK(!memcmp(got, "abcdef", 6));
}

TEST_ROWS(8, a_message_is_copied_whole_or_is_an_error)
{
	size_t size = ZC_MESSAGE + (row & 1);
	struct zc_sink out[2] = { { 0 }, { 0 } };
	struct zc_source in = { 0 };
	int fd[2], room = 1 << 20;

	cancelled_by_eventfd();
	early.cancels = row / 4;
	NEED(!socketpair(AF_UNIX, row & 2 ? SOCK_DGRAM : SOCK_SEQPACKET, 0,
			 fd));
	if (setsockopt(fd[0], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		return; /* not root */
	in = (struct zc_source){ .fd = fd[1], .has_max = true, .max = size };
	for (int i = 0; i < 2; i++)
		out[i].fd = new_file("", 0);
	NEED(send(fd[0], data, size, 0) == (ssize_t)size);
	CHECK_EQ(fan(&z, &in, out, 2), row & 1 ? ZC_FAILED : ZC_ENDED);
	CHECK_EQ(in.error, row & 1 ? EMSGSIZE : 0);
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(out[i].bytes, row & 1 ? 0 : size);
		CHECK_EQ(out[i].error, 0);
	}
}

static struct zc_source heard;

/* A signal's handler ends the source while that is waited for. */
static void hear(enum call call, int fd)
{
	heard.ended |= call == CALL_recvfrom && heard.bytes;
}

TEST(a_source_that_its_caller_ends_gives_no_more_than_a_run)
{
	struct zc_sink out = { .fd = open("/dev/null", O_WRONLY) };
	int fd[2];

	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd));
	for (int i = 0; i < 3; i++)
		NEED(write(fd[1], data, 10) == 10);
	close(fd[1]);
	heard = (struct zc_source){ .fd = fd[0] };
	ask.before = hear;
	CHECK_EQ(zc_copy(&z, &heard, &out), ZC_ENDED);
	CHECK_EQ(heard.bytes, 20);
}
