// SPDX-License-Identifier: 0BSD
/* The init of scripts/bench/count's guest. It runs each lane of /lanes for each
 * program of /peers, first with ends that compare, then some times with ends
 * that count bytes alone, and prints what the machine and each process took.
 * Where qemu makes an instruction a nanosecond, that is instructions. MEMORY is
 * the most that the program had resident, in KiB. A line of the output:
 *
 *     count: LANE PEER TOTAL SOURCE PROGRAM SINK MEMORY	or
 *     count: LANE PEER failed WHY
 *
 * If PEER is an option of box, the lines of --debug come first.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib.h"

enum {			    /* bytes, but for those that say more */
       BLOCK = 128 << 10,   /* of read(2) */
       HALF = 64 << 10,	    /* of read64: what a pipe has by default */
       WRITTEN = 64 << 10,  /* of write(2) */
       CALL_MAX = 16 << 20, /* of splice(2) */
       PIPE_SIZE = 1 << 20, /* of a splicing sink's pipe */
       WORDS_MAX = 1100,    /* of a lane */
       FIXED = 9,	    /* those before the command */
       PEERS_MAX = 16,
       FIFOS = 256,
       PATIENCE = 10,	     /* seconds, of 1e9 instructions, until SIGALRM */
       LONG = 100000000,     /* instructions */
       SETTLED = 10,	     /* seconds, which pass at once where all is idle */
       APART = 40000000,     /* ns, a multiple of the time between two ticks */
       LINE_PATIENCE = 2000, /* ms, for a line to come through */
};

/* A line of /lanes, word by word. */
struct lane {
	char *name;
	long repeat;   /* runs that are counted as one */
	bool endless;  /* the program is stopped after so many bytes */
	char *source;  /* none, or a key of SOURCES in lanes.py */
	char *from;    /* the source's file */
	long capacity; /* of the source's pipe, or 0 for what it has */
	char *sink;    /* a key of SINKS in lanes.py */
	char *want;    /* a file: what comes out, over and over */
	long bytes;    /* that come out at each sink; lines, if sent as such */
	char *argv[WORDS_MAX];
};

enum role { SOURCE, PROGRAM, SINK, ROLES };

struct turn {
	uint64_t total, of[ROLES];
	long memory; /* of the program, in KiB, if it is watched */
	int status;  /* the program's */
	bool lost;   /* an end has not had its bytes */
};

static char buf[PIPE_SIZE];
static const char *want;
static size_t want_size;
/* An argument that begins so is a file that tee writes, too. */
static const char out_file[] = "/out";

/* --- Ends ---------------------------------------------------------------- */

static bool is(const char *a, const char *b)
{
	return !strcmp(a, b);
}

/* Whether len bytes at p are those that come after the first at of a sink. */
static bool right(const char *p, size_t len, size_t at)
{
	while (len) {
		size_t from = at % want_size, n = want_size - from;

		n = n < len ? n : len;
		if (memcmp(p, want + from, n))
			return false;
		p += n, at += n, len -= n;
	}
	return true;
}

static ssize_t take(int null, size_t block, size_t len)
{
	if (null < 0)
		return read(0, buf, len < block ? len : block);
	return splice(0, NULL, null, NULL, len, 0);
}

/* Returns whether all bytes came, the right ones if they are compared. */
static bool sink(const struct lane *l, const char *how, bool compares)
{
	size_t block = is(how, "read64") ? HALF : BLOCK;
	long all = 0;
	int null = -1;

	if (is(how, "splice") && !compares) {
		null = open("/dev/null", O_WRONLY);
		fcntl(0, F_SETPIPE_SZ, PIPE_SIZE);
	}
	while (all < l->bytes) {
		ssize_t n = take(null, block, l->bytes - all);

		if (n <= 0 || (compares && !right(buf, n, all)))
			return false;
		all += n;
	}
	return l->endless || !read(0, buf, 1);
}

/* Sends what is wanted, a line, when the one before has come back. */
static bool lines(size_t count)
{
	while (count--) {
		struct pollfd p = { .fd = 0, .events = POLLIN };
		ssize_t len = want_size, n;

		if (write(1, want, len) != len ||
		    poll(&p, 1, LINE_PATIENCE) != 1)
			return false;
		n = read(0, buf, sizeof(buf));
		if (n < len || memcmp(buf + n - len, want, len))
			return false;
	}
	return true;
}

static bool write_from(int fd)
{
	ssize_t n;

	while ((n = read(fd, buf, WRITTEN)) > 0)
		for (ssize_t at = 0, m; at < n; at += m)
			if ((m = write(1, buf + at, n - at)) <= 0)
				return false;
	return !n;
}

static bool source(const struct lane *l)
{
	ssize_t n;
	int fd;

	if (is(l->source, "lines"))
		return lines(l->bytes / want_size);
	fd = checked(open(l->from, O_RDONLY), l->from);
	if (is(l->source, "write") || is(l->source, "socket"))
		return write_from(fd);
	while ((n = splice(fd, NULL, 1, NULL, CALL_MAX, 0)) > 0)
		;
	return !n;
}

/* --- A run --------------------------------------------------------------- */

/* Returns 0 in a new process, which has these descriptors and the console. */
static pid_t begin(int in, int out)
{
	pid_t pid = checked(fork(), "fork");

	if (pid)
		return pid;
	dup2(in, 0);
	dup2(out, 1);
	syscall(SYS_close_range, 3, ~0u, 0);
	alarm(PATIENCE);
	return 0;
}

/* A sink for each argument "@HOW", which becomes the name of its FIFO. */
static void begin_fifos(const struct lane *l, char *argv[], bool compares)
{
	static char names[FIFOS][16];

	for (int count = 0; *argv; argv++) {
		const char *how = *argv + 1;

		if (**argv != '@')
			continue;
		snprintf(names[count], sizeof(names[count]), "/f%d", count);
		*argv = names[count++];
		if (!begin(0, 1)) {
			dup2(checked(open(*argv, O_RDONLY), *argv), 0);
			_exit(!sink(l, how, compares));
		}
	}
}

/* Returns the program's standard output; its far end is in far, or -1. */
static int open_sink(const struct lane *l, bool compares, int *far)
{
	bool append = is(l->sink, "append");
	int end[2];

	*far = -1;
	if (is(l->sink, "null") && !compares)
		return checked(open("/dev/null", O_WRONLY), "/dev/null");
	if (append || is(l->sink, "file"))
		return checked(open(out_file,
				    O_WRONLY | O_CREAT | O_TRUNC |
					    (append ? O_APPEND : 0),
				    0600),
			       out_file);
	if (is(l->sink, "socket"))
		checked(socketpair(AF_UNIX, SOCK_STREAM, 0, end), "socketpair");
	else
		checked(pipe(end), "pipe");
	*far = end[0];
	return end[1];
}

/* Returns the program's standard input; its far end is in far, or -1. */
static int open_source(const struct lane *l, int *far)
{
	int end[2];

	*far = -1;
	if (is(l->source, "none") || is(l->source, "file"))
		return checked(open(l->from, O_RDONLY), l->from);
	if (is(l->source, "socket"))
		checked(socketpair(AF_UNIX, SOCK_STREAM, 0, end), "socketpair");
	else
		checked(pipe(end), "pipe");
	if (l->capacity)
		checked(fcntl(end[1], F_SETPIPE_SZ, l->capacity), "capacity");
	*far = end[1];
	return end[0];
}

static void run_program(const struct lane *l, const char *peer, char **argv)
{
	struct rlimit most = { l->bytes, l->bytes };
	char path[64];

	snprintf(path, sizeof(path), "/p/%s/%s", peer, argv[0]);
	if (l->endless && is(l->sink, "file"))
		setrlimit(RLIMIT_FSIZE, &most);
	execv(path, argv);
	_exit(127);
}

static uint64_t used(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000000ull +
	       (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000ull;
}

/* The number behind a word in a file. */
static long number_in(const char *name, const char *word)
{
	char text[4096];
	int fd = checked(open(name, O_RDONLY), name);
	ssize_t n = checked(read(fd, text, sizeof(text) - 1), name);
	const char *found;

	close(fd);
	text[n] = '\0';
	found = strstr(text, word);
	NEED(found);
	return atol(found + strlen(word));
}

/* The process has stopped itself, because it could have ended by now. */
static void watch(pid_t pid)
{
	checked(waitpid(pid, NULL, WUNTRACED), "wait");
	checked(ptrace(PTRACE_SEIZE, pid, 0L, PTRACE_O_TRACEEXIT), "watch");
	checked(kill(pid, SIGCONT), "kill");
}

/* A process that is watched has stopped: at its end, or for a signal. The
 * kernel updates VmHWM when memory is given back, and now and then. */
static void resume(struct turn *t, pid_t pid, int status)
{
	int signal = status >> 16 ? 0 : WSTOPSIG(status);
	char name[64];
	long most;

	if (status >> 16 == PTRACE_EVENT_EXIT) {
		snprintf(name, sizeof(name), "/proc/%d/smaps_rollup", pid);
		t->memory = number_in(name, "Rss:");
		snprintf(name, sizeof(name), "/proc/%d/status", pid);
		most = number_in(name, "VmHWM:");
		t->memory = most > t->memory ? most : t->memory;
	}
	ptrace(PTRACE_CONT, pid, 0L, (long)signal);
}

/* Until all processes have ended. */
static void wait_for_all(struct turn *t, pid_t program, pid_t source)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, 0, &usage)) > 0) {
		enum role role = pid == program ? PROGRAM :
				 pid == source	? SOURCE :
						  SINK;

		if (WIFSTOPPED(status)) {
			resume(t, pid, status);
			continue;
		}
		t->of[role] += used(&usage);
		if (role == PROGRAM)
			t->status = status;
		/* A source has nobody to write to, if the program left. */
		else if (status)
			t->lost = true;
	}
}

/* A peer that is an option is box with that, which tells by what it moves. */
static void add_option(char *argv[], const char *peer, bool compares)
{
	int more = compares ? 2 : 1;

	memmove(argv + 1 + more, argv + 1,
		(WORDS_MAX - 1 - more) * sizeof(*argv));
	argv[1] = (char *)peer;
	if (compares)
		argv[2] = "--debug";
}

static void run(const struct lane *l, const char *peer, bool compares,
		struct turn *t)
{
	bool answers = is(l->source, "lines"); /* the source is the sink */
	char *argv[WORDS_MAX];
	pid_t program, source_pid = 0;
	int in, out, far_in, far_out;

	memcpy(argv, l->argv, sizeof(argv));
	if (*peer == '-')
		add_option(argv, peer, compares);
	begin_fifos(l, argv, compares);
	/* A method may serve /dev/null, and not the pipe that compares. */
	out = open_sink(l, compares && *peer != '-', &far_out);
	in = open_source(l, &far_in);
	if (!answers && far_out >= 0 && !begin(far_out, 1))
		_exit(!sink(l, is(l->sink, "null") ? "read" : l->sink,
			    compares));
	program = begin(in, out);
	if (!program) {
		/* Or it ends before it has told. */
		if (compares && *peer == '-')
			signal(SIGPIPE, SIG_IGN);
		if (compares)
			raise(SIGSTOP);
		run_program(l, peer, argv);
	}
	if (compares)
		watch(program);
	if (far_in >= 0) {
		source_pid = begin(answers ? far_out : 0, far_in);
		if (!source_pid)
			_exit(!source(l));
	}
	close(in);
	close(out);
	close(far_in);
	close(far_out);
	wait_for_all(t, program, source_pid);
}

/* --- A lane -------------------------------------------------------------- */

/* Whether a file that was written to has its bytes. */
static bool file_is_right(const struct lane *l, const char *name, bool compares)
{
	struct stat st;
	bool good;
	char *p;
	int fd = open(name, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) || st.st_size != l->bytes)
		return false;
	if (!compares)
		return close(fd) == 0;
	p = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	good = p != MAP_FAILED && right(p, st.st_size, 0);
	munmap(p, st.st_size);
	close(fd);
	return good;
}

/* The files of a lane, which are then removed. */
static bool files_are_right(const struct lane *l, bool compares)
{
	bool good = true;

	if (is(l->sink, "file") || is(l->sink, "append"))
		good = file_is_right(l, out_file, compares);
	for (int i = 1; l->argv[i]; i++)
		if (!strncmp(l->argv[i], out_file, strlen(out_file))) {
			good = good && file_is_right(l, l->argv[i], compares);
			unlink(l->argv[i]);
		}
	unlink(out_file);
	return good;
}

/* Returns what was wrong, or NULL. */
static const char *turn(const struct lane *l, const char *peer, bool compares,
			struct turn *t)
{
	uint64_t began = now_ns();

	memset(t, 0, sizeof(*t));
	for (long i = 0; i < l->repeat; i++)
		run(l, peer, compares, t);
	t->total = now_ns() - began;
	if (WIFSIGNALED(t->status) && WTERMSIG(t->status) == SIGALRM)
		return "hangs";
	if (!files_are_right(l, compares) || t->lost)
		return "bytes";
	return !l->endless && t->status ? "status" : NULL;
}

/* Sleeps until the same moment between two ticks of the clock, because it
 * decides in which order processes run. What the kernel has put off is done by
 * then. */
static void begin_turn(void)
{
	uint64_t at = (now_ns() / APART + 2) * APART;
	struct timespec t = { at / 1000000000, at % 1000000000 };

	checked(-clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL),
		"sleep");
}

static void count(const struct lane *l, const char *peer)
{
	int turns = atoi(getenv("TURNS") ?: "3");
	struct turn t;
	const char *wrong = turn(l, peer, true, &t);
	long memory = t.memory;

	for (int i = 0; i < turns && !wrong; i++) {
		begin_turn();
		wrong = turn(l, peer, false, &t);
		if (!wrong)
			printf("count: %s %s %" PRIu64 " %" PRIu64 " %" PRIu64
			       " %" PRIu64 " %ld\n",
			       l->name, peer, t.total, t.of[SOURCE],
			       t.of[PROGRAM], t.of[SINK], memory);
		/* One turn is exact where it is long. */
		if (t.total > LONG)
			break;
	}
	if (wrong)
		printf("count: %s %s failed %s\n", l->name, peer, wrong);
	fflush(stdout);
}

static void map_want(const char *name)
{
	int fd = checked(open(name, O_RDONLY), name);
	struct stat st;

	checked(fstat(fd, &st), name);
	want_size = st.st_size;
	want = NULL;
	if (want_size)
		want = mmap(NULL, want_size, PROT_READ, MAP_SHARED, fd, 0);
	NEED(want != MAP_FAILED);
	close(fd);
}

/* A line of /lanes, which lasts as long as the lane. */
static void read_lane(char *line, struct lane *l)
{
	char *word[WORDS_MAX] = { NULL }, *rest = NULL;
	int count = 0;

	for (char *p = line; (word[count] = strtok_r(p, " \n", &rest));
	     p = NULL)
		NEED(++count < WORDS_MAX);
	NEED(count > FIXED);
	*l = (struct lane){
		.name = word[0],
		.repeat = atol(word[1]),
		.endless = is(word[2], "endless"),
		.source = word[3],
		.from = word[4],
		.capacity = atol(word[5]),
		.sink = word[6],
		.want = word[7],
		.bytes = atol(word[8]),
	};
	memcpy(l->argv, word + FIXED, (count - FIXED) * sizeof(*word));
}

/* A lane's line, for a peer, if that has such a program. */
static void count_line(const char *peer, char *line)
{
	static struct lane l;
	char path[64];

	read_lane(line, &l);
	snprintf(path, sizeof(path), "/p/%s/%s", peer, l.argv[0]);
	if (access(path, X_OK))
		return;
	map_want(l.want);
	count(&l, peer);
}

/* This program again, because fork(2) costs more in one that has touched more
 * memory, as a lane of many words does. */
static void count_apart(char *peer, char *line)
{
	char *argv[] = { "init", peer, line, NULL };
	pid_t pid = checked(fork(), "fork");
	int status;

	if (!pid) {
		execv("/init", argv);
		die("/init");
	}
	checked(waitpid(pid, &status, 0), "wait");
	NEED(!status);
}

static void count_all(void)
{
	char list[512] = "", name[16], *rest = NULL, *line = NULL;
	char *peer[PEERS_MAX];
	FILE *file = fopen("/peers", "r");
	size_t size = 0;
	int peers = 0;

	checked(mount("devtmpfs", "/dev", "devtmpfs", 0, NULL), "/dev");
	checked(mount("proc", "/proc", "proc", 0, NULL), "/proc");
	NEED(file && fgets(list, sizeof(list), file));
	fclose(file);
	for (char *p = list; (peer[peers] = strtok_r(p, " \n", &rest));
	     p = NULL)
		NEED(++peers < PEERS_MAX);
	for (int i = 0; i < FIFOS; i++) {
		snprintf(name, sizeof(name), "/f%d", i);
		checked(mkfifo(name, 0600), name);
	}
	file = fopen("/lanes", "re");
	NEED(file);
	/* Until the kernel has done what it puts off when it boots. */
	sleep(SETTLED);
	/* What firmware has said may have no end of line. */
	printf("\n");
	fflush(stdout);
	while (getline(&line, &size, file) > 0)
		for (int i = 0; i < peers; i++)
			count_apart(peer[i], line);
	/* What scripts/vm looks for. */
	printf("box: guest: 1 passed, 0 failed, 0 skipped\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
}

int main(int argc, char **argv)
{
	if (getpid() == 1)
		count_all();
	else if (argc == 3)
		count_line(argv[1], argv[2]);
	return 0;
}
