/* SPDX-License-Identifier: 0BSD */
/* Descriptors. What musl has for these takes care of cases that are not ours,
 * or of kernels before 2.6.39, in 1.4 KB. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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

bool zc_is_stream(int fd)
{
	int type = 0;
	socklen_t len = sizeof(type);

	getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len);
	return type == SOCK_STREAM;
}

bool zc_is_tty(int fd)
{
	struct winsize unused;

	return !syscall(SYS_ioctl, fd, TIOCGWINSZ, &unused);
}
