/* SPDX-License-Identifier: 0BSD */
/* Calls that go on where an earlier one was ended, with the bytes that are in
 * the context. No socket keeps such a call from being ended. */
#include <fcntl.h>
#include <limits.h>

#include "engine.h"

bool zc_goes_on(int status)
{
	return status > 0;
}

void zc_pause(struct zc_job *j)
{
	j->in->last = j->last;
	for (int i = 0; i < j->nout; i++)
		j->out[i].owed = !j->out[i].error &&
				 j->out[i].had < j->z->relay.held;
}

bool zc_is_nonblock(const struct zc_endpoint *out)
{
	return out->nonblock;
}

/* Returns whether splicing to a sink never sleeps, though it is no pipe. */
static bool is_nonblock(const struct zc_endpoint *out)
{
	int flags = zc_sys_fcntl(out->fd, F_GETFL, 0);

	return out->kind == ZC_SOCKET && flags > 0 && flags & O_NONBLOCK;
}

/* The bytes in the context are those of the source of the call before. */
static bool begin_source(struct zc_job *j)
{
	for (int i = 0; i < j->nout; i++) {
		if (j->out[i].lack || j->out[i].owed) {
			j->in->error = EINVAL;
			return false;
		}
		j->out[i].had = 0;
		j->out[i].nonblock = is_nonblock(&j->out[i]);
	}
	zc_relay_close(&j->z->relay);
	return true;
}

/* Sets the error EINVAL of a sink with a limit that cannot be. */
static void check_limit(struct zc_endpoint *out)
{
	if (zc_limited(out) &&
	    (out->lag->max < PIPE_BUF || out->lag->max > ZC_LAG_MAX))
		out->error = EINVAL;
}

/* A socket that is alone has no queue: send(2) writes from memory. */
bool zc_resume(struct zc_job *j)
{
	struct zc *z = j->z;
	struct zc_endpoint *in = j->in, *out = j->out;
	bool goes_on = in->call && in->call == z->call;

	if (!goes_on && !begin_source(j))
		return false;
	for (int i = 0; i < j->nout; i++) {
		out[i].owed = false;
		check_limit(&out[i]);
	}
	in->call = ++z->call;
	z->queues = 0;
	if (in->last)
		j->last = in->last;
	z->no_queue = j->nout == 1 && zc_sends(z, out) && !out->nonblock &&
		      !zc_limited(out);
	return true;
}
