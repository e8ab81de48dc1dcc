/* SPDX-License-Identifier: 0BSD */
/* Confinement: a seccomp(2) filter that ends box at any system call beyond
 * those that move bytes between open descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCH AUDIT_ARCH_ARM
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#elif __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#else
#error "CONFIG_CONFINE does not know this machine: say n to it"
#endif

enum {
	LOW_HALF = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0,
	ADDED = O_LARGEFILE | O_CLOEXEC, /* by zc_open() to any flags */
	/* Flags that a file may be opened with to write, beside those that it
	 * needs. */
	ANY = ADDED | O_APPEND | O_TRUNC | O_NONBLOCK,
	/* A call that a tracer has taken out: no call at all. */
	NO_CALL = -1,
};

/* A call that may be made, where its argument, masked, is the value. */
struct rule {
	short call;
	unsigned char arg;
	unsigned mask, value;
};

/* The most frequent calls come first. A call that other processors name
 * otherwise has a line for each name. */
static const struct rule rules[] = {
	{ .call = SYS_read },
	{ .call = SYS_write },
	{ .call = SYS_splice },
	{ .call = SYS_tee },
	{ .call = SYS_lseek },
	{ .call = SYS_pread64 },
	{ .call = SYS_pwrite64 },
	{ .call = SYS_copy_file_range },
	{ .call = SYS_sendfile },
	{ .call = SYS_vmsplice },
	{ .call = SYS_ppoll },
	{ .call = SYS_sched_yield },
	{ .call = SYS_sched_getaffinity },
	{ .call = SYS_fstat },
	{ .call = SYS_statx },
	{ .call = SYS_fstatfs },
	{ .call = SYS_fcntl },
	{ .call = SYS_close },
	{ .call = SYS_pipe2 },
	{ .call = SYS_socketpair },
	{ .call = SYS_getsockopt },
	{ .call = SYS_recvfrom },
	/* To nobody but the far end: the length of an address is 0. */
	{ .call = SYS_sendto, .arg = 5, .mask = -1u },
	{ .call = SYS_prlimit64 },
	{ .call = SYS_munmap },
	{ .call = SYS_writev },
	{ .call = SYS_exit_group },
	/* After a stop or a signal. */
	{ .call = SYS_restart_syscall },
	{ .call = SYS_rt_sigreturn },
	{ .call = SYS_rt_sigaction },
	{ .call = SYS_rt_sigprocmask },
	{ .call = SYS_setitimer },
	{ .call = SYS_times },
	{ .call = SYS_getpgid },
	{ .call = SYS_getpid },
	{ .call = SYS_wait4 },
	{ .call = SYS_waitid },
	{ .call = SYS_ioctl, .arg = 1, .mask = -1u, .value = FICLONERANGE },
	{ .call = SYS_ioctl, .arg = 1, .mask = -1u, .value = TIOCGWINSZ },
	{ .call = SYS_ioctl, .arg = 1, .mask = -1u, .value = TIOCGPGRP },
	{ .call = SYS_ioctl, .arg = 1, .mask = -1u, .value = FIONREAD },
	{ .call = SYS_ioctl, .arg = 1, .mask = -1u, .value = TIOCOUTQ },
	{ .call = SYS_ioctl, .arg = 1, .mask = -1u, .value = TCFLSH },
#ifdef SYS_mmap
	{ .call = SYS_mmap, .arg = 2, .mask = PROT_EXEC },
#endif
#ifdef SYS_clock_gettime
	{ .call = SYS_clock_gettime },
#endif
#ifdef SYS_clock_gettime32
	{ .call = SYS_clock_gettime32 },
#endif
#ifdef SYS_poll
	{ .call = SYS_poll },
#endif
#ifdef SYS_newfstatat
	{ .call = SYS_newfstatat },
#endif
#ifdef SYS_getpgrp
	{ .call = SYS_getpgrp },
#endif
#ifdef SYS__llseek
	{ .call = SYS__llseek },
#endif
#ifdef SYS_fcntl64
	{ .call = SYS_fcntl64 },
	{ .call = SYS_fstat64 },
	{ .call = SYS_fstatat64 },
	{ .call = SYS_fstatfs64 },
	{ .call = SYS_sendfile64 },
	{ .call = SYS_mmap2, .arg = 2, .mask = PROT_EXEC },
#endif
#ifdef SYS_clock_gettime64
	{ .call = SYS_clock_gettime64 },
#endif
#ifdef SYS_ppoll_time64
	{ .call = SYS_ppoll_time64 },
#endif
	{ .call = NO_CALL },
};

enum {
	RULES = sizeof(rules) / sizeof(*rules),
	MOST = 6, /* instructions of a rule */
	MORE = 8, /* rules' room for those that confine() adds */
};

/* Instructions: bpf(4) of the BSDs, linux/filter.h. */
enum {
	LOAD = BPF_LD | BPF_W | BPF_ABS,
	IS = BPF_JMP | BPF_JEQ | BPF_K, /* or else skips */
	AND = BPF_ALU | BPF_AND | BPF_K,
	RETURN = BPF_RET | BPF_K,
};

#ifndef SYS_fchown32
#define SYS_fchown32 SYS_fchown
#endif

#ifdef SYS_renameat
enum { RENAME = SYS_renameat };
#else
enum { RENAME = SYS_renameat2 };
#endif

static struct sock_filter program[(RULES + MORE) * MOST];

static void confine_put(struct sock_fprog *p, unsigned short code, unsigned k,
			unsigned char skip)
{
	p->filter[p->len++] = (struct sock_filter){ code, 0, skip, k };
}

static void confine_allow(struct sock_fprog *p, const struct rule *r)
{
	confine_put(p, LOAD, offsetof(struct seccomp_data, nr), 0);
	confine_put(p, IS, r->call, r->mask ? 4 : 1);
	if (r->mask) {
		confine_put(p, LOAD,
			    offsetof(struct seccomp_data, args[r->arg]) +
				    LOW_HALF,
			    0);
		confine_put(p, AND, r->mask, 0);
		confine_put(p, IS, r->value, 1);
	}
	confine_put(p, RETURN, SECCOMP_RET_ALLOW, 0);
}

void confine(enum opens opens)
{
	const struct rule open[] = {
		[OPENS_TO_READ] = { SYS_openat, 2, ~ADDED, O_RDONLY },
		[OPENS_TO_WRITE] = { SYS_openat, 2, ~ANY, O_WRONLY | O_CREAT },
		[OPENS_AND_RENAMES] = { SYS_openat, 2, ~(ANY | O_EXCL),
					O_WRONLY | O_CREAT },
	};
	const unsigned char counts[] = {
		[OPENS_NOTHING] = 1,
		[OPENS_TO_READ] = 4,
		[OPENS_TO_WRITE] = 4,
		[OPENS_AND_RENAMES] = MORE,
	};
	const struct rule more[MORE] = {
		{ SYS_kill, 0, IS_ENABLED(CONFIG_TEE_RUN) && command ? 0 : -1u,
		  getpid() },
		open[opens],
		/* confine() may be called again. */
		{ SYS_prctl, 0, -1u, PR_SET_NO_NEW_PRIVS },
		{ SYS_seccomp, 0, -1u, SECCOMP_SET_MODE_FILTER },
		{ .call = RENAME },
		{ SYS_unlinkat, 2, -1u, 0 },
		{ .call = SYS_fchown32 },
		{ .call = SYS_fchmod },
	};
	struct sock_fprog p = { .filter = program };

	/* The numbers of calls are this machine's. */
	confine_put(&p, LOAD, offsetof(struct seccomp_data, arch), 0);
	p.filter[p.len++] = (struct sock_filter){ IS, 1, 0, ARCH };
	confine_put(&p, RETURN, SECCOMP_RET_KILL_PROCESS, 0);
	for (int i = 0; i < RULES; i++)
		confine_allow(&p, &rules[i]);
	for (int i = 0; i < counts[opens]; i++)
		confine_allow(&p, &more[i]);
	confine_put(&p, RETURN, SECCOMP_RET_KILL_PROCESS, 0);
	/* Without seccomp, or where it is refused, box goes on unconfined. */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	sys_seccomp(SECCOMP_SET_MODE_FILTER, &p);
}
