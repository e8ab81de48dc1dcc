/* SPDX-License-Identifier: 0BSD */
/* A sink whose reader has gone, though nothing is written to it. */
#include <poll.h>
#include <sys/socket.h>

#include "engine.h"

int zc_hangup_events(const struct zc_endpoint *out)
{
	return out->retire_on_hangup && !out->error ? POLLERR | POLLHUP : 0;
}

bool zc_hangup(struct zc_endpoint *out, int events)
{
	int err = 0;

	if (!(events & (POLLERR | POLLHUP)))
		return false;
	if (zc_is_remote(out->fd))
		zc_sys_getsockopt(out->fd, SO_ERROR, &err, sizeof(err));
	out->error = err ? err : EPIPE;
	return true;
}
