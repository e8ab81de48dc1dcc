/* SPDX-License-Identifier: 0BSD */
/* zc_repeat() of lines, one after the other, each to a pipe whose reader leaves
 * after SIZE bytes. Prints what came through. tee(2) is short, LIMIT bytes a
 * call, between pipes of libcore's own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core.h"

static size_t limit;
static int sink;
static struct zc z;

ssize_t __real_zc_sys_tee(int from, int to, size_t len);

ssize_t __wrap_zc_sys_tee(int from, int to, size_t len)
{
	if (to != sink && len > limit)
		len = limit;
	return __real_zc_sys_tee(from, to, len);
}

static void repeat(const char *line, size_t size)
{
	struct zc_sink out = { 0 };
	int fd[2];

	if (pipe(fd))
		exit(1);
	if (!fork()) {
		char buf[4096];
		ssize_t n;

		close(fd[1]);
		while (size &&
		       (n = read(fd[0], buf,
				 size < sizeof(buf) ? size : sizeof(buf))) > 0)
			size -= write(1, buf, n);
		_exit(size != 0);
	}
	close(fd[0]);
	sink = out.fd = fd[1];
	if (zc_identify(&out.end, false) ||
	    !zc_repeat(&z, line, strlen(line), &out) || out.error != EPIPE)
		exit(1);
	close(fd[1]);
	wait(NULL);
}

/* repeat LIMIT SIZE LINE... */
int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	limit = atol(argv[1]);
	for (int i = 3; i < argc; i++)
		repeat(argv[i], atol(argv[2]));
	return argc < 4;
}
