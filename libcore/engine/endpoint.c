/* SPDX-License-Identifier: 0BSD */
/* The kinds of endpoints, and descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine.h"

/* Bytes of a stream that GNU cat sends at once: unix(7) always takes as many,
 * and every network does. */
enum { UNIX_MESSAGE = 64 << 10, OTHER_MESSAGE = 8 << 10 };

/* A stream with a buffer of less calls itself ready (poll(2)) before it takes
 * PIPE_BUF bytes. */
enum { SMALL_ROOM = 16 << 10 };

/* Bytes that are sent at once, beside an eighth of the buffer. A sender of a
 * third of the buffer sleeps in turns with the reader, and each call costs,
 * too. */
enum { LEAST = 8 << 10 };

bool zc_has_limit(int fd, int option)
{
	struct timeval t = { .tv_sec = 0 };

	zc_sys_getsockopt(fd, option, &t, sizeof(t));
	return t.tv_sec || t.tv_usec;
}

/* Returns the value of getsockopt(2), or 0. */
static int socket_says(int fd, int option)
{
	int value = 0;

	zc_sys_getsockopt(fd, option, &value, sizeof(value));
	return value;
}

/* A socket of which nothing is known counts as one with messages, which is read
 * and written. poll(2) never calls a listening socket ready. */
static enum zc_kind socket_kind(struct zc_endpoint *end)
{
	int fd = end->fd, room, type;

	end->read_limit = zc_has_limit(fd, SO_RCVTIMEO);
	end->write_limit = zc_has_limit(fd, SO_SNDTIMEO);
	if (socket_says(fd, SO_ACCEPTCONN))
		return ZC_UNKNOWN;
	type = socket_says(fd, SO_TYPE);
	end->socket = type;
	if (type == SOCK_STREAM) {
		room = socket_says(fd, SO_SNDBUF);
		end->little_room = room < SMALL_ROOM;
		if (ZC_SELECT && !zc_sys_is_alone())
			end->run_max = (room / 8 + LEAST) & -ZC_ALIGN;
		return ZC_SOCKET;
	}
	end->message_max = OTHER_MESSAGE;
	if (socket_says(fd, SO_DOMAIN) == AF_UNIX)
		end->message_max = UNIX_MESSAGE;
	return ZC_DATAGRAM;
}

/* O_ACCMODE itself is for neither. */
bool zc_may_access(int flags, int access)
{
	int has = flags & O_ACCMODE;

	if (flags < 0)
		return flags != -EBADF;
	return has == access || has == O_RDWR;
}

/* Finds out whether an endpoint is open for reading and for writing, as far as
 * fcntl(2) tells. Returns the flags of the descriptor, or -errno. */
static int find_access(struct zc_endpoint *end)
{
	int flags = zc_fcntl(end->fd, F_GETFL, 0);

	end->no_read = !zc_may_access(flags, O_RDONLY);
	end->no_write = !zc_may_access(flags, O_WRONLY);
	return flags;
}

/* Likewise. Where fcntl(2) does not tell, a write(2) of nothing does, and
 * read(2) will. */
static int ask_access(struct zc_endpoint *end)
{
	int flags = find_access(end);

	if (flags < 0)
		end->no_write = zc_sys_write(end->fd, NULL, 0) == -EBADF;
	return flags;
}

/* A pipe that is O_DIRECT has messages, too (pipe2(2)). If its flags are
 * unknown, the pipe may be one. A box that only reads and writes treats all
 * alike. */
static enum zc_kind pipe_kind(struct zc_endpoint *end)
{
	int flags = ask_access(end);

	if (!ZC_SELECT)
		return ZC_PIPE;
	if (flags < 0)
		return ZC_UNKNOWN;
	if (flags & O_DIRECT)
		return ZC_DATAGRAM;
	/* Outside of a job a sink may take the whole budget, and a source none:
	 * what large pipe buffers hold is all of it. */
	if (end->no_read)
		end->size_of_pipe.most = ZC_PIPE_MAX;
	return ZC_PIPE;
}

static enum zc_kind device_kind(struct zc_endpoint *end,
				const struct zc_stat *st)
{
	if (st->rdev == makedev(1, 3)) {
		ask_access(end);
		return ZC_NULL;
	}
	end->little_room = zc_is_tty(end->fd);
	if (!end->little_room)
		return ZC_DEVICE;
	/* A write(2) of nothing may wait for that of another process. */
	find_access(end);
	return ZC_TTY;
}

static enum zc_kind kind_of(struct zc_endpoint *end, const struct zc_stat *st,
			    bool sole)
{
	switch (st->mode & S_IFMT) {
	case 0: /* fstat(2) was refused, or this is an epoll(7) or its like */
		return ZC_UNKNOWN;
	case S_IFIFO:
		return pipe_kind(end);
	case S_IFSOCK:
		return socket_kind(end);
	case S_IFCHR:
		return device_kind(end, st);
	case S_IFBLK: /* lseek(2) finds its end */
		end->size = INT64_MAX;
		return ZC_FILE;
	}
	if (sole)
		return ZC_SOLE;
	if (st->size > ZC_SMALL_MAX)
		return ZC_FILE;
	return ZC_SMALL;
}

int zc_identify(struct zc_endpoint *end, bool sole)
{
	struct zc_stat st = { .mode = 0 };
	int status = zc_stat(end->fd, NULL, &st);

	/* Where fstat(2) does not tell, the kind is unknown: read(2) or
	 * write(2) has the error of the end. */
	if (status == -EBADF) {
		end->kind = ZC_UNKNOWN;
		end->error = EBADF;
		return -1;
	}
	end->id = st.id;
	end->size = st.size;
	end->kind = kind_of(end, &st, sole);
	return 0;
}

bool zc_is_remote(int fd)
{
	int domain = socket_says(fd, SO_DOMAIN);

	return domain && domain != AF_UNIX;
}

int zc_above_stdio(int fd)
{
	int higher;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	higher = zc_fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	zc_sys_close(fd);
	/* The limit of descriptors (RLIMIT_NOFILE) is 3 or less. */
	if (higher == -EINVAL)
		return -EMFILE;
	return higher;
}

int zc_open(const char *name, int flags)
{
	int fd, higher;

	do
		fd = zc_sys_openat(AT_FDCWD, name,
				   flags | O_LARGEFILE | O_CLOEXEC, 0666);
	while (fd == -EINTR);
	if (!IS_ENABLED(CONFIG_SAFE_CALLS) || fd < 0 || fd > STDERR_FILENO)
		return zc_above_stdio(fd);
	/* Where fcntl(2) may not duplicate it: while it is open, the next one
	 * is higher. */
	higher = zc_open(name, flags);
	zc_sys_close(fd);
	return higher;
}

int zc_close_fd(int fd)
{
	int status = zc_sys_close(fd);

	/* It is closed all the same. */
	if (status == -EINTR)
		return 0;
	return status;
}

void *zc_map(size_t len)
{
	void *map;

	zc_sys_map(&map, len, PROT_READ | PROT_WRITE, -1, 0);
	return map;
}

void zc_unmap(void *p, size_t len)
{
	if (p)
		zc_sys_unmap(p, len);
}
