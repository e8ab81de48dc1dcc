/* SPDX-License-Identifier: 0BSD */
/* The loop: which method moves the next run, and whose fault a failure is. */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine.h"

#ifndef PAGESIZE /* where the kernel decides */
#define PAGESIZE getpagesize()
#endif

const struct zc_method *const zc_methods[] = {
#define METHOD(name) &zc_method_##name,
#include "methods.h"
#undef METHOD
	NULL
};

/* Kinds of sources that end where read(2) says so, and not where a method does:
 * the size of a file may lie, and splice(2) returns 0 at a mark of urgent data
 * (tcp(7)). A terminal would need a second ^D, and a tape goes on to its next
 * file, so these end at the first 0. */
enum { READ_ENDS = ZC_FILE | ZC_SMALL | ZC_SOCKET };

/* Bytes of a repeated line. */
enum { PATTERN = ZC_SELECT ? ZC_BUFFER : ZC_LINES };

/* One call of zc_copy(). */
struct copy {
	struct zc *z;
	const struct zc_method *const *methods;
	struct zc_endpoint *in, *out;
	int nout;
	unsigned refused; /* methods not to try again, a bit each */
	int last;	  /* bytes of the run before this one */
	int fault;	  /* this run's failure, maybe either end's */
};

static bool applies(const struct zc_method *m, const struct copy *c)
{
	if (!(m->from & c->in->kind) || (c->nout > 1 && !m->multi_sink))
		return false;
	for (int i = 0; i < c->nout; i++)
		if (!c->out[i].error && !(m->to & c->out[i].kind))
			return false;
	return true;
}

static int count_live(const struct copy *c)
{
	int n = 0;

	for (int i = 0; i < c->nout; i++)
		n += !c->out[i].error;
	return n;
}

/* Returns whether this run is not to be spliced, for the one before was little.
 * To several sinks, splicing puts each piece into a pipe buffer of its own,
 * writing fills pages: of little pieces a slack would hold few. From pipe to
 * pipe, what was written as packets (O_DIRECT, pipe2(2)) goes on as such, and
 * who reads less than a whole one loses the rest. The end that is read does not
 * tell, but no packet is larger than a page. */
static bool is_little(const struct copy *c)
{
	bool little = c->last < ZC_LEAST || c->last <= PAGESIZE;

	return ZC_SELECT && little &&
	       (c->nout > 1 || c->in->kind & c->out->kind & ZC_PIPE);
}

/* Tries the methods in turn until one has moved a run. `rw' says that it is to
 * be rw, which has the last word. Returns as they do. */
static ssize_t move_run(struct copy *c, int live, bool rw)
{
	bool little = is_little(c);

	c->fault = 0;
	for (int i = 0;; i++) {
		const struct zc_method *m = ZC_SELECT ? c->methods[i] :
							&zc_method_rw;
		bool last = !ZC_SELECT || !c->methods[i + 1];
		ssize_t n = -1;

		if (!last && (rw || c->refused & 1u << i ||
			      (little && !(IS_ENABLED(CONFIG_ZC_DONTCACHE) &&
					   m->uncached))))
			continue;
		errno = 0;
		if (last || applies(m, c))
			n = m->run(c->z, c->in, c->out, c->nout);
		if (c->z->trace)
			c->z->trace(c->z, m, c->in, c->out, c->nout, n);
		if (last || n > 0 || c->in->error || count_live(c) < live)
			return n;
		if (n == 0 && !(c->in->kind & READ_ENDS))
			return 0;
		if (n == 0) {
			rw = true;
			continue;
		}
		c->refused |= 1u << i;
		if (zc_is_final(errno))
			c->fault = errno;
		/* rw has the last word: on failures, and on what was not ready
		 * and is not to be waited for. */
		if (c->fault || errno == EAGAIN)
			rw = true;
	}
}

/* A failure that rw could not repeat, after bytes had moved: it is final all
 * the same, and the errno is all there is to tell whose it is. */
static void blame(struct copy *c)
{
	if (c->fault == EIO && c->in->kind != ZC_REPEAT)
		c->in->error = c->fault;
	else
		c->out->error = c->fault;
}

/* A run has been moved. If a method had failed before rw moved it, no other is
 * tried again. */
static void end_run(struct copy *c)
{
	c->in->moved = true;
	c->in->no_splice |= c->fault;
	/* What is in slack may be all that a sink has been given. */
	for (int i = 0; i < c->nout; i++)
		c->out[i].moved |= !c->out[i].slack.held;
}

/* Moves run after run to the live sinks, of which there were so many. Returns
 * as zc_copy(). */
static int move_all(struct copy *c, int live)
{
	while (live && !c->in->error && count_live(c) == live) {
		bool moved = c->in->moved;
		ssize_t n;

		if ((IS_ENABLED(CONFIG_ZC_HANGUP) ||
		     IS_ENABLED(CONFIG_ZC_TEE)) &&
		    c->in->fd >= 0 &&
		    (!zc_fan_out(c->z, c->in, c->out, c->nout, NULL) ||
		     count_live(c) < live))
			continue;
		n = move_run(c, live,
			     c->in->no_splice ||
				     (IS_ENABLED(CONFIG_ZC_LAG) &&
				      !zc_lag_run(c->out, c->nout)));
		if (!c->in->error && count_live(c) == live) {
			if (c->fault && moved)
				blame(c);
			else if (n <= 0)
				return 0;
		}
		c->last = n;
		if (n > 0)
			end_run(c);
		if (IS_ENABLED(CONFIG_ZC_LAG) && n > 0)
			zc_lag_count(c->out, c->nout, n);
	}
	return -1;
}

/* Waits until nothing is in slack. Returns true, and at once, where fewer sinks
 * are alive than these. */
static bool drain_all(struct copy *c, int live)
{
	while (IS_ENABLED(CONFIG_ZC_TEE) && count_live(c) >= live)
		if (zc_fan_out(c->z, NULL, c->out, c->nout, NULL))
			return count_live(c) < live;
	return IS_ENABLED(CONFIG_ZC_TEE);
}

/* Finds out what has not been, and forgets what an earlier call was refused for
 * want of descriptors or pages, which may be had now. poll(2) never calls a
 * pipe's other end ready, and vmsplice(2) would read from it: a sink that is
 * not open for writing is for write(2), which says so once there is something
 * to write. So is a socket with a limit of time, which write(2) waits out once;
 * poll(2) knows of none. */
static void begin(struct copy *c)
{
	c->z->no_slack = false;
	c->z->relay.size.settled = false;
	for (int i = 0; i < c->nout; i++) {
		struct zc_endpoint *out = &c->out[i];

		if (out->kind == ZC_UNIDENTIFIED && !out->error)
			zc_identify(out);
		if (out->no_write || (out->kind & (ZC_SOCKET | ZC_DATAGRAM) &&
				      zc_has_limit(out->fd, SO_SNDTIMEO)))
			out->kind = ZC_UNKNOWN;
	}
	if (c->in->kind == ZC_UNIDENTIFIED)
		zc_identify(c->in);
	if (c->in->no_read && !c->in->error)
		c->in->error = EBADF;
	/* What is in a pipe already may be little pieces, or packets. */
	if (ZC_SELECT && c->in->kind != ZC_PIPE)
		c->last = ZC_RUN_MAX;
}

int zc_copy(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out,
	    int nout)
{
	struct copy c = { .z = z, .in = in, .out = out, .nout = nout };
	int live, status;

	if (nout < 1 || nout > ZC_SINKS_MAX) {
		in->error = EINVAL;
		return -1;
	}
	live = count_live(&c);
	c.methods = z->methods ? z->methods : zc_methods;
	begin(&c);
	/* Slack that is left from a call in which another sink failed goes out
	 * first: with a single sink the methods do not look into it. */
	if (nout == 1)
		drain_all(&c, live);
	status = in->ended ? 0 : move_all(&c, live);
	if (IS_ENABLED(CONFIG_ZC_LAG) && (!status || in->error))
		zc_lag_end(out, nout);
	/* A sink's failure is told at once, and the others' slack is drained by
	 * the next call, which there is not if the source has failed too. */
	if (drain_all(&c, in->error ? 0 : live)) {
		in->ended = !status;
		status = -1;
	}
	if (zc_has_range(in))
		zc_give_back(in);
	for (int i = 0; i < nout; i++)
		if (IS_ENABLED(CONFIG_ZC_TEE) && out[i].error)
			zc_relay_close(&out[i].slack);
	return status;
}

void zc_release(struct zc_endpoint *out)
{
	if (IS_ENABLED(CONFIG_ZC_TEE))
		zc_relay_close(&out->slack);
}

int zc_repeat(struct zc *z, const char *line, size_t len,
	      struct zc_endpoint *out)
{
	struct zc_endpoint in = {
		.fd = -1,
		.kind = ZC_REPEAT,
		.pattern = line,
		.pattern_len = len,
		.line_len = len,
	};
	char *buffer = zc_buffer(z);
	int status;

	if (!len) {
		out->error = EINVAL;
		return -1;
	}
	if (len <= PATTERN / 2) {
		in.pattern = buffer;
		in.pattern_len = PATTERN / len * len;
		for (size_t i = 0; i < in.pattern_len; i += len)
			memmove(buffer + i, line, len);
	}
	status = zc_copy(z, &in, out, 1);
	if (IS_ENABLED(CONFIG_ZC_VMSPLICE) && in.lent)
		zc_sys_unmap((void *)in.pattern, in.pattern_len);
	return status;
}

size_t zc_lag_max(void)
{
	return IS_ENABLED(CONFIG_ZC_LAG) ? ZC_LAG_MAX : 0;
}

void zc_close(struct zc *z)
{
	struct zc_relay *all[] = {
		&z->relay,
		&z->pattern,
		&z->socket,
		NULL,
	};

	for (int i = 0; IS_ENABLED(CONFIG_ZC_RANGE) && all[i]; i++)
		zc_relay_close(all[i]);
	if (IS_ENABLED(CONFIG_ZC_RING))
		zc_ring_close(&z->ring);
	/* A context is never NULL, and nothing here asks. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	if (IS_ENABLED(CONFIG_ZC_DONTCACHE) && z->large)
		zc_sys_unmap(z->large, ZC_LARGE);
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	memset(z, 0, offsetof(struct zc, memory));
}
