/* SPDX-License-Identifier: 0BSD */
/* Notices that the reader of a sink has gone while nothing is written to it. */
#include "engine.h"

int zc_hangup_events(const struct zc_endpoint *out)
{
	if (!out->retire_on_hangup || out->no_write || zc_is_always_ready(out))
		return 0;
	return POLLERR | POLLHUP;
}

bool zc_hangup(struct zc *z, struct zc_endpoint *out, int events)
{
	if (!(events & (POLLERR | POLLHUP)))
		return false;
	out->error = EPIPE;
	/* A write of nothing tells why: the socket was reset, or never
	 * connected. */
	if (out->kind == ZC_SOCKET)
		zc_write_now(z, out);
	return true;
}
