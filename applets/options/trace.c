/* SPDX-License-Identifier: 0BSD */
/* --debug: the methods that moved the bytes, and why better ones failed. */
#include <signal.h>
#include <string.h>

#include "applet.h"

enum { ROWS = 16, SINKS = 8 };

/* The work of a method for the present source. */
struct row {
	const struct zc_method *method;
	uintmax_t bytes;
	unsigned long calls;
	const char *verb, *why; /* end of its use, and the cause */
};

static struct row rows[ROWS], *latest;
static struct {
	const char *name;
	int fd;
	enum zc_kind kind;
} source;
static volatile sig_atomic_t begun;
static struct {
	enum zc_kind kind;
	const char *name;
	const struct zc_lag *lag;
} sinks[SINKS]; /* the first of them */
static int nsinks;
static unsigned long calls; /* zc.calls as it was */

static const char *trace_error_name(int err)
{
	static const struct {
		unsigned char err;
		char name[11];
	} names[] = {
#define NAME(err) { err, #err }
		NAME(EINVAL), NAME(ENOSYS), NAME(EPERM),   NAME(EOPNOTSUPP),
		NAME(EBADF),  NAME(EXDEV),  NAME(ETXTBSY), NAME(EACCES),
		NAME(EMFILE), NAME(EFBIG),  NAME(EIO),	   NAME(EPIPE),
		NAME(ENOSPC),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].err == err)
			return names[i].name;
	return error_text(err);
}

static const char *trace_kind_name(enum zc_kind kind)
{
#define KIND(kind) [__builtin_ctz(kind)]
	static const char names[][11] = {
		KIND(ZC_FILE) = "file",		KIND(ZC_SMALL) = "small file",
		KIND(ZC_PIPE) = "pipe",		KIND(ZC_SOCKET) = "socket",
		KIND(ZC_DATAGRAM) = "datagram", KIND(ZC_TTY) = "terminal",
		KIND(ZC_DEVICE) = "device",	KIND(ZC_NULL) = "null",
		KIND(ZC_REPEAT) = "line",	KIND(ZC_UNKNOWN) = "unknown",
	};

	/* tee --retry and the like write it themselves. */
	if (IS_ENABLED(CONFIG_TEE_FILE) && kind == ZC_OWN)
		kind = ZC_FILE;
	return names[__builtin_ctz(kind)];
}

/* A reader of the message needs no size. */
static const char *trace_sink_name(enum zc_kind kind)
{
	return kind & ZC_REGULAR ? "file" : trace_kind_name(kind);
}

/* Returns the kind or number of endpoints that the method does not serve. */
static const char *trace_reason(const struct zc_method *m,
				const struct zc_source *in,
				const struct zc_sink *out)
{
	if (!(m->from & in->kind))
		return trace_kind_name(in->kind);
	if (out->peer && !m->fan)
		return "several outputs";
	while (out->peer && (out->error || m->to & out->kind))
		out = out->peer;
	return trace_sink_name(out->kind);
}

static void trace_put_count(uintmax_t n, const char *what)
{
	put_decimal(n);
	put_string(what);
	if (n != 1)
		put_byte('s');
}

static void trace_put_row(const struct row *r)
{
	put_string(r->method->name);
	if (r->bytes) {
		put_string(" moved ");
		trace_put_count(r->bytes, " byte");
		put_string(" in ");
		trace_put_count(r->calls, " call");
	}
	if (r->why) {
		if (r->bytes)
			put_string(", then");
		put_string(r->verb);
		put_string(r->why);
	}
}

static void trace_put_sinks(void)
{
	for (int i = 0; i < nsinks; i++) {
		put_string(i ? ", " : ") to ");
		put_string(trace_sink_name(sinks[i].kind));
	}
}

/* The bytes of each of several sinks. */
static void trace_put_lags(void)
{
	for (int i = 0; nsinks > 1 && i < nsinks && sinks[i].lag; i++) {
		const struct zc_lag *lag = sinks[i].lag;

		message_begin();
		put_name(sinks[i].name);
		put_string(" (");
		put_string(trace_sink_name(sinks[i].kind));
		put_string(") got ");
		trace_put_count(lag->bytes - lag->left_out, " byte");
		if (lag->waited) {
			put_string(", was waited for ");
			put_decimal(lag->waited);
			put_string(" ms");
		}
		if (lag->left_out) {
			put_string(", missed ");
			trace_put_count(lag->left_out, " byte");
		}
		if (lag->lacks) {
			put_string(", could be late by ");
			trace_put_count(lag->max - lag->lacks, " byte");
		}
		message_end();
	}
}

static void trace_end_source(void)
{
	bool nothing = true;

	message_begin();
	if (source.fd && source.name)
		put_name(source.name);
	else
		put_string(source.name ? "standard input" : "operands");
	put_string(" (");
	put_string(trace_kind_name(source.kind));
	trace_put_sinks();
	put_byte(':');
	for (struct row *r = rows; r < rows + ROWS && r->method; r++) {
		if (!r->bytes && !r->why)
			continue;
		put_string(nothing ? " " : "; ");
		trace_put_row(r);
		nothing = false;
	}
	if (nothing)
		put_string(" nothing to move");
	message_end();
	if (IS_ENABLED(CONFIG_TEE_LAG))
		trace_put_lags();
}

static void trace_end(void)
{
	if (!begun)
		return;
	latest->calls += zc.calls - calls;
	trace_end_source();
}

static void trace_begin_source(const struct zc_source *in,
			       const struct zc_sink *out)
{
	if (begun) {
		begun = false;
		trace_end_source();
	}
	memset(rows, 0, sizeof(rows));
	source.name = in->name;
	source.fd = in->fd;
	nsinks = 0;
	for (const struct zc_sink *o = out; o && nsinks < SINKS; o = o->peer)
		if (!o->error ||
		    (IS_ENABLED(CONFIG_TEE_LAG) && o->error == ETIME)) {
			sinks[nsinks].kind = o->kind;
			sinks[nsinks].name = o->name;
			sinks[nsinks++].lag = o->lag;
		}
	latest = rows;
	/* From now on trace_end() may report it, from a signal handler. */
	begun = true;
}

static void trace_set_why(struct row *r, const char *verb, const char *why)
{
	if (r->why)
		return;
	r->verb = verb;
	r->why = why;
}

static void trace_attempt(const struct zc_source *in, const struct zc_sink *out,
			  const struct zc_method *m, ssize_t n)
{
	struct row *r = rows;

	/* Each operand is a string of its own, even if two are alike: its
	 * address tells one source from the next. */
	if (!begun || source.name != in->name)
		trace_begin_source(in, out);
	source.kind = in->kind;
	while (r->method && r->method != m && r < rows + ROWS - 1)
		r++;
	r->method = m;
	r->calls += zc.calls - calls;
	calls = zc.calls;
	latest = r;
	if (!out->peer && out->error)
		trace_set_why(r, " failed: ", trace_error_name(out->error));
	else if (n > 0)
		r->bytes += n;
	else if (n == ZC_PASSED_OVER)
		trace_set_why(r, " passed over: ", trace_reason(m, in, out));
	else if (n < 0)
		trace_set_why(r, " refused: ", trace_error_name(-n));
}

static int trace_set(const struct option *opt, const char *value)
{
	debug = true;
	zc.trace = trace_attempt;
	exit_hooks_set(TRACE_HOOK, trace_end);
	return 0;
}

const struct option_group trace_options = {
	.applies_to = MOVES,
	OPTION_LIST({ 0, 0, "debug", HELP("explain how bytes were moved") }),
	.set = trace_set,
};
