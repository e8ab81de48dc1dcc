/* SPDX-License-Identifier: 0BSD */
/* Waiting for an end, and trying again before that. */
#include <poll.h>
#include <sched.h>

#include "method.h"
#include "number/ZC_YIELDS.h"

unsigned long zc_calls;

static int sleep_on(const struct zc_end *end, short events)
{
	struct pollfd p = { .fd = end->fd, .events = events };

	return poll(&p, 1, -1);
}

int zc_wait(const struct zc_end *in)
{
	int n;

	do
		n = sleep_on(in, POLLIN);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -1 : 0;
}

bool zc_ready(const struct zc_end *in)
{
	struct pollfd p = { .fd = in->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* A peer that runs on another processor is often done sooner than a sleep and a
 * wake-up would take, so the processor is yielded a few times first: twice as
 * often as the last time if that was enough then, half as often if not. */
bool zc_again(struct zc_end *in, struct zc_end *out, int *tries)
{
	static int bound = CONFIG_ZC_YIELDS;
	static bool slept = true;

	if (errno != EAGAIN)
		return errno == EINTR;
	if (!*tries && !slept && bound <= CONFIG_ZC_YIELDS / 2)
		bound *= 2;
	if (!*tries)
		slept = false;
	if (++*tries <= bound) {
		sched_yield();
		return true;
	}
	if (!slept && bound > 1)
		bound /= 2;
	slept = true;
	if (in)
		sleep_on(in, POLLIN);
	if (out)
		sleep_on(out, POLLOUT);
	return true;
}
