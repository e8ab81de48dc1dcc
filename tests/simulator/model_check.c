/* SPDX-License-Identifier: 0BSD */
/* The model against the kernel that runs: random scripts of calls on both give
 * the same answers and the same bytes. Where the kernel is free to move fewer
 * bytes, to and from sockets, it goes first, and the model has to be able to do
 * the same.
 *
 *     model_check [SCRIPTS=n] [SEED=n] */
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "model.h"

/* The ends that a script has: descriptors, the same ones in both. */
enum {
	FIRST = 30,
	PIPE_A = FIRST,
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
	LAST = CONNECTION_FAR,
	KEYBOARD
};

static const char ends[] =
	"30, 31: a pipe; 32, 33: another; 34, 35: one of packets; 36: a file; "
	"37: another, 38: with O_APPEND; 39: /dev/null; 40, 41: sockets; "
	"42, 43: of messages; 44: a terminal; 45, 46: a connection";

enum { LINES = 400, LINE = 200, MEMORY = 1 << 17, OPS = 60 };

/* Pieces of a connection's that surely fit the buffers of an empty pipe. */
enum { FEW = 6 };

/* What calls write, of the kernel and of the model. */
static struct side {
	off_t at[2];
	struct pollfd poll;
	struct stat stat;
	char got[MEMORY];
} kernel_side, model_side;

static char memory[MEMORY];
static char script[LINES][LINE];
static int lines;
static uint64_t seed = 88172645463325252u;
static unsigned long calls, scripts, moved;
static uint64_t sent; /* bytes of the connection */
static bool spliced;  /* bytes of a file are in a pipe or socket */

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

	puts(ends);
	for (int i = 0; i < lines; i++)
		puts(script[i]);
	printf("%s(%s): ", call_facts[world.call].name, world.about);
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

struct object **named(const char *name, int *role)
{
	return NULL;
}

static uint32_t below(uint32_t n)
{
	return random_below(&seed, n);
}

#define ONE_OF(list) (list)[below(sizeof(list) / sizeof(*(list)))]

/* Sizes around what matters. */
static size_t some_bytes(void)
{
	static const int sizes[] = {
		1,    2,     100,   904,   4095,  4096,	 4097,	5000,
		8192, 12288, 32768, 65535, 65536, 65537, 70001,
	};

	return below(3) ? (size_t)ONE_OF(sizes) : 1 + below(20000);
}

static bool is_socket(int end)
{
	return end >= SOCKET_A && end <= MESSAGES_B;
}

static bool is_file(int end)
{
	return end >= FILE_A && end <= FILE_APPEND;
}

static struct object *object_of(int end)
{
	return world.fd[end] ? world.fd[end]->object : NULL;
}

/* Both answers. */
static void same(const char *name, long kernel, int error, long model)
{
	int model_error = errno;

	if (lines == LINES)
		lines--;
	calls++;
	moved += kernel > 0 ? kernel : 0;
	snprintf(script[lines++], LINE, "%s(%s) = %ld%s%s", name, world.about,
		 kernel, kernel < 0 ? " " : "",
		 kernel < 0 ? strerrorname_np(error) : "");
	if (kernel != model || (kernel < 0 && error != model_error))
		broken("the model says %ld%s%s", model, model < 0 ? " " : "",
		       model < 0 ? strerrorname_np(model_error) : "");
}

/* How the kernel is free: to answer EAGAIN, or to move fewer bytes, too, or to
 * let a user's pipe hold no more (EPERM): pipe(7). */
enum freedom { NONE, WAITS, CUTS, LIMITS };

/* Makes a call of both. An address in kernel_side is one in model_side for the
 * model. */
static long both(enum freedom freedom, enum call call, const long *a)
{
	const struct call_facts *c = &call_facts[call];
	long b[6], n = syscall(c->number, a[0], a[1], a[2], a[3], a[4], a[5]);
	int error = errno;

	if (freedom && n < 0 && error == (freedom == LIMITS ? EPERM : EAGAIN))
		return n;
	for (int i = 0; i < 6; i++) {
		size_t at = a[i] - (uintptr_t)&kernel_side;

		b[i] = at < sizeof(kernel_side) ? (long)&model_side + (long)at :
						  a[i];
	}
	if (freedom == CUTS && n > 0)
		b[c->length] = n;
	same(c->name, n, error,
	     __wrap_syscall(c->number, b[0], b[1], b[2], b[3], b[4], b[5]));
	if (memcmp(kernel_side.at, model_side.at, sizeof(kernel_side.at)))
		broken("the offsets differ");
	if (kernel_side.poll.revents != model_side.poll.revents)
		broken("other events");
	return n;
}

#define BOTH(freedom, name, ...) \
	both(freedom, CALL_##name, (const long[6]){ __VA_ARGS__ })

static void same_bytes(long n)
{
	if (n > 0 && memcmp(kernel_side.got, model_side.got, n))
		broken("other bytes");
}

static void both_read(int end, size_t len)
{
	/* What is typed comes after a while. */
	same_bytes(BOTH(end == TERMINAL ? WAITS : NONE, read, end,
			(long)kernel_side.got, len));
}

static void read_all(int end)
{
	while (object_of(end) && object_of(end)->entries)
		both_read(end, MEMORY);
}

/* What has been spliced from a file is that file's memory, and shows what is
 * written there later. The model copies: so it is read before that. */
static void read_what_is_spliced(void)
{
	if (spliced) {
		read_all(PIPE_A);
		read_all(PIPE_B);
		read_all(SOCKET_B);
	}
	spliced = false;
}

static void op_read(void)
{
	both_read(FIRST + below(LAST + 1 - FIRST), some_bytes());
}

static void op_write(void)
{
	static const int to[] = {
		PIPE_A_IN, PIPE_A_IN, PIPE_B_IN,   PACKETS_IN,
		FILE_A,	   FILE_B,    FILE_APPEND, NOWHERE,
		SOCKET_A,  SOCKET_B,  MESSAGES_A,  PIPE_A,
	};
	int end = ONE_OF(to);

	if (is_file(end))
		read_what_is_spliced();
	BOTH(is_socket(end) ? CUTS : NONE, write, end,
	     (long)memory + below(1000), some_bytes());
}

static void op_at(void)
{
	int end = below(2) ? FILE_A : below(4) ? FILE_B : PIPE_A;
	off_t at = below(3) ? below(100000) : below(16) * PAGE;

	if (below(2)) {
		read_what_is_spliced();
		BOTH(NONE, pwrite64, end, (long)memory, some_bytes(), at);
	} else {
		same_bytes(BOTH(NONE, pread64, end, (long)kernel_side.got,
				some_bytes(), at));
	}
}

static void op_seek(void)
{
	static const int of[] = { FILE_A, FILE_B, FILE_APPEND, PIPE_A };

	BOTH(NONE, lseek, ONE_OF(of), (long)below(60000) - 20000, below(3));
}

static const int pipes_out[] = { PIPE_A, PIPE_B };
static const int pipes_in[] = { PIPE_A_IN, PIPE_B_IN };

static void op_tee(void)
{
	BOTH(NONE, tee, ONE_OF(pipes_out), ONE_OF(pipes_in), some_bytes(),
	     SPLICE_F_NONBLOCK);
}

/* Returns the address of an offset, or NULL. */
static off_t *new_offset(int i)
{
	kernel_side.at[i] = model_side.at[i] = below(80000);
	return &kernel_side.at[i];
}

static off_t *some_offset(int i, int end)
{
	return is_file(end) && below(2) ? new_offset(i) : NULL;
}

static void both_splice(int from, int to)
{
	bool free = is_socket(from) || is_socket(to) ||
		    (from == CONNECTION && object_of(from)->entries > FEW);

	if (is_file(to))
		read_what_is_spliced();
	spliced |= is_file(from);
	BOTH(free ? CUTS : NONE, splice, from, (long)some_offset(0, from), to,
	     (long)some_offset(1, to), some_bytes(), SPLICE_F_NONBLOCK);
}

static void op_splice(void)
{
	static const int from[] = {
		PIPE_A, PIPE_B, FILE_A, FILE_B, PIPE_A, PIPE_B, FILE_A,
	};
	static const int to[] = {
		PIPE_A_IN,   PIPE_B_IN, FILE_A,	   FILE_B,   NOWHERE,
		FILE_APPEND, PIPE_A_IN, PIPE_B_IN, SOCKET_A,
	};

	both_splice(ONE_OF(from), ONE_OF(to));
}

/* How many buffers of the pipe it takes is the kernel's choice too: into an
 * empty one, of which all is read. */
static void splice_stream(int from)
{
	if (!object_of(PIPE_A))
		return;
	read_all(PIPE_A);
	both_splice(from, PIPE_A_IN);
	read_all(PIPE_A);
}

static void op_splice_socket(void)
{
	splice_stream(SOCKET_B);
}

/* Waits until what was sent is there. */
static void arrive(void)
{
	struct tcp_info info = { .tcpi_bytes_received = 0 };
	socklen_t size = sizeof(info);

	while (info.tcpi_bytes_received < sent) {
		if (getsockopt(CONNECTION, IPPROTO_TCP, TCP_INFO, &info, &size))
			broken("TCP_INFO: %s", strerror(errno));
		sched_yield();
	}
}

/* Urgent data, or other. */
static void op_send(void)
{
	struct open *far = world.fd[CONNECTION_FAR];
	struct object *near = object_of(CONNECTION);
	struct tape t = { .n = 0 };
	bool urgent = below(2);
	size_t len = below(2) ? 1 : some_bytes() % 8000 + 1;
	long n;

	/* All that is sent is to be received. */
	if (near->queued > 40000 || near->nskipped > MOST_URGENT - 2)
		return;
	sprintf(world.about, "%zu", len);
	tape_add(&t, copy_memory(memory, len));
	n = send(CONNECTION_FAR, memory, len, urgent ? MSG_OOB : 0);
	same(urgent ? "MSG_OOB" : "send", n, errno,
	     urgent ? do_send_urgent(far, &t, len) :
		      do_write(far, &t, len, -1));
	sent += len;
	arrive();
}

/* Where it is not O_NONBLOCK it sleeps, but not at the mark. */
static void op_splice_connection(void)
{
	struct open *o = world.fd[CONNECTION];
	struct entry *e = &o->object->entry[o->object->first];

	if (!world.fd[PIPE_A_IN])
		return;
	if (o->object->entries && e->urgent && below(2))
		o->flags &= ~O_NONBLOCK;
	fcntl(CONNECTION, F_SETFL, o->flags);
	splice_stream(CONNECTION);
	o->flags |= O_NONBLOCK;
	fcntl(CONNECTION, F_SETFL, o->flags);
}

static void op_receive(void)
{
	both_read(CONNECTION, some_bytes());
}

static void op_vmsplice(void)
{
	struct iovec v = { memory + below(5000), some_bytes() };

	BOTH(NONE, vmsplice, ONE_OF(pipes_in), (long)&v, 1, SPLICE_F_NONBLOCK);
}

static void op_sendfile(void)
{
	static const int to[] = { SOCKET_A, NOWHERE, FILE_B, FILE_APPEND };
	int end = ONE_OF(to);

	if (is_file(end))
		read_what_is_spliced();
	spliced |= end == SOCKET_A;
	BOTH(end == SOCKET_A ? CUTS : NONE, sendfile, end, FILE_A,
	     (long)some_offset(0, FILE_A), some_bytes());
}

static void op_copy_file_range(void)
{
	int to = below(2) ? FILE_B : FILE_APPEND;

	read_what_is_spliced();
	BOTH(NONE, copy_file_range, FILE_A, (long)new_offset(0), to,
	     (long)new_offset(1), below(4) ? some_bytes() : 0, 0);
}

static void op_poll(void)
{
	int end = FIRST + below(LAST + 1 - FIRST);
	/* How much room there is in a socket, the kernel says. */
	short events = end < SOCKET_A || end == TERMINAL ? POLLIN | POLLOUT :
							   POLLIN;

	kernel_side.poll = model_side.poll = (struct pollfd){ end, events, 0 };
	BOTH(NONE, poll, (long)&kernel_side.poll, 1, 0);
}

static void op_size(void)
{
	int end = ONE_OF(pipes_in);
	long now = BOTH(NONE, fcntl, end, F_GETPIPE_SZ, 0);
	long want = PAGE << below(9);

	if (want >= now && !below(4))
		BOTH(LIMITS, fcntl, end, F_SETPIPE_SZ, want);
}

static void op_type(void)
{
	static const char *const text[] = { "a line\n", "x\n", "\4" };
	const char *line = ONE_OF(text);
	size_t len = strlen(line);

	if (write(KEYBOARD, line, len) != (ssize_t)len)
		broken("cannot type");
	do_type(object_of(TERMINAL), copy_memory(line, *line == 4 ? 0 : len));
	*world.about = 0;
	same(*line == 4 ? "^D" : "a line", len, 0, len);
}

static void op_stat(void)
{
	int end = FIRST + below(LAST + 1 - FIRST);
	struct stat *kernel = &kernel_side.stat, *model = &model_side.stat;

	if (BOTH(NONE, fstat, end, (long)kernel))
		return;
	if ((kernel->st_mode & S_IFMT) != (model->st_mode & S_IFMT) ||
	    (S_ISREG(kernel->st_mode) && kernel->st_size != model->st_size))
		broken("another mode or size");
}

/* Somebody goes, for the rest of the script. */
static void op_close(void)
{
	static const int of[] = {
		PIPE_A,	    PIPE_A_IN, PIPE_B,	 PIPE_B_IN,
		PACKETS_IN, SOCKET_A,  SOCKET_B,
	};
	int end = ONE_OF(of);

	if (below(12) || !world.fd[end])
		return;
	BOTH(NONE, close, end);
	world.was_open[end] = false;
}

static void need(bool ok, const char *what)
{
	if (!ok)
		broken("%s: %s", what, strerror(errno));
}

/* Gives a pipe its usual size. While others of this account hold many, a new
 * one has less (pipe(7)). */
static void need_slots(int fd)
{
	enum { WAITS_MAX = 3000 };
	int n, waits = 0;

	while ((n = fcntl(fd, F_SETPIPE_SZ, PIPE_SLOTS * PAGE)) < 0 &&
	       errno == EPERM && waits++ < WAITS_MAX)
		poll(NULL, 0, 10);
	need(n > 0, "a pipe");
}

/* An end of both: the kernel has it as fd, the model as an object. */
static void new_end(int end, int fd, struct object *o, int flags)
{
	need(fd >= 0 && fd < FIRST && dup2(fd, end) == end && !close(fd),
	     "an end");
	fd_set_to(end, open_new(o, flags));
}

static void new_pipe(int end, int flags)
{
	struct object *o = object_new(PIPE, OWN);
	int fd[2];

	need(!pipe2(fd, flags | O_NONBLOCK), "pipe2");
	need_slots(fd[0]);
	new_end(end, fd[0], o, O_RDONLY | O_NONBLOCK);
	new_end(end + 1, fd[1], o, O_WRONLY | O_NONBLOCK | flags);
}

/* Returns the first one. */
static struct object *new_pair(int end, const int *fd, int domain, int type)
{
	struct object *a = object_new(SOCKET, OWN),
		      *b = object_new(SOCKET, OWN);

	pair(a, b, domain, type);
	new_end(end, fd[0], a, O_RDWR | O_NONBLOCK);
	new_end(end + 1, fd[1], b, O_RDWR | O_NONBLOCK);
	return a;
}

static void new_sockets(int end, int type)
{
	int fd[2];

	need(!socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, fd), "pair");
	new_pair(end, fd, AF_UNIX, type);
}

/* It is reset in the end, so that nothing of it is left. */
static void new_connection(void)
{
	static int listener = -1;
	struct sockaddr_in address = { .sin_family = AF_INET };
	const struct linger reset = { .l_onoff = 1 };
	socklen_t len = sizeof(address);
	int yes = 1, inlines = below(2), fd[2];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0) {
		listener = socket(AF_INET, SOCK_STREAM, 0);
		need(!bind(listener, (void *)&address, len) &&
			     !listen(listener, 1),
		     "listen");
	}
	need(!getsockname(listener, (void *)&address, &len), "getsockname");
	fd[1] = socket(AF_INET, SOCK_STREAM, 0);
	need(!connect(fd[1], (void *)&address, len), "connect");
	fd[0] = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	need(!fcntl(fd[1], F_SETFL, O_RDWR | O_NONBLOCK), "O_NONBLOCK");
	new_pair(CONNECTION, fd, AF_INET, SOCK_STREAM)->inline_ = inlines;
	setsockopt(CONNECTION_FAR, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	setsockopt(CONNECTION, SOL_SOCKET, SO_OOBINLINE, &inlines,
		   sizeof(inlines));
	for (int end = CONNECTION; end <= CONNECTION_FAR; end++)
		setsockopt(end, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	sent = 0;
}

static void new_terminal(void)
{
	struct termios t;
	int keyboard, terminal;

	need(!openpty(&keyboard, &terminal, NULL, NULL, NULL), "pty");
	need(!tcgetattr(terminal, &t), "pty");
	t.c_lflag &= ~ECHO;
	need(!tcsetattr(terminal, TCSANOW, &t), "pty");
	need(!fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK), "pty");
	need(dup2(keyboard, KEYBOARD) >= 0 && !close(keyboard), "pty");
	new_end(TERMINAL, terminal, object_new(TTY, OWN), O_RDWR | O_NONBLOCK);
}

static void new_file(int end, const char *name, struct object *o, int flags)
{
	new_end(end, open(name, flags | O_RDWR, 0600), o,
		O_RDWR | (flags & O_APPEND));
}

static void begin(void)
{
	struct object *b;

	lines = 0;
	spliced = false;
	world_new();
	world.wants_words = true;
	/* A script that asks for less of a message loses the rest. */
	world.cuts = true;
	world.real_bytes = true;
	world.ignores_sigpipe = true;
	new_pipe(PIPE_A, 0);
	new_pipe(PIPE_B, 0);
	new_pipe(PACKETS, O_DIRECT);
	new_file(FILE_A, "a", object_new(FILE_, OWN), O_CREAT | O_TRUNC);
	b = object_new(FILE_, OWN);
	new_file(FILE_B, "b", b, O_CREAT | O_TRUNC);
	new_file(FILE_APPEND, "b", b, O_APPEND);
	new_file(NOWHERE, "/dev/null", object_new(NULL_, OWN), 0);
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
		ONE_OF(ops)();
		world.calls = 0;
	}
	for (int end = FIRST; end <= KEYBOARD; end++)
		close(end);
	scripts++;
}

int main(int argc, char **argv)
{
	unsigned long long wanted = 5000, n;
	char rest;

	for (int i = 1; i < argc; i++)
		if (sscanf(argv[i], "SCRIPTS=%llu%c", &n, &rest) == 1 && n) {
			wanted = n;
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
	while (scripts < wanted)
		run_script();
	printf("%lu calls in %lu scripts, %lu bytes: the same answers\n", calls,
	       scripts, moved);
	return 0;
}
