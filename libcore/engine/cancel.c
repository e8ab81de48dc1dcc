/* SPDX-License-Identifier: 0BSD */
/* Ends a run before its source ends: by a descriptor or a time. */
#include <limits.h>

#include "engine.h"

/* Whether queues were refused when zc_step() last looked; 0 before a run's
 * first turn. */
enum { ALLOWED = 1, REFUSED };

void zc_end_early(struct zc_job *j, uint64_t until, int cancel_fd)
{
	j->queues = 0;
	j->turned = false;
	j->until = until;
	j->cancel_fd = cancel_fd;
	j->stops = until != ZC_EVER || cancel_fd >= 0;
	j->steps = until != ZC_EVER && !zc_until(until);
}

int zc_ask_cancel(const struct zc *z, struct pollfd *p)
{
	*p = (struct pollfd){ z->job.cancel_fd, POLLIN, 0 };
	return 1;
}

int zc_time_left(const struct zc *z, int ms)
{
	if (z->job.steps)
		return 0;
	if (!z->job.stops || z->job.until == ZC_EVER)
		return ms;
	return zc_sooner(ms, zc_until(z->job.until));
}

/* However late it is, a run takes a turn: it would otherwise never read what is
 * ready, on a machine that is slower than the time that each run has. */
int zc_stop(struct zc *z, const struct pollfd *p)
{
	bool first = !z->job.turned;

	z->job.turned = true;
	if (p->revents)
		return ZC_CANCELED;
	if (!z->job.steps && !first && !zc_time_left(z, -1))
		return ZC_AGAIN;
	return 0;
}

int zc_step(struct zc *z, struct pollfd *p, int n, int ms)
{
	int before = z->job.queues;

	z->job.queues = z->job.no_queue ? REFUSED : ALLOWED;
	if (!z->job.steps || z->job.queues != before)
		return 0;
	z->job.polls = p;
	z->job.polls_n = n + 1;
	z->job.polls_ms = ms;
	zc_ask_cancel(z, &p[n]);
	return ZC_AGAIN;
}

struct pollfd *zc_polls(struct zc *z, int *n, int *ms)
{
	*n = z->job.polls_n;
	*ms = z->job.polls_ms;
	return z->job.polls;
}
