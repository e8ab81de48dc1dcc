/* SPDX-License-Identifier: 0BSD */
/* A process of box, and the tracer between it and the kernel (ptrace(2),
 * seccomp(2)). Before a call that can matter it may lower the length that is
 * asked for, have the call fail in its place, and let others run before or
 * after it. What is moved is moved by the kernel, so that no end is lied to. */
#include "adversary.h"

/* A question that fails is told, and is not repeated. */
static bool is_meddled_with(const struct call_facts *c)
{
	if (c->end == END_ASKED)
		return c == &call_facts[CALL_mmap] ||
		       c == &call_facts[CALL_lseek];
	return c->answers || *c->refusals || *c->failures;
}

static bool reads_or_writes(const struct call_facts *c)
{
	return c->end == END_SOURCE || c->end == END_SINK;
}

void let_on(struct process *p)
{
	p->held = 0;
	NEED(!ptrace(p->request, p->pid, NULL, p->signal) || errno == ESRCH);
}

/* Others run meanwhile. */
static void hold(struct process *p)
{
	p->held = now_ns() + below(p->plan.pause + 1) * 1000;
}

static void filter_calls(void)
{
	struct sock_filter f[2 * CALL_COUNT + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog prog = { 1, f };

	for (int i = 0; i < CALL_COUNT; i++) {
		if (!is_meddled_with(&call_facts[i]))
			continue;
		f[prog.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, call_facts[i].number, 0, 1);
		f[prog.len++] = (struct sock_filter)
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | i);
	}
	f[prog.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						     SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		_exit(126);
}

void start(struct process *p, const char *box)
{
	sigset_t none;

	NEED(!ftruncate(p->err, 0));
	NEED(!lseek(p->err, 0, SEEK_SET));
	p->pid = vfork();
	NEED(p->pid >= 0);
	if (p->pid)
		return;
	dup2(p->stdin_fd, 0);
	dup2(p->stdout_fd, 1);
	dup2(p->err, 2);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, p->keeps_sigpipe ? SIG_IGN : SIG_DFL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(126);
	filter_calls();
	execv(box, p->argv);
	_exit(127);
}

static int count_descriptors(pid_t pid)
{
	char name[32];
	int n = -2; /* . and .. */
	DIR *d;

	snprintf(name, sizeof(name), "/proc/%d/fd", pid);
	d = opendir(name);
	if (!d)
		return 0;
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static unsigned long long *argument(struct user_regs_struct *r, int i)
{
	unsigned long long *const all[] = {
		&r->rdi, &r->rsi, &r->rdx, &r->r10, &r->r8, &r->r9,
	};

	return all[i];
}

static size_t shorter(const struct plan *plan, size_t len)
{
	const size_t lens[] = {
		1, between(1, 16), between(1, 40) * 4096 + between(0, 2) - 1,
		len > 4096 ? len / 4096 * 4096 - between(0, 2) : len / 2
	};
	size_t n = plan->cut_kind < 4 ? lens[plan->cut_kind] : between(1, len);

	return n && n < len ? n : len;
}

/* The length stands in memory. */
static void cut_vector(struct process *p, unsigned long long address)
{
	struct iovec v, local = { &v, sizeof(v) };
	struct iovec remote = { (void *)(uintptr_t)address, sizeof(v) };

	if (process_vm_readv(p->pid, &local, 1, &remote, 1, 0) != sizeof(v) ||
	    v.iov_len < 2)
		return;
	v.iov_len = shorter(&p->plan, v.iov_len);
	NEED(process_vm_writev(p->pid, &local, 1, &remote, 1, 0) == sizeof(v));
}

/* Answers in the kernel's place. */
static void fail(struct process *p, struct user_regs_struct *r, int err)
{
	r->orig_rax = -1;
	r->rax = -err;
	NEED(!ptrace(PTRACE_SETREGS, p->pid, NULL, r));
}

static void fail_for_good(struct process *p, const struct call_facts *c,
			  struct user_regs_struct *r)
{
	char name[40];
	struct stat st;

	p->failed = c;
	p->failed_fd = r->rdi;
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", p->pid, p->failed_fd);
	if (!stat(name, &st)) {
		p->failed_dev = st.st_dev;
		p->failed_ino = st.st_ino;
	}
	fail(p, r, p->plan.final_error);
}

/* Whether the call is one that is refused without a failure. */
static bool may_refuse(const struct call_facts *c,
		       const struct user_regs_struct *r)
{
	if (!*c->refusals || reads_or_writes(c))
		return false;
	switch (c - call_facts) {
	case CALL_lseek:
		return false;
	/* Only what enlarges a pipe, or maps a file, is refused. */
	case CALL_fcntl:
		return r->rsi == F_SETPIPE_SZ;
	case CALL_mmap:
		return (int)r->r8 >= 0;
	}
	return true;
}

static int refusal(const struct call_facts *c)
{
	int refusals = errnos_in(c->refusals);
	int strange = c->end == END_BOTH ? errnos_in(errnos_strange) : 0;
	int i = below(refusals + strange);

	return i < refusals ? c->refusals[i] : errnos_strange[i - refusals];
}

/* Returns an errno that the call may have, or 0. */
static int transient(const struct process *p, const struct call_facts *c,
		     const struct user_regs_struct *r)
{
	const struct plan *plan = &p->plan;
	bool always = plan->always >> (c - call_facts) % 64 & 1;

	if (may_refuse(c, r) && (always || chance(plan->refuse)))
		return refusal(c);
	if (!(c->answers & INTR) || c->end == END_CLOSED ||
	    !chance(plan->interrupt))
		return 0;
	/* With SPLICE_F_NONBLOCK. */
	if (c->answers & AGAIN && c->end == END_BOTH &&
	    c != &call_facts[CALL_sendfile] && chance(128))
		return EAGAIN;
	if (reads_or_writes(c) && r->rdi < 2 && p->unready[r->rdi] &&
	    chance(128))
		return EAGAIN;
	return EINTR;
}

static bool may_cut(const struct process *p, const struct call_facts *c,
		    const struct user_regs_struct *r)
{
	return !(reads_or_writes(c) && r->rdi < 2 && p->messages[r->rdi]);
}

/* Returns whether a call may fail for good by an errno. */
static bool may_fail_by(const struct call_facts *c, int err)
{
	for (const int *e = c->failures; *e; e++)
		if (*e == err)
			return true;
	return false;
}

static void meddle(struct process *p, const struct call_facts *c)
{
	struct user_regs_struct r;
	unsigned long long *len;
	bool asks;
	int err;

	NEED(!ptrace(PTRACE_GETREGS, p->pid, NULL, &r));
	/* Messages. */
	if (c->end == END_SINK && r.rdi == STDERR_FILENO)
		return;
	/* A write of nothing asks whether others may be made: what fails there
	 * is not told. */
	asks = (c->number == SYS_pwrite64 || c->number == SYS_write) && !r.rdx;
	if (p->plan.final && c->end == p->plan.final && !asks &&
	    may_fail_by(c, p->plan.final_error) && p->plan.final_at &&
	    !--p->plan.final_at) {
		fail_for_good(p, c, &r);
		return;
	}
	err = transient(p, c, &r);
	if (c->end == END_BOTH && p->plan.first_fails && !p->has_moved) {
		p->plan.first_fails = false;
		err = errnos_at_first[below(errnos_in(errnos_at_first))];
	}
	if (p->plan.no_offsets &&
	    (c->number == SYS_pread64 || c->number == SYS_pwrite64))
		err = ESPIPE;
	if (err) {
		fail(p, &r, err);
		return;
	}
	p->has_moved |= reads_or_writes(c) || c->end == END_BOTH ||
			c->number == SYS_io_uring_enter;
	if (!chance(p->plan.cut) || !may_cut(p, c, &r))
		return;
	if (c->number == SYS_vmsplice)
		cut_vector(p, r.rsi);
	/* It starts fewer requests than asked, and then waits for none. */
	if (c->number == SYS_io_uring_enter && r.rsi > 1) {
		r.rsi = between(1, r.rsi - 1);
		r.rdx = 0;
		NEED(!ptrace(PTRACE_SETREGS, p->pid, NULL, &r));
	}
	if (c->length < 0)
		return;
	len = argument(&r, c->length);
	if (*len < 2)
		return;
	*len = shorter(&p->plan, *len);
	NEED(!ptrace(PTRACE_SETREGS, p->pid, NULL, &r));
}

/* At a call. */
static void before(struct process *p)
{
	uint64_t others = chance_state;
	unsigned long which;

	if (p->plan.most-- <= 0)
		return;
	NEED(!ptrace(PTRACE_GETEVENTMSG, p->pid, NULL, &which));
	chance_state = p->chance;
	meddle(p, &call_facts[which]);
	if (chance(p->plan.after))
		p->request = PTRACE_SYSCALL;
	if (chance(p->plan.before))
		hold(p);
	p->chance = chance_state;
	chance_state = others;
}

void stopped(struct process *p, int status)
{
	enum {
		OPTIONS = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD |
			  PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL
	};

	p->request = PTRACE_CONT;
	p->signal = 0;
	if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
		before(p);
	} else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
		p->open_at_exit = count_descriptors(p->pid);
	} else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
		hold(p);
	} else if (WSTOPSIG(status) == SIGTRAP && !p->options_set) {
		NEED(!ptrace(PTRACE_SETOPTIONS, p->pid, NULL, OPTIONS));
		p->options_set = true;
	} else {
		p->signal = WSTOPSIG(status);
	}
	if (!p->held)
		let_on(p);
}
