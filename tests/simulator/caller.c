/* SPDX-License-Identifier: 0BSD */
/* A caller of libzc whose runs end early: by a pipe, after each step, or when
 * some time has passed. It makes them again. */
#include <poll.h>

#include "engine/sys.h"
#include "kconfig.h"
#include "simulate.h"

enum {
	MOST_STEPS = 100000,
	PATIENCE = 20, /* calls that may be too late */
};

static const struct scenario *s;
static int calls, late;
static uint64_t until;

void caller_begin(const struct scenario *scenario)
{
	s = scenario;
	calls = late = 0;
}

/* Whether zc(3) says that a step does not sleep in poll(2): none of its sinks
 * loses O_NONBLOCK. */
static bool never_sleeps(void)
{
	for (int i = 0; i < s->sinks; i++)
		if (s->sink[i].toggles)
			return false;
	return s->steps;
}

int caller_runs(struct zc *z)
{
	int status;

	until = s->steps ? ZC_NOW : ZC_EVER;
	if (s->idle && !s->steps && late <= PATIENCE)
		until = zc_clock() + s->idle;
	world.awake = never_sleeps();
	status = zc_run(z, until, s->cancel ? CANCEL : -1);
	world.awake = false;
	return status;
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
	struct zc_source in = { .fd = CANCEL };
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
	if (status == ZC_CANCELED)
		hear(z);
	else if (IS_ENABLED(CONFIG_ZC_LIBRARY) && s->steps)
		wait_for_step(z);
	else if (zc_clock() < until)
		broken("a run ends before its time");
	else
		late++;
	return true;
}
