/* SPDX-License-Identifier: 0BSD */
/* A sink that is later than it may be: whole lines are left out for it, or it
 * is retired. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>

#include "engine.h"

enum {
	PIPE_MAX = CONFIG_ZC_PIPE_KB << 10,
	/* Bytes that stay free: the first page may be half empty and the last
	 * one half full, and the end of a line is to have room. */
	FREE = 3 * PIPE_BUF,
	/* Milliseconds: how long a sink may take nothing once the source has
	 * ended, and how often to ask whether a terminal has sent all. */
	PATIENCE = 5000,
	TTY_NAP = 20,
};

/* Makes a relay n bytes large, or as large as it may be. */
static void enlarge(struct zc_relay *relay, size_t n)
{
	int now = zc_sys_fcntl(relay->sink, F_GETPIPE_SZ, 0);

	if (n > ZC_LAG_MAX)
		n = ZC_LAG_MAX;
	while (now > 0 && n > (size_t)now &&
	       zc_sys_fcntl(relay->sink, F_SETPIPE_SZ, n) < 0)
		n /= 2;
	now = zc_sys_fcntl(relay->sink, F_GETPIPE_SZ, 0);
	if (now > 0)
		relay->size.bytes = now;
	relay->size.settled = true;
}

/* Bytes that the slack of a sink may hold. */
static size_t most(const struct zc_endpoint *out)
{
	size_t max = out->lag->max, room = 0;

	if (!out->slack.fd)
		return max;
	if (out->slack.size.bytes > FREE)
		room = out->slack.size.bytes - FREE;
	return max < room ? max : room;
}

int zc_lag_open(struct zc_endpoint *out)
{
	struct zc_lag *lag = out->lag;

	if (out->slack.fd)
		return 0;
	lag->lacks = lag->max;
	if (zc_relay_open(&out->slack))
		return -1;
	/* Pages may be half empty. */
	enlarge(&out->slack, 2 * (lag->max + FREE));
	lag->lacks -= most(out);
	return 0;
}

size_t zc_lag_room(const struct zc_endpoint *out)
{
	size_t max = most(out);

	return out->slack.held < max ? max - out->slack.held : 0;
}

/* Whether the slack is so many times as large as what it may hold. */
static bool is_larger(const struct zc_endpoint *out, int times)
{
	uint64_t least = out->lag->max + FREE;

	return (uint64_t)out->slack.size.bytes >= times * least;
}

/* Pieces that were spliced may have filled it early. Returns whether it grew.
 */
static bool widen(struct zc_relay *slack)
{
	int before = slack->size.bytes;

	if (before < PIPE_MAX)
		enlarge(slack, 2 * (size_t)before);
	return slack->size.bytes > before;
}

/* A write(2) goes to the last page of a pipe only if all of it fits there that
 * does not fill pages of its own. So that page is filled first, but for what is
 * at most PIPE_BUF: no other writer to the sink is to come between its bytes,
 * and pages are spliced one by one. If each is half empty, all fits a pipe of
 * twice the size; where that is not to be had, such a piece is divided, too.
 * Where pages are larger than 4 KiB, some stay partly empty. */
ssize_t zc_lag_put(struct zc_endpoint *out, const char *buf, size_t len)
{
	struct zc_relay *slack = &out->slack;
	struct zc_lag *lag = out->lag;
	size_t all = 0, max;

	if (!slack->held)
		lag->page = 0;
	max = PIPE_BUF - lag->page % PIPE_BUF;
	if (len <= PIPE_BUF && len > max && is_larger(out, 2)) {
		lag->page = 0;
		max = len;
	}
	while (all < len) {
		ssize_t n = zc_sys_write(slack->sink, buf + all,
					 max < len - all ? max : len - all);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 && !widen(slack))
			break;
		all += n > 0 ? n : 0;
		max = len;
	}
	lag->page += all;
	slack->held += all;
	return all ? (ssize_t)all : -1;
}

/* Returns where the first line of len bytes ends, or 0 if it does not. */
static size_t line_len(const char *buf, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (buf[i] == '\n')
			return i + 1;
	return 0;
}

void zc_lag_miss(struct zc_lag *lag, size_t n)
{
	lag->gap += n;
	lag->left_out += n;
}

static void tell(struct zc_endpoint *out)
{
	struct zc_lag *lag = out->lag;
	char text[ZC_GAP_TEXT] = "\n";
	ssize_t n;

	if (lag->tell && out->kind == ZC_TTY && !zc_lag_open(out)) {
		n = lag->tell(text + 1, lag->gap);
		n = zc_lag_put(out, text + !lag->cut, n + lag->cut);
		lag->told_end = n > 0 ? out->slack.held : 0;
		lag->told = n > 0 ? n : 0;
	}
	lag->cut = false;
	lag->gap = 0;
}

size_t zc_lag_take(struct zc_endpoint *out, const char *buf, size_t len)
{
	struct zc_lag *lag = out->lag;
	size_t max = most(out), skip = 0;

	/* What is kept free is for the end of a line: no other begins there. */
	if (lag->gap || (lag->line_start && out->slack.held > max)) {
		if (out->slack.held > max / 2)
			skip = len;
		else if (!lag->line_start)
			skip = line_len(buf, len);
		if (!skip && !lag->line_start)
			skip = len;
		zc_lag_miss(lag, skip);
		if (skip < len)
			tell(out);
	}
	lag->line_start = buf[len - 1] == '\n';
	lag->naps = 0;
	return len - skip;
}

bool zc_lag_skips(const struct zc_endpoint *out)
{
	return zc_limit(out) && !out->error && out->lag->gap &&
	       out->slack.held > most(out) / 2;
}

bool zc_lag_spliced(struct zc_endpoint *out, size_t n)
{
	struct zc_lag *lag = out->lag;
	bool skips = zc_lag_skips(out);

	/* Nobody has seen. */
	lag->line_start = false;
	lag->naps = 0;
	if (skips)
		zc_lag_miss(lag, n);
	else
		lag->page = 0; /* no write(2) goes to one that was spliced */
	return skips;
}

size_t zc_lag_run(const struct zc_endpoint *out, int nout)
{
	size_t max = ZC_RUN_MAX, room;

	if (nout == 1)
		return zc_is_clear(out) ? max : 0;
	for (; nout; out++, nout--) {
		if (!zc_limit(out) || out->error || zc_lag_skips(out))
			continue;
		/* Or once it had to grow, for small pieces have filled it. */
		if (out->lag->gap || (out->slack.fd && !is_larger(out, 2)) ||
		    is_larger(out, 4))
			return 0;
		room = zc_lag_room(out);
		max = room < max ? room : max;
	}
	return max < ZC_LEAST ? 0 : max;
}

/* Returns whether a sink lacks nothing, and could take more. */
static bool goes_on(const struct zc_endpoint *out)
{
	if (out->error || out->lack || zc_lag_skips(out))
		return false;
	return !zc_limit(out) || !out->slack.held ||
	       zc_lag_room(out) >= ZC_LEAST;
}

bool zc_lag_goes_on(const struct zc_endpoint *out, int nout)
{
	while (nout && !goes_on(out))
		out++, nout--;
	return nout;
}

/* Returns how many bytes of what we have read the reader of a sink has not. */
static size_t behind(const struct zc_endpoint *out)
{
	size_t n = out->lack + out->slack.held;

	if (out->kind & (ZC_LATE | ZC_DATAGRAM))
		n += zc_sys_unread(out->fd);
	return n;
}

/* What it lacks, its slack has no room for. A large pipe may go on taking bytes
 * that nobody reads, so it is the readers that are compared. Of a
 * pseudo-terminal nobody says what its reader has not read, some 12 KiB, so the
 * others have a few naps to read as much. Of a socket the kernel says how much
 * memory it takes, which may be many times as much: so the late one's does not
 * count. */
bool zc_lag_too_late(const struct zc_endpoint *late,
		     const struct zc_endpoint *out, int nout)
{
	enum { NAPS = 3 };
	size_t n = late->lack;

	if (late->kind != ZC_SOCKET)
		n += zc_sys_unread(late->fd);
	for (; nout; out++, nout--)
		if (goes_on(out) && n > behind(out) &&
		    (out->kind != ZC_TTY || late->lag->naps > NAPS))
			return true;
	return false;
}

int zc_lag_nap(struct zc_endpoint *out, int nout, int ms)
{
	enum { LONGEST = 6 };
	int nap;

	for (int i = 0; i < nout; i++) {
		struct zc_endpoint *o = &out[i];

		if (!o->lack || o->error || !zc_may_lose(o))
			continue;
		if (zc_lag_too_late(o, out, nout))
			return 0;
		nap = 1 << o->lag->naps;
		ms = ms < 0 || nap < ms ? nap : ms;
		o->lag->naps += o->lag->naps < LONGEST;
	}
	return ms;
}

/* Retires a sink, without what it is late with, of which the line of a gap is
 * no part. What a pipe or a terminal holds it has had. */
static void give_up(struct zc_endpoint *out)
{
	size_t told = out->lag->told_end < out->lag->told ? out->lag->told_end :
							    out->lag->told;
	size_t n = out->lack + out->slack.held - told;

	if (out->lag->late == ZC_DROP)
		out->lag->bytes -= n;
	else
		out->lag->left_out += n;
	zc_relay_close(&out->slack);
	out->error = ETIME;
}

void zc_lag_leave_out(struct zc_endpoint *out, const char *end)
{
	const char *p = end - out->lack;
	struct zc_lag *lag = out->lag;
	size_t room, n;
	ssize_t m = 0;

	if (lag->late == ZC_DROP) {
		lag->bytes += lag->run;
		give_up(out);
		return;
	}
	/* A line that has begun ends in what is kept free for it. */
	room = most(out) + PIPE_BUF;
	room = out->slack.held < room ? room - out->slack.held : 0;
	n = line_len(p, room < out->lack ? room : out->lack);
	lag->cut = !n;
	if (!n && room >= out->lack)
		n = out->lack;
	if (n && out->kind & ZC_LATE && !zc_lag_open(out))
		m = zc_lag_put(out, p, n);
	if (m > 0)
		out->lack -= m;
	lag->cut |= m != (ssize_t)n;
	zc_lag_miss(lag, out->lack);
	out->lack = 0;
}

size_t zc_lag_read(const struct zc_endpoint *in, const struct zc_endpoint *out,
		   int nout)
{
	size_t n = ZC_BUFFER;

	/* Of a message what does not fit is lost. */
	if (nout == 1 || in->kind & (ZC_DATAGRAM | ZC_UNKNOWN))
		return n;
	for (; nout; out++, nout--)
		if (zc_limit(out) && out->lag->late == ZC_WAIT && !out->error &&
		    zc_lag_room(out) < n)
			n = zc_lag_room(out);
	/* A file that is O_DIRECT wants whole blocks. */
	return n > ZC_ALIGN ? n & -(size_t)ZC_ALIGN : ZC_ALIGN;
}

void zc_lag_count(struct zc_endpoint *out, int nout, size_t n)
{
	for (; nout; out++, nout--)
		if (out->lag) {
			out->lag->bytes += out->error ? 0 : n;
			out->lag->run = 0;
		}
}

uint64_t zc_lag_clock(const struct zc_endpoint *out, int nout)
{
	while (nout && !out->lag)
		out++, nout--;
	return nout ? zc_sys_clock() : 0;
}

void zc_lag_waited(struct zc_endpoint *out, int nout, uint64_t begun,
		   bool lacking)
{
	uint64_t now = zc_sys_clock();

	for (; nout; out++, nout--)
		if (out->lag && !out->error && out->kind & ZC_LATE &&
		    (lacking ? out->lack : out->slack.held))
			out->lag->waited += now - begun;
}

void zc_lag_end(struct zc_endpoint *out, int nout)
{
	for (; nout; out++, nout--) {
		if (!zc_may_lose(out) || out->error)
			continue;
		if (out->lag->gap)
			tell(out);
		out->lag->since = zc_sys_clock();
	}
}

int zc_lag_last(struct zc_endpoint *out, int nout)
{
	int ms = -1, nap;

	for (; nout; out++, nout--) {
		struct zc_lag *lag = out->lag;
		size_t left = out->slack.held;
		uint64_t now;

		/* close(2) waits for what a terminal holds. */
		if (!zc_may_lose(out) || out->error || !lag->since ||
		    (!left && out->kind != ZC_TTY))
			continue;
		left += zc_sys_unread(out->fd);
		if (!left)
			continue;
		now = zc_sys_clock();
		if (lag->left != left) {
			lag->left = left;
			lag->since = now;
		}
		nap = lag->since + PATIENCE - now;
		if (nap <= 0) {
			give_up(out);
			continue;
		}
		/* Nothing tells when a terminal has sent all. */
		if (!out->slack.held)
			nap = TTY_NAP;
		ms = ms < 0 || nap < ms ? nap : ms;
	}
	return ms;
}
