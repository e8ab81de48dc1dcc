/* SPDX-License-Identifier: 0BSD */
/* Calls that are ended by a descriptor, or by the time. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/time.h>

#include "kernel.h"

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
	kernel_new();
	memset(&z, 0, sizeof(z));
	wakes = eventfd(0, EFD_CLOEXEC);
	NEED(wakes >= 0);
	z.cancels = true;
	z.cancel_fd = wakes;
}

static void *cancel_soon(void *arg)
{
	(void)arg;
	usleep(100000);
	cancel();
	return NULL;
}

TEST(a_copy_from_a_silent_source_is_cancelled_and_goes_on)
{
	static const unsigned kinds[] = { ZC_PIPE, ZC_SOCKET };

	for (int i = 0; i < 4; i++) {
		struct end in = { .kind = kinds[i & 1] }, out;
		pthread_t thread;
		int far;

		checking("%s%s", kind_name(in.kind),
			 i & 2 ? ", O_NONBLOCK" : "");
		cancelled_by_eventfd();
		in.end.fd = new_channel(&in, true);
		far = in.far;
		if (i & 2)
			NEED(!fcntl(in.end.fd, F_SETFL, O_NONBLOCK));
		open_sink(&out, ZC_PIPE, 1 << 20);
		NEED(write(far, data, 5000) == 5000);
		NEED(!pthread_create(&thread, NULL, cancel_soon, NULL));
		CHECK_EQ(zc_copy(&z, &in.end, &out.end), ZC_CANCELED);
		CHECK_EQ(in.end.error, 0);
		CHECK_EQ(out.end.error, 0);
		NEED(!pthread_join(thread, NULL));
		/* Until the caller has heard. */
		CHECK_EQ(zc_copy(&z, &in.end, &out.end), ZC_CANCELED);
		forget();
		NEED(write(far, data + 5000, 300) == 300);
		close(far);
		CHECK_EQ(zc_copy(&z, &in.end, &out.end), ZC_ENDED);
		close(in.end.fd);
		close_sink(&out);
		CHECK(is_all(&out, 5300));
		zc_close(&z);
		close(wakes);
	}
}

/* A pipe or socket that nobody reads yet. */
static void open_stuck(struct end *e, unsigned kind)
{
	*e = (struct end){ .kind = kind, .max = DATA_MAX };
	e->got = malloc(DATA_MAX);
	NEED(e->got);
	e->end.fd = new_channel(e, false);
}

TEST(a_stuck_sink_keeps_nobody_from_being_cancelled_and_loses_nothing)
{
	static const unsigned from[] = { ZC_FILE, ZC_PIPE, ZC_SOCKET };
	static const unsigned to[] = { ZC_PIPE, ZC_SOCKET };

	for (int i = 0; i < 12; i++) {
		struct end in, out[2];
		struct zc_endpoint ends[2];
		pthread_t thread;
		int nout = 1 + (i >= 6);

		cancelled_by_eventfd();
		open_source(&in, from[i % 3], DATA_MAX);
		open_stuck(&out[0], to[i % 6 / 3]);
		open_sink(&out[1], ZC_PIPE, DATA_MAX);
		checking("%s to %s, %d", kind_name(in.kind),
			 kind_name(out[0].kind), nout);
		ends[0] = out[0].end;
		ends[1] = out[1].end;
		NEED(!pthread_create(&thread, NULL, cancel_soon, NULL));
		CHECK_EQ(zc_fan(&z, &in.end, ends, nout), ZC_CANCELED);
		CHECK_EQ(ends[0].error | ends[1].error | in.end.error, 0);
		NEED(!pthread_join(thread, NULL));
		forget();
		NEED(!pthread_create(&out[0].thread, NULL, take, &out[0]));
		CHECK_EQ(zc_fan(&z, &in.end, ends, nout), ZC_ENDED);
		close_source(&in);
		close_sink(&out[0]);
		close_sink(&out[1]);
		CHECK(is_all(&out[0], DATA_MAX));
		CHECK(nout == 1 || is_all(&out[1], DATA_MAX));
		zc_close(&z);
		close(wakes);
		free(out[0].got);
		free(out[1].got);
	}
}

/* Cancelled at one system call, whichever. */
static int at;

static void cancel_at(enum call call, int fd)
{
	(void)call;
	(void)fd;
	if (was.calls == at)
		cancel();
}

/* Returns whether there was such a call. */
static bool copies_though_cancelled(unsigned from, unsigned to, int nout)
{
	struct end in, out[2];
	struct zc_endpoint ends[2];
	int status, times = 0;

	cancelled_by_eventfd();
	ask.before = cancel_at;
	open_source(&in, from, 400000);
	for (int i = 0; i < nout; i++) {
		open_sink(&out[i], i ? ZC_PIPE : to, 400000);
		ends[i] = out[i].end;
	}
	while ((status = zc_fan(&z, &in.end, ends, nout)) == ZC_CANCELED) {
		forget();
		times++;
	}
	CHECK_EQ(status, ZC_ENDED);
	CHECK(times <= 1);
	close_source(&in);
	for (int i = 0; i < nout; i++) {
		close_sink(&out[i]);
		CHECK(is_all(&out[i], 400000));
		free(out[i].got);
	}
	zc_close(&z);
	close(wakes);
	return was.calls >= at;
}

TEST(nothing_is_lost_whichever_call_is_cancelled)
{
	static const unsigned kinds[] = { ZC_FILE, ZC_PIPE, ZC_SOCKET };

	for (int i = 0; i < 18; i++)
		for (at = 1;; at++) {
			checking("%s to %s, %d, at %d", kind_name(kinds[i % 3]),
				 kind_name(kinds[i / 3 % 3]), 1 + i / 9, at);
			if (!copies_though_cancelled(
				    kinds[i % 3], kinds[i / 3 % 3], 1 + i / 9))
				break;
		}
}

/* Another process takes what poll(2) has called ready, before this call. */
static enum call robbed;
static int source;

static void steal(enum call call, int fd)
{
	char c[16];

	if (call == robbed && !was.hit && (call == SPLICE || fd == source)) {
		was.hit = true;
		NEED(read(source, c, sizeof(c)) > 0);
		cancel();
	}
}

TEST(a_source_that_another_reader_has_emptied_is_cancelled)
{
	for (int i = 0; i < 2; i++) {
		struct zc_endpoint in = { 0 }, out = { 0 };
		int from[2], to[2];

		robbed = i ? SPLICE : READ;
		checking("by %s", call_names[robbed]);
		cancelled_by_eventfd();
		/* A pipe's first run is read, a socket's is spliced, and
		 * neither call sleeps. */
		NEED(!(i ? socketpair(AF_UNIX, SOCK_STREAM, 0, from) :
			   pipe2(from, O_NONBLOCK)));
		NEED(!pipe(to));
		in.fd = source = from[0];
		out.fd = to[1];
		ask.before = steal;
		NEED(write(from[1], "abc", 3) == 3);
		CHECK_EQ(zc_copy(&z, &in, &out), ZC_CANCELED);
		CHECK(was.hit);
		CHECK_EQ(in.error, 0);
		forget();
		close(from[1]);
		CHECK_EQ(zc_copy(&z, &in, &out), ZC_ENDED);
		zc_close(&z);
		close(wakes);
	}
}

static void on_signal_cancel(int number)
{
	(void)number;
	cancel();
}

/* However close to the wait it comes. */
TEST(the_handler_of_a_signal_cancels)
{
	struct sigaction act = { .sa_handler = on_signal_cancel };
	struct itimerval soon = { .it_value = { 0 } };
	int fd[2];

	cancelled_by_eventfd();
	NEED(!pipe(fd) && !sigaction(SIGALRM, &act, NULL));
	for (int us = 1; us < 400; us++) {
		struct zc_endpoint in = { .fd = fd[0] }, out = { .fd = 2 };

		soon.it_value.tv_usec = us;
		NEED(!setitimer(ITIMER_REAL, &soon, NULL));
		CHECK_EQ(zc_copy(&z, &in, &out), ZC_CANCELED);
		forget();
	}
	zc_close(&z);
}

TEST(the_time_ends_a_copy)
{
	uint64_t begun = zc_clock();
	int fd[2];
	struct zc_endpoint in = { 0 }, out = { 0 };

	cancelled_by_eventfd();
	NEED(!pipe(fd));
	in.fd = fd[0];
	out.fd = open("/dev/null", O_WRONLY);
	z.deadline = begun + 200;
	NEED(write(fd[1], "abc", 3) == 3);
	CHECK_EQ(zc_copy(&z, &in, &out), ZC_TIMED_OUT);
	CHECK(zc_clock() >= begun + 200);
	/* It has passed. */
	CHECK_EQ(zc_copy(&z, &in, &out), ZC_TIMED_OUT);
	z.deadline = 0;
	z.idle = 100;
	begun = zc_clock();
	CHECK_EQ(zc_copy(&z, &in, &out), ZC_TIMED_OUT);
	CHECK(zc_clock() >= begun + 100);
	/* No more is to come, whatever the source has. */
	in.ended = true;
	CHECK_EQ(zc_copy(&z, &in, &out), ZC_ENDED);
	zc_close(&z);
}

static void *give_slowly(void *arg)
{
	for (int i = 0; i < 20; i++) {
		usleep(20000);
		NEED(write(*(int *)arg, "abc", 3) == 3);
	}
	return NULL;
}

TEST(a_source_that_is_not_idle_is_read)
{
	pthread_t thread;
	int from[2], to[2];
	struct zc_endpoint in = { 0 }, out = { 0 };
	char got[100];

	cancelled_by_eventfd();
	NEED(!pipe(from) && !pipe(to));
	in.fd = from[0];
	out.fd = to[1];
	z.idle = 2000;
	NEED(!pthread_create(&thread, NULL, give_slowly, &from[1]));
	CHECK_EQ(zc_copy(&z, &in, &out), ZC_TIMED_OUT);
	CHECK_EQ(read(to[0], got, sizeof(got)), 60);
	NEED(!pthread_join(thread, NULL));
	zc_close(&z);
}
