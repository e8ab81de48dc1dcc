/* SPDX-License-Identifier: 0BSD */
/* What ends a call before the source does: a descriptor, or the time. */
#include <limits.h>

#include "engine.h"

void zc_defer(struct zc *z)
{
	z->cut = false;
	if (z->idle)
		z->deadline = zc_sys_clock() + z->idle;
}

void zc_ask_cancel(const struct zc *z, struct pollfd *p)
{
	*p = (struct pollfd){ z->cancels ? z->cancel_fd : -1, POLLIN, 0 };
}

int zc_time_left(const struct zc *z, int ms)
{
	uint64_t now, left;

	if (!z->deadline)
		return ms;
	now = zc_sys_clock();
	left = now < z->deadline ? z->deadline - now : 0;
	if (left > INT_MAX)
		left = INT_MAX;
	return ms >= 0 && ms < (int)left ? ms : (int)left;
}

int zc_stop(const struct zc *z, const struct pollfd *p)
{
	if (z->cancels && p->revents)
		return ZC_CANCELED;
	return z->deadline && zc_sys_clock() >= z->deadline ? ZC_TIMED_OUT : 0;
}
