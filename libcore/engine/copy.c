/* SPDX-License-Identifier: 0BSD */
/* The operations: a source to one sink or to several. */
#include <limits.h>
#include <string.h>

#include "engine.h"

static void identify(struct zc_endpoint *end, bool has_function)
{
	if (end->kind == ZC_UNIDENTIFIED && !end->error)
		zc_own_identify(end, has_function);
	zc_begin_at(end);
}

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

/* Identifies the ends, and forgets that an earlier call lacked descriptors or
 * memory, which may be there now. Two kinds of sinks are left to write(2). One
 * is not open for writing: poll(2) never calls the reading end of a pipe ready,
 * and vmsplice(2) would read from it. The other is a socket with a limit of
 * time: write(2) waits it out once, and poll(2) ignores it. Returns whether any
 * sink is alive. */
static bool begin(struct zc_job *j)
{
	struct zc_endpoint *in = j->in;
	unsigned share;

	j->methods = j->z->methods ? j->z->methods : zc_methods;
	j->z->no_queue = false;
	j->z->relay.size.most = ZC_PIPE_MAX;
	identify(in, in->read);
	in->size_of_pipe.most = ZC_PIPE_MAX / 2;
	share = memory_share(j);
	if (in->no_read && !in->error)
		in->error = EBADF;
	for (int i = 0; i < j->nout; i++) {
		struct zc_endpoint *out = j->out[i];

		if (out->error)
			continue;
		j->live++;
		identify(out, out->write);
		/* The call before may have ended while this sink rested. */
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
	j->z->message = in->kind & (ZC_DATAGRAM | ZC_UNKNOWN);
	/* The bytes that are in a pipe already may be little pieces, or
	 * packets. */
	if (in->kind != ZC_PIPE)
		j->last = ZC_RUN_MAX;
	return j->live;
}

/* The next call has another source, and no message. */
static void end(struct zc_job *j)
{
	j->z->message = false;
	zc_end_at(j->in);
	zc_give_back(j->in);
}

int zc_copy(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out)
{
	return zc_fan(z, in, &out, 1);
}

int zc_fan(struct zc *z, struct zc_endpoint *in,
	   struct zc_endpoint *const out[], int nout)
{
	struct zc_job j = { .z = z, .in = in, .out = out, .nout = nout };
	bool goes_on;
	int status;

	/* box's own applets pass no other number. */
	if (IS_ENABLED(CONFIG_ZC_RESUME) && (nout < 1 || nout > ZC_SINKS_MAX)) {
		in->error = EINVAL;
		return -1;
	}
	zc_defer(z);
	status = begin(&j) && zc_resume(&j) ? zc_fan_all(&j) : -1;
	end(&j);
	goes_on = zc_pause(&j, status);
	for (int i = 0; i < nout; i++) {
		/* One that has failed gets no more. */
		if (out[i]->error)
			zc_release(out[i]);
		else if (!goes_on && !zc_queued(out[i]))
			zc_relay_close(&out[i]->queue);
	}
	return status;
}

void zc_close(struct zc *z)
{
	zc_relay_close(&z->relay);
	zc_relay_close(&z->pattern);
	zc_relay_close(&z->socket);
	zc_ring_close(&z->ring);
	zc_unmap(z->large, ZC_LARGE);
	/* The analyzer takes the context for one that may be NULL. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	memset(z, 0, offsetof(struct zc, memory));
}
