/* SPDX-License-Identifier: 0BSD */
/* Descriptors. What musl has for these takes care of cases that are not ours, or
 * of kernels before 2.6.39, in 1.9 KB. */
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

/* For Linux before 4.11, which has no statx(2), and seccomp profiles from then,
 * which refuse it: fstat(2), where libc and the kernel agree on its layout. */
static int old_stat(int fd, struct zc_stat *st)
{
#if __SIZEOF_LONG__ == 8 && !defined(__mips__)
	struct stat old;

	if (!syscall(SYS_fstat, fd, &old)) {
		st->mode = old.st_mode;
		st->size = old.st_size;
		st->ino = old.st_ino;
		st->dev = old.st_dev;
		st->rdev_major = major(old.st_rdev);
		st->rdev_minor = minor(old.st_rdev);
		return 0;
	}
#endif
	return -1;
}

int zc_stat(int fd, const char *name, struct zc_stat *st)
{
	enum { BASIC = 0x7ff };	/* STATX_BASIC_STATS */

	if (!syscall(SYS_statx, fd, name, AT_EMPTY_PATH, BASIC, st))
		return 0;
	return *name ? -1 : old_stat(fd, st);
}

bool zc_is_tty(int fd)
{
	struct winsize unused;

	return !syscall(SYS_ioctl, fd, TIOCGWINSZ, &unused);
}
