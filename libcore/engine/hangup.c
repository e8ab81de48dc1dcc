/* SPDX-License-Identifier: 0BSD */
/* Notices that the reader of a sink has gone while nothing is written to it. */
#include "engine.h"

int zc_hangup_events(const struct zc_endpoint *out)
{
	if (!out->retire_on_hangup || out->no_write)
		return 0;
	return POLLERR | POLLHUP;
}

bool zc_hangup(struct zc_endpoint *out, int events)
{
	ssize_t n = 0;

	if (!(events & (POLLERR | POLLHUP)))
		return false;
	/* A write(2) of nothing tells why: the socket was reset, or never
	 * connected. */
	if (out->kind == ZC_SOCKET)
		n = zc_sys_write(out->fd, "", 0);
	out->error = n < 0 ? -n : EPIPE;
	return true;
}
