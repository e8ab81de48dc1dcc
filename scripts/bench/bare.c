/* SPDX-License-Identifier: 0BSD */
/* The limit that scripts/bench/count has for cat, and for tee with one operand:
 * the calls that box's promises take, in a bare loop. Nothing fails here, no
 * file has another reader, and no line of code is for any other case. PEERS
 * names it: docs/BENCHMARKS.md. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL = 32 << 10, LITTLE = 16 << 10, RUN = 1 << 20 }; /* bytes */

static char buffer[256 << 10];

/* Until the end, or a run that is not little. */
static ssize_t read_and_write(int fd, size_t size, ssize_t little)
{
	ssize_t n;

	while ((n = read(fd, buffer, size)) > 0) {
		if (write(1, buffer, n) != n)
			_exit(1);
		if (n > little)
			break;
	}
	return n;
}

/* Calls that never sleep with a pipe locked, and a wait for both ends. */
static void pipe_to_pipe(void)
{
	ssize_t n = read_and_write(0, SMALL, LITTLE);
	struct pollfd p[] = { { 0, POLLIN, 0 }, { 1, POLLOUT, 0 } };

	fcntl(1, F_SETPIPE_SZ, RUN);
	while (n) {
		n = splice(0, NULL, 1, NULL, 8 * RUN, SPLICE_F_NONBLOCK);
		if (n < 0 && (poll(p, 1, -1) < 0 || poll(p + 1, 1, -1) < 0))
			_exit(1);
	}
}

/* A pipe between, so that nobody waits for a file with a pipe locked. */
static void file_to_pipe(int fd, off_t size)
{
	int own[2];
	ssize_t n;

	if (pipe(own))
		_exit(1);
	fcntl(1, F_SETPIPE_SZ, RUN);
	fcntl(own[1], F_SETPIPE_SZ, RUN);
	for (off_t at = 0; at < size; at += n) {
		n = splice(fd, NULL, own[1], NULL, RUN, 0);
		for (ssize_t left = n, m; left; left -= m) {
			m = splice(own[0], NULL, 1, NULL, left, 0);
			if (m <= 0)
				_exit(1);
		}
	}
	read_and_write(fd, SMALL, sizeof(buffer));
}

/* Both readers wait for the slower one: box serves each as it has room. */
static void tee_to_both(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	struct pollfd p[] = {
		{ 0, POLLIN, 0 }, { 1, POLLOUT, 0 }, { fd, POLLOUT, 0 }
	};
	ssize_t n;

	while ((n = read(0, buffer, SMALL)) > 0) {
		if (write(1, buffer, n) != n || write(fd, buffer, n) != n)
			_exit(1);
		if (n > LITTLE)
			break;
	}
	fcntl(1, F_SETPIPE_SZ, RUN);
	fcntl(fd, F_SETPIPE_SZ, RUN);
	while (n) {
		n = tee(0, 1, 8 * RUN, SPLICE_F_NONBLOCK);
		if (n < 0 && (poll(p, 1, -1) < 0 || poll(p + 1, 1, -1) < 0))
			_exit(1);
		for (ssize_t left = n, m; left > 0; left -= m) {
			m = splice(0, NULL, fd, NULL, left, SPLICE_F_NONBLOCK);
			if (m < 0 && poll(p + 2, 1, -1) < 0)
				_exit(1);
			if (m < 0)
				m = 0;
		}
	}
}

int main(int argc, char **argv)
{
	struct stat out, in;

	fstat(1, &out);
	if (!strcmp(argv[0], "tee")) {
		tee_to_both(argv[1]);
		return 0;
	}
	if (argc < 2 && S_ISFIFO(out.st_mode))
		pipe_to_pipe();
	else if (argc < 2)
		read_and_write(0, sizeof(buffer), sizeof(buffer));
	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY);

		/* One of many is compared with a file alone. */
		if (argc == 2 || !S_ISFIFO(out.st_mode))
			fstat(fd, &in);
		if (argc == 2 && S_ISFIFO(out.st_mode) && in.st_size > SMALL)
			file_to_pipe(fd, in.st_size);
		else
			read_and_write(fd, sizeof(buffer), sizeof(buffer));
		close(fd);
	}
	return 0;
}
