/* SPDX-License-Identifier: 0BSD */
/* Sinks whose reader has gone, noticed while the input is idle. */
#include <poll.h>

#include "engine.h"

/* A pipe or socket that nobody can read says so without being asked (poll(2),
 * POLLERR and POLLHUP). */
bool zc_poll_hangup(const struct zc_endpoint *in, struct zc_endpoint *out,
		    int nout)
{
	struct pollfd p[nout + 1];
	bool gone = false, watched = false;

	p[nout] = (struct pollfd){ .fd = in->fd, .events = POLLIN };
	for (int i = 0; i < nout; i++) {
		bool watch = out[i].retire_on_hangup && !out[i].error;

		p[i] = (struct pollfd){ .fd = watch ? out[i].fd : -1 };
		watched |= watch;
	}
	if (!watched)
		return false;
	while (zc_sys_poll(p, nout + 1, -1) < 0 && errno == EINTR)
		;
	for (int i = 0; i < nout; i++)
		if (p[i].revents & (POLLERR | POLLHUP)) {
			out[i].error = EPIPE;
			gone = true;
		}
	return gone;
}
