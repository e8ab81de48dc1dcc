/* SPDX-License-Identifier: 0BSD */
/* Descriptors. musl's open(3) and fcntl(3) take care of cases that are not
 * ours, in 600 bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "zc.h"

int zc_above_stdio(int fd)
{
	if (fd > STDERR_FILENO || fd < 0)
		return fd;

	int higher = zc_above_stdio(dup(fd));
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

int zc_fcntl(int fd, int command, long arg)
{
	return syscall(SYS_fcntl, fd, command, arg);
}
