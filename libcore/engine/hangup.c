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
	bool gone = false, any = false;

	p[nout] = (struct pollfd){ .fd = in->fd, .events = POLLIN };
	for (int i = 0; i < nout; i++) {
		bool retire = out[i].retire_on_hangup && !out[i].error;

		p[i] = (struct pollfd){ .fd = retire ? out[i].fd : -1 };
		any |= retire;
	}
	if (!any)
		return false;
	/* A repeated line is always there. */
	while (zc_sys_poll(p, nout + 1, in->kind == ZC_REPEAT ? 0 : -1) < 0 &&
	       errno == EINTR)
		;
	for (int i = 0; i < nout; i++)
		if (p[i].revents & (POLLERR | POLLHUP)) {
			out[i].error = EPIPE;
			gone = true;
		}
	return gone;
}
