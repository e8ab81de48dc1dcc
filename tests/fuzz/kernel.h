/* SPDX-License-Identifier: 0BSD */
/* A kernel for what is fuzzed, in place of libcore/engine/sys.c and of the
 * calls that applets make themselves. It reads and writes all that is asked
 * for, and refuses other calls. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../calls.h"
#include "applet.h"
#include "engine/sys.h"
#include "text.h"

enum { SOURCES = 4, SINKS = 16, FIRST_SOURCE = 10, FIRST_SINK = 20 };

static void check_same(const struct text *got, const struct text *want)
{
	if (got->len == want->len &&
	    (!got->len || !memcmp(got->at, want->at, got->len)))
		return;
	fprintf(stderr, "got %zu bytes:\n%.2000s\nwanted %zu:\n%.2000s\n",
		got->len, got->len ? got->at : "", want->len,
		want->len ? want->at : "");
	abort();
}

/* The files "a" to "d", the first of which is standard input too. */
struct source {
	const char *bytes;
	size_t len, pos;
};

static struct {
	struct source sources[SOURCES];
	size_t limit; /* of the bytes that standard output takes */

	/* What it has seen. */
	struct text out, err, sinks[SINKS];
	int nsinks;
	bool allocated;
} kernel;

static struct source *source_of(int fd)
{
	if (!fd)
		return kernel.sources;
	if (fd >= FIRST_SOURCE && fd < FIRST_SOURCE + SOURCES)
		return &kernel.sources[fd - FIRST_SOURCE];
	return NULL;
}

ssize_t zc_sys_read(int fd, void *buf, size_t len)
{
	struct source *s = source_of(fd);

	CHECK(s);
	if (len > s->len - s->pos)
		len = s->len - s->pos;
	memcpy(buf, s->bytes + s->pos, len);
	s->pos += len;
	return len;
}

ssize_t zc_sys_write(int fd, const void *buf, size_t len)
{
	size_t room = kernel.limit - kernel.out.len;

	if (fd >= FIRST_SINK && fd < FIRST_SINK + SINKS) {
		append(&kernel.sinks[fd - FIRST_SINK], buf, len);
		return len;
	}
	CHECK(fd == STDOUT_FILENO);
	if (!room)
		return -errnos_unwritten[0];
	if (len > room)
		len = room;
	append(&kernel.out, buf, len);
	return len;
}

int zc_sys_openat(int dir, const char *name, int flags, mode_t mode)
{
	if ((flags & O_ACCMODE) == O_WRONLY) {
		CHECK(kernel.nsinks < SINKS);
		CHECK(!(flags & O_APPEND) == !!(flags & O_TRUNC));
		return FIRST_SINK + kernel.nsinks++;
	}
	if (*name >= 'a' && *name < 'a' + SOURCES && !name[1])
		return FIRST_SOURCE + *name - 'a';
	return -ENOENT;
}

int zc_stat(int fd, const char *name, struct zc_stat *st)
{
	if (name)
		return -ENOENT;
	*st = (struct zc_stat){
		.mode = S_IFCHR,
		.id.ino = fd,
		.rdev_major = 9,
	};
	return 0;
}

/* All is O_NONBLOCK, and no pipe may be enlarged. */
int zc_fcntl(int fd, int command, long arg)
{
	CHECK(fd >= 0);
	if (command == F_GETFL)
		return (source_of(fd) ? O_RDONLY : O_WRONLY) | O_NONBLOCK;
	return -EPERM;
}

/* What this kernel has not, as calls.def has it. */
#define REFUSED(call, type, function, declared)            \
	type function declared                             \
	{                                                  \
		return -*call_facts[CALL_##call].refusals; \
	}
#define WITHOUT(type, function, declared, result) \
	type function declared                    \
	{                                         \
		return result;                    \
	}

REFUSED(recvfrom, ssize_t, zc_sys_receive, (int fd, void *b, size_t n))
REFUSED(sendto, ssize_t, zc_sys_send, (int fd, const void *b, size_t n))
REFUSED(pread64, ssize_t, zc_sys_pread, (int fd, void *b, size_t n, off_t at))
REFUSED(pwrite64, ssize_t, zc_sys_pwrite,
	(int fd, const void *b, size_t n, off_t at))
REFUSED(lseek, off_t, zc_sys_lseek, (int fd, off_t by, int whence))
REFUSED(splice, ssize_t, zc_sys_splice,
	(int from, off_t *from_at, int to, size_t len, bool sleeps))
REFUSED(copy_file_range, ssize_t, zc_sys_copy_file_range,
	(int from, off_t *from_at, int to, off_t *to_at, size_t len))
REFUSED(ioctl, int, zc_sys_share_extents, (int from, int to))
REFUSED(sendfile, ssize_t, zc_sys_sendfile,
	(int to, int from, off_t *at, size_t len))
REFUSED(tee, ssize_t, zc_sys_tee, (int from, int to, size_t len))
REFUSED(vmsplice, ssize_t, zc_sys_vmsplice,
	(int to, const void *buf, size_t len))
WITHOUT(bool, zc_is_tty, (int fd), false)
WITHOUT(bool, zc_sys_is_empty, (int fd), false)
WITHOUT(bool, zc_sys_is_alone, (void), false)
WITHOUT(size_t, zc_unread, (int fd), 0)
WITHOUT(long, zc_sys_file_system, (int fd), 0)
WITHOUT(uint64_t, zc_clock, (void), 1)
WITHOUT(bool, zc_sys_file_limited, (void), false)
REFUSED(getsockopt, int, zc_sys_getsockopt,
	(int fd, int option, void *v, size_t size))
REFUSED(pipe2, int, zc_pipe, (int fd[2], int flags))
REFUSED(socketpair, int, zc_socketpair, (int fd[2], int flags))
REFUSED(preadv2, ssize_t, zc_sys_read_uncached,
	(int fd, void *b, size_t n, off_t at))
REFUSED(pwritev2, ssize_t, zc_sys_write_uncached,
	(int fd, const void *b, size_t n, off_t at))
REFUSED(io_uring_setup, int, zc_sys_io_uring_setup,
	(unsigned n, struct io_uring_params *p))
REFUSED(io_uring_enter, int, zc_sys_io_uring_enter,
	(int fd, unsigned n, unsigned wait))
REFUSED(io_uring_register, int, zc_sys_io_uring_register,
	(int fd, void *buf, size_t len))

int zc_sys_map(void **map, size_t len, int prot, int fd, off_t at)
{
	*map = NULL;
	return -*call_facts[CALL_mmap].refusals;
}

/* What applets and commands call themselves, of libc's. */
#undef WITHOUT
#define WITHOUT(type, function, declared, result) \
	type function declared                    \
	{                                         \
		errno = ENOSYS;                   \
		return result;                    \
	}

WITHOUT(off_t, box_lseek64, (int fd, off_t by, int whence), -1)
WITHOUT(int, box_memfd_create, (const char *name, unsigned flags), -1)
WITHOUT(ssize_t, box_read, (int fd, void *buf, size_t len), -1)
WITHOUT(ssize_t, box_write, (int fd, const void *buf, size_t len), -1)
WITHOUT(ssize_t, box_pwrite64, (int fd, const void *buf, size_t len, off_t at),
	-1)
WITHOUT(int, box_symlink, (const char *to, const char *path), -1)
WITHOUT(int, box_linkat,
	(int a, const char *to, int b, const char *path, int flags), -1)
WITHOUT(int, box_rename, (const char *from, const char *to), -1)
WITHOUT(int, box_unlink, (const char *path), -1)
WITHOUT(int, box_kill, (pid_t pid, int sig), -1)
WITHOUT(int, box_setitimer, (int which, const void *new, void *old), -1)
WITHOUT(int, box_poll, (struct pollfd * p, nfds_t n, int ms), -1)
WITHOUT(pid_t, box_getpid, (void), 1)
WITHOUT(pid_t, box_getpgrp, (void), 1)
WITHOUT(clock_t, box_times, (void *unused), 0)

int zc_sys_close(int fd)
{
	CHECK(fd >= 0);
	return 0;
}

/* After a signal, of which none comes. */
void box__exit(int status)
{
	CHECK(false);
}

int box_close(int fd)
{
	return zc_sys_close(fd);
}

int zc_sys_poll(struct pollfd *p, int n, int ms)
{
	return n;
}

void zc_sys_yield(void)
{
}

void zc_sys_sync_range(int fd, off_t at, off_t len, bool wait)
{
	zc_sys_yield();
}

void zc_sys_drop_cache(int fd, off_t at, off_t len)
{
	zc_sys_yield();
}

void zc_sys_unmap(void *p, size_t len)
{
}

/* A message is one writev(2) on standard error, or write(2) in a box that makes
 * the simplest calls alone; other calls are refused. */
long box_syscall(long number, ...)
{
	struct iovec text = { .iov_len = 0 };
	va_list rest;
	int fd;

	errno = ENOSYS;
	if (number != SYS_writev && number != SYS_write)
		return -1;
	va_start(rest, number);
	fd = va_arg(rest, int);
	if (number == SYS_writev) {
		text = *va_arg(rest, const struct iovec *);
	} else {
		text.iov_base = va_arg(rest, void *);
		text.iov_len = va_arg(rest, size_t);
	}
	va_end(rest);
	CHECK(fd == STDERR_FILENO);
	append(&kernel.err, text.iov_base, text.iov_len);
	return text.iov_len;
}

/* In it there is POSIXLY_CORRECT, or nothing, and then something like it. */
static char *environment[3];
char **box_environ = environment;

static void set_environment(char *posixly_correct)
{
	int n = 0;

	if (posixly_correct)
		environment[n++] = posixly_correct;
	environment[n++] = "POSIXLY_CORRECTED=1";
	environment[n] = NULL;
}

unsigned long box_getauxval(unsigned long type)
{
	CHECK(type == AT_EXECFN);
	return (unsigned long)"/bin/box";
}

/* Just as much, so that no byte beyond it is touched unnoticed; the same again
 * where that will do, for new memory is slow. */
void *allocate(size_t size)
{
	static void *memory;
	static size_t room;

	CHECK(!kernel.allocated);
	kernel.allocated = true;
	if (room != size) {
		free(memory);
		CHECK(!posix_memalign(&memory, 64, size));
		room = size;
	}
	return memset(memory, 0, size);
}

/* box is a program that runs once: before each run its variables get back what
 * they held at first. The Makefile's rule for it gave them these sections. */
extern uint64_t __start_box_data[], __stop_box_data[];
extern uint64_t __start_box_bss[], __stop_box_bss[];

/* Red zones between the variables are none of AddressSanitizer's business here,
 * and memcpy(3) would be one of its. */
__attribute__((no_sanitize("address", "undefined"))) static void
move_words(volatile uint64_t *to, const volatile uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from ? from[i] : 0;
}

static void kernel_new(void)
{
	static uint64_t *first;
	size_t n = __stop_box_data - __start_box_data;
	struct text out = kernel.out, err = kernel.err;
	struct text sinks[SINKS];

	if (first) {
		move_words(__start_box_data, first, n);
		move_words(__start_box_bss, NULL,
			   __stop_box_bss - __start_box_bss);
	} else {
		first = malloc(n * sizeof(*first));
		CHECK(first);
		move_words(first, __start_box_data, n);
	}
	/* What has room keeps it. */
	memcpy(sinks, kernel.sinks, sizeof(sinks));
	memset(&kernel, 0, sizeof(kernel));
	memcpy(kernel.sinks, sinks, sizeof(sinks));
	kernel.out = out;
	kernel.err = err;
	kernel.out.len = kernel.err.len = 0;
	for (int i = 0; i < SINKS; i++)
		kernel.sinks[i].len = 0;
	kernel.limit = SIZE_MAX;
	set_environment(NULL);
	errno = 0;
}

/* The fuzzer's input, a byte at a time: zeros when it is used up. */
struct input {
	const uint8_t *at, *end;
};

static unsigned take(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
