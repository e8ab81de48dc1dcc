/* SPDX-License-Identifier: 0BSD */
/* Jobs: a source, and sinks that come and go. */
#include <limits.h>
#include <string.h>

#include "engine.h"

/* Whether a sink is the file that is read. Then only reading and writing is
 * exact: spliced pages change when the file is written to, and a kernel that
 * copies from one page to another where they overlap may copy the last bytes
 * first. */
static bool is_source(const struct zc_endpoint *in,
		      const struct zc_endpoint *out)
{
	return in->kind & ZC_REGULAR && zc_is_same_file(&in->id, &out->id);
}

/* Returns how much memory a sink may hold for itself alone, so that all hold no
 * more than the budget, CONFIG_ZC_PIPE_KB, together. */
static unsigned memory_share(const struct zc_job *j)
{
	unsigned n = ZC_PIPE_MAX / j->nout;

	if (j->in->kind == ZC_PIPE)
		n /= 2;
	if (j->in->kind == ZC_SOCKET)
		n /= 4;
	return zc_most(n, 2 * PIPE_BUF);
}

/* Identifies a sink that is new, or was given another descriptor. */
static void identify(struct zc_endpoint *out)
{
	if (out->kind == ZC_UNIDENTIFIED) {
		zc_own_identify(out, out->write);
		zc_check_sink(out);
	}
	zc_begin_at(out);
}

/* Begins a run. Forgets that an earlier one lacked descriptors or memory, which
 * may be there now. Two kinds of sinks are left to write(2). One is not open
 * for writing: poll(2) never calls the reading end of a pipe ready, and
 * vmsplice(2) would read from it. The other is a socket with a limit of time:
 * write(2) waits it out once, and poll(2) ignores it. */
static void begin(struct zc_job *j)
{
	struct zc_endpoint *in = j->in;
	unsigned share = memory_share(j);

	j->methods = j->z->methods ? j->z->methods : zc_methods;
	j->refused = j->kinds = 0;
	j->lags = j->fan = j->no_queue = j->message = false;
	j->z->relay.size.most = ZC_PIPE_MAX;
	zc_begin_at(in);
	in->size_of_pipe.most = ZC_PIPE_MAX / 2;
	if (in->no_read && !in->error)
		in->error = EBADF;
	for (struct zc_endpoint *out = j->out; out; out = out->peer) {
		if (out->error)
			continue;
		identify(out);
		/* The last run may have ended while this sink rested. */
		out->rest_until = 0;
		out->size_of_pipe.most = out->queue_max = share;
		/* How much may be on the way to a sink with a limit, the user
		 * says. */
		if (zc_limited(out)) {
			out->size_of_pipe.most = -1;
			out->queue_max = out->lag->max - out->lag->lacks;
		}
		if (out->no_write || out->write_limit)
			out->kind = ZC_UNKNOWN;
		in->no_splice |= is_source(in, out);
		j->lags |= out->lag != NULL;
		j->kinds |= out->kind;
	}
	j->message = in->kind & (ZC_DATAGRAM | ZC_UNKNOWN);
	zc_choose_queue(j);
}

/* Between two runs there is no message, and nothing ends a call early. */
static void end(struct zc_job *j)
{
	j->message = false;
	zc_end_late(j);
	zc_end_at(j->in);
	zc_give_back(j->in);
	for (struct zc_endpoint *out = j->out; out; out = out->peer)
		zc_count_missing(j, out);
}

void zc_begin(struct zc *z, struct zc_endpoint *in)
{
	struct zc_job *j = &z->job;

	j->z = z;
	j->in = in;
	j->end = &j->out;
	if (in->kind == ZC_UNIDENTIFIED && !in->error)
		zc_own_identify(in, in->read);
	/* The bytes that are in a pipe already may be little pieces, or
	 * packets. */
	j->last = in->kind == ZC_PIPE ? 0 : ZC_RUN_MAX;
}

void zc_add(struct zc *z, struct zc_endpoint *out)
{
	struct zc_job *j = &z->job;

	if (out->added)
		return;
	out->added = true;
	zc_count_from(j, out);
	/* The bytes on their way are not for it. */
	out->lack = 0;
	out->had = z->relay.held;
	out->peer = NULL;
	*j->end = out;
	j->end = &out->peer;
	j->nout++;
}

void zc_drop(struct zc *z, struct zc_endpoint *out)
{
	struct zc_job *j = &z->job;
	struct zc_endpoint **p = &j->out;

	if (IS_ENABLED(CONFIG_ZC_LIBRARY) && !out->added)
		return;
	while (*p != out)
		p = &(*p)->peer;
	*p = out->peer;
	if (!*p)
		j->end = p;
	j->nout--;
	zc_count_missing(j, out);
	zc_relay_close(&out->queue);
	out->added = false;
}

struct zc_endpoint *zc_failed(struct zc *z)
{
	struct zc_endpoint *out = zc_first_failed(&z->job);

	if (out)
		zc_drop(z, out);
	return out;
}

int zc_run(struct zc *z, uint64_t until, int cancel_fd)
{
	struct zc_job *j = &z->job;
	int status;

	if (!j->out)
		return ZC_ENDED;
	if (IS_ENABLED(CONFIG_ZC_LIBRARY) && j->nout > ZC_SINKS_MAX) {
		j->in->error = EINVAL;
		return ZC_FAILED;
	}
	zc_end_early(j, until, cancel_fd);
	begin(j);
	status = zc_fan_all(j);
	end(j);
	return status;
}

void zc_end(struct zc *z)
{
	while (z->job.out)
		zc_drop(z, z->job.out);
	/* An applet ends, too, if a sink of its only job has failed. */
	if (IS_ENABLED(CONFIG_ZC_LIBRARY) && z->relay.held)
		zc_relay_close(&z->relay);
}

int zc_copy(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out)
{
	int status;

	zc_begin(z, in);
	zc_add(z, out);
	status = zc_run(z, ZC_EVER, -1);
	zc_end(z);
	return status;
}

void zc_close(struct zc *z)
{
	zc_end(z);
	zc_relay_close(&z->relay);
	zc_relay_close(&z->pattern);
	zc_relay_close(&z->socket);
	zc_ring_close(&z->ring);
	zc_unmap(z->large, ZC_LARGE);
	/* The analyzer takes the context for one that may be NULL. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	memset(z, 0, offsetof(struct zc, memory));
}
