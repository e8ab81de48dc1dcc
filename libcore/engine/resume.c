/* SPDX-License-Identifier: 0BSD */
/* Calls that go on where an earlier one was ended, with the bytes that are in
 * the context. No socket keeps such a call from being ended. */
#include <fcntl.h>
#include <limits.h>

#include "engine.h"

bool zc_pause(struct zc_job *j, int status)
{
	if (status <= 0)
		return false;
	j->in->last = j->last;
	for (int i = 0; i < j->nout; i++) {
		struct zc_endpoint *out = j->out[i];

		if (!out->error && (out->lack || out->had < j->z->relay.held))
			out->owed = j->z->call;
	}
	return true;
}

/* Returns whether splicing to a sink never sleeps, though it is no pipe. */
static bool is_nonblock(const struct zc_endpoint *out)
{
	int flags;

	if (out->kind != ZC_SOCKET)
		return false;
	flags = zc_fcntl(out->fd, F_GETFL, 0);
	return flags > 0 && flags & O_NONBLOCK;
}

/* What is in the context is of another source. */
static void begin_source(struct zc_job *j)
{
	j->in->last = j->last;
	for (int i = 0; i < j->nout; i++)
		j->out[i]->nonblock = is_nonblock(j->out[i]);
	zc_relay_close(&j->z->relay);
}

/* A sink that is owed nothing has had all that is in the context, which may be
 * another's. */
static void begin_sink(const struct zc *z, struct zc_endpoint *out)
{
	if (!out->owed) {
		out->lack = 0;
		out->had = z->relay.held;
	}
	out->owed = 0;
	if (!zc_limited(out))
		return;
	if (out->lag->max < PIPE_BUF || out->lag->max > ZC_LAG_MAX)
		out->error = EINVAL;
}

/* A socket that is alone has no queue: send(2) writes from memory. */
bool zc_resume(struct zc_job *j)
{
	struct zc *z = j->z;
	struct zc_endpoint *in = j->in, *const *out = j->out;
	uint64_t before = 0;

	if (in->call == z->call)
		before = in->call;
	for (int i = 0; i < j->nout; i++) {
		if (out[i]->owed && out[i]->owed != before) {
			in->error = EINVAL;
			return false;
		}
	}
	if (!before)
		begin_source(j);
	for (int i = 0; i < j->nout; i++)
		begin_sink(z, out[i]);
	/* Only a context that was closed may have had the same numbers. */
	if (!z->call)
		z->call = (uint64_t)(uintptr_t)z << 16;
	in->call = ++z->call;
	z->queues = 0;
	j->last = in->last;
	z->no_queue = j->nout == 1 && zc_may_stop(z) && zc_sends(out[0]);
	if (out[0]->nonblock || zc_limited(out[0]))
		z->no_queue = false;
	return true;
}
