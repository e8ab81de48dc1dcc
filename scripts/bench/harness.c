// SPDX-License-Identifier: 0BSD
/* What scripts/bench/methods puts on both sides of box: source and sinks; and
 * in its place bare loops of single calls. Sources and sinks sleep where they
 * wait, as most programs do; splice yields, because that is what is fastest. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib.h"

enum {			       /* bytes */
       PIPE_BUFFER = 32 << 10, /* the most that a buffer of a pipe may hold */
       BLOCK = 128 << 10,      /* of read, and of write to a socket */
       COPIED = 256 << 10,     /* of read and write, one after the other */
       PIPE_SIZE = 1 << 20,    /* what an unprivileged user may ask for */
       CALL_MAX = 16 << 20,    /* of the other calls */
};

static char buf[PIPE_SIZE];

/* When splice(2) first said EAGAIN, if the last one did. The loop yields for a
 * short while before it sleeps: where others wait for the processor, one
 * yield is a long time. */
static uint64_t again_since;

static unsigned splice_flags(void)
{
	bool waits = again_since && now_ns() - again_since >= 20000;

	return waits ? 0 : SPLICE_F_NONBLOCK;
}

/* Returns -1 after a yield where splice(2) said EAGAIN. */
static ssize_t or_yield(ssize_t n)
{
	if (n < 0 && errno == EAGAIN) {
		again_since = again_since ? again_since : now_ns();
		sched_yield();
		return n;
	}
	again_since = 0;
	return checked(n, "splice");
}

static size_t number(const char *arg)
{
	return strtoull(arg, NULL, 10);
}

static int create(const char *name)
{
	return checked(open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666), name);
}

static void write_all(int fd, const char *p, size_t len)
{
	for (size_t n; len; p += n, len -= n)
		n = checked(write(fd, p, len), "write");
}

static void new_pipe(int end[2])
{
	checked(pipe(end), "pipe");
	checked(fcntl(end[1], F_SETPIPE_SZ, PIPE_SIZE), "F_SETPIPE_SZ");
}

/* A full pipe, of as many references to the same len bytes as fit: those stay
 * in the processor's cache. Through a Unix socket up to 32 KiB get into a
 * buffer of the pipe, by write(2) a page. Returns how many bytes it holds. */
static size_t fill(int full[2], size_t len)
{
	int end[2], one[2];
	size_t have = 0;

	checked(socketpair(AF_UNIX, SOCK_STREAM, 0, end), "socketpair");
	new_pipe(one);
	new_pipe(full);
	write_all(end[1], buf, len);
	checked(splice(end[0], NULL, one[1], NULL, len, 0), "splice");
	while (tee(one[0], full[1], len, SPLICE_F_NONBLOCK) == (ssize_t)len)
		have += len;
	return have;
}

/* source N: into a pipe, by reference. */
static int source(char **arg)
{
	size_t n, left = number(arg[0]), have;
	int full[2];

	have = fill(full, PIPE_BUFFER);
	fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
	for (; left; left -= n)
		n = checked(tee(full[0], 1, left < have ? left : have, 0),
			    "tee");
	return 0;
}

/* A reading sink takes the pipe as it is; a splicing one enlarges it. */
static size_t take(int null, size_t len)
{
	if (null < 0)
		return checked(read(0, buf, len < BLOCK ? len : BLOCK), "read");
	return checked(splice(0, NULL, null, NULL, len, 0), "splice");
}

static int take_all(char **arg, int endless)
{
	size_t n, left = number(arg[1]);
	int null = -1;

	if (!strcmp(arg[0], "splice")) {
		null = create("/dev/null");
		fcntl(0, F_SETPIPE_SZ, PIPE_SIZE);
	}
	for (; left; left -= n) {
		n = take(null, left);
		if (!n)
			break;
	}
	if (!left && (endless || !take(-1, 1)))
		return 0;
	fprintf(stderr, "harness: not %s bytes\n", arg[1]);
	return 1;
}

/* sink read|splice N: fails unless N bytes come. */
static int sink(char **arg)
{
	return take_all(arg, 0);
}

/* head read|splice N: leaves after N bytes, for a source without end. */
static int head(char **arg)
{
	return take_all(arg, 1);
}

/* Returns when the command's program is there. */
static pid_t start(char **argv, int fd, int as)
{
	int there[2];
	pid_t pid;

	checked(pipe2(there, O_CLOEXEC), "pipe2");
	pid = checked(fork(), "fork");
	if (!pid) {
		dup2(fd, as);
		execvp(argv[0], argv);
		die(argv[0]);
	}
	close(there[1]);
	checked(read(there[0], buf, 1), "read");
	close(there[0]);
	return pid;
}

static int failed(int status)
{
	return !WIFEXITED(status) || WEXITSTATUS(status);
}

/* socket LEFT... -- RIGHT...: a pipeline with a Unix socket for its pipe. */
static int through_socket(char **left)
{
	int end[2], status[2];
	char **right = left;
	pid_t pid[2];

	while (*right && strcmp(*right, "--"))
		right++;
	*right++ = NULL;
	checked(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end),
		"socketpair");
	pid[0] = start(left, end[0], 1);
	pid[1] = start(right, end[1], 0);
	close(end[0]);
	close(end[1]);
	waitpid(pid[0], &status[0], 0);
	waitpid(pid[1], &status[1], 0);
	return failed(status[0]) || failed(status[1]);
}

/* splice: where the source or the sink is a pipe. */
static int by_splice(char **arg)
{
	(void)arg;
	/* Who writes to a pipe that is not full need not wait. */
	fcntl(0, F_SETPIPE_SZ, PIPE_SIZE);
	fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
	while (or_yield(splice(0, NULL, 1, NULL, CALL_MAX, splice_flags())))
		;
	return 0;
}

static int by_sendfile(char **arg)
{
	(void)arg;
	while (checked(sendfile(1, 0, NULL, CALL_MAX), "sendfile"))
		;
	return 0;
}

static int by_read_write(char **arg)
{
	size_t n;

	(void)arg;
	while ((n = checked(read(0, buf, COPIED), "read")))
		write_all(1, buf, n);
	return 0;
}

/* advise normal|sequential|willneed COMMAND...: with standard input, a file, of
 * which posix_fadvise(2) has been told that. */
static int advise(char **arg)
{
	int advice = !strcmp(arg[0], "sequential") ? POSIX_FADV_SEQUENTIAL :
		     !strcmp(arg[0], "willneed")   ? POSIX_FADV_WILLNEED :
		     !strcmp(arg[0], "normal")	   ? POSIX_FADV_NORMAL :
						     -1;

	errno = posix_fadvise(0, 0, 0, advice);
	checked(errno ? -1 : 0, "posix_fadvise");
	execvp(arg[1], arg + 1);
	die(arg[1]);
	return 1;
}

static const struct {
	const char *name;
	int (*run)(char **arg);
} command[] = {
	{ "source", source },
	{ "sink", sink },
	{ "head", head },
	{ "socket", through_socket },
	{ "splice", by_splice },
	{ "sendfile", by_sendfile },
	{ "read+write", by_read_write },
	{ "advise", advise },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		if (argc > 1 && !strcmp(argv[1], command[i].name))
			return command[i].run(argv + 2);
	fprintf(stderr, "harness: see the comments in its source\n");
	return 2;
}
