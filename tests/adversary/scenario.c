/* SPDX-License-Identifier: 0BSD */
/* Chooses what a run is: an applet and its options, its ends and who else uses
 * them, and what befalls its calls. */
#include "adversary.h"

/* The methods that this box has. */
static char *method_options[9];
static int methods;

/* Its configuration, each line behind a line feed. */
static char configuration[16384] = "\n";

int error_files[PROCESSES];

/* Whether the box has been built with a symbol. */
static bool has(const char *symbol)
{
	char text[64];

	snprintf(text, sizeof(text), "\nCONFIG_%s=y\n", symbol);
	return strstr(configuration, text);
}

static void find_methods(void)
{
	static char *const all[][2] = {
		{ "METHOD", "--method=rw" },
		{ "ZC_COPY_FILE_RANGE", "--method=copy_file_range" },
		{ "ZC_SPLICE", "--method=splice" },
		{ "ZC_TEE", "--method=tee" },
		{ "ZC_VMSPLICE", "--method=vmsplice" },
		{ "ZC_SENDFILE", "--method=sendfile" },
		{ "ZC_MMAP", "--method=mmap" },
		{ "ZC_IO_URING", "--method=io_uring" },
		{ "ZC_DONTCACHE", "--method=dontcache" },
	};

	for (size_t i = 0; has("METHOD") && i < 9; i++)
		if (has(all[i][0]))
			method_options[methods++] = all[i][1];
}

void read_configuration(void)
{
	const char *name = getenv("BOX_CONFIG");
	int fd = open(name ? name : "", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, configuration + 1, sizeof(configuration) - 2);

	if (n <= 0) {
		fprintf(stderr, "adversary: BOX_CONFIG=%s cannot be read\n",
			name ? name : "");
		exit(2);
	}
	close(fd);
	find_methods();
}

static size_t any_size(void)
{
	const size_t sizes[] = { below(3), between(1, 5000),
				 (32 << 10) + below(5) - 2,
				 (64 << 10) * between(1, 3) + below(5) - 2,
				 between(1, chance(64) ? 1 << 20 : 4096) };
	unsigned which = below(8);

	return which < 5 ? sizes[which] : between(1, 200000);
}

static struct end *add_end(struct run *r, enum kind kind)
{
	struct end *e = &r->end[r->ends++];

	NEED(r->ends <= ENDS);
	*e = (struct end){ .kind = kind, .near = -1, .far = -1 };
	return e;
}

/* A source that may be standard input, or is to have a name. */
static struct end *add_source(struct run *r, enum kind kind, enum owner owner,
			      size_t len)
{
	struct end *e = add_end(r, kind);

	e->text = new_text(owner, len);
	if (kind == FILE_END) {
		open_file(e, O_RDONLY);
		write_text(e->far, &e->text, 0);
	} else {
		if (kind == PTY_END)
			open_pty(e, false);
		else
			open_channel(e, true);
		e->role = GIVES;
		e->nonblock = chance(64);
	}
	set_pace(e);
	identify(e);
	describe(r, " from %s of %zu%s", kind_names[kind], len,
		 e->nonblock ? " nonblocking" : "");
	return e;
}

static struct end *add_any_source(struct run *r, enum kind kind,
				  enum owner owner)
{
	return kind == PTY_END ? add_source(r, kind, TYPED, below(3000)) :
				 add_source(r, kind, owner, any_size());
}

/* Standard input may have been read from. */
static void begin_later(struct run *r, struct end *e)
{
	size_t by = below(e->text.part[0].len + 1);

	NEED(lseek(e->near, by, SEEK_SET) == (off_t)by);
	e->at = by;
	e->text.part[0].at += by;
	e->text.part[0].len -= by;
	describe(r, " at %zu", by);
}

static void open_sink_file(struct run *r, struct end *e, bool append)
{
	struct text head = { { { tables[THIRD], TABLE, 0, 0 } }, 1 };

	e->append = append;
	if (chance(128))
		e->head = head.part[0].len = any_size();
	open_file(e,
		  (append ? O_APPEND : 0) | (chance(128) ? O_RDWR : O_WRONLY));
	write_text(e->far, &head, 0);
	e->at = e->append || chance(128) ? e->head : below(e->head + 1);
	if (!e->append)
		NEED(lseek(e->near, e->at, SEEK_SET) == (off_t)e->at);
	describe(r, " at %zu of %zu%s", e->at, e->head,
		 e->append ? " appended" : "");
}

static struct end *add_sink(struct run *r, enum kind kind, bool append)
{
	struct end *e = add_end(r, kind);

	describe(r, " to %s", kind_names[kind]);
	switch (kind) {
	case FILE_END:
		open_sink_file(r, e, append);
		break;
	case NULL_END:
	case FULL_END:
		e->near = open(kind == NULL_END ? "/dev/null" : "/dev/full",
			       O_WRONLY | O_CLOEXEC);
		NEED(e->near >= 0);
		break;
	case PTY_END:
		open_pty(e, true);
		e->role = TAKES;
		break;
	default:
		open_channel(e, false);
		e->role = TAKES;
		e->nonblock = chance(64);
	}
	set_pace(e);
	identify(e);
	return e;
}

static struct process *add_process(struct run *r, const char *name, int in,
				   int out)
{
	struct process *p = &r->process[r->processes];

	NEED(r->processes < PROCESSES);
	memset(p, 0, sizeof(*p));
	p->argv[0] = (char *)name;
	p->stdin_fd = in;
	p->stdout_fd = out;
	p->err = error_files[r->processes++];
	p->chance = any();
	describe(r, "; %s", name);
	return p;
}

static void add_argument(struct run *r, struct process *p, char *argument)
{
	int i = 1;

	while (p->argv[i])
		i++;
	NEED(i < 19);
	p->argv[i] = argument;
	describe(r, " %.60s", argument);
}

/* Returns an option, or NULL. */
static char *any_method(void)
{
	return methods && chance(160) ? method_options[below(methods)] : NULL;
}

static void add_method(struct run *r, struct process *p)
{
	char *method = any_method();

	if (method)
		add_argument(r, p, method);
}

/* By choice, splice(2) loses the bytes of others who write the same file. */
static bool spares_writers(const char *option)
{
	return !option || strcmp(option, "--method=splice");
}

/* What befalls the calls. Often one kind of thing alone, for what is rare
 * otherwise. */
static void add_plan(struct run *r, struct process *p)
{
	struct plan *plan = &p->plan;

	plan->most = 300;
	plan->cut = chance(160) ? ONE_OF(25, 128, 230, 256) : 0;
	plan->cut_kind = below(6);
	plan->interrupt = chance(100) ? ONE_OF(10, 60, 180) : 0;
	plan->refuse = chance(70) ? ONE_OF(5, 40, 128) : 0;
	plan->always = chance(64) ? any() & any() : 0;
	plan->before = chance(100) ? ONE_OF(10, 60, 150) : 0;
	plan->after = chance(100) ? ONE_OF(10, 60, 150) : 0;
	plan->pause = ONE_OF(0, 50, 200, 200, 1000);
	/* 1,000 pauses of a millisecond take long. */
	if (plan->pause == 1000)
		plan->most = 60;
	plan->first_fails = chance(40);
	plan->no_offsets = chance(30);
	describe(r,
		 " (cut %u as %d, interrupt %u, refuse %u, always %lx, "
		 "pause %u before %u after %u%s%s)",
		 plan->cut, plan->cut_kind, plan->interrupt, plan->refuse,
		 plan->always, plan->pause, plan->before, plan->after,
		 plan->first_fails ? ", first fails" : "",
		 plan->no_offsets ? ", no offsets" : "");
}

/* The call to fail for good: one of the first, or any. */
static void add_final(struct run *r, struct process *p)
{
	struct plan *plan = &p->plan;

	const struct call_facts *c = &call_facts[ONE_OF(
		CALL_read, CALL_write, CALL_splice, CALL_close)];

	plan->final = c->end;
	plan->final_at = chance(128) ? between(1, 4) : between(1, 40);
	plan->final_error = c->failures[below(errnos_in(c->failures))];
	describe(r, " (number %d of %u fails with %d)", plan->final_at,
		 plan->final, plan->final_error);
}

static void keep(struct end *e)
{
	e->got = malloc(GOT_MAX);
	NEED(e->got);
}

/* Its reader leaves. */
static void may_leave(struct run *r, struct process *p, struct end *e)
{
	if (e->role != TAKES)
		return;
	/* A message is a line of yes's, and takes a call that is traced. */
	e->leaves_at = between(1, e->kind == MESSAGES_END ? 5000 : 150000);
	p->keeps_sigpipe = chance(64);
	describe(r, " leaves at %zu%s", e->leaves_at,
		 p->keeps_sigpipe ? ", no SIGPIPE" : "");
}

/* The ends of cat: one source or several, one sink. */
static void set_flags(struct process *p, const struct end *in,
		      const struct end *out)
{
	p->messages[0] = in && in->kind == MESSAGES_END;
	p->messages[1] = out->kind == MESSAGES_END;
	p->unready[0] = in && in->nonblock;
	p->unready[1] = out->nonblock;
}

/* Another process that writes the same file, or only we do. */
static void add_writers(struct run *r, struct end *out)
{
	/* All of them come behind what was there. */
	out->at = out->head;
	if (!out->append)
		NEED(lseek(out->near, out->head, SEEK_SET) == (off_t)out->head);
	out->shared = true;
	if (chance(170)) {
		out->role = WRITES_TOO;
		out->others[THIRD] = new_text(THIRD, between(1, 100000));
		describe(r, " beside write(2)");
	}
	if (out->role == NOBODY || chance(128)) {
		struct end *in = add_any_source(
			r, chance(128) ? FILE_END : PIPE_END, SECOND);
		struct process *p = add_process(r, "cat", in->near, out->near);
		char *method = any_method();

		set_flags(p, in, out);
		if (method && spares_writers(method))
			add_argument(r, p, method);
		add_plan(r, p);
		out->others[SECOND] = in->text;
	}
}

/* Another reader of the same open file or pipe. */
static void add_readers(struct run *r, struct end *in)
{
	struct end *other;

	r->shared_source = true;
	keep(sink(r, 0));
	if (chance(128)) {
		other = add_end(r, in->kind);
		other->role = READS_TOO;
		other->far = in->kind == FILE_END ?
				     fcntl(in->near, F_DUPFD_CLOEXEC, 3) :
				     open(in->name,
					  O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		NEED(other->far >= 0);
		set_pace(other);
		describe(r, " beside read(2)");
	} else {
		struct process *p;

		other = add_sink(r, chance(128) ? FILE_END : PIPE_END, false);
		p = add_process(r, "cat", in->near, other->near);
		set_flags(p, in, other);
		add_method(r, p);
		add_plan(r, p);
	}
	keep(other);
	/* Of a source that refuses pread(2) a range that cannot be given back,
	 * because the other has moved on, is an error. */
	for (int i = 0; i < r->processes; i++)
		r->process[i].plan.no_offsets = false;
}

/* Who else is at its ends, or what befalls it for good: one of these. */
static void complicate(struct run *r, struct process *p)
{
	struct end *in = &r->end[0], *out = sink(r, 0);
	bool from_stdin = p->stdin_fd == in->near;

	switch (below(5)) {
	case 0:
	case 1:
		/* Of several sources the fault matrix knows what is due. */
		if (r->sources == 1)
			add_final(r, p);
		break;
	case 2:
		may_leave(r, p, sink(r, below(r->sinks)));
		break;
	case 3:
		if (out->kind == FILE_END && spares_writers(p->argv[1]))
			add_writers(r, out);
		break;
	case 4:
		if (r->sources == 1 && from_stdin &&
		    (in->kind == FILE_END || in->kind == PIPE_END) &&
		    (out->kind == FILE_END || out->kind == PIPE_END))
			add_readers(r, in);
		break;
	}
}

static enum kind any_sink(void)
{
	return ONE_OF(FILE_END, FILE_END, FILE_END, PIPE_END, PIPE_END,
		      PIPE_END, SOCKET_END, MESSAGES_END, PTY_END, NULL_END,
		      FULL_END);
}

static enum kind any_source(bool named)
{
	return named ? ONE_OF(FILE_END, FILE_END, PIPE_END, PTY_END) :
		       ONE_OF(FILE_END, FILE_END, PIPE_END, PIPE_END,
			      SOCKET_END, MESSAGES_END, PTY_END);
}

static void start_cat(struct run *r)
{
	bool named = chance(100);
	struct end *out;
	struct process *p;

	r->sources = named ? ONE_OF(1, 1, 2, 3, 4) : 1;
	for (int i = 0; i < r->sources; i++)
		add_any_source(r, any_source(named), OURS);
	if (!named && r->end[0].kind == FILE_END && chance(64))
		begin_later(r, &r->end[0]);
	r->sinks = 1;
	out = add_sink(r, any_sink(), chance(64));
	for (int i = 0; i < r->sources; i++)
		out->text.part[i] = r->end[i].text.part[0];
	out->text.parts = r->sources;
	p = add_process(r, "cat", named ? 0 : r->end[0].near, out->near);
	set_flags(p, named ? NULL : &r->end[0], out);
	add_method(r, p);
	for (int i = 0; named && i < r->sources; i++)
		add_argument(r, p, r->end[i].name);
	add_plan(r, p);
	complicate(r, p);
}

static char *modes[] = { "-p", "--output-error=warn",
			 "--output-error=warn-nopipe", "--output-error=exit",
			 "--output-error=exit-nopipe" };

/* A sink of tee's that has a name. */
static enum kind any_named_sink(void)
{
	return ONE_OF(FILE_END, FILE_END, PIPE_END, PIPE_END, PTY_END, NULL_END,
		      FULL_END);
}

static void start_tee(struct run *r)
{
	bool append = chance(64);
	struct end *in = add_any_source(r, any_source(false), OURS);
	struct process *p;

	r->sources = 1;
	r->sinks = ONE_OF(1, 2, 2, 3, 5);
	if (in->kind == FILE_END && chance(64))
		begin_later(r, in);
	for (int i = 0; i < r->sinks; i++) {
		struct end *e = add_sink(r, i ? any_named_sink() : any_sink(),
					 i ? append : chance(64));

		e->text = in->text;
		/* It is opened with O_TRUNC, and written from its beginning. */
		if (i && !append)
			e->at = e->head = 0;
		if (i && e->kind == FILE_END)
			e->append = append, e->at = e->head;
	}
	p = add_process(r, "tee", in->near, sink(r, 0)->near);
	set_flags(p, in, sink(r, 0));
	add_method(r, p);
	if (append)
		add_argument(r, p, "-a");
	if (chance(100) && has("TEE_ERROR")) {
		r->mode = modes[has("LONG_OPTS") ? below(5) : 0];
		add_argument(r, p, (char *)r->mode);
	}
	for (int i = 1; i < r->sinks; i++)
		add_argument(r, p, sink(r, i)->name);
	add_plan(r, p);
	complicate(r, p);
}

/* A line, and as much of it as fits the pattern that is compared. */
static char line[131000];
static unsigned char pattern[262144];

static void any_line(struct text *t)
{
	size_t len = chance(64)	 ? between(1, sizeof(line) - 1) :
		     chance(128) ? between(1, 5) :
				   between(1, 9000);
	size_t wrap = sizeof(pattern) / (len + 1) * (len + 1);

	for (size_t i = 0; i < len; i++)
		line[i] = between('a', 'z');
	line[len] = 0;
	for (size_t i = 0; i < wrap; i += len + 1) {
		memcpy(pattern + i, line, len);
		pattern[i + len] = '\n';
	}
	*t = (struct text){ { { pattern, wrap, 0, (size_t)1 << 60 } }, 1 };
}

static void start_yes(struct run *r)
{
	enum kind kind = ONE_OF(FILE_END, PIPE_END, PIPE_END, PIPE_END,
				SOCKET_END, MESSAGES_END, PTY_END, FULL_END);
	struct end *out;
	struct process *p;

	r->sinks = 1;
	out = add_sink(r, kind, chance(64));
	any_line(&out->text);
	p = add_process(r, "yes", 0, out->near);
	set_flags(p, NULL, out);
	add_method(r, p);
	add_argument(r, p, line);
	add_plan(r, p);
	if (out->role == TAKES) {
		may_leave(r, p, out);
		if (chance(64) && kind != MESSAGES_END)
			out->leaves_at *= 10;
	}
	/* A file is never full. */
	if (kind == FILE_END) {
		p->plan.final = END_SINK;
		p->plan.final_at = between(1, 20);
		p->plan.final_error = ENOSPC;
		p->plan.most = 1000;
	}
}

void choose(struct run *r)
{
	r->applet = ONE_OF(CAT, CAT, CAT, TEE, TEE, YES);
	if (r->applet == CAT)
		start_cat(r);
	else if (r->applet == TEE)
		start_tee(r);
	else
		start_yes(r);
}
