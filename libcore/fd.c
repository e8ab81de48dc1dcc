/* SPDX-License-Identifier: 0BSD */
/* Descriptors. What musl has for these takes care of cases that are not ours,
 * or of kernels before 2.6.39, in 1.4 KB. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "zc.h"

int zc_fcntl(int fd, int command, long arg)
{
	return syscall(SYS_fcntl, fd, command, arg);
}

int zc_above_stdio(int fd)
{
	if (fd > STDERR_FILENO || fd < 0)
		return fd;

	int higher = zc_fcntl(fd, F_DUPFD, STDERR_FILENO + 1);
	int err = errno;

	close(fd);
	errno = err;
	return higher;
}

int zc_open(const char *name, int flags)
{
	return zc_above_stdio(syscall(SYS_openat, AT_FDCWD, name,
				      flags | O_LARGEFILE, 0666));
}

int zc_pipe(int fd[2])
{
	return syscall(SYS_pipe2, fd, O_NONBLOCK);
}

int zc_stat(int fd, const char *name, struct zc_stat *st)
{
	enum { BASIC = 0x7ff };	/* STATX_BASIC_STATS */

#if defined(__x86_64__) && defined(__LP64__) || defined(__aarch64__) || \
	defined(__powerpc64__) || defined(__s390x__) || __riscv_xlen == 64
	/* Where the kernel and libc agree on its layout, fstat(2) is quicker,
	 * and there before Linux 4.11. */
	struct stat s;

	if (!*name) {
		if (syscall(SYS_fstat, fd, &s))
			return -1;
		*st = (struct zc_stat){
			.mode = s.st_mode, .size = s.st_size,
			.ino = s.st_ino, .dev = s.st_dev,
			.rdev_major = major(s.st_rdev),
			.rdev_minor = minor(s.st_rdev),
		};
		return 0;
	}
#endif
	return syscall(SYS_statx, fd, name, AT_EMPTY_PATH, BASIC, st);
}

bool zc_is_tty(int fd)
{
	struct winsize unused;

	return !syscall(SYS_ioctl, fd, TIOCGWINSZ, &unused);
}
