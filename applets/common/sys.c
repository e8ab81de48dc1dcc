/* SPDX-License-Identifier: 0BSD */
/* System calls of the applets, by syscall(2), which no other file of applets/
 * calls. musl's functions for them add 16 to 320 bytes each to the default box:
 * they look for old kernels and other layouts, heed threads, of which there are
 * none, or bring an allocator. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "applet.h"

ssize_t sys_read(int fd, void *buf, size_t size)
{
	return syscall(SYS_read, fd, buf, size);
}

ssize_t sys_write(int fd, const void *buf, size_t len)
{
	return syscall(SYS_write, fd, buf, len);
}

ssize_t sys_writev(int fd, const struct iovec *v, int n)
{
	return syscall(SYS_writev, fd, v, n);
}

int sys_ioctl(int fd, unsigned long request, void *value)
{
	return syscall(SYS_ioctl, fd, request, value);
}

int sys_tcflush(int fd, int queue)
{
	return syscall(SYS_ioctl, fd, TCFLSH, queue);
}

int sys_poll(struct pollfd *p, int n, int ms)
{
#ifdef SYS_poll
	return syscall(SYS_poll, p, n, ms);
#else
	return poll(p, n, ms);
#endif
}

int sys_kill(pid_t pid, int sig)
{
	return syscall(SYS_kill, pid, sig);
}

int sys_memfd(void)
{
	return syscall(SYS_memfd_create, "box", 0);
}

int sys_symlink(const char *target, const char *path)
{
	return syscall(SYS_symlinkat, target, AT_FDCWD, path);
}

int sys_link(const char *target, const char *path)
{
	return syscall(SYS_linkat, AT_FDCWD, target, AT_FDCWD, path,
		       AT_SYMLINK_FOLLOW);
}

void sys_now(struct timespec *t)
{
#ifdef SYS_clock_gettime64
	/* Linux before 5.1 lacks the call, and libc knows another. */
	clock_gettime(CLOCK_REALTIME, t);
#else
	syscall(SYS_clock_gettime, CLOCK_REALTIME, t);
#endif
}

int sys_create(const char *name, int flags, unsigned mode)
{
	flags |= O_WRONLY | O_CREAT | O_EXCL | O_LARGEFILE | O_CLOEXEC;
	return UNINTERRUPTED(syscall(SYS_openat, AT_FDCWD, name, flags, mode));
}

int sys_fchmod(int fd, unsigned mode)
{
	return syscall(SYS_fchmod, fd, mode);
}

int sys_fchown(int fd, unsigned user, unsigned group)
{
#ifdef SYS_fchown32
	return syscall(SYS_fchown32, fd, user, group);
#else
	return syscall(SYS_fchown, fd, user, group);
#endif
}

int sys_rename(const char *from, const char *to)
{
#ifdef SYS_renameat
	return UNINTERRUPTED(
		syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
#else
	return UNINTERRUPTED(
		syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
#endif
}

int sys_unlink(const char *name)
{
	return UNINTERRUPTED(syscall(SYS_unlinkat, AT_FDCWD, name, 0));
}

int sys_chdir(const char *path)
{
	return syscall(SYS_chdir, path);
}

int sys_fchdir(int fd)
{
	return syscall(SYS_fchdir, fd);
}

int sys_getcwd(char *path, size_t size)
{
	return syscall(SYS_getcwd, path, size);
}

int sys_set_name(const char *name)
{
	return syscall(SYS_prctl, PR_SET_NAME, name);
}

int sys_seccomp(unsigned operation, const void *value)
{
	return syscall(SYS_seccomp, operation, 0, value);
}

int sys_sigprocmask(int how, const signal_set set, signal_set before)
{
	return syscall(SYS_rt_sigprocmask, how, set, before,
		       sizeof(signal_set));
}

int sys_signalfd(int fd, const signal_set set, int flags)
{
	return syscall(SYS_signalfd4, fd, set, sizeof(signal_set), flags);
}

/* musl's sigaction(3) alone takes 0.9 KB. */
#if defined(__x86_64__) && defined(__LP64__)
/* The kernel's layout, and the code to which a handler returns: on this
 * processor the kernel has none of its own. */
struct action {
	void (*handler)(int sig);
	unsigned long flags;
	void (*restore)(void);
	unsigned long mask;
};

enum { HAS_RESTORE = 0x04000000 }; /* SA_RESTORER */

__attribute__((naked)) static void handle_signal_return(void)
{
	__asm__("movl %0, %%eax\n\tsyscall" : : "i"(SYS_rt_sigreturn));
}

void handle_signal(int sig, void (*handler)(int sig), int flags)
{
	struct action new = {
		handler,
		(unsigned)flags | HAS_RESTORE,
		handle_signal_return,
		0,
	};

	syscall(SYS_rt_sigaction, sig, &new, NULL, sizeof(new.mask));
}

bool signal_is_ignored(int sig)
{
	struct action now = { .handler = SIG_DFL };

	syscall(SYS_rt_sigaction, sig, NULL, &now, sizeof(now.mask));
	return now.handler == SIG_IGN;
}
#else
void handle_signal(int sig, void (*handler)(int sig), int flags)
{
	struct sigaction new = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &new, NULL);
}

bool signal_is_ignored(int sig)
{
	struct sigaction now = { .sa_handler = SIG_DFL };

	sigaction(sig, NULL, &now);
	return now.sa_handler == SIG_IGN;
}
#endif
