/* SPDX-License-Identifier: 0BSD */
/* A caller of libzc whose calls end early: by a pipe, after each step, when
 * some time has passed, or because progress() says so. It makes them again. */
#include <poll.h>

#include "engine/sys.h"
#include "simulate.h"

enum {
	MOST_STEPS = 100000,
	PATIENCE = 20, /* calls that may be too late */
};

static bool refused;
static int calls, late;

/* Whether a call is ended is a choice out of the ordinary. */
static bool progress(struct zc *z, const struct zc_endpoint *in)
{
	(void)z, (void)in;
	refused = choose(ANSWER, 2);
	return !refused;
}

void caller_begin(struct zc *z, const struct scenario *s)
{
	refused = false;
	calls = late = 0;
	z->cancels = s->cancel;
	z->cancel_fd = CANCEL;
	z->steps = s->steps;
	z->idle = s->idle_ms;
	z->progress = s->progress ? progress : NULL;
}

/* Waits as zc_polls() says. */
static void wait_for_step(struct zc *z)
{
	int n, ms, asked = 0;
	struct pollfd *p = zc_polls(z, &n, &ms);

	for (int i = 0; i < n; i++)
		asked += p[i].fd >= 0;
	if (!asked && ms < 0)
		broken("a step waits for nothing, for ever");
	zc_sys_poll(p, n, ms);
}

static void hear(struct zc *z)
{
	struct zc_endpoint in = { .fd = CANCEL };
	char heard;

	if (zc_read(z, &in, &heard, 1) != 1)
		broken("a call is cancelled by nobody");
}

bool caller_goes_on(struct zc *z, int status)
{
	if (status <= 0)
		return false;
	if (++calls > MOST_STEPS)
		broken("the steps do not end");
	if (IS_ENABLED(CONFIG_ZC_LIBRARY) && status == ZC_STEPPED) {
		wait_for_step(z);
	} else if (status == ZC_TIMED_OUT) {
		if (zc_clock() < z->deadline)
			broken("a call ends before its time");
		if (++late > PATIENCE)
			z->idle = z->deadline = 0;
	} else if (!refused) {
		hear(z);
	}
	refused = false;
	return true;
}
