/* SPDX-License-Identifier: 0BSD */
/* The limit of a sink that falls behind: beyond it whole lines are left out for
 * the sink, or it is retired, or the others wait. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>

#include "engine.h"

enum {
	/* Bytes that stay free, so that the end of a line has room, and some
	 * pages may be partly empty. */
	FREE = 3 * PIPE_BUF,
	/* Milliseconds: how long a sink may take nothing once the source has
	 * ended, and how often to ask whether a terminal has sent all. */
	PATIENCE = 5000,
	TTY_NAP = 20,
};

size_t zc_lag_max(void)
{
	return ZC_LAG_MAX;
}

/* Returns how many bytes the queue of a sink may hold. */
static size_t most(const struct zc_endpoint *out)
{
	return out->lag->max - out->lag->lacks;
}

/* Asks for a pipe as large as the limit needs, or as large as the kernel
 * allows. Returns how many bytes it may hold. A piece goes to the last page of
 * a pipe only if all of it fits there. So two pages hold more than one, and
 * half of a pipe takes pieces of any length. */
static size_t enlarge(struct zc_relay *queue, size_t max)
{
	size_t n = zc_least(2 * (max + FREE), ZC_LAG_MAX);
	int now;

	while (n > (size_t)queue->size.bytes &&
	       zc_fcntl(queue->sink, F_SETPIPE_SZ, n) < 0)
		n /= 2;
	/* A pipe may also be smaller than usual: pipe(7), pipe-user-pages-soft.
	 */
	now = zc_fcntl(queue->sink, F_GETPIPE_SZ, 0);
	if (now > 0)
		queue->size.bytes = now;
	return zc_excess(queue->size.bytes / 2, FREE);
}

int zc_lag_open(struct zc_endpoint *out)
{
	size_t room = 0;
	int status;

	if (out->queue.fd || !zc_limited(out))
		return zc_queue_open(out);
	status = zc_queue_open(out);
	if (!status)
		room = enlarge(&out->queue, out->lag->max);
	out->lag->lacks = zc_excess(out->lag->max, room);
	return status;
}

size_t zc_lag_room(const struct zc_endpoint *out)
{
	if (!zc_limited(out))
		return SIZE_MAX;
	return zc_excess(most(out), out->queue.held);
}

/* Returns whether a sink is given nothing: it has a gap, and more than half of
 * its queue is full. */
static bool skips(const struct zc_endpoint *out)
{
	return zc_lag_gap(out) && out->queue.held > most(out) / 2;
}

/* Returns how many of len bytes are the first line, which may end beyond them.
 */
static size_t line_len(const char *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (buf[i] == '\n')
			return i + 1;
	return len;
}

static void miss(struct zc_lag *lag, size_t n)
{
	lag->gap += n;
	lag->left_out += n;
}

/* Ends a gap. A terminal gets a line with the number of missing bytes. */
static void end_gap(struct zc_endpoint *out)
{
	struct zc_lag *lag = out->lag;
	char text[ZC_GAP_TEXT] = "\n";
	size_t n;

	if (lag->tell && out->kind == ZC_TTY && !zc_lag_open(out)) {
		n = lag->tell(text + 1, lag->gap) + lag->cut;
		lag->told = zc_queue_write(out, text + 1 - lag->cut, n);
		lag->told_end = out->bytes + out->queue.held;
	}
	lag->cut = false;
	lag->gap = 0;
}

void zc_lag_count(struct zc_endpoint *out, size_t n)
{
	if (out->lag)
		out->lag->bytes += n;
}

/* Returns how many of the first bytes of a run are in a gap. */
static size_t in_gap(const struct zc_endpoint *out, const char *buf, size_t len)
{
	if (out->queue.held > most(out) / 2)
		return len;
	return out->lag->line_start ? 0 : line_len(buf, len);
}

size_t zc_lag_admit(struct zc_endpoint *out, const char *buf, size_t len)
{
	struct zc_lag *lag = out->lag;
	size_t skip = 0;

	zc_lag_count(out, len);
	if (!zc_limited(out))
		return 0;
	/* The bytes kept free are for the end of a line: no other line begins
	 * there. */
	if (lag->gap || (lag->line_start && out->queue.held > most(out))) {
		skip = in_gap(out, buf, len);
		miss(lag, skip);
		if (skip < len)
			end_gap(out);
	}
	lag->line_start = buf[len - 1] == '\n';
	lag->naps = 0;
	return skip;
}

bool zc_lag_pass(struct zc_endpoint *out, size_t n)
{
	if (!zc_limited(out))
		return false;
	/* splice and tee do not show whether a line begins here. */
	out->lag->line_start = false;
	out->lag->naps = 0;
	if (!skips(out))
		return false;
	zc_lag_count(out, n);
	miss(out->lag, n);
	return true;
}

size_t zc_lag_run(const struct zc_endpoint *out, int nout)
{
	size_t max = ZC_RUN_MAX, room;

	for (; nout; out++, nout--) {
		if (!zc_limited(out) || skips(out))
			continue;
		room = zc_lag_room(out);
		/* Spliced small pieces have filled the queue before its limit.
		 */
		if (out->lag->gap || (out->queue.fd && out->queue.size.settled))
			room = 0;
		max = zc_least(room, max);
	}
	return max < ZC_LEAST ? 0 : max;
}

bool zc_lag_goes_on(const struct zc_endpoint *out)
{
	return !out->lack && !skips(out) &&
	       (!out->queue.held || zc_lag_room(out) >= ZC_LEAST);
}

/* Returns how many of the bytes read from the source the reader of a sink has
 * yet to take. */
static size_t behind(const struct zc_endpoint *out)
{
	size_t n = out->queue.held;

	if (out->kind & (ZC_LATE | ZC_DATAGRAM))
		n += zc_unread(out->fd);
	return n;
}

/* Returns whether a sink beyond its limit loses bytes or is retired, so that
 * the others need not wait for it. */
static bool may_lose(const struct zc_endpoint *out)
{
	return zc_limited(out) && out->lag->late != ZC_WAIT;
}

/* The sink lacks bytes for which its queue has no room. The readers are
 * compared, because a large pipe may go on taking bytes that nobody reads. The
 * kernel does not tell how much of a pseudo-terminal is unread, some 12 KiB, so
 * the others have a few naps to read as much. For a socket it tells the memory
 * in use, which may be many times the bytes: so a late socket counts only the
 * bytes that it lacks. */
bool zc_lag_is_overdue(const struct zc_endpoint *late,
		       const struct zc_endpoint *out, int nout)
{
	enum { NAPS = 4 };
	size_t n = late->lack;

	if (!late->lack || !may_lose(late))
		return false;
	if (late->kind != ZC_SOCKET)
		n += zc_unread(late->fd);
	for (; nout; out++, nout--)
		if (!out->error && zc_lag_goes_on(out) && n > behind(out) &&
		    (out->kind != ZC_TTY || late->lag->naps > NAPS))
			return true;
	return false;
}

int zc_lag_nap(struct zc_endpoint *out, int nout)
{
	enum { LONGEST = 7 };
	int ms = -1;

	for (; nout; out++, nout--)
		if (out->lack && may_lose(out)) {
			ms = zc_sooner(ms, (1 << out->lag->naps) / 2);
			out->lag->naps += out->lag->naps < LONGEST;
		}
	return ms;
}

size_t zc_lag_read(const struct zc_endpoint *in, const struct zc_endpoint *out,
		   int nout)
{
	size_t n = ZC_BUFFER;

	/* The part of a message that does not fit is lost. */
	if (in->kind & (ZC_DATAGRAM | ZC_UNKNOWN))
		return n;
	for (; nout; out++, nout--)
		if (zc_limited(out) && out->lag->late == ZC_WAIT)
			n = zc_least(n, zc_lag_room(out));
	/* A file with O_DIRECT needs whole blocks. */
	return n > ZC_ALIGN ? n & -(size_t)ZC_ALIGN : ZC_ALIGN;
}

/* Returns how many bytes of the queue are a line about missing bytes and not
 * the source's. Only the last gap counts, because at least half of the queue
 * goes out before the next one. */
static size_t told_in_queue(const struct zc_endpoint *out)
{
	const struct zc_lag *lag = out->lag;

	return zc_least(zc_excess(lag->told_end, out->bytes), lag->told);
}

/* Retires a sink. The bytes that its pipe or terminal holds count as taken. */
static void give_up(struct zc_endpoint *out)
{
	struct zc_lag *lag = out->lag;
	size_t n = out->lack + out->queue.held - told_in_queue(out);

	if (lag->late == ZC_DROP)
		lag->bytes -= n;
	else
		lag->left_out += n;
	out->error = ETIME;
}

/* The end of a line that has begun goes to the bytes kept free for it. */
void zc_lag_leave_out(struct zc_endpoint *out)
{
	struct zc_lag *lag = out->lag;
	size_t room = zc_excess(most(out) + PIPE_BUF, out->queue.held);
	size_t n = line_len(out->next, out->lack), m = 0;

	if (lag->late == ZC_DROP) {
		give_up(out);
		return;
	}
	if (n <= room && out->kind & ZC_LATE && !zc_lag_open(out))
		m = zc_queue_write(out, out->next, n);
	lag->cut = !m || out->next[m - 1] != '\n';
	miss(lag, out->lack - m);
	out->lack = 0;
}

uint64_t zc_lag_clock(const struct zc_endpoint *out, int nout)
{
	while (nout && !out->lag)
		out++, nout--;
	return nout ? zc_clock() : 0;
}

void zc_lag_waited(struct zc_endpoint *out, int nout, uint64_t begun,
		   bool lacking)
{
	uint64_t now = zc_clock();

	for (; nout; out++, nout--)
		if (out->lag && out->kind & ZC_LATE &&
		    (lacking ? out->lack : out->queue.held))
			out->lag->waited += now - begun;
}

/* Ends a gap. Returns how many bytes of a sink are waited for. A terminal must
 * also send the bytes that it holds, because close(2) waits for these. */
static size_t to_go(struct zc_endpoint *out)
{
	size_t n;

	if (out->lag->gap)
		end_gap(out);
	n = out->queue.held;
	if (n || out->kind == ZC_TTY)
		n += zc_unread(out->fd);
	return n;
}

/* Returns for how many milliseconds a sink may still take nothing. */
static int patience(struct zc_lag *lag, size_t left)
{
	uint64_t now = zc_clock();

	if (lag->left != left) {
		lag->left = left;
		lag->until = now + PATIENCE;
	}
	return zc_excess(lag->until, now);
}

int zc_lag_last(struct zc_endpoint *out, int nout)
{
	int ms = -1;

	for (; nout; out++, nout--) {
		size_t left;
		int nap;

		if (!may_lose(out))
			continue;
		left = to_go(out);
		nap = patience(out->lag, left);
		if (!left)
			continue;
		/* poll(2) does not tell when a terminal has sent all. */
		if (!out->queue.held)
			nap = zc_least(nap, TTY_NAP);
		if (nap)
			ms = zc_sooner(ms, nap);
		else
			give_up(out);
	}
	return ms;
}
