/* SPDX-License-Identifier: 0BSD */
/* The limit of a sink that falls behind: beyond it whole lines are left out for
 * the sink, or it is retired, or the others wait. */
#include <limits.h>

#include "engine.h"

enum {
	/* Milliseconds: how long a sink may take nothing once the source has
	 * ended, and from which nap on a late sink is compared with a terminal.
	 */
	TAKES_NOTHING = 5000,
	TTY_NAPS = 31,
};

size_t zc_lag_max(void)
{
	return ZC_LAG_MAX;
}

/* Returns how many bytes of the queue are a line about missing bytes and not
 * the source's. No gap ends while some are, so the line is that of the last. If
 * a call has lost bytes of the queue, the sink has failed, and a caller of
 * libzc may have replaced it. */
static size_t told_in_queue(const struct zc_sink *out)
{
	const struct zc_lag *lag = out->lag;
	size_t n = zc_least(zc_excess(lag->told_end, out->bytes), lag->told);

	return IS_ENABLED(CONFIG_ZC_LIBRARY) ? zc_least(n, out->queue.held) : n;
}

/* Returns whether a gap goes on, though the source does: more than half of the
 * queue is full, or a line about another gap is there. */
static bool gap_lasts(const struct zc_sink *out)
{
	return zc_queue_is_half_full(out) || told_in_queue(out);
}

/* Returns whether a sink with a limit is given nothing. */
static bool skips(const struct zc_sink *out)
{
	return out->lag->gap && gap_lasts(out);
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
static void end_gap(struct zc_sink *out)
{
	struct zc_lag *lag = out->lag;
	char text[ZC_GAP_TEXT], *line = text + 1;
	size_t n;

	if (lag->tell && out->kind == ZC_TTY && !zc_queue_open(out)) {
		n = lag->tell(line, lag->gap);
		if (lag->cut) {
			*--line = '\n';
			n++;
		}
		lag->told = zc_queue_write(out, line, n);
		zc_count_told(out, lag->told);
		lag->told_end = out->bytes + out->queue.held;
	}
	lag->cut = false;
	lag->gap = 0;
}

void zc_lag_count(const struct zc_job *j, size_t n)
{
	for (struct zc_sink *o = j->out; o; o = o->peer) {
		if (!o->lag)
			continue;
		o->lag->bytes += n;
		/* The source goes on, as a caller of libzc may have it do. */
		if (IS_ENABLED(CONFIG_ZC_LIBRARY))
			o->lag->until = 0;
	}
}

/* Returns how many of the first bytes of a run are in a gap. */
static size_t in_gap(const struct zc_sink *out, const char *buf, size_t len)
{
	if (!buf || gap_lasts(out))
		return len;
	if (out->lag->line_start)
		return 0;
	return line_len(buf, len);
}

size_t zc_lag_admit(struct zc_sink *out, const char *buf, size_t len)
{
	struct zc_lag *lag = out->lag;
	size_t skip = 0;

	if (!zc_limited(out))
		return 0;
	/* The bytes kept free are for the end of a line: no other line begins
	 * there. */
	if (lag->gap || (lag->line_start && zc_queue_is_over(out))) {
		skip = in_gap(out, buf, len);
		miss(lag, skip);
		if (skip < len)
			end_gap(out);
	}
	/* splice and tee do not show whether a line begins here. */
	lag->line_start = buf && buf[len - 1] == '\n';
	lag->nap = 0;
	return skip;
}

size_t zc_lag_run(const struct zc_job *j)
{
	size_t max = ZC_RUN_MAX;

	for (struct zc_sink *o = j->out; o; o = o->peer) {
		if (!zc_limited(o) || skips(o))
			continue;
		/* Spliced small pieces have filled the queue before its limit.
		 */
		if (o->lag->gap || (o->queue.fd && zc_queue_was_full(o)))
			return 0;
		max = zc_least(zc_queue_room(o), max);
	}
	if (max < ZC_SPLICE_LEAST)
		return 0;
	return max;
}

/* Returns whether a sink could take another run. */
static bool has_room(const struct zc_sink *out)
{
	if (!zc_limited(out) || !out->queue.held)
		return true;
	return !skips(out) && zc_queue_room(out) >= ZC_SPLICE_LEAST;
}

/* Returns how many of the bytes read from the source the reader of a sink has
 * yet to take. */
static size_t behind(const struct zc_sink *out)
{
	size_t n = out->queue.held;

	if (out->kind & (ZC_LATE | ZC_DATAGRAM))
		n += zc_unread(out->fd);
	return n;
}

/* Returns whether a sink beyond its limit loses bytes or is retired, so that
 * the others need not wait for it. */
static bool may_lose(const struct zc_sink *out)
{
	if (!zc_limited(out))
		return false;
	switch (out->lag->late) {
	case ZC_WAIT:
		break;
	case ZC_SKIP:
	case ZC_DROP:
		return true;
	}
	return false;
}

/* Returns whether the others wait for a sink beyond its limit. */
static bool others_wait(const struct zc_sink *out)
{
	return zc_limited(out) && !may_lose(out);
}

void zc_lag_ask(const struct zc_sink *out, struct zc_turn *t)
{
	if (!out->lack) {
		t->ahead |= has_room(out);
		t->full |= zc_queued(out) && !zc_queue_room(out) &&
			   others_wait(out);
	} else if (may_lose(out)) {
		t->nap = zc_sooner(t->nap, out->lag->nap);
	}
}

size_t zc_lag_read(const struct zc_job *j)
{
	size_t n = ZC_BUFFER;

	/* It may have messages, and the part that does not fit is lost. */
	if (j->in->kind == ZC_UNKNOWN)
		return n;
	for (struct zc_sink *o = j->out; o; o = o->peer) {
		if (others_wait(o))
			n = zc_least(n, zc_queue_room(o));
	}
	/* A file with O_DIRECT needs whole blocks. */
	return zc_most(n & -(size_t)ZC_ALIGN, ZC_ALIGN);
}

/* Retires a sink. The bytes that its pipe or terminal holds count as taken. */
static void give_up(const struct zc *z, struct zc_sink *out)
{
	struct zc_lag *lag = out->lag;
	size_t n = zc_to_get(z, out) - told_in_queue(out);

	switch (lag->late) {
	case ZC_WAIT:
		break;
	case ZC_SKIP:
		lag->left_out += n;
		break;
	case ZC_DROP:
		lag->bytes -= n;
		break;
	}
	out->error = ETIME;
}

/* The sink lacks bytes for which its queue has no room. The readers are
 * compared, because a large pipe may go on taking bytes that nobody reads. The
 * kernel does not tell how much of a pseudo-terminal is unread, some 12 KiB, so
 * the others have a few naps to read as much. For a socket it tells the memory
 * in use, which may be many times the bytes: so a late socket counts only the
 * bytes that it lacks. */
static bool is_overdue(const struct zc_sink *late, const struct zc_job *j)
{
	size_t n = late->lack;

	/* A sink that was ready and took nothing is late only after a long
	 * rest. */
	if (late->rest && !zc_has_rested_long(late))
		return false;
	if (late->kind != ZC_SOCKET)
		n += zc_unread(late->fd);
	for (struct zc_sink *o = j->out; o; o = o->peer) {
		if (o->error || o->lack || !has_room(o))
			continue;
		if (o->kind == ZC_TTY && late->lag->nap < TTY_NAPS)
			continue;
		if (n > behind(o))
			return true;
	}
	return false;
}

/* Leaves out the bytes that a sink lacks. The end of a line that has begun goes
 * to the bytes kept free for it. */
static void leave_out(struct zc_sink *late)
{
	struct zc_lag *lag = late->lag;
	size_t room = zc_queue_tail_room(late);
	size_t n = line_len(late->next, late->lack), m = 0;

	if (n <= room && late->kind & ZC_LATE && !zc_queue_open(late))
		m = zc_queue_write(late, late->next, n);
	lag->cut = !m || late->next[m - 1] != '\n';
	miss(lag, late->lack - m);
	late->lack = 0;
}

void zc_lag_enforce(struct zc_sink *late, const struct zc_job *j)
{
	if (late->error || !late->lack || !may_lose(late))
		return;
	late->lag->nap = zc_longer(late->lag->nap);
	if (!is_overdue(late, j))
		return;
	switch (late->lag->late) {
	case ZC_WAIT:
		break;
	case ZC_SKIP:
		leave_out(late);
		break;
	case ZC_DROP:
		give_up(j->z, late);
		break;
	}
}

void zc_lag_waited(const struct zc_job *j, uint64_t begun, bool lacking)
{
	uint64_t ms = zc_excess(zc_clock(), begun);

	for (struct zc_sink *o = j->out; o; o = o->peer) {
		if (o->lag && !o->error && o->kind & ZC_LATE &&
		    (lacking ? o->lack : o->queue.held))
			o->lag->waited += ms;
	}
}

/* Returns how many bytes of a sink are waited for. A terminal must also send
 * the bytes that it holds, because close(2) waits for these. */
static size_t to_go(const struct zc_sink *out)
{
	size_t n = out->queue.held;

	if (n || out->kind == ZC_TTY)
		n += zc_unread(out->fd);
	return n;
}

/* Notes how many bytes a sink has taken. If it has taken some since it was last
 * asked, the time in which it may take nothing begins again. */
static void note_taken(struct zc_lag *lag, uint64_t taken)
{
	if (lag->until && lag->taken == taken)
		return;
	lag->taken = taken;
	lag->until = zc_clock() + TAKES_NOTHING;
}

int zc_lag_finish(const struct zc_job *j)
{
	int ms = -1;

	for (struct zc_sink *o = j->out; o; o = o->peer) {
		size_t left;
		int nap;

		if (o->error || !may_lose(o))
			continue;
		if (o->lag->gap && !told_in_queue(o))
			end_gap(o);
		left = to_go(o);
		if (!left)
			continue;
		note_taken(o->lag, o->bytes - left);
		nap = zc_until(o->lag->until);
		/* poll(2) does not tell when a terminal has sent all. */
		if (!o->queue.held)
			nap = zc_least(nap, ZC_TTY_NAP);
		if (nap)
			ms = zc_sooner(ms, nap);
		else
			give_up(j->z, o);
	}
	return ms;
}
