/* SPDX-License-Identifier: 0BSD */
/* What a short tee(2) leaves in the relay is read, and that read fails. The
 * simulator's pipes always work. */
#include "kernel.h"

enum { SIZE = 100001, SINKS = 3 };

static struct end in, sink[SINKS];
static struct zc_endpoint out[SINKS];

static void open_all(void)
{
	open_source(&in, ZC_PIPE, SIZE);
	zc_identify(&in.end);
	open_row(sink, out, SINKS, ZC_PIPE, SIZE + 1);
	for (int i = 0; i < SINKS; i++)
		zc_identify(&out[i]);
}

static void close_all(void)
{
	close_source(&in);
	for (int i = 0; i < SINKS; i++) {
		close_sink(&sink[i]);
		CHECK(is_prefix(&sink[i]));
		if (!out[i].error && !in.end.error)
			CHECK(is_all(&sink[i], SIZE));
		free(sink[i].got);
	}
}

static int read_error;

static void then_read_fails(enum call call, int fd)
{
	if (call != CALL_tee || ask.error)
		return;
	was.hit = false;
	was.calls = 0;
	ask.only = CALL_read + 1;
	ask.error = read_error;
}

static void is_open(enum call call, int fd)
{
	CHECK(call != CALL_read || fd > STDERR_FILENO);
}

/* That fails once. */
static void read_from_relay_fails(int error)
{
	static struct zc z;

	read_error = error;
	open_all();
	kernel_new();
	ask.at = 1;
	ask.only = CALL_tee + 1;
	ask.most = 4097;
	ask.before = is_open;
	ask.after = then_read_fails;
	while (fan(&z, &in.end, out, SINKS) && !in.end.error &&
	       !(out[0].error && out[1].error && out[2].error))
		;
	zc_close(&z);
	CHECK(was.hit);
	ask.before = NULL;
	close_all();
}

TEST_IF(HAS(ZC_TEE), behind_what_is_stuck_in_a_relay_nothing_follows)
{
	read_from_relay_fails(EIO);
	for (int i = 0; i < SINKS; i++)
		CHECK_EQ(out[i].error, EIO);
}

TEST_IF(HAS(ZC_TEE), a_relay_that_is_not_ready_is_asked_again)
{
	read_from_relay_fails(EAGAIN);
	for (int i = 0; i < SINKS; i++)
		CHECK_EQ(out[i].error, 0);
	CHECK_EQ(in.end.error, 0);
}
