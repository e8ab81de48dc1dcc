/* SPDX-License-Identifier: 0BSD */
/* A process of box, and the tracer between it and the kernel (ptrace(2),
 * seccomp(2)). Before a call that can matter it may lower the length that is
 * asked for, have the call fail in its place, and let others run before or
 * after it. What is moved is moved by the kernel, so that no end is lied to. */
#include "adversary.h"

static const struct call calls[] = {
	{ "read", SYS_read, 2, true, false, READS, NULL },
	{ "pread", SYS_pread64, 2, true, false, READS, NULL },
	{ "write", SYS_write, 2, true, false, WRITES, NULL },
	{ "pwrite", SYS_pwrite64, 2, true, false, WRITES, NULL },
	{ "splice", SYS_splice, 4, true, true, MOVES, LIST(REFUSALS, STRANGE) },
	{ "tee", SYS_tee, 2, true, true, MOVES, LIST(REFUSALS, STRANGE) },
	{ "vmsplice", SYS_vmsplice, -1, true, true, MOVES,
	  LIST(REFUSALS, STRANGE) },
	{ "sendfile", SYS_sendfile, 3, true, false, MOVES,
	  LIST(REFUSALS, STRANGE) },
	{ "copy_file_range", SYS_copy_file_range, 4, true, false, MOVES,
	  LIST(REFUSALS, STRANGE) },
	{ "close", SYS_close, -1, false, false, CLOSES, NULL },
	{ "lseek", SYS_lseek, -1, false, false, 0, NULL },
	{ "fcntl", SYS_fcntl, -1, false, false, 0, LIST(EPERM, EBUSY, ENOMEM) },
	{ "pipe2", SYS_pipe2, -1, false, false, 0, LIST(EMFILE, ENFILE) },
	{ "socketpair", SYS_socketpair, -1, false, false, 0,
	  LIST(EMFILE, ENFILE, ENOMEM) },
	{ "mmap", SYS_mmap, -1, false, false, 0, LIST(ENOMEM, ENODEV, EACCES) },
	{ "io_uring_setup", SYS_io_uring_setup, -1, false, false, 0,
	  LIST(ENOSYS, EPERM, ENOMEM) },
	{ "io_uring_register", SYS_io_uring_register, -1, false, false, 0,
	  LIST(ENOMEM, EINVAL) },
	{ "io_uring_enter", SYS_io_uring_enter, -1, true, true, 0,
	  LIST(EBUSY) },
	{ "poll", SYS_poll, -1, true, false, 0, LIST(ENOMEM) },
};

enum { CALLS = sizeof(calls) / sizeof(*calls) };

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
	struct sock_filter f[2 * CALLS + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog prog = { 2 * CALLS + 2, f };

	for (int i = 0; i < CALLS; i++) {
		f[2 * i + 1] = (struct sock_filter)
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].nr, 0, 1);
		f[2 * i + 2] = (struct sock_filter)
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | i);
	}
	f[2 * CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
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
	if (p->traced) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(126);
		filter_calls();
	}
	execv(box, p->argv);
	_exit(127);
}

int count_descriptors(pid_t pid)
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

unsigned long long *argument(struct user_regs_struct *r, int i)
{
	unsigned long long *const all[ARGUMENTS] = {
		&r->rdi, &r->rsi, &r->rdx, &r->r10, &r->r8, &r->r9,
	};

	return all[i];
}

static size_t shorter(const struct plan *plan, size_t len)
{
	size_t n = len;

	switch (plan->cut_kind) {
	case 0:
		n = 1;
		break;
	case 1:
		n = between(1, 16);
		break;
	case 2:
		n = len > 4096 ? len / 4096 * 4096 - between(0, 2) : len / 2;
		break;
	case 3:
		n = between(1, 40) * 4096 + between(0, 2) - 1;
		break;
	default:
		n = between(1, len);
	}
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
	p->meddled++;
}

static void fail_for_good(struct process *p, const struct call *c,
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

/* Returns an errno that the call may have, or 0. */
static int transient(const struct process *p, const struct call *c,
		     const struct user_regs_struct *r)
{
	const struct plan *plan = &p->plan;
	int n = 0;

	if (c->refusals &&
	    (plan->always & 1u << (c - calls) || chance(plan->refuse))) {
		/* Only what enlarges a pipe, or maps a file, is refused. */
		if ((c->nr == SYS_fcntl && r->rsi != F_SETPIPE_SZ) ||
		    (c->nr == SYS_mmap && (int)r->r8 < 0))
			return 0;
		/* Without slack, or where it cannot ask first, a reader in turn
		 * may hang tee: docs/DESIGN.md. */
		if (plan->in_turn && (c->nr == SYS_pipe2 || c->nr == SYS_poll))
			return 0;
		while (c->refusals[n])
			n++;
		return c->refusals[below(n)];
	}
	if (!c->again || !chance(plan->interrupt))
		return 0;
	if (c->would_block && chance(128))
		return EAGAIN;
	if (c->final & (READS | WRITES) && r->rdi < 2 && p->unready[r->rdi] &&
	    chance(128))
		return EAGAIN;
	return EINTR;
}

static bool may_cut(const struct process *p, const struct call *c,
		    const struct user_regs_struct *r)
{
	/* Where there is room for all, the kernel takes all. */
	if (p->plan.in_turn && c->nr == SYS_write)
		return false;
	return !(c->final & (READS | WRITES) && r->rdi < 2 &&
		 p->messages[r->rdi]);
}

static void meddle(struct process *p, const struct call *c)
{
	struct user_regs_struct r;
	unsigned long long *len;
	bool asks;
	int err;

	NEED(!ptrace(PTRACE_GETREGS, p->pid, NULL, &r));
	/* Messages: by writev(2), which no run meddles with, or in a box of the
	 * simplest calls by this one. */
	if (c->nr == SYS_write && r.rdi == STDERR_FILENO)
		return;
	/* A write of nothing asks whether others may be made: what fails there
	 * is not told. */
	asks = (c->nr == SYS_pwrite64 || c->nr == SYS_write) && !r.rdx;
	if (c->final & p->plan.final && !asks && p->plan.final_at &&
	    !--p->plan.final_at) {
		fail_for_good(p, c, &r);
		return;
	}
	err = transient(p, c, &r);
	if (c->final & MOVES && p->plan.first_fails && !p->has_moved) {
		p->plan.first_fails = false;
		err = ONE_OF(FAILURES);
	}
	if (p->plan.no_offsets &&
	    (c->nr == SYS_pread64 || c->nr == SYS_pwrite64))
		err = ESPIPE;
	if (err) {
		fail(p, &r, err);
		return;
	}
	p->has_moved |= c->final & (READS | WRITES | MOVES) ||
			c->nr == SYS_io_uring_enter;
	if (!chance(p->plan.cut) || !may_cut(p, c, &r))
		return;
	if (c->nr == SYS_vmsplice)
		cut_vector(p, r.rsi);
	/* It starts fewer requests than asked, and then waits for none. */
	if (c->nr == SYS_io_uring_enter && r.rsi > 1) {
		r.rsi = between(1, r.rsi - 1);
		r.rdx = 0;
		NEED(!ptrace(PTRACE_SETREGS, p->pid, NULL, &r));
	}
	if (c->len < 0)
		return;
	len = argument(&r, c->len);
	if (*len < 2)
		return;
	*len = shorter(&p->plan, *len);
	NEED(!ptrace(PTRACE_SETREGS, p->pid, NULL, &r));
	p->meddled++;
}

void before(struct process *p)
{
	uint64_t others = chance_state;
	unsigned long which;

	if (p->plan.most-- <= 0)
		return;
	NEED(!ptrace(PTRACE_GETEVENTMSG, p->pid, NULL, &which));
	chance_state = p->chance;
	meddle(p, &calls[which]);
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
