/* SPDX-License-Identifier: 0BSD */
/* A run: processes of box between ends, let run until all have ended. */
#include "adversary.h"

void describe(struct run *r, const char *format, ...)
{
	size_t used = strlen(r->what);
	va_list args;

	va_start(args, format);
	vsnprintf(r->what + used, sizeof(r->what) - used, format, args);
	va_end(args);
}

void wrong(struct run *r, const char *format, ...)
{
	va_list args;

	if (!r->failed)
		printf("SEED=%llu RUNS=1:%s\n", (unsigned long long)r->seed,
		       r->what);
	r->failed = true;
	printf("    ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

struct end *sink(struct run *r, int i)
{
	return &r->end[r->sources + i];
}

static void on_child(int sig)
{
	(void)sig;
}

/* SIGCHLD comes only while we wait in ppoll(2). */
static sigset_t while_waiting;

void catch_children(void)
{
	struct sigaction act = { .sa_handler = on_child };
	sigset_t child;

	NEED(!sigaction(SIGCHLD, &act, NULL));
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	sigemptyset(&while_waiting);
	signal(SIGPIPE, SIG_IGN);
}

static struct process *process_of(struct run *r, pid_t pid)
{
	for (int i = 0; i < r->processes; i++)
		if (r->process[i].pid == pid)
			return &r->process[i];
	return NULL;
}

/* Returns whether a process has stopped or ended. */
static bool reap(struct run *r)
{
	bool any_did = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		struct process *p = process_of(r, pid);

		any_did = true;
		if (!p)
			continue;
		if (WIFSTOPPED(status)) {
			stopped(p, status);
		} else {
			p->status = status;
			p->pid = 0;
		}
	}
	return any_did;
}

static int alive(const struct run *r)
{
	int n = 0;

	for (int i = 0; i < r->processes; i++)
		n += r->process[i].pid > 0;
	return n;
}

/* Lets on whoever has been held long enough. Returns when the next one is, or
 * limit. */
static uint64_t let_on_held(struct run *r, uint64_t now, uint64_t limit)
{
	for (int i = 0; i < r->processes; i++) {
		struct process *p = &r->process[i];

		if (p->held && p->held <= now)
			let_on(p);
		if (p->held && p->held < limit)
			limit = p->held;
	}
	return limit;
}

/* What is to be waited for at the far ends. Those whose turn it is by time have
 * it. Returns when the next one has, or limit. */
static uint64_t prepare(struct run *r, struct pollfd *p, uint64_t now,
			uint64_t limit)
{
	for (int i = 0; i < r->ends; i++) {
		struct end *e = &r->end[i];
		bool timed = is_timed(e);

		p[i].fd = -1;
		p[i].revents = 0;
		if (timed && e->next <= now)
			turn(e);
		if ((timed || wanted(e)) && e->next > now) {
			if (e->next < limit)
				limit = e->next;
			continue;
		}
		p[i].events = wanted(e);
		if (p[i].events)
			p[i].fd = e->far;
	}
	return limit;
}

/* Waits for something to happen. Returns whether it did. */
static bool step(struct run *r, uint64_t limit)
{
	struct pollfd p[ENDS];
	uint64_t now = now_ns();
	struct timespec t;
	bool any_did = false;

	limit = let_on_held(r, now, limit);
	limit = prepare(r, p, now, limit);
	limit = limit > now ? limit - now : 0;
	t = (struct timespec){ limit / 1000000000, limit % 1000000000 };
	if (ppoll(p, r->ends, &t, &while_waiting) > 0)
		for (int i = 0; i < r->ends; i++)
			if (p[i].revents) {
				turn(&r->end[i]);
				any_did = true;
			}
	return reap(r) || any_did;
}

/* What box sees of itself that hangs. */
static void tell_hang(struct run *r, const struct process *p)
{
	char name[40], line[200] = "";
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/syscall", p->pid);
	f = fopen(name, "r");
	if (f) {
		if (!fgets(line, sizeof(line), f))
			*line = 0;
		fclose(f);
	}
	line[strcspn(line, "\n")] = 0;
	wrong(r, "%s hangs, in system call %s", p->argv[0], line);
}

static void kill_all(struct run *r)
{
	for (int i = 0; i < r->processes; i++)
		if (r->process[i].pid > 0) {
			tell_hang(r, &r->process[i]);
			kill(r->process[i].pid, SIGKILL);
		}
	while (alive(r))
		step(r, now_ns() + 100000000);
}

/* Takes what is on its way, and reads what is left for others. */
static void drain(struct run *r)
{
	uint64_t limit = now_ns() + HANG * 1000000000ull;

	for (int i = 0; i < r->ends; i++) {
		struct end *e = &r->end[i];

		if (e->role == TAKES && e->near >= 0) {
			close(e->near);
			e->near = -1;
		}
		e->slow_turns = e->next = 0;
		while (e->role == TAKES && e->far >= 0 && now_ns() < limit) {
			struct pollfd p = { .fd = e->far, .events = POLLIN };

			if (poll(&p, 1, 1000))
				take(e);
		}
		if (e->role == READS_TOO) {
			ssize_t n;

			while ((n = read(e->far, chunk, CHUNK_MAX)) > 0)
				arrive(e, chunk, n);
		}
	}
}

void run_all(struct run *r, const char *box)
{
	uint64_t began = now_ns(), last = began;

	for (int i = 0; i < r->processes; i++)
		start(&r->process[i], box);
	while (alive(r)) {
		if (step(r, now_ns() + 1000000000))
			last = now_ns();
		if (now_ns() - last > HANG * 1000000000ull ||
		    now_ns() - began > 2 * HANG * 1000000000ull) {
			r->hung = true;
			kill_all(r);
		}
	}
	drain(r);
}
