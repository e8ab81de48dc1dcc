/* SPDX-License-Identifier: 0BSD */
/* A kernel between libcore and the real one (ld(1), --wrap): it makes calls
 * short, lets them fail, lets others in, and looks after what is never to be
 * done. */
#pragma once

#include "ends.h"
#include "engine/sys.h"

#include "../calls.h"

/* What is asked of this kernel. */
static struct {
	int at;		    /* the call to meddle with, from 1 */
	bool from_there_on; /* and with all after it */
	int only;	    /* counting but these, plus 1; 0: all */
	int error;	    /* its errno, or 0 */
	size_t most;	    /* bytes that it may move then */
	int never;	    /* a command that fcntl(2) refuses */
	void (*before)(enum call call, int fd); /* somebody else's turn */
	void (*after)(enum call call, int fd);
} ask;

/* What it has seen. */
static struct {
	int calls;
	int each[CALL_COUNT];
	bool hit;    /* one has been meddled with */
	int command; /* the last of fcntl(2) */
	int maps;    /* that are there */
} was;

/* Of each file: bytes that lseek(2) has reserved, and none has written. */
static struct range {
	off_t at, end;
} reserved[1024];

static void kernel_new(void)
{
	memset(&ask, 0, sizeof(ask));
	memset(&was, 0, sizeof(was));
	memset(reserved, 0, sizeof(reserved));
}

/* Meddles with the call of that number among those like it, or none if that is
 * below 1. */
static inline void meddle(enum call like, int at, int error)
{
	ask.only = like + 1;
	ask.at = at;
	ask.error = error;
}

static bool is_asked_for(enum call call)
{
	if (ask.only && ask.only != (int)call + 1)
		return false;
	return was.hit ? ask.from_there_on : was.calls == ask.at;
}

/* Returns 0 where the call may be made, and with how many bytes; or -errno. */
static int refusal(enum call call, int fd, size_t *len)
{
	/* It only asks whether others may be made. */
	if ((call == CALL_pwrite64 || call == CALL_copy_file_range) && !*len)
		return 0;
	was.each[call]++;
	was.calls += !ask.only || ask.only == (int)call + 1;
	if (ask.before)
		ask.before(call, fd);
	if (!is_asked_for(call))
		return 0;
	was.hit = true;
	if (!ask.error && len && *len > ask.most)
		*len = ask.most;
	return -ask.error;
}

static void done(enum call call, int fd)
{
	if (ask.after)
		ask.after(call, fd);
}

/* What goes to an offset of libcore's own is in what it has reserved. */
static void fills(int fd, off_t at, ssize_t n)
{
	if (n <= 0)
		return;
	CHECK(at >= reserved[fd].at);
	CHECK(at + n <= reserved[fd].end);
	/* Never twice. */
	reserved[fd].at = at + n;
}

#define REAL(call) __real_zc_sys_##call
#define WRAP(call) __wrap_zc_sys_##call

/* A call that moves bytes from one descriptor, to another, or both. */
#define MOVES(name, call, declared, from, to, used, finish)   \
	ssize_t REAL(call) declared;                          \
	ssize_t WRAP(call) declared                           \
	{                                                     \
		ssize_t n = refusal(CALL_##name, from, &len); \
		if (n)                                        \
			return n;                             \
		n = REAL(call) used;                          \
		finish;                                       \
		done(CALL_##name, to);                        \
		return n;                                     \
	}

MOVES(read, read, (int fd, void *buf, size_t len), fd, fd, (fd, buf, len), )
MOVES(write, write, (int fd, const void *buf, size_t len), fd, fd,
      (fd, buf, len), )
MOVES(recvfrom, receive, (int fd, void *buf, size_t len), fd, fd,
      (fd, buf, len), )
MOVES(sendto, send, (int fd, const void *buf, size_t len), fd, fd,
      (fd, buf, len), )
MOVES(pread64, pread, (int fd, void *buf, size_t len, off_t at), fd, fd,
      (fd, buf, len, at), )
MOVES(pwrite64, pwrite, (int fd, const void *buf, size_t len, off_t at), fd, fd,
      (fd, buf, len, at), fills(fd, at, n))
MOVES(splice, splice,
      (int from, off_t *from_at, int to, size_t len, bool sleeps), from, to,
      (from, from_at, to, len, sleeps), )
MOVES(copy_file_range, copy_file_range,
      (int from, off_t *from_at, int to, off_t *to_at, size_t len), from, to,
      (from, from_at, to, to_at, len), if (n > 0) fills(to, *to_at - n, n))
MOVES(sendfile, sendfile, (int to, int from, off_t *from_at, size_t len), from,
      to, (to, from, from_at, len), )
MOVES(tee, tee, (int from, int to, size_t len), from, to, (from, to, len), )
MOVES(vmsplice, vmsplice, (int to, const void *buf, size_t len), to, to,
      (to, buf, len), )

off_t REAL(lseek)(int fd, off_t by, int whence);
off_t WRAP(lseek)(int fd, off_t by, int whence)
{
	off_t to = refusal(CALL_lseek, fd, NULL);

	if (to)
		return to;
	to = REAL(lseek)(fd, by, whence);
	CHECK_EQ(whence, SEEK_CUR);
	if (by > 0) {
		/* Of what it had before it has made use, or let go. */
		if (to - by != reserved[fd].end || !reserved[fd].at)
			reserved[fd].at = to - by;
		reserved[fd].end = to;
	} else if (by < 0 && to < reserved[fd].end) {
		reserved[fd].end = to;
	}
	done(CALL_lseek, fd);
	return to;
}

int __real_zc_fcntl(int fd, int command, long arg);
int __wrap_zc_fcntl(int fd, int command, long arg)
{
	int n;

	was.command = command;
	n = refusal(CALL_fcntl, fd, NULL);
	if (n)
		return n;
	if (ask.never && command == ask.never)
		return -EPERM;
	/* Pipes only ever grow, and flags are nobody's to change. */
	if (command == F_SETPIPE_SZ)
		CHECK(arg > __real_zc_fcntl(fd, F_GETPIPE_SZ, 0));
	CHECK(command != F_SETFL);
	n = __real_zc_fcntl(fd, command, arg);
	done(CALL_fcntl, fd);
	return n;
}

void REAL(unmap)(void *p, size_t len);
void WRAP(unmap)(void *p, size_t len)
{
	was.maps--;
	REAL(unmap)(p, len);
}

/* A call that makes something. */
#define MAKES(name, function, declared, used)                    \
	int __real_##function declared;                          \
	int __wrap_##function declared                           \
	{                                                        \
		int status = refusal(CALL_##name, -1, NULL);     \
		return status ? status : __real_##function used; \
	}

MAKES(pipe2, zc_pipe, (int fd[2], int flags), (fd, flags))
MAKES(socketpair, zc_socketpair, (int fd[2], int flags), (fd, flags))
MAKES(io_uring_setup, zc_sys_io_uring_setup,
      (unsigned entries, struct io_uring_params *p), (entries, p))
MAKES(io_uring_enter, zc_sys_io_uring_enter,
      (int fd, unsigned submit, unsigned wait), (fd, submit, wait))
MAKES(io_uring_register, zc_sys_io_uring_register,
      (int fd, void *buf, size_t len), (fd, buf, len))

int REAL(map)(void **map, size_t len, int prot, int fd, off_t at);
int WRAP(map)(void **map, size_t len, int prot, int fd, off_t at)
{
	int status = refusal(CALL_mmap, -1, NULL);

	*map = NULL;
	if (!status)
		status = REAL(map)(map, len, prot, fd, at);
	was.maps += *map != NULL;
	return status;
}
