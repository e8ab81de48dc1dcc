/* SPDX-License-Identifier: 0BSD */
/* The model against the kernel that runs: random scripts of calls on both give
 * the same answers and the same bytes. Where the kernel is free to move fewer
 * bytes, to and from sockets, it goes first, and the model has to be able to do
 * the same.
 *
 *     model_check [SECONDS=n] [SEED=n] */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "model.h"

/* The ends that a script has, by the same number in both. */
enum {
	PIPE_A,
	PIPE_A_IN,
	PIPE_B,
	PIPE_B_IN,
	PACKETS,
	PACKETS_IN,
	FILE_A,
	FILE_B,
	FILE_APPEND,
	NOWHERE,
	SOCKET_A,
	SOCKET_B,
	MESSAGES_A,
	MESSAGES_B,
	TERMINAL,
	CONNECTION,
	CONNECTION_FAR,
	ENDS,
	KEYBOARD = ENDS
};

static const char *const end_names[] = {
	"pipe a",	    "pipe a, to write",	 "pipe b",   "pipe b, to write",
	"packets",	    "packets, to write", "file a",   "file b",
	"file b, O_APPEND", "/dev/null",	 "socket",   "socket, far",
	"messages",	    "messages, far",	 "terminal", "connection",
	"connection, far",
};

enum { LINES = 400, LINE = 128, MEMORY = 1 << 17, OPS = 60 };

/* Pieces of a connection's that surely fit the buffers of an empty pipe. */
enum { FEW = 6 };

static int fds[ENDS + 1];
static char memory[MEMORY], got[2][MEMORY];
static char script[LINES][LINE];
static int lines;
static uint64_t seed = 88172645463325252u;
static unsigned long calls, scripts, moved;
static uint64_t sent; /* bytes of the connection */
static bool spliced;  /* bytes of a file are in a pipe or socket */

ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __wrap_write(int fd, const void *buf, size_t len);
ssize_t __wrap_pread64(int fd, void *buf, size_t len, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t len, off_t at);
off_t __wrap_lseek64(int fd, off_t by, int whence);
int __wrap_close(int fd);
ssize_t __wrap_sendfile64(int to, int from, off_t *at, size_t len);
int __wrap_poll(struct pollfd *p, nfds_t n, int ms);
long __wrap_syscall(long number, ...);

/* What the model asks of whoever links it: nobody else is there. */
int choose(enum choice kind, int n)
{
	return 0;
}

void entered(const char *frame, const long *args, int n)
{
}

void others(void)
{
}

int sleep_on(const struct want *want, int n, int ms)
{
	broken("it sleeps");
}

void broken(const char *format, ...)
{
	va_list args;

	for (int i = 0; i < lines; i++)
		puts(script[i]);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\nnot the same\n");
	exit(1);
}

void killed(int number)
{
	broken("signal %d", number);
}

void answered(long n)
{
}

void failed(struct object *from, struct object *to, int error, bool alone)
{
}

struct object **file_named(const char *name, int *role)
{
	return NULL;
}

struct object *named(const char *name, int *error)
{
	*error = ENOENT;
	return NULL;
}

static uint32_t below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 20) % n;
}

/* Sizes around what matters. */
static size_t some_bytes(void)
{
	static const int sizes[] = {
		1,    2,     100,   904,   4095,  4096,	 4097,	5000,
		8192, 12288, 32768, 65535, 65536, 65537, 70001,
	};

	return below(3) ? (size_t)sizes[below(15)] : 1 + below(20000);
}

static bool is_socket(int end)
{
	return end >= SOCKET_A && end <= MESSAGES_B;
}

static bool is_connection(int end)
{
	return end == CONNECTION || end == CONNECTION_FAR;
}

static bool is_file(int end)
{
	return end >= FILE_A && end <= FILE_APPEND;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	va_list args;

	if (lines == LINES)
		lines--;
	va_start(args, format);
	vsnprintf(script[lines++], LINE, format, args);
	va_end(args);
}

/* Both answers. */
static void same(long real, int real_errno, long model, int model_errno)
{
	size_t n = strlen(script[lines - 1]);

	calls++;
	moved += real > 0 ? real : 0;
	snprintf(script[lines - 1] + n, LINE - n, " = %ld%s%s", real,
		 real < 0 ? " " : "",
		 real < 0 ? strerrorname_np(real_errno) : "");
	if (real != model || (real < 0 && real_errno != model_errno))
		broken("the model says %ld%s%s", model, model < 0 ? " " : "",
		       model < 0 ? strerrorname_np(model_errno) : "");
}

#define BOTH(real_call, model_call)                 \
	do {                                        \
		long real_ = (real_call);           \
		int errno_ = errno;                 \
		long model_ = (model_call);         \
		same(real_, errno_, model_, errno); \
	} while (0)

static void both_read(int end, size_t len)
{
	long n;

	say("read(%s, %zu)", end_names[end], len);
	n = read(fds[end], got[0], len);
	if (n < 0 && end == TERMINAL && errno == EAGAIN) {
		/* The model's terminal would sleep. */
		lines--;
		return;
	}
	BOTH((n < 0 ? (errno = errno, n) : n), __wrap_read(end, got[1], len));
	if (n > 0 && memcmp(got[0], got[1], n))
		broken("other bytes");
}

/* What has been spliced from a file is that file's memory, and shows what is
 * written there later. The model copies: so it is read before that. */
static void read_what_is_spliced(void)
{
	static const int ends[] = { PIPE_A, PIPE_B, SOCKET_B };

	for (int i = 0; spliced && i < 3; i++)
		while (fds[ends[i]] >= 0 && world.fd[ends[i]]->object->entries)
			both_read(ends[i], MEMORY);
	spliced = false;
}

static void op_read(void)
{
	both_read(below(ENDS), some_bytes());
}

static void op_write(void)
{
	static const int to[] = {
		PIPE_A_IN, PIPE_A_IN, PIPE_B_IN,   PACKETS_IN,
		FILE_A,	   FILE_B,    FILE_APPEND, NOWHERE,
		SOCKET_A,  SOCKET_B,  MESSAGES_A,  PIPE_A,
	};
	int end = to[below(12)];
	const char *p = memory + below(1000);
	size_t len = some_bytes();
	long n;

	if (is_file(end))
		read_what_is_spliced();
	say("write(%s, %zu)", end_names[end], len);
	n = write(fds[end], p, len);
	if (is_socket(end) && n < 0 && errno == EAGAIN)
		return;
	BOTH(n,
	     __wrap_write(end, p, is_socket(end) && n > 0 ? (size_t)n : len));
}

static void op_at(void)
{
	int end = below(2) ? FILE_A : below(4) ? FILE_B : PIPE_A;
	off_t at = below(3) ? below(100000) : below(16) * PAGE;
	size_t len = some_bytes();
	long n;

	if (below(2)) {
		read_what_is_spliced();
		say("pwrite(%s, %zu, %ld)", end_names[end], len, (long)at);
		BOTH(pwrite(fds[end], memory, len, at),
		     __wrap_pwrite64(end, memory, len, at));
		return;
	}
	say("pread(%s, %zu, %ld)", end_names[end], len, (long)at);
	n = pread(fds[end], got[0], len, at);
	BOTH(n, __wrap_pread64(end, got[1], len, at));
	if (n > 0 && memcmp(got[0], got[1], n))
		broken("other bytes");
}

static void op_seek(void)
{
	static const int ends[] = { FILE_A, FILE_B, FILE_APPEND, PIPE_A };
	int end = ends[below(4)], whence = below(3);
	off_t by = (off_t)below(60000) - 20000;

	say("lseek(%s, %ld, %d)", end_names[end], (long)by, whence);
	BOTH(lseek(fds[end], by, whence), __wrap_lseek64(end, by, whence));
}

static const int pipes_out[] = { PIPE_A, PIPE_B };
static const int pipes_in[] = { PIPE_A_IN, PIPE_B_IN };

static void op_tee(void)
{
	int from = pipes_out[below(2)], to = pipes_in[below(2)];
	size_t len = some_bytes();

	say("tee(%s, %s, %zu)", end_names[from], end_names[to], len);
	BOTH(tee(fds[from], fds[to], len, SPLICE_F_NONBLOCK),
	     __wrap_syscall(SYS_tee, from, to, len, SPLICE_F_NONBLOCK));
}

static off_t *some_offset(off_t *at, int end)
{
	if (end > FILE_APPEND || end < FILE_A || below(2))
		return NULL;
	*at = below(80000);
	return at;
}

static void both_splice(int from, int to, size_t len)
{
	off_t at[2][2], *from_at = some_offset(&at[0][0], from),
			*to_at = some_offset(&at[0][1], to);
	long n;
	int err;

	if (is_file(to))
		read_what_is_spliced();
	spliced |= is_file(from);
	say("splice(%s, %ld, %s, %ld, %zu)", end_names[from],
	    from_at ? (long)*from_at : -1, end_names[to],
	    to_at ? (long)*to_at : -1, len);
	memcpy(at[1], at[0], sizeof(at[0]));
	n = splice(fds[from], from_at, fds[to], to_at, len, SPLICE_F_NONBLOCK);
	err = errno;
	if (is_connection(from) && n > 0 &&
	    world.fd[from]->object->entries > FEW)
		len = n;
	/* How much a socket takes or gives at once is the kernel's choice. */
	if ((is_socket(from) || is_socket(to)) && n < 0 && err == EAGAIN)
		return;
	if ((is_socket(from) || is_socket(to)) && n > 0)
		len = n;
	BOTH((errno = err, n),
	     __wrap_syscall(SYS_splice, from, from_at ? &at[1][0] : NULL, to,
			    to_at ? &at[1][1] : NULL, len, SPLICE_F_NONBLOCK));
	if ((from_at && at[0][0] != at[1][0]) ||
	    (to_at && at[0][1] != at[1][1]))
		broken("the offsets differ");
}

static void op_splice(void)
{
	static const int from[] = {
		PIPE_A, PIPE_B, FILE_A, FILE_B, PIPE_A, PIPE_B, FILE_A, NOWHERE,
	};
	static const int to[] = {
		PIPE_A_IN,   PIPE_B_IN, FILE_A,	   FILE_B,   NOWHERE,
		FILE_APPEND, PIPE_A_IN, PIPE_B_IN, SOCKET_A,
	};

	both_splice(from[below(7)], to[below(9)], some_bytes());
}

/* How many buffers of the pipe it takes is the kernel's choice too: into an
 * empty one, of which all is read. */
static void op_splice_socket(void)
{
	if (fds[PIPE_A] < 0)
		return;
	while (world.fd[PIPE_A]->object->entries)
		both_read(PIPE_A, MEMORY);
	both_splice(SOCKET_B, PIPE_A_IN, some_bytes());
	while (world.fd[PIPE_A]->object->entries)
		both_read(PIPE_A, MEMORY);
}

/* Waits until what was sent is there. */
static void arrive(void)
{
	struct tcp_info info = { .tcpi_bytes_received = 0 };
	socklen_t size = sizeof(info);

	while (info.tcpi_bytes_received < sent) {
		if (getsockopt(fds[CONNECTION], IPPROTO_TCP, TCP_INFO, &info,
			       &size))
			broken("TCP_INFO: %s", strerror(errno));
		sched_yield();
	}
}

/* Urgent data, or other. */
static void op_send(void)
{
	struct object *near = world.fd[CONNECTION]->object;
	struct tape t = { .n = 0 };
	bool urgent = below(2);
	size_t len = below(2) ? 1 : some_bytes() % 8000 + 1;

	/* All that is sent is to be received. */
	if (near->queued > 40000 || near->nskipped > MOST_URGENT - 2)
		return;
	say("send(connection, far, %zu, %s)", len, urgent ? "MSG_OOB" : "0");
	memcpy(copied + world.copied_len, memory, len);
	tape_add(&t, (struct seg){ COPIED, world.copied_len, len });
	world.copied_len += len;
	BOTH(send(fds[CONNECTION_FAR], memory, len, urgent ? MSG_OOB : 0),
	     urgent ? do_send_urgent(world.fd[CONNECTION_FAR], &t, len) :
		      do_write(world.fd[CONNECTION_FAR], &t, len, -1));
	sent += len;
	arrive();
}

/* Where it is not O_NONBLOCK it sleeps, but not at the mark. */
static void op_splice_connection(void)
{
	struct open *o = world.fd[CONNECTION];
	struct entry *e = &o->object->entry[o->object->first];
	bool sleeps = o->object->entries && e->urgent && below(2);

	if (fds[PIPE_A] < 0 || fds[PIPE_A_IN] < 0)
		return;
	while (world.fd[PIPE_A]->object->entries)
		both_read(PIPE_A, MEMORY);
	if (sleeps) {
		fcntl(fds[CONNECTION], F_SETFL, O_RDWR);
		o->flags &= ~O_NONBLOCK;
	}
	both_splice(CONNECTION, PIPE_A_IN, some_bytes());
	fcntl(fds[CONNECTION], F_SETFL, O_RDWR | O_NONBLOCK);
	o->flags |= O_NONBLOCK;
	while (world.fd[PIPE_A]->object->entries)
		both_read(PIPE_A, MEMORY);
}

static void op_receive(void)
{
	both_read(CONNECTION, some_bytes());
}

static void op_vmsplice(void)
{
	int to = pipes_in[below(2)];
	struct iovec v = { memory + below(5000), some_bytes() };

	say("vmsplice(%s, %zu)", end_names[to], v.iov_len);
	BOTH(vmsplice(fds[to], &v, 1, SPLICE_F_NONBLOCK),
	     __wrap_syscall(SYS_vmsplice, to, &v, 1, SPLICE_F_NONBLOCK));
}

static void op_sendfile(void)
{
	static const int to[] = { SOCKET_A, NOWHERE, FILE_B, FILE_APPEND };
	int end = to[below(4)];
	off_t at[2] = { below(60000), 0 };
	size_t len = some_bytes();
	bool own = below(2);
	long n;
	int err;

	if (is_file(end))
		read_what_is_spliced();
	spliced |= end == SOCKET_A;
	say("sendfile(%s, file a, %ld, %zu)", end_names[end],
	    own ? (long)at[0] : -1, len);
	at[1] = at[0];
	n = sendfile(fds[end], fds[FILE_A], own ? &at[0] : NULL, len);
	err = errno;
	if (end == SOCKET_A && n < 0 && err == EAGAIN)
		return;
	if (end == SOCKET_A && n > 0)
		len = n;
	BOTH((errno = err, n),
	     __wrap_sendfile64(end, FILE_A, own ? &at[1] : NULL, len));
	if (at[0] != at[1])
		broken("the offsets differ");
}

static void op_copy_file_range(void)
{
	int to = below(2) ? FILE_B : FILE_APPEND;
	off_t at[2][2] = { { below(60000), below(60000) } };
	size_t len = below(4) ? some_bytes() : 0;

	read_what_is_spliced();
	say("copy_file_range(file a, %ld, %s, %ld, %zu)", (long)at[0][0],
	    end_names[to], (long)at[0][1], len);
	memcpy(at[1], at[0], sizeof(at[0]));
	BOTH(copy_file_range(fds[FILE_A], &at[0][0], fds[to], &at[0][1], len,
			     0),
	     __wrap_syscall(SYS_copy_file_range, FILE_A, &at[1][0], to,
			    &at[1][1], len, 0));
	if (memcmp(at[0], at[1], sizeof(at[0])))
		broken("the offsets differ");
}

static void op_poll(void)
{
	int end = below(ENDS);
	struct pollfd p[2] = { { fds[end], POLLIN | POLLOUT, 0 },
			       { fds[end] < 0 ? -1 : end, POLLIN | POLLOUT,
				 0 } };

	say("poll(%s)", end_names[end]);
	poll(&p[0], 1, 0);
	__wrap_poll(&p[1], 1, 0);
	if (is_socket(end) || is_connection(end))
		p[0].revents &= ~POLLOUT, p[1].revents &= ~POLLOUT;
	same(p[0].revents, 0, p[1].revents, 0);
}

static void op_size(void)
{
	int end = pipes_in[below(2)];
	long now = fcntl(fds[end], F_GETPIPE_SZ), want = PAGE << below(9);

	say("F_GETPIPE_SZ of %s", end_names[end]);
	same(now, 0, __wrap_syscall(SYS_fcntl, end, F_GETPIPE_SZ, 0), 0);
	if (want < now || below(4))
		return;
	say("F_SETPIPE_SZ of %s, %ld", end_names[end], want);
	BOTH(fcntl(fds[end], F_SETPIPE_SZ, want),
	     __wrap_syscall(SYS_fcntl, end, F_SETPIPE_SZ, want));
}

static void op_type(void)
{
	static const char *const text[] = { "a line\n", "x\n", "\4" };
	const char *line = text[below(3)];
	size_t len = strlen(line);
	struct seg s = { COPIED, world.copied_len, *line == 4 ? 0 : len };

	say("somebody types %s", *line == 4 ? "^D" : "a line");
	memcpy(copied + world.copied_len, line, len);
	world.copied_len += len;
	if (write(fds[KEYBOARD], line, len) != (ssize_t)len)
		broken("cannot type");
	do_type(world.fd[TERMINAL]->object, s);
}

static void op_stat(void)
{
	int end = below(ENDS);
	struct stat real, model;

	say("fstat(%s)", end_names[end]);
	BOTH(fstat(fds[end], &real), __wrap_syscall(SYS_fstat, end, &model));
	if (fds[end] < 0)
		return;
	if ((real.st_mode & S_IFMT) != (model.st_mode & S_IFMT) ||
	    (S_ISREG(real.st_mode) && real.st_size != model.st_size))
		broken("another mode or size");
}

/* Somebody goes, for the rest of the script. */
static void op_close(void)
{
	static const int ends[] = {
		PIPE_A,	    PIPE_A_IN, PIPE_B,	 PIPE_B_IN,
		PACKETS_IN, SOCKET_A,  SOCKET_B,
	};
	int end = ends[below(7)];

	if (below(12) || fds[end] < 0)
		return;
	say("close(%s)", end_names[end]);
	BOTH(close(fds[end]), __wrap_close(end));
	world.was_open[end] = false;
	fds[end] = -1;
}

static void need(bool ok, const char *what)
{
	if (!ok)
		broken("%s: %s", what, strerror(errno));
}

static void new_pipe(int end, int flags)
{
	struct object *o = object_new(PIPE, OWN);

	need(!pipe2(&fds[end], flags | O_NONBLOCK), "pipe2");
	need(fcntl(fds[end], F_SETPIPE_SZ, PIPE_SLOTS * PAGE) > 0, "a pipe");
	fd_set_to(end, open_new(o, O_RDONLY | O_NONBLOCK));
	fd_set_to(end + 1, open_new(o, O_WRONLY | O_NONBLOCK | flags));
}

static void new_sockets(int end, int type)
{
	struct object *a = object_new(SOCKET, OWN),
		      *b = object_new(SOCKET, OWN);

	need(!socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, &fds[end]), "pair");
	pair(a, b, AF_UNIX, type);
	fd_set_to(end, open_new(a, O_RDWR | O_NONBLOCK));
	fd_set_to(end + 1, open_new(b, O_RDWR | O_NONBLOCK));
}

/* It is reset in the end, so that nothing of it is left. */
static void new_connection(void)
{
	static int listener = -1;
	struct sockaddr_in address = { .sin_family = AF_INET };
	const struct linger reset = { .l_onoff = 1 };
	socklen_t len = sizeof(address);
	int yes = 1, inlines = below(2);
	struct object *a = object_new(SOCKET, OWN),
		      *b = object_new(SOCKET, OWN);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0) {
		listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		need(listener >= 0 && !bind(listener, (void *)&address, len) &&
			     !listen(listener, 1),
		     "listen");
	}
	need(!getsockname(listener, (void *)&address, &len), "getsockname");
	fds[CONNECTION_FAR] = socket(AF_INET, SOCK_STREAM, 0);
	need(!connect(fds[CONNECTION_FAR], (void *)&address, len), "connect");
	fds[CONNECTION] = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	need(fds[CONNECTION] >= 0, "accept");
	setsockopt(fds[CONNECTION_FAR], IPPROTO_TCP, TCP_NODELAY, &yes,
		   sizeof(yes));
	setsockopt(fds[CONNECTION], SOL_SOCKET, SO_OOBINLINE, &inlines,
		   sizeof(inlines));
	for (int end = CONNECTION; end <= CONNECTION_FAR; end++)
		setsockopt(fds[end], SOL_SOCKET, SO_LINGER, &reset,
			   sizeof(reset));
	need(!fcntl(fds[CONNECTION_FAR], F_SETFL, O_RDWR | O_NONBLOCK),
	     "O_NONBLOCK");
	sent = 0;
	pair(a, b, AF_INET, SOCK_STREAM);
	a->inline_ = inlines;
	fd_set_to(CONNECTION, open_new(a, O_RDWR | O_NONBLOCK));
	fd_set_to(CONNECTION_FAR, open_new(b, O_RDWR | O_NONBLOCK));
}

static void new_terminal(void)
{
	struct termios t;

	need(!openpty(&fds[KEYBOARD], &fds[TERMINAL], NULL, NULL, NULL), "pty");
	need(!tcgetattr(fds[TERMINAL], &t), "pty");
	t.c_lflag &= ~ECHO;
	need(!tcsetattr(fds[TERMINAL], TCSANOW, &t), "pty");
	need(!fcntl(fds[TERMINAL], F_SETFL, O_RDWR | O_NONBLOCK), "pty");
	fd_set_to(TERMINAL,
		  open_new(object_new(TTY, OWN), O_RDWR | O_NONBLOCK));
}

static int new_file(const char *name, int flags)
{
	int fd = open(name, flags | O_RDWR, 0600);

	need(fd >= 0, name);
	return fd;
}

static void begin(void)
{
	struct object *a, *b;

	lines = 0;
	spliced = false;
	world_new();
	/* A script that asks for less of a message loses the rest. */
	world.cuts = true;
	world.real_bytes = true;
	world.ignores_sigpipe = true;
	new_pipe(PIPE_A, 0);
	new_pipe(PIPE_B, 0);
	new_pipe(PACKETS, O_DIRECT);
	fds[FILE_A] = new_file("a", O_CREAT | O_TRUNC);
	fds[FILE_B] = new_file("b", O_CREAT | O_TRUNC);
	fds[FILE_APPEND] = new_file("b", O_APPEND);
	a = object_new(FILE_, OWN);
	b = object_new(FILE_, OWN);
	fd_set_to(FILE_A, open_new(a, O_RDWR));
	fd_set_to(FILE_B, open_new(b, O_RDWR));
	fd_set_to(FILE_APPEND, open_new(b, O_RDWR | O_APPEND));
	fds[NOWHERE] = new_file("/dev/null", 0);
	fd_set_to(NOWHERE, open_new(object_new(NULL_, OWN), O_RDWR));
	new_sockets(SOCKET_A, SOCK_STREAM);
	new_sockets(MESSAGES_A, SOCK_SEQPACKET);
	new_terminal();
	new_connection();
}

static void run_script(void)
{
	static void (*const ops[])(void) = {
		op_read,     op_read,	       op_read,
		op_write,    op_write,	       op_write,
		op_at,	     op_seek,	       op_tee,
		op_tee,	     op_splice,	       op_splice,
		op_splice,   op_splice_socket, op_send,
		op_send,     op_receive,       op_splice_connection,
		op_vmsplice, op_sendfile,      op_copy_file_range,
		op_poll,     op_size,	       op_type,
		op_stat,     op_close,
	};

	begin();
	for (int i = 0; i < OPS; i++) {
		ops[below(sizeof(ops) / sizeof(*ops))]();
		world.calls = 0;
	}
	for (int i = 0; i <= ENDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	scripts++;
}

int main(int argc, char **argv)
{
	unsigned long long seconds = 2, n;
	struct timespec t;
	time_t until;
	char rest;

	for (int i = 1; i < argc; i++)
		if (sscanf(argv[i], "SECONDS=%llu%c", &n, &rest) == 1 && n) {
			seconds = n;
		} else if (sscanf(argv[i], "SEED=%llu%c", &n, &rest) == 1) {
			seed = mix(seed, n) | 1;
		} else if (argv[i][strlen(argv[i]) - 1] != '=') {
			fprintf(stderr, "model_check: \"%s\"?\n", argv[i]);
			return 2;
		}
	socket_most = 1 << 30;
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < MEMORY; i++)
		memory[i] = below(256);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	until = (t.tv_sec + seconds) * 1000 + t.tv_nsec / 1000000;
	do {
		run_script();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < until);
	printf("%lu calls in %lu scripts, %lu bytes: the same answers\n", calls,
	       scripts, moved);
	return 0;
}
