/* SPDX-License-Identifier: 0BSD */
/* What must be there after a run. */
#include "adversary.h"

enum blame { NOT, SOURCE, SINK, CLOSING_INPUT, EITHER };

struct verdict {
	enum blame blame;
	int which;
	int said;   /* messages */
	bool died;  /* by SIGPIPE */
	bool exits; /* tee ends at the first failure */
};

/* Descriptors 0 to 2, an operand, four relays and a ring; tee's sinks, and what
 * it may need for each. */
static struct judged exit_of(const struct run *r, const struct process *p,
			     int said, bool may_die)
{
	bool dies = WIFSIGNALED(p->status);

	return (struct judged){
		.signal = dies ? WTERMSIG(p->status) : 0,
		.status = dies ? 0 : WEXITSTATUS(p->status),
		.may_end_by = may_die ? SIGPIPE : 0,
		.said = said,
		.open = p->open_at_exit,
		.most_open = 13 + 3 * r->sinks,
	};
}

static void tell(struct run *r, const struct process *p, const struct judged *j)
{
	const char *is = judge_run(j);

	if (is)
		wrong(r, "%s: %s", p->argv[0], is);
}

static bool is_failed(const struct process *p, const struct end *e)
{
	return e->dev == p->failed_dev && e->ino == p->failed_ino;
}

/* Whose a final failure is, and which of the sources or sinks. A call with two
 * ends may be made in another way; that on a pipe of box's own, too. */
static enum blame blame(struct run *r, int *which)
{
	const struct process *p = &r->process[0];
	enum call_end final = p->failed ? p->failed->end : END_NOBODY;

	*which = 0;
	if (!final)
		return NOT;
	if (final == END_CLOSED && p->failed_fd == 0)
		return r->applet == YES ? NOT : CLOSING_INPUT;
	if (final == END_SINK || final == END_CLOSED) {
		if (p->failed_fd == 1)
			return SINK;
		for (*which = 1; *which < r->sinks; ++*which)
			if (is_failed(p, sink(r, *which)))
				return SINK;
	}
	if (final == END_SOURCE)
		for (*which = 0; *which < r->sources; ++*which)
			if (is_failed(p, &r->end[*which]))
				return SOURCE;
	return final == END_CLOSED ? NOT : EITHER;
}

static enum owner owner_of(unsigned char c)
{
	return c < 128 ? OURS : c < 192 ? SECOND : THIRD;
}

/* Shares out n bytes of a file that several write. */
static void look_into_shared(struct run *r, struct end *e, size_t n,
			     size_t their_pos[OWNERS], bool may_have_holes)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		enum owner o = owner_of(chunk[i]);

		for (len = 1; i + len < n && owner_of(chunk[i + len]) == o &&
			      !chunk[i + len] == !chunk[i];)
			len++;
		if (!chunk[i] && may_have_holes)
			continue;
		if (o == OURS)
			arrive(e, chunk + i, len);
		else if (is_text(&e->others[o], their_pos[o], chunk + i, len))
			their_pos[o] += len;
		else
			wrong(r,
			      "of another's bytes not all are there, from "
			      "%zu on",
			      their_pos[o]);
	}
}

/* A file: finds what has come, and who else's bytes are there. */
static void look_into(struct run *r, struct end *e, bool named,
		      bool may_have_holes)
{
	size_t their_pos[OWNERS] = { 0 }, size, start = e->at;
	struct stat st;
	ssize_t n;
	off_t end;

	NEED(!fstat(e->far, &st));
	size = end = st.st_size;
	if (!named && !e->append)
		end = lseek(e->near, 0, SEEK_CUR);
	if (!e->shared && !named && end > (off_t)size && e->at != (size_t)end)
		wrong(r, "%s: the position is %lld, and the size %zu",
		      kind_names[e->kind], (long long)end, size);
	if (e->role == WRITES_TOO)
		e->others[THIRD].part[0].len = e->pos;
	e->pos = 0;
	for (size_t at = 0; at < size; at += n) {
		size_t max = CHUNK_MAX;

		if (at < start)
			max = start - at;
		else if (!e->shared && at < (size_t)end)
			max = end - at;
		n = pread(e->far, chunk, max < CHUNK_MAX ? max : CHUNK_MAX, at);
		NEED(n > 0);
		if (at < start || (!e->shared && at >= (size_t)end)) {
			struct text head = {
				{ { tables[THIRD], TABLE, 0, e->head } }, 1
			};

			if (!is_text(&head, at, chunk, n))
				wrong(r, "%s: what was there is lost",
				      kind_names[e->kind]);
			continue;
		}
		if (!e->shared) {
			arrive(e, chunk, n);
			continue;
		}
		look_into_shared(r, e, n, their_pos, may_have_holes);
	}
	for (int o = SECOND; e->shared && o < OWNERS; o++)
		if (their_pos[o] != text_len(&e->others[o]))
			wrong(r, "%zu bytes of another writer's %zu are there",
			      their_pos[o], text_len(&e->others[o]));
}

/* Looks what a sink holds. */
static void look_at_sink(struct run *r, const struct verdict *v, int i,
			 struct judged_end *judged)
{
	struct end *e = sink(r, i);

	judged->spared = v->died || v->blame == SOURCE || e->left ||
			 (v->blame == EITHER && v->said) ||
			 (v->blame == SINK && i == v->which) ||
			 (v->said && v->exits);
	if (e->kind == NULL_END || e->kind == FULL_END)
		return;
	if (e->kind == FILE_END)
		look_into(r, e, i > 0, judged->spared);
	if (r->shared_source)
		return;
	judged->wrong = e->wrong;
	judged->got = e->pos;
	/* yes has no end. */
	judged->due = r->applet == YES ? e->pos + !judged->spared :
					 text_len(&e->text);
}

/* What may be told: the failure that was injected, readers that have left, and
 * ends that take nothing. */
static void add_failures(struct run *r, const struct verdict *v,
			 struct judged *j)
{
	uint32_t sinks = ((1u << r->sinks) - 1) << r->sources;
	uint32_t all = sinks | ((1u << r->sources) - 1);
	bool left = false, full = false;

	for (int i = 0; i < r->sinks; i++) {
		struct end *e = sink(r, i);
		bool takes_none = e->kind == FULL_END && text_len(&e->text);

		left |= e->left;
		full |= takes_none;
		if (e->left || takes_none)
			judged_failure(j, 1u << (r->sources + i), 0,
				       takes_none && v->blame == NOT &&
					       !r->shared_source);
	}
	/* Another reader may have left nothing for the others. */
	if (r->shared_source)
		judged_failure(j, sinks, 0, false);
	if (v->blame == SOURCE || v->blame == CLOSING_INPUT)
		judged_failure(j, 1u << v->which, 0, true);
	if (v->blame == SINK)
		judged_failure(j, 1u << (r->sources + v->which), 0, !left);
	if (v->blame == EITHER)
		judged_failure(j, all, 0, full && !r->shared_source);
}

static void judge_first(struct run *r, const struct verdict *v, bool may_die)
{
	struct process *p = &r->process[0];
	struct judged j = exit_of(r, p, v->said, may_die);

	j.unnamed = true;
	j.exits = v->exits;
	for (int i = 0; i < r->sources; i++)
		judged_end(&j, kind_names[r->end[i].kind], false);
	for (int i = 0; i < r->sinks; i++)
		look_at_sink(r, v, i,
			     judged_end(&j, kind_names[sink(r, i)->kind],
					true));
	if (r->applet == YES)
		judged_failure(&j, 1u << r->sources, 0, true);
	else
		add_failures(r, v, &j);
	tell(r, p, &j);
}

/* Returns how many messages a process has written. */
static int read_messages(struct run *r, const struct process *p)
{
	static char said[65536];
	ssize_t n = pread(p->err, said, sizeof(said) - 1, 0);
	size_t len = strlen(p->argv[0]);
	int lines = 0;

	NEED(n >= 0);
	said[n] = 0;
	for (char *line = said, *end; *line; line = end + 1, lines++) {
		end = strchr(line, '\n');
		if (!end) {
			wrong(r, "half a message: %s", line);
			return lines + 1;
		}
		if (strncmp(line, p->argv[0], len) || line[len] != ':')
			wrong(r, "no message of its own: %.*s",
			      (int)(end - line), line);
		if (r->failed)
			printf("    it said %.*s\n", (int)(end - line), line);
	}
	return lines;
}

/* Those beside the first process, to which nothing has happened. */
static void judge_others(struct run *r)
{
	for (int i = 1; i < r->processes; i++) {
		const struct process *p = &r->process[i];
		int said = read_messages(r, p);
		struct judged j = exit_of(r, p, said, false);

		tell(r, p, &j);
		if (said)
			wrong(r, "process %d: %d messages", i, said);
	}
}

static void judge_shares(struct run *r)
{
	struct end *a = sink(r, 0), *b = NULL;

	for (int i = r->sources + r->sinks; i < r->ends; i++)
		if (r->end[i].got)
			b = &r->end[i];
	NEED(a->got && b);
	if (b->role == NOBODY)
		look_into(r, b, false, false);
	if (!are_shares(&r->end[0].text, a->got, a->pos, b->got, b->pos))
		wrong(r,
		      "two readers had %zu and %zu bytes of %zu, or not in "
		      "order",
		      a->pos, b->pos, text_len(&r->end[0].text));
}

void judge(struct run *r)
{
	struct process *p = &r->process[0];
	struct verdict v = { .died = WIFSIGNALED(p->status) };
	bool may_die = false;

	if (r->hung)
		return;
	v.blame = blame(r, &v.which);
	v.said = read_messages(r, p);
	v.exits = r->applet != TEE || (r->mode && strstr(r->mode, "exit"));
	for (int i = 0; i < r->sinks; i++)
		may_die |= sink(r, i)->left && !p->keeps_sigpipe && !r->mode;
	judge_first(r, &v, may_die);
	judge_others(r);
	/* What it has read and not written is nobody's. */
	if (r->shared_source && !v.said)
		judge_shares(r);
	if (r->failed) {
		printf("    status %x, %d messages", p->status, v.said);
		if (p->failed)
			printf(", %s of %d failed with %d", p->failed->name,
			       p->failed_fd, p->plan.final_error);
		putchar('\n');
		read_messages(r, p);
	}
}
