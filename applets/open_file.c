/* SPDX-License-Identifier: 0BSD */
/* Opening files, where some of the descriptors 0 to 2 may be closed. */
#include <fcntl.h>
#include <unistd.h>

#include "applet.h"

int open_file(const char *name, int flags)
{
	int fd = open(name, flags, 0666);

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;

	int higher = fcntl(fd, F_DUPFD, STDERR_FILENO + 1);
	int err = errno;

	close(fd);
	errno = err;
	return higher;
}
