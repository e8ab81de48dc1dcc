/* SPDX-License-Identifier: 0BSD */
/* Ends a call before its source ends: by a descriptor, a time or progress(). */
#include <limits.h>

#include "engine.h"

/* Whether queues were refused when zc_step() last looked; 0 before a call's
 * first turn. */
enum { ALLOWED = 1, REFUSED };

void zc_defer(struct zc *z)
{
	if (z->idle)
		z->deadline = zc_clock() + z->idle;
}

int zc_ask_cancel(const struct zc *z, struct pollfd *p)
{
	*p = (struct pollfd){ -1, POLLIN, 0 };
	if (z->cancels)
		p->fd = z->cancel_fd;
	return 1;
}

/* Returns the lesser of ms and the milliseconds until the deadline. */
static int until_deadline(const struct zc *z, int ms)
{
	if (!z->deadline)
		return ms;
	return zc_sooner(ms, zc_until(z->deadline));
}

int zc_time_left(const struct zc *z, int ms)
{
	if (z->steps)
		return 0;
	return until_deadline(z, ms);
}

int zc_stop(struct zc *z, const struct zc_endpoint *in, const struct pollfd *p)
{
	bool late = !until_deadline(z, -1);

	/* A source that is ready is not idle, however late that is seen. */
	if (z->idle && p[0].revents)
		late = false;
	if (p[1].revents)
		return ZC_CANCELED;
	if (late)
		return ZC_TIMED_OUT;
	if (z->progress && !z->progress(z, in))
		return ZC_CANCELED;
	return 0;
}

int zc_step(struct zc *z, int n, int ms)
{
	int before = z->job.queues;

	z->job.queues = z->job.no_queue ? REFUSED : ALLOWED;
	if (!z->steps || z->job.queues != before)
		return 0;
	z->job.polls_n = n + 1;
	z->job.polls_ms = ms;
	zc_ask_cancel(z, &zc_polled(z)[n]);
	return ZC_STEPPED;
}

struct pollfd *zc_polls(struct zc *z, int *n, int *ms)
{
	*n = z->job.polls_n;
	*ms = until_deadline(z, z->job.polls_ms);
	return zc_polled(z);
}
