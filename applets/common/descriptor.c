/* SPDX-License-Identifier: 0BSD */
/* Operands that name a descriptor. open(2) refuses a socket (ENXIO) and another
 * user's descriptor (EACCES). It refuses all of them if /dev or /proc is not
 * mounted (ENOENT).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "applet.h"

static const char prefixes[][15] = {
	[STDIN_FILENO] = "/dev/stdin",
	[STDOUT_FILENO] = "/dev/stdout",
	[STDERR_FILENO] = "/dev/stderr",
	/* A number follows these. */
	"/dev/fd/",
	"/proc/self/fd/",
};

enum { PREFIXES = sizeof(prefixes) / sizeof(*prefixes) };

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
	const char *rest;

	for (int i = 0; i < PREFIXES; i++) {
		rest = skip_prefix(name, prefixes[i]);
		if (rest && i > STDERR_FILENO)
			return descriptor_number(rest);
		if (rest && !*rest)
			return i;
	}
	return -1;
}

int descriptor_open(const char *name, int failed)
{
	int fd = descriptor_named(name);

	if (fd >= 0)
		fd = zc_fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (IS_ENABLED(CONFIG_TRACE) && fd >= 0 && debug)
		message_path(name, "its descriptor is used");
	return fd < 0 ? failed : fd;
}
