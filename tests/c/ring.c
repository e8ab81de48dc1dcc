/* SPDX-License-Identifier: 0BSD */
/* Rings of io_uring(7). */
#define _GNU_SOURCE
#include "engine/engine.h"
#include "engine/ring.h"
#include "kernel.h"

static struct zc z;

TEST(a_request_that_a_stop_has_ended_is_made_again)
{
	enum { ERESTARTSYS = 512, ERESTART_RESTARTBLOCK = 516 };

	CHECK_EQ(zc_ring_value(-ERESTARTSYS), -EINTR);
	CHECK_EQ(zc_ring_value(-ERESTART_RESTARTBLOCK), -EINTR);
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

TEST(what_a_ring_has_begun_ends_though_it_may_not_be_waited_for)
{
	struct sigaction wake = { .sa_handler = on_interrupt };
	/* From a pipe to another rw would begin. */
	struct zc_endpoint from = { .kind = ZC_DEVICE };
	struct end sink;
	pthread_t other;
	int source[2];

	kernel_new();
	ask.before = refuse_then;
	ask.at = -1;
	ask.only = CALL_io_uring_enter + 1;
	ask.from_there_on = true;
	ask.error = EBADF;
	waiter = pthread_self();
	NEED(!sigaction(SIGUSR1, &wake, NULL) && !pipe(source));
	from.fd = source[0];
	use(&z, "io_uring");
	open_sink(&sink, ZC_PIPE, 100);
	NEED(!pthread_create(&other, NULL, interrupt, &source[1]));
	CHECK_EQ(zc_copy(&z, &from, &sink.end), 0);
	CHECK(was.hit);
	NEED(!pthread_join(other, NULL));
	zc_close(&z);
	close_sink(&sink);
	CHECK_EQ(sink.len, 3);
	CHECK(!memcmp(sink.got, "abc", 3));
}

TEST(a_ring_that_cannot_be_mapped_is_closed)
{
	struct zc_ring ring = { .fd = 0 };
	int before = count_descriptors();

	for (int refused = 1; refused >= 0; refused--) {
		kernel_new();
		ask.only = CALL_mmap + 1;
		ask.at = refused ? 1 : -1;
		ask.error = ENOMEM;
		CHECK_EQ(zc_ring_open(&ring), refused ? -ENOSYS : 0);
		CHECK_EQ(!ring.fd, refused);
		zc_ring_close(&ring);
		CHECK_EQ(count_descriptors(), before);
	}
}

TEST(a_request_that_was_cancelled_is_a_refusal)
{
	CHECK(zc_ring_value(-ECANCELED) < 0);
	CHECK(!zc_is_final(zc_ring_value(-ECANCELED)));
}
