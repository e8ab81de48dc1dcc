/* SPDX-License-Identifier: 0BSD */
/* System calls that some sandboxes kill for, and that box can do without. */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine.h"

int zc_fcntl(int fd, int command, long arg)
{
#ifdef SYS_fcntl64
	return ZC_SYSCALL(SYS_fcntl64, fd, command, arg);
#else
	return ZC_SYSCALL(SYS_fcntl, fd, command, arg);
#endif
}

bool zc_is_tty(int fd)
{
	struct winsize unused;

	return !syscall(SYS_ioctl, fd, TIOCGWINSZ, &unused);
}

bool zc_sys_is_empty(int fd)
{
	int n;

	return !syscall(SYS_ioctl, fd, FIONREAD, &n) && !n;
}

int zc_sys_getsockopt(int fd, int option, void *value, size_t size)
{
	socklen_t len = size;

	return zc_sys_result(getsockopt(fd, SOL_SOCKET, option, value, &len));
}

ssize_t zc_sys_receive(int fd, void *buf, size_t len)
{
	return ZC_SYSCALL(SYS_recvfrom, fd, buf, len, MSG_TRUNC, NULL, NULL);
}

void zc_sys_yield(void)
{
	syscall(SYS_sched_yield);
}

/* EINVAL, where a machine may have more processors than a long has bits, leaves
 * all bits set. */
bool zc_sys_is_alone(void)
{
	unsigned long mask = -1;

	syscall(SYS_sched_getaffinity, 0, sizeof(mask), &mask);
	return !(mask & (mask - 1));
}
