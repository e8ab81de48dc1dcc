// SPDX-License-Identifier: 0BSD
/* What scripts/bench/compare puts on both sides of a program: source and sinks;
 * and in its place the bare loop that is the limit of a workload. Sources and
 * sinks sleep where they wait, as most programs do; the limits yield, because
 * that is what is fastest. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib.h"

enum {			       /* bytes, but for the last */
       PIPE_BUFFER = 32 << 10, /* the most that a buffer of a pipe may hold */
       BLOCK = 128 << 10,      /* of read, and of write to a socket */
       COPIED = 256 << 10,     /* of read and write, one after the other */
       SENT = 32 << 10,	       /* to a socket */
       PIPE_SIZE = 1 << 20,    /* what an unprivileged user may ask for */
       CALL_MAX = 16 << 20,    /* of the other calls */
       SINKS_MAX = 8,	       /* of the limit's tee */
       PATIENCE = 2000,	       /* ms to wait for a line */
};

static char buf[PIPE_SIZE];

/* When a limit's call first said EAGAIN, if the last one did. The limits yield
 * for a short while before they sleep: where others wait for the processor, one
 * yield is a long time. */
static uint64_t again_since;

static unsigned splice_flags(void)
{
	bool waits = again_since && now_ns() - again_since >= 20000;

	return waits ? 0 : SPLICE_F_NONBLOCK;
}

/* Returns -1 after a yield where the call said EAGAIN. */
static ssize_t or_yield(ssize_t n, const char *call)
{
	if (n < 0 && errno == EAGAIN) {
		again_since = again_since ? again_since : now_ns();
		sched_yield();
		return n;
	}
	again_since = 0;
	return checked(n, call);
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

static int is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

static int is_null(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	       st.st_rdev == makedev(1, 3);
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

/* source N [SIZE]: into a pipe of that size, by reference. */
static int source(char **arg)
{
	size_t n, left = number(arg[0]), have;
	int full[2];

	have = fill(full, PIPE_BUFFER);
	fcntl(1, F_SETPIPE_SZ, arg[1] ? number(arg[1]) : PIPE_SIZE);
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

/* Sleeps for 5 of 15 ms. */
static void pause_at_times(void)
{
	static uint64_t since;

	if (now_ns() - since < 10000000)
		return;
	if (since)
		usleep(5000);
	since = now_ns();
}

static int take_all(char **arg, int endless)
{
	size_t n, left = number(arg[1]);
	bool pauses = !strcmp(arg[0], "pause");
	int null = -1;

	if (!strcmp(arg[0], "splice")) {
		null = create("/dev/null");
		fcntl(0, F_SETPIPE_SZ, PIPE_SIZE);
	}
	for (; left; left -= n) {
		if (pauses)
			pause_at_times();
		n = take(null, left);
		if (!n)
			break;
	}
	if (!left && (endless || !take(-1, 1)))
		return 0;
	fprintf(stderr, "harness: not %s bytes\n", arg[1]);
	return 1;
}

/* sink read|pause|splice N: fails unless N bytes come. */
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

/* What getrusage says is off by as much as these programs use. */
static long resident(pid_t pid)
{
	char name[64], line[256];
	long kib = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/smaps_rollup", (int)pid);
	file = fopen(name, "r");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		sscanf(line, "Rss: %ld", &kib);
	fclose(file);
	return kib;
}

/* peak FILE COMMAND...: writes to FILE the most KiB that were resident. It
 * looks without a pause, for some run for a millisecond only. */
static int peak(char **arg)
{
	pid_t pid = start(arg + 1, 1, 1);
	long kib, most = 0;
	int status;

	while (!waitpid(pid, &status, WNOHANG)) {
		kib = resident(pid);
		most = kib > most ? kib : most;
	}
	dprintf(create(arg[0]), "%ld\n", most);
	return failed(status);
}

/* repeat LINE, which is short. */
static int repeat(char **arg)
{
	ssize_t line = strlen(arg[0]) + 1, len = PIPE_BUFFER / line * line, n;
	int full[2];

	memcpy(buf, arg[0], line - 1);
	buf[line - 1] = '\n';
	for (ssize_t at = line; at < len; at++)
		buf[at] = buf[at - line];
	len = fill(full, len);
	fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
	do {
		n = or_yield(tee(full[0], 1, len, splice_flags()), "tee");
		if (n > 0 && n % line)
			write_all(1, buf + n % line, line - n % line);
	} while (n);
	return 0;
}

/* splice-and-sleep: from pipe to pipe, which is best left to the kernel where
 * the reader copies. */
static int by_sleeping_splice(char **arg)
{
	(void)arg;
	fcntl(0, F_SETPIPE_SZ, PIPE_SIZE);
	fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
	while (checked(splice(0, NULL, 1, NULL, CALL_MAX, 0), "splice"))
		;
	return 0;
}

/* splice: where the source or the sink is a pipe. */
static int by_splice(char **arg)
{
	(void)arg;
	/* Who writes to a pipe that is not full need not wait. */
	fcntl(0, F_SETPIPE_SZ, PIPE_SIZE);
	fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
	while (or_yield(splice(0, NULL, 1, NULL, CALL_MAX, splice_flags()),
			"splice"))
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

/* splice-to-socket: a file, by a pipe of our own, in pieces that are a part of
 * what the socket holds: who sends more sleeps in turns with its reader. */
static int by_splice_to_socket(char **arg)
{
	int own[2];
	size_t n;

	(void)arg;
	checked(pipe(own), "pipe");
	while ((n = checked(splice(0, NULL, own[1], NULL, SENT, 0), "splice")))
		for (size_t m; n; n -= m)
			m = checked(splice(own[0], NULL, 1, NULL, n, 0),
				    "splice");
	return 0;
}

static void read_write(int from)
{
	size_t n;

	while ((n = checked(read(from, buf, COPIED), "read")))
		write_all(1, buf, n);
}

static int by_read_write(char **arg)
{
	(void)arg;
	read_write(0);
	return 0;
}

/* each FILE...: small files. Each is written before the next one is opened,
 * which may be a FIFO that nobody writes to yet. */
static int each(char **name)
{
	for (; *name; name++) {
		int fd = checked(open(*name, O_RDONLY), *name);

		read_write(fd);
		close(fd);
	}
	return 0;
}

struct branch {
	int from, to;
	ssize_t left;
};

/* What is left in each branch goes to its sink, in turns; a sink that takes
 * nothing for a while is slept for (splice_flags()). */
static void deliver(struct branch *b, int count)
{
	ssize_t n;
	int busy;

	do {
		busy = 0;
		for (int i = 0; i < count; i++) {
			if (!b[i].left)
				continue;
			n = or_yield(splice(b[i].from, NULL, b[i].to, NULL,
					    b[i].left, splice_flags()),
				     "splice");
			if (n > 0)
				b[i].left -= n;
			busy |= b[i].left > 0;
		}
	} while (busy);
}

/* The sinks of tee that keep what they get, of which /dev/null is none; if
 * there is no other it is the only one. */
static int open_sinks(struct branch *b, char **name)
{
	int count = 0, fd;

	if (!is_null(1))
		b[count++].to = 1;
	for (; *name && count < SINKS_MAX; name++) {
		fd = create(*name);
		if (!is_null(fd))
			b[count++].to = fd;
	}
	if (!count)
		b[count++].to = 1;
	for (int i = 0; i < count; i++)
		fcntl(b[i].to, F_SETPIPE_SZ, PIPE_SIZE);
	return count;
}

/* tee FILE...: a relay pipe for each of the sinks but the last, which is served
 * from one for the source. */
static int to_many(char **name)
{
	int in[2], relay[SINKS_MAX][2], count, last;
	struct branch b[SINKS_MAX];
	ssize_t n, len;

	count = open_sinks(b, name);
	if (count == 1 && is_pipe(0)) {
		dup2(b->to, 1);
		return by_splice(name);
	}
	new_pipe(in);
	last = count - 1;
	for (int i = 0; i < last; i++) {
		new_pipe(relay[i]);
		b[i].from = relay[i][0];
	}
	b[last].from = in[0];
	for (;;) {
		len = checked(splice(0, NULL, in[1], NULL, CALL_MAX, 0),
			      "splice");
		if (!len)
			return 0;
		for (int i = 0; len && i < last; i++) {
			do
				n = or_yield(tee(in[0], relay[i][1], len,
						 splice_flags()),
					     "tee");
			while (n < 0);
			b[i].left = len = n;
		}
		if (!len)
			return 0;
		b[last].left = len;
		deliver(b, count);
	}
}

/* paste: read(2), and out by way of a Unix socket where that is a pipe: see
 * fill(). */
static int by_socket(char **arg)
{
	int end[2];
	size_t n;

	(void)arg;
	if (!is_pipe(1))
		return by_read_write(arg);
	fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
	checked(socketpair(AF_UNIX, SOCK_STREAM, 0, end), "socketpair");
	while ((n = checked(read(0, buf, BLOCK), "read"))) {
		write_all(end[1], buf, n);
		while (n)
			n -= checked(splice(end[0], NULL, 1, NULL, n, 0),
				     "splice");
	}
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

enum { DENY_MAX = 6, DENY_EACH = 5 }; /* calls, and instructions for one */

/* Writes what refuses a call (EOPNOTSUPP) and lets others go on. */
static void refuse(struct sock_filter *filter, const char *name)
{
	static const struct {
		const char *name;
		int number;
		unsigned from_most; /* descriptor */
	} known[] = {
		{ "splice", SYS_splice, UINT32_MAX },
		{ "splice-from-files", SYS_splice, 3 },
		{ "tee", SYS_tee, UINT32_MAX },
		{ "vmsplice", SYS_vmsplice, UINT32_MAX },
		{ "copy_file_range", SYS_copy_file_range, UINT32_MAX },
		{ "sendfile", SYS_sendfile, UINT32_MAX },
	};
	size_t i = 0, count = sizeof(known) / sizeof(*known);

	while (i < count && strcmp(known[i].name, name))
		i++;
	if (i == count) {
		errno = EINVAL;
		die(name);
	}
	memcpy(filter,
	       (struct sock_filter[DENY_EACH]){
		       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, known[i].number, 0,
				DENY_EACH - 1),
		       BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
				offsetof(struct seccomp_data, args)),
		       BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, known[i].from_most,
				1, 0),
		       BPF_STMT(BPF_RET | BPF_K,
				SECCOMP_RET_ERRNO | EOPNOTSUPP),
		       BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
				offsetof(struct seccomp_data, nr)),
	       },
	       DENY_EACH * sizeof(*filter));
}

/* deny CALL,... COMMAND...: where the kernel says that it does not do these
 * calls. splice-from-files is splice(2) from descriptors up to 3, which are the
 * source where a workload has a file for one. */
static int deny(char **arg)
{
	struct sock_filter filter[2 + DENY_EACH * DENY_MAX] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { 1, filter };

	for (char *name; (name = strsep(&arg[0], ","));) {
		if (program.len > 1 + DENY_EACH * (DENY_MAX - 1)) {
			errno = E2BIG;
			die(name);
		}
		refuse(filter + program.len, name);
		program.len += DENY_EACH;
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
							     SECCOMP_RET_ALLOW);
	checked(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl");
	checked(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
		"seccomp");
	execvp(arg[1], arg + 1);
	die(arg[1]);
	return 1;
}

static int by_time(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return (x > y) - (x < y);
}

/* One line to the command and back. Returns nanoseconds, or -1 if something
 * else has come back. */
static long long line_time(int to, int from, const char *line, size_t len)
{
	long long began = now_ns();
	struct pollfd p = { .fd = from, .events = POLLIN };
	char got[256];
	size_t have = 0, n;

	write_all(to, line, len);
	while (!have || got[have - 1] != '\n') {
		if (checked(poll(&p, 1, PATIENCE), "poll") == 0) {
			errno = ETIMEDOUT;
			die("a line");
		}
		n = checked(read(from, got + have, sizeof(got) - have), "read");
		if (!n)
			return -1;
		have += n;
	}
	began = now_ns() - began;
	if (have < len || memcmp(got + have - len, line, len))
		return -1;
	return began;
}

/* latency FILE LINES PAUSE COMMAND...: gives the command a line, waits for what
 * becomes of it, pauses for so many microseconds, and so on. Writes to FILE
 * the median, the 99th percentile, and the command's processor time, in
 * nanoseconds a line. */
static int latency(char **arg)
{
	size_t lines = number(arg[1]);
	long long *took = malloc(lines * sizeof(*took)), cpu;
	int in[2], out[2], status;
	useconds_t pause = number(arg[2]);
	struct rusage used;
	char line[64];
	pid_t pid;

	checked(pipe2(in, O_CLOEXEC), "pipe");
	checked(pipe2(out, O_CLOEXEC), "pipe");
	pid = checked(fork(), "fork");
	if (!pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		execvp(arg[3], arg + 3);
		die(arg[3]);
	}
	close(in[0]);
	close(out[1]);
	for (size_t i = 0; i < lines; i++) {
		size_t len = snprintf(line, sizeof(line),
				      "line %zu of a log, as logs have them\n",
				      i);

		took[i] = line_time(in[1], out[0], line, len);
		if (took[i] < 0) {
			fprintf(stderr, "harness: line %zu is lost\n", i);
			return 1;
		}
		if (pause)
			usleep(pause);
	}
	close(in[1]);
	checked(wait4(pid, &status, 0, &used), "wait4");
	cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000LL +
	      (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
	qsort(took, lines, sizeof(*took), by_time);
	dprintf(create(arg[0]), "%lld %lld %lld\n", took[lines / 2],
		took[lines * 99 / 100], cpu / (long long)lines);
	return failed(status);
}

static const struct {
	const char *name;
	int (*run)(char **arg);
} command[] = {
	{ "source", source },
	{ "sink", sink },
	{ "head", head },
	{ "socket", through_socket },
	{ "peak", peak },
	{ "repeat", repeat },
	{ "splice", by_splice },
	{ "splice-and-sleep", by_sleeping_splice },
	{ "sendfile", by_sendfile },
	{ "splice-to-socket", by_splice_to_socket },
	{ "read+write", by_read_write },
	{ "each", each },
	{ "tee", to_many },
	{ "paste", by_socket },
	{ "advise", advise },
	{ "deny", deny },
	{ "latency", latency },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		if (argc > 1 && !strcmp(argv[1], command[i].name))
			return command[i].run(argv + 2);
	fprintf(stderr, "harness: see the comments in its source\n");
	return 2;
}
