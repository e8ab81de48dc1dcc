/* SPDX-License-Identifier: 0BSD */
/* The seam to the kernel: every system call that libcore makes, except those of
 * lib/context.c for the memory of a context, and no more than the call.
 * Functions of core.h that are one call (zc_stat(), zc_fcntl() and their like)
 * and zc_clock() (zc.h) are here, too. A test that links another sys.o has a
 * kernel of its own. All return as in section 2 of the manual, but a negative
 * errno in place of -1, unless said otherwise. No other file of libcore names
 * errno.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns n, the value of a call of libc's, or -errno where that is negative.
 */
int64_t zc_sys_result(int64_t n);

/* A system call by its number (sys/syscall.h, unistd.h): its value, or -errno.
 */
#define ZC_SYSCALL(...) zc_sys_result(syscall(__VA_ARGS__))

ssize_t zc_sys_read(int fd, void *buf, size_t len);
ssize_t zc_sys_write(int fd, const void *buf, size_t len);
/* recv(2) of a message with MSG_TRUNC: returns its length, of which at most len
 * bytes are read and the rest is lost. A stream would lose bytes. */
ssize_t zc_sys_receive(int fd, void *buf, size_t len);
/* send(2), MSG_DONTWAIT. */
ssize_t zc_sys_send(int fd, const void *buf, size_t len);
ssize_t zc_sys_pread(int fd, void *buf, size_t len, off_t at);
ssize_t zc_sys_pwrite(int fd, const void *buf, size_t len, off_t at);
off_t zc_sys_lseek(int fd, off_t by, int whence);
int zc_sys_close(int fd);

/* An offset of NULL is the position of the file; others are moved. */
ssize_t zc_sys_splice(int from, off_t *from_at, int to, size_t len,
		      bool sleeps);
ssize_t zc_sys_copy_file_range(int from, off_t *from_at, int to, off_t *to_at,
			       size_t len);
ssize_t zc_sys_sendfile(int to, int from, off_t *from_at, size_t len);
/* tee and vmsplice have SPLICE_F_NONBLOCK, and splice has it unless it sleeps.
 */
ssize_t zc_sys_tee(int from, int to, size_t len);
ssize_t zc_sys_vmsplice(int to, const void *buf, size_t len);

int zc_sys_openat(int dir, const char *name, int flags, mode_t mode);
/* ioctl_ficlonerange(2) from beyond any end, which changes nothing: -EINVAL
 * where a file can share extents with another that is not open for appending.
 */
int zc_sys_share_extents(int from, int to);
/* Returns whether there is nothing to read: FIONREAD, pipe(7). */
bool zc_sys_is_empty(int fd);
/* Returns whether files may not grow for ever: RLIMIT_FSIZE, setrlimit(2). */
bool zc_sys_file_limited(void);
/* getsockopt(2) at SOL_SOCKET. */
int zc_sys_getsockopt(int fd, int option, void *value, size_t size);

/* preadv2(2) and pwritev2(2) with RWF_DONTCACHE. */
ssize_t zc_sys_read_uncached(int fd, void *buf, size_t len, off_t at);
ssize_t zc_sys_write_uncached(int fd, const void *buf, size_t len, off_t at);
/* sync_file_range(2), which waits or not, and posix_fadvise(2), DONTNEED. */
void zc_sys_sync_range(int fd, off_t at, off_t len, bool wait);
void zc_sys_drop_cache(int fd, off_t at, off_t len);

/* The type of the file system that a file is in (statfs(2)), or 0. */
long zc_sys_file_system(int fd);

int zc_sys_poll(struct pollfd *p, int n, int ms);
void zc_sys_yield(void);
/* Returns whether we may run on one processor alone, as far as
 * sched_getaffinity(2) says. */
bool zc_sys_is_alone(void);

/* mmap(2): shared; private and anonymous where fd is -1. Sets *map, to NULL
 * where it fails. */
int zc_sys_map(void **map, size_t len, int prot, int fd, off_t at);
void zc_sys_unmap(void *p, size_t len);

struct io_uring_params;
int zc_sys_io_uring_setup(unsigned entries, struct io_uring_params *p);
int zc_sys_io_uring_enter(int fd, unsigned submit, unsigned wait);
int zc_sys_io_uring_register(int fd, void *buf, size_t len);
