/* SPDX-License-Identifier: 0BSD */
/* What the callers of libzc may do, and box's applets never do: they pass wrong
 * numbers, make steps that do not sleep, and ask what is on its way. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "engine/engine.h"

/* Returns whether no call that writes to a sink sleeps. */
static bool is_nonblock_sink(const struct zc_sink *out)
{
	int flags;

	if (!(out->kind & ZC_LATE))
		return false;
	flags = zc_fcntl(out->fd, F_GETFL, 0);
	return flags > 0 && flags & O_NONBLOCK;
}

void zc_check_sink(struct zc_sink *out)
{
	out->nonblock = is_nonblock_sink(out);
	/* Nothing waits for a limit of time to pass. */
	if (out->nonblock)
		out->write_limit = false;
	if (out->lag)
		out->lag->until = 0;
}

void zc_check_limit(struct zc_sink *out)
{
	struct zc_lag *lag = out->lag;

	if (!lag)
		return;
	if (!out->limited)
		lag->gap = 0;
	if (lag->max && (lag->max < PIPE_BUF || lag->max > ZC_LAG_MAX))
		out->error = EINVAL;
}

/* A socket that is alone has no queue: send(2) writes from memory. */
void zc_choose_queue(struct zc_job *j)
{
	const struct zc_sink *out = j->out;

	j->no_queue = j->nout == 1 && zc_may_stop(j->z) && zc_sends(out) &&
		      !out->nonblock && !zc_limited(out);
}

void zc_enter(const struct zc_job *j, struct zc_sink *out)
{
	out->before = j->in->bytes - out->bytes;
	if (!out->lag)
		return;
	out->lag->lacks = 0;
	memset(out->lag->lag_room, 0, sizeof(out->lag->lag_room));
}

void zc_count_told(struct zc_sink *out, size_t n)
{
	out->before -= n;
}

void zc_count_missing(const struct zc_job *j, struct zc_sink *out)
{
	out->missing = j->in->bytes - out->before - out->bytes;
}
