/* SPDX-License-Identifier: 0BSD */
/* --debug: which methods moved how much, and why better ones did not. */
#define _GNU_SOURCE
#include <string.h>

#include "exit_hooks.h"

enum { ROWS = 16, ROW_MAX = 128 };

/* What a method has done for the present source. */
struct row {
	const struct zc_method *method;
	uintmax_t bytes;
	unsigned long calls;
	const char *verb, *why;	/* it was refused, or passed over */
};

static struct row rows[ROWS], *latest;
static struct zc_endpoint source;
static bool begun;
static char sinks[80];
static unsigned long calls;	/* zc.calls as it was */
static zc_trace *next;

static const char *error_name(int err)
{
	static const struct {
		unsigned char err;
		char name[11];
	} names[] = {
#define NAME(err) { err, #err }
		NAME(EINVAL), NAME(ENOSYS), NAME(EPERM), NAME(EOPNOTSUPP),
		NAME(EBADF), NAME(EXDEV), NAME(ETXTBSY), NAME(EACCES),
		NAME(EMFILE), NAME(EFBIG), NAME(EIO), NAME(EPIPE),
		NAME(ENOSPC),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].err == err)
			return names[i].name;
	return error_text(err);
}

static const char *kind_name(enum zc_kind kind)
{
#define KIND(kind) [__builtin_ctz(kind)]
	static const char names[][11] = {
		KIND(ZC_FILE) = "file", KIND(ZC_SMALL) = "small file",
		KIND(ZC_PIPE) = "pipe", KIND(ZC_SOCKET) = "socket",
		KIND(ZC_DATAGRAM) = "datagram", KIND(ZC_TTY) = "terminal",
		KIND(ZC_DEVICE) = "device", KIND(ZC_NULL) = "null",
		KIND(ZC_REPEAT) = "line",
	};

	return names[__builtin_ctz(kind)];
}

/* Which of its conditions rules the method out. */
static const char *reason(const struct zc_method *m, const struct zc_endpoint *in,
			  const struct zc_endpoint *out, int nout)
{
	if (!(m->from & in->kind))
		return kind_name(in->kind);
	if (nout > 1 && !m->multi_sink)
		return "several outputs";
	while (--nout && (out->error || m->to & out->kind))
		out++;
	return kind_name(out->kind);
}

static char *put_count(char *p, uintmax_t n, const char *what)
{
	p = stpcpy(put_number(p, n), what);
	return stpcpy(p, n == 1 ? "" : "s");
}

static char *put_row(char *p, const struct row *r)
{
	if (!r->bytes && !r->why)
		return p;
	p = stpcpy(stpcpy(p, "; "), r->method->name);
	if (r->bytes) {
		p = put_count(stpcpy(p, " moved "), r->bytes, " byte");
		p = put_count(stpcpy(p, " in "), r->calls, " call");
	}
	if (r->bytes && r->why)
		p = stpcpy(p, ", then");
	if (r->why)
		p = stpcpy(stpcpy(p, r->verb), r->why);
	return p;
}

static void end_source(void)
{
	char line[ROWS * ROW_MAX], *p = line;
	const char *name = source.fd ? source.name : NULL;

	*p = 0;
	for (struct row *r = rows; r < rows + ROWS && r->method; r++)
		p = put_row(p, r);
	message(name, name ? "" : source.name ? "standard input" : "operands",
	    " (", kind_name(source.kind), ") to ", sinks, ":",
	    *line ? line + 1 : " nothing to move", NULL);
}

static void trace_end(void)
{
	if (!begun)
		return;
	latest->calls += zc.calls - calls;
	end_source();
}

static void begin_source(const struct zc_endpoint *in, const struct zc_endpoint *out,
			 int nout)
{
	char *p = sinks;

	if (begun)
		end_source();
	begun = true;
	memset(rows, 0, sizeof(rows));
	source = *in;
	for (int i = 0; i < nout && p < sinks + sizeof(sinks) - 24; i++)
		if (!out[i].error) {
			p = stpcpy(p, p == sinks ? "" : ", ");
			p = stpcpy(p, out[i].kind & ZC_SMALL ? "file" :
				   kind_name(out[i].kind));
		}
}

static void set_why(struct row *r, const char *verb, const char *why)
{
	if (r->why)
		return;
	r->verb = verb;
	r->why = why;
}

static void trace(struct zc *z, const struct zc_method *m,
		  const struct zc_endpoint *in, const struct zc_endpoint *out,
		  int nout, ssize_t n)
{
	int err = errno;
	struct row *r = rows;

	if (!begun || source.name != in->name)
		begin_source(in, out, nout);
	source.kind = in->kind;
	while (r->method && r->method != m && r < rows + ROWS - 1)
		r++;
	r->method = m;
	r->calls += zc.calls - calls;
	calls = zc.calls;
	latest = r;
	if (nout == 1 && out->error)
		set_why(r, " failed: ", error_name(out->error));
	else if (n > 0)
		r->bytes += n;
	else if (n < 0 && err)
		set_why(r, " refused: ", error_name(err));
	else if (n < 0)
		set_why(r, " passed over: ", reason(m, in, out, nout));
	errno = err;
	if (next)
		next(z, m, in, out, nout, n);
}

static int trace_set(const struct option *opt, const char *value)
{
	(void)opt;
	(void)value;
	if (zc.trace != trace && !next) {
		next = zc.trace;
		zc.trace = trace;
		exit_hook_set(TRACE_HOOK, trace_end);
	}
	return 0;
}

const struct option_group trace_options = {
	.applies_to = MOVES,
	.options = (const struct option[]){
		{ 0, NO_VALUE, 0, "debug" },
		{ 0 }
	},
	.set = trace_set,
};

const char trace_help[] =
"      --debug              say how the bytes were moved, on standard error\n";
