/* SPDX-License-Identifier: 0BSD */
/* Soaking: long pipelines with long streams, to which nothing happens but
 * signals, and readers that leave. */
#include "adversary.h"

uint64_t soaked; /* bytes that have come and were compared */

/* Between two processes. */
static void new_link(int fd[2])
{
	if (chance(200)) {
		NEED(!pipe2(fd, O_CLOEXEC));
		if (chance(128))
			fcntl(fd[1], F_SETPIPE_SZ, 4096 << below(9));
	} else {
		int pair[2];

		NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
		fd[0] = pair[0];
		fd[1] = pair[1];
		NEED(!shutdown(fd[0], SHUT_WR));
	}
}

static enum kind any_soak_sink(size_t len)
{
	enum kind kind = ONE_OF(FILE_END, PIPE_END, PIPE_END, SOCKET_END,
				NULL_END);

	return kind == FILE_END && len > FILE_MAX ? PIPE_END : kind;
}

static struct end *add_soak_sink(struct run *r, const struct text *text,
				 enum kind kind)
{
	struct end *e = add_sink(r, kind, false);

	e->text = *text;
	r->sinks++;
	return e;
}

/* One process of the pipeline, from one descriptor to the other. */
static void add_stage(struct run *r, const char *name, const struct text *text,
		      int in, int out)
{
	bool tees = !strcmp(name, "tee");
	struct process *p = add_process(r, name, in, out);
	/* Of what has no end, nothing may be left that takes all of it once
	 * standard output has failed (a socket that is reset). */
	int extra = tees && r->sources ? below(3) : 0;

	p->traced = false;
	add_method(r, p);
	if (!strcmp(name, "yes"))
		add_argument(r, p, line);
	while (extra-- && r->ends < ENDS - 3) {
		struct end *e = add_soak_sink(
			r, text, ONE_OF(PIPE_END, PIPE_END, NULL_END));

		add_argument(r, p, e->name);
	}
}

/* A file of which the first process reads the name again and again. */
static void add_operands(struct run *r, struct process *p, struct text *text)
{
	struct stream once = text->part[0];

	for (text->parts = 0; text->parts < 12; text->parts++) {
		add_argument(r, p, r->end[0].name);
		text->part[text->parts] = once;
	}
}

static struct end *add_soak_source(struct run *r)
{
	enum kind kind = ONE_OF(FILE_END, PIPE_END, PIPE_END, SOCKET_END);
	size_t len = kind == FILE_END ? below(FILE_MAX) :
					(size_t)1 << between(20, 30);

	r->sources = 1;
	return add_source(r, kind, OURS, len);
}

static void leave_or_not(struct run *r, struct end *e, bool must)
{
	if (e->role != TAKES || (!must && !chance(40)))
		return;
	e->leaves_at = between(1, (uint64_t)1 << between(10, 31));
	describe(r, " leaves at %zu", e->leaves_at);
}

void start_soak(struct run *r)
{
	int stages = between(1, PROCESSES - 1), fd[2];
	bool yes = chance(40);
	struct end *in = yes ? NULL : add_soak_source(r), *out;
	struct text text;

	if (yes)
		any_line(&text);
	else
		text = in->text;
	r->pipeline = true;
	out = add_soak_sink(r, &text,
			    yes ? PIPE_END : any_soak_sink(text_len(&text)));
	leave_or_not(r, out, yes);
	for (int i = 0, from = yes ? 0 : in->near; i < stages; i++) {
		bool last = i == stages - 1;
		const char *name = !i && yes   ? "yes" :
				   chance(100) ? "tee" :
						 "cat";

		if (!last)
			new_link(fd);
		add_stage(r, name, &text, from, last ? out->near : fd[1]);
		from = last ? -1 : fd[0];
	}
	/* All of a file several times, where nobody has its text yet. */
	if (!yes && in->kind == FILE_END && r->sinks == 1 &&
	    !strcmp(r->process[0].argv[0], "cat") && out->kind != FILE_END) {
		add_operands(r, &r->process[0], &text);
		out->text = text;
	}
}

static bool any_left(struct run *r)
{
	for (int i = 0; i < r->sinks; i++)
		if (sink(r, i)->left)
			return true;
	return false;
}

/* Bytes of memory that are the process's own, in /proc/PID/statm. */
static size_t own_memory(pid_t pid)
{
	unsigned long all, resident = 0, shared = 0;
	char name[40];
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/statm", pid);
	f = fopen(name, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%lu %lu %lu", &all, &resident, &shared) != 3)
		resident = shared = 0;
	fclose(f);
	return (resident - shared) * sysconf(_SC_PAGESIZE);
}

static void look_at(struct run *r, struct process *p)
{
	size_t memory = own_memory(p->pid);
	int descriptors = count_descriptors(p->pid);

	if (memory > MEMORY_MAX)
		wrong(r, "%s has %zu bytes of memory", p->argv[0], memory);
	if (descriptors > DESCRIPTORS_MAX)
		wrong(r, "%s has %d descriptors", p->argv[0], descriptors);
}

void send_signals(struct run *r)
{
	static uint64_t next;
	uint64_t now = now_ns();
	struct process *p = &r->process[below(r->processes)];

	if (now < next)
		return;
	next = now + between(0, 20000) * 1000;
	for (int i = 0; i < r->processes; i++)
		if (r->process[i].pid > 0)
			kill(r->process[i].pid, SIGCONT);
	if (p->pid <= 0)
		return;
	/* Just after vfork(2) it has our descriptors. */
	if (now - r->began > 1000000000)
		look_at(r, p);
	kill(p->pid, ONE_OF(SIGSTOP, SIGWINCH, SIGURG));
}

void judge_soak(struct run *r)
{
	bool left = any_left(r);

	if (r->hung)
		return;
	for (int i = 0; i < r->processes; i++) {
		struct process *p = &r->process[i];
		int said = read_messages(r, p);

		judge_exit(r, p, said, left);
		if (said && !left)
			wrong(r, "process %d has said something", i);
	}
	for (int i = 0; i < r->sinks; i++) {
		struct end *e = sink(r, i);

		if (e->kind == NULL_END)
			continue;
		if (e->kind == FILE_END)
			look_into(r, e, i > 0, left);
		if (e->wrong || (!left && e->pos != text_len(&e->text)))
			wrong(r, "%s %d: %zu bytes came of %zu, all right: %d",
			      kind_names[e->kind], i, e->pos,
			      text_len(&e->text), !e->wrong);
		soaked += e->pos;
	}
}

bool pipes_can_grow(void)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2], all[2];
	int fd[2], size;

	NEED(!syscall(SYS_capget, &h, all));
	memcpy(d, all, sizeof(d));
	d[0].effective &= ~(1u << CAP_SYS_RESOURCE);
	d[0].effective &= ~(1u << CAP_SYS_ADMIN);
	NEED(!syscall(SYS_capset, &h, d));
	NEED(!pipe2(fd, O_CLOEXEC));
	size = fcntl(fd[0], F_SETPIPE_SZ, 1 << 20);
	close(fd[0]);
	close(fd[1]);
	NEED(!syscall(SYS_capset, &h, all));
	return size == 1 << 20;
}
