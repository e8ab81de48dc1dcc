/* SPDX-License-Identifier: 0BSD */
/* Operands that name a descriptor, such as /dev/stdin. open(2) refuses a socket
 * (ENXIO) and another user's descriptor (EACCES). It refuses all of them if
 * /dev or /proc is not mounted (ENOENT, ENOTDIR). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"

static const char standard[][4] = { "in", "out", "err" };

/* Returns the number in s, or -1. Like the kernel it takes no leading zeros. */
static int descriptor_number(const char *s)
{
	int n = 0;

	do {
		unsigned digit = *s++ - '0';

		if (digit > 9 || n >= INT_MAX / 10)
			return -1;
		n = n * 10 + digit;
	} while (n && *s);
	return *s ? -1 : n;
}

/* Returns the descriptor that an operand names, or -1. */
static int descriptor_named(const char *name)
{
	const char *rest = skip_prefix(name, "/dev/std");

	if (!rest) {
		rest = skip_prefix(name, "/dev/fd/");
		if (!rest)
			rest = skip_prefix(name, "/proc/self/fd/");
		return rest ? descriptor_number(rest) : -1;
	}
	for (int i = 0; i <= STDERR_FILENO; i++)
		if (!strcmp(rest, standard[i]))
			return i;
	return -1;
}

/* Whether a descriptor may be used in place of one that open(2) would return
 * with these flags. A descriptor with a position that is not O_APPEND would
 * overwrite where tee is to append. */
static bool descriptor_serves(int fd, int flags)
{
	int has = zc_fcntl(fd, F_GETFL, 0);

	if (!zc_may_access(has, flags & O_ACCMODE))
		return false;
	if (!(flags & O_APPEND) || has & O_APPEND)
		return true;
	return lseek(fd, 0, SEEK_CUR) < 0;
}

int descriptor_open(const char *name, int flags, bool *sole)
{
	int fd = descriptor_named(name), opened;

	/* Only box's own descriptors are close-on-exec: execve(2) has closed
	 * all others that were. */
	if (fd >= 0 && zc_fcntl(fd, F_GETFD, 0) == FD_CLOEXEC)
		return -ENOENT;
	opened = zc_open(name, flags);
	*sole = opened >= 0;
	switch (-opened) {
	case ENXIO:
	case EACCES:
	case ENOENT:
	case ENOTDIR:
		if (fd < 0 || !descriptor_serves(fd, flags))
			break;
		if (IS_ENABLED(CONFIG_TRACE) && debug)
			message_path(name, "its descriptor is used");
		return zc_fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	return opened;
}
