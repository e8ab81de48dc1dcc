/* SPDX-License-Identifier: 0BSD */
/* The stub of cancel.c: a call ends when the source ends or an endpoint fails.
 */
#include "engine.h"

void zc_defer(struct zc *z)
{
}

int zc_ask_cancel(const struct zc *z, struct pollfd *p)
{
	return 0;
}

int zc_time_left(const struct zc *z, int ms)
{
	return ms;
}

int zc_stop(struct zc *z, const struct zc_endpoint *in, const struct pollfd *p)
{
	return 0;
}

int zc_step(struct zc *z, int n, int ms)
{
	return 0;
}
