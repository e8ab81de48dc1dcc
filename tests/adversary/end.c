/* SPDX-License-Identifier: 0BSD */
/* The ends of a run, and who is at the far side of them: givers and takers of
 * any pace, who may leave, and others who write or read the same file. */
#include "adversary.h"

const char *const kind_names[] = {
	"file", "pipe", "socket", "seqpacket", "pty", "null", "full",
};

unsigned char chunk[CHUNK_MAX];

static void nonblocking(int fd)
{
	NEED(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
}

void identify(struct end *e)
{
	struct stat st;

	NEED(!fstat(e->near, &st));
	e->dev = st.st_dev;
	e->ino = st.st_ino;
	snprintf(e->name, sizeof(e->name), "/proc/%d/fd/%d", getpid(), e->near);
	if (e->nonblock)
		nonblocking(e->near);
	if (e->far >= 0 && e->far != e->near)
		nonblocking(e->far);
}

/* Some file systems know of no file without a name. */
static int new_file(void)
{
	int fd = chance(128) ? -1 :
			       open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = memfd_create("file", MFD_CLOEXEC);
	NEED(fd >= 0);
	return fd;
}

void write_text(int fd, const struct text *t, off_t at)
{
	size_t n;

	for (size_t done = 0;; done += n) {
		const void *p = piece_at(t, done, &n);

		if (!n)
			break;
		NEED(pwrite(fd, p, n, at + done) == (ssize_t)n);
	}
}

void open_file(struct end *e, int flags)
{
	char name[40];
	int fd = new_file();

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	e->far = fd;
	e->near = open(name, flags | O_CLOEXEC);
	NEED(e->near >= 0);
}

void open_pty(struct end *e, bool raw)
{
	struct termios t;

	NEED(!openpty(&e->far, &e->near, NULL, NULL, NULL));
	fcntl(e->far, F_SETFD, FD_CLOEXEC);
	fcntl(e->near, F_SETFD, FD_CLOEXEC);
	NEED(!tcgetattr(e->near, &t));
	if (raw)
		cfmakeraw(&t);
	t.c_lflag &= ~ECHO;
	NEED(!tcsetattr(e->near, TCSANOW, &t));
}

void open_channel(struct end *e, bool source)
{
	int fd[2], size;

	if (e->kind == PIPE_END) {
		NEED(!pipe2(fd, O_CLOEXEC));
		/* A pipe has the size that there is by default, or another. */
		size = chance(128) ? 0 : 4096 << below(9);
		if (size)
			fcntl(fd[0], F_SETPIPE_SZ, size);
	} else {
		NEED(!socketpair(AF_UNIX,
				 (e->kind == SOCKET_END ? SOCK_STREAM :
							  SOCK_SEQPACKET) |
					 SOCK_CLOEXEC,
				 0, fd));
		size = 4096 << below(8);
		if (e->kind == MESSAGES_END)
			size = 1 << 20;
		setsockopt(fd[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	}
	e->near = fd[!source];
	e->far = fd[source];
}

void set_pace(struct end *e)
{
	e->piece = CHUNK_MAX;
	e->next = chance(32) ? now_ns() + between(0, 2000000) : 0;
	if (chance(128))
		return;
	e->slow_turns = between(1, 40);
	e->piece = chance(128) ? between(1, 5000) : between(1, 100000);
	e->pause = chance(230) ? 100 : 1000;
}

/* After a turn. */
static void pace(struct end *e)
{
	if (!e->slow_turns)
		return;
	e->next = now_ns() + below(e->pause + 1) * 1000;
	if (!--e->slow_turns)
		e->piece = CHUNK_MAX;
}

static void close_far(struct end *e)
{
	if (e->far >= 0 && e->far != e->near)
		close(e->far);
	e->far = -1;
}

/* ^D is typed once, and where it does not follow the end of a line, once more:
 * who reads on behind the end then waits for ever. */
static void type_end(struct end *e)
{
	const unsigned char *last;
	size_t n, times = 1;

	if (e->pos) {
		last = piece_at(&e->text, e->pos - 1, &n);
		times += *last != '\n';
	}
	NEED(write(e->far, "\4\4", times) == (ssize_t)times);
	e->role = NOBODY;
}

static void give(struct end *e)
{
	size_t n;
	const void *p = piece_at(&e->text, e->pos, &n);
	ssize_t m;

	if (n > e->piece)
		n = e->piece;
	if (e->kind == MESSAGES_END && n > 60000)
		n = 60000;
	m = n ? write(e->far, p, n) : 0;
	if (m > 0)
		e->pos += m;
	if (m < 0 && errno != EAGAIN)
		close_far(e); /* box has gone */
	if (!n && e->kind == PTY_END)
		type_end(e);
	else if (!n)
		close_far(e);
}

void arrive(struct end *e, const unsigned char *p, size_t n)
{
	if (e->got) {
		NEED(e->pos + n <= GOT_MAX);
		memcpy(e->got + e->pos, p, n);
	} else if (!e->wrong && !is_text(&e->text, e->pos, p, n)) {
		e->wrong = true;
		return;
	}
	if (!e->wrong)
		e->pos += n;
}

void take(struct end *e)
{
	size_t max = e->piece;
	ssize_t n;

	if (e->kind == MESSAGES_END)
		max = CHUNK_MAX;
	n = read(e->far, chunk, max);
	if (n > 0)
		arrive(e, chunk, n);
	else if (!n || errno != EAGAIN)
		close_far(e);
	if (e->leaves_at && e->pos >= e->leaves_at && e->far >= 0) {
		close_far(e);
		e->left = true;
	}
}

/* Another writer of the same open file, by write(2). */
static void write_too(struct end *e)
{
	size_t n, max = between(1, 3000);
	const void *p = piece_at(&e->others[THIRD], e->pos, &n);

	if (n > max)
		n = max;
	NEED(write(e->near, p, n) == (ssize_t)n);
	e->pos += n;
}

/* Another reader of the same open file, or of the same pipe. */
static void read_too(struct end *e)
{
	ssize_t n = read(e->far, chunk, between(1, 5000));

	if (n > 0)
		arrive(e, chunk, n);
}

bool is_timed(const struct end *e)
{
	return e->role == WRITES_TOO || e->role == READS_TOO;
}

short wanted(const struct end *e)
{
	if (e->far < 0)
		return 0;
	return e->role == GIVES ? POLLOUT : e->role == TAKES ? POLLIN : 0;
}

void turn(struct end *e)
{
	switch (e->role) {
	case GIVES:
		give(e);
		break;
	case TAKES:
		take(e);
		break;
	case WRITES_TOO:
		write_too(e);
		break;
	case READS_TOO:
		read_too(e);
		break;
	case NOBODY:
		break;
	}
	if (is_timed(e))
		e->next = now_ns() + between(20, 500) * 1000;
	else
		pace(e);
}

void close_end(struct end *e)
{
	close_far(e);
	if (e->near >= 0)
		close(e->near);
	free(e->got);
}
