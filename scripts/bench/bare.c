/* SPDX-License-Identifier: 0BSD */
/* The limit that scripts/bench/count has for cat and tee: the calls that box's
 * promises take, in a bare loop. Nothing fails here, no file has another
 * reader, and no line of code is for any other case than the lanes in which box
 * is behind. PEERS names it: docs/BENCHMARKS.md. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL = 32 << 10, LITTLE = 16 << 10, RUN = 1 << 20 }; /* bytes */
enum { BOTH = 128 << 10 }; /* of read(2), for several outputs */
enum { SINKS_MAX = 256 };

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

static void make_pipe(int own[2])
{
	if (pipe(own))
		_exit(1);
	fcntl(own[1], F_SETPIPE_SZ, RUN);
}

/* A pipe between, so that nobody waits for a file with a pipe locked. */
static void file_to_pipe(int fd, off_t size)
{
	int own[2];
	ssize_t n;

	make_pipe(own);
	fcntl(1, F_SETPIPE_SZ, RUN);
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

/* tee's outputs that take bytes, by kind. */
struct outputs {
	int file[SINKS_MAX], pipe[SINKS_MAX];
	int files, pipes;
};

static void add(struct outputs *o, int fd)
{
	struct stat st;

	fstat(fd, &st);
	if (S_ISREG(st.st_mode))
		o->file[o->files++] = fd;
	else if (S_ISFIFO(st.st_mode))
		o->pipe[o->pipes++] = fd;
}

static void write_all(const int *fd, int count, ssize_t n)
{
	while (count--)
		if (write(*fd++, buffer, n) != n)
			_exit(1);
}

static void enlarge(const int *fd, int count)
{
	while (count--)
		fcntl(*fd++, F_SETPIPE_SZ, RUN);
}

/* As much as the reader has room for goes to it, and the same to files, by way
 * of a pipe, so that a pipe's writer may go on. */
static void tee_to_reader_and_files(const struct outputs *o)
{
	struct pollfd p[] = { { 0, POLLIN, 0 }, { o->pipe[0], POLLOUT, 0 } };
	int own[2];
	ssize_t n = 1, m;

	make_pipe(own);
	while (n) {
		n = splice(0, NULL, own[1], NULL, RUN, SPLICE_F_NONBLOCK);
		if (n < 0 && poll(p, 1, -1) < 0)
			_exit(1);
		for (ssize_t all = n; all > 0; all -= m) {
			m = tee(own[0], o->pipe[0], all, SPLICE_F_NONBLOCK);
			if (m < 0 && poll(p + 1, 1, -1) < 0)
				_exit(1);
			if (m < 0)
				m = 0;
			for (ssize_t left = m, got; left > 0; left -= got) {
				got = read(own[0], buffer,
					   left < BOTH ? left : BOTH);
				write_all(o->file, o->files, got);
			}
		}
	}
}

static void splice_all(int from, int to, ssize_t n)
{
	struct pollfd p = { to, POLLOUT, 0 };

	for (ssize_t m; n > 0; n -= m) {
		m = splice(from, NULL, to, NULL, n, SPLICE_F_NONBLOCK);
		if (m < 0 && poll(&p, 1, -1) < 0)
			_exit(1);
		if (m < 0)
			m = 0;
	}
}

/* Both readers wait for the slower one: box serves each as it has room. */
static void tee_to_both(const struct outputs *o)
{
	struct pollfd p[] = { { 0, POLLIN, 0 }, { o->pipe[0], POLLOUT, 0 } };
	ssize_t n = 1;

	while (n) {
		n = tee(0, o->pipe[0], 8 * RUN, SPLICE_F_NONBLOCK);
		if (n < 0 && (poll(p, 1, -1) < 0 || poll(p + 1, 1, -1) < 0))
			_exit(1);
		splice_all(0, o->pipe[1], n);
	}
}

/* All wait for the slowest one. One pipe holds the bytes, one those of the
 * reader whose turn it is: box has one for each reader. */
static void tee_to_many(const struct outputs *o)
{
	int all[2], own[2];
	ssize_t n;

	make_pipe(all);
	make_pipe(own);
	while ((n = splice(0, NULL, all[1], NULL, RUN, 0)) > 0) {
		for (int i = 0; i < o->pipes - 1; i++) {
			if (tee(all[0], own[1], n, 0) != n)
				_exit(1);
			splice_all(own[0], o->pipe[i], n);
		}
		splice_all(all[0], o->pipe[o->pipes - 1], n);
	}
}

static void tee_to(char **name)
{
	struct outputs o = { .files = 0 };
	size_t size = BOTH;
	struct stat in;
	ssize_t n = 1;

	fstat(0, &in);
	for (add(&o, 1); *name; name++)
		add(&o, open(*name, O_WRONLY | O_CREAT | O_TRUNC, 0666));
	if (o.pipes && !o.files)
		size = SMALL;
	else if (!o.pipes && o.files == 1)
		size = sizeof(buffer);
	while (!(o.pipes && S_ISREG(in.st_mode)) &&
	       (n = read(0, buffer, size)) > 0) {
		write_all(o.pipe, o.pipes, n);
		write_all(o.file, o.files, n);
		if (o.pipes && n > LITTLE)
			break;
	}
	enlarge(o.pipe, o.pipes);
	if (n && o.files && o.pipes)
		tee_to_reader_and_files(&o);
	else if (n && o.pipes == 2)
		tee_to_both(&o);
	else if (n)
		tee_to_many(&o);
}

int main(int argc, char **argv)
{
	struct stat out, in;

	if (!strcmp(argv[0], "tee")) {
		tee_to(argv + 1);
		return 0;
	}
	fstat(1, &out);
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
