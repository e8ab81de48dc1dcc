/* SPDX-License-Identifier: 0BSD */
/* The system calls themselves: by libc where the number or the layout of a call
 * differs between machines, and otherwise by syscall(2), around which musl puts
 * less. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

int64_t zc_sys_result(int64_t n)
{
	if (n < 0)
		return -errno;
	return n;
}

ssize_t zc_sys_read(int fd, void *buf, size_t len)
{
	return ZC_SYSCALL(SYS_read, fd, buf, len);
}

ssize_t zc_sys_write(int fd, const void *buf, size_t len)
{
	return ZC_SYSCALL(SYS_write, fd, buf, len);
}

ssize_t zc_sys_send(int fd, const void *buf, size_t len)
{
	return ZC_SYSCALL(SYS_sendto, fd, buf, len, MSG_DONTWAIT, NULL, 0);
}

ssize_t zc_sys_pread(int fd, void *buf, size_t len, off_t at)
{
	return zc_sys_result(pread(fd, buf, len, at));
}

ssize_t zc_sys_pwrite(int fd, const void *buf, size_t len, off_t at)
{
	return zc_sys_result(pwrite(fd, buf, len, at));
}

off_t zc_sys_lseek(int fd, off_t by, int whence)
{
	return zc_sys_result(lseek(fd, by, whence));
}

int zc_sys_close(int fd)
{
	return ZC_SYSCALL(SYS_close, fd);
}

ssize_t zc_sys_splice(int from, off_t *from_at, int to, size_t len, bool sleeps)
{
	return ZC_SYSCALL(SYS_splice, from, from_at, to, NULL, len,
			  sleeps ? 0 : SPLICE_F_NONBLOCK);
}

ssize_t zc_sys_copy_file_range(int from, off_t *from_at, int to, off_t *to_at,
			       size_t len)
{
	return ZC_SYSCALL(SYS_copy_file_range, from, from_at, to, to_at, len,
			  0);
}

int zc_sys_share_extents(int from, int to)
{
	/* struct file_clone_range of linux/fs.h, which not every C library
	 * brings: the source, its offset, bytes, the sink's offset. */
	int64_t range[4] = { from, INT64_MAX, 0, 0 };

	return ZC_SYSCALL(SYS_ioctl, to, _IOW(0x94, 13, range), range);
}

ssize_t zc_sys_sendfile(int to, int from, off_t *from_at, size_t len)
{
	return zc_sys_result(sendfile(to, from, from_at, len));
}

ssize_t zc_sys_tee(int from, int to, size_t len)
{
	return ZC_SYSCALL(SYS_tee, from, to, len, SPLICE_F_NONBLOCK);
}

ssize_t zc_sys_vmsplice(int to, const void *buf, size_t len)
{
	struct iovec lent = { (void *)buf, len };

	return ZC_SYSCALL(SYS_vmsplice, to, &lent, 1, SPLICE_F_NONBLOCK);
}

int zc_sys_openat(int dir, const char *name, int flags, mode_t mode)
{
	return ZC_SYSCALL(SYS_openat, dir, name, flags, mode);
}

bool zc_sys_file_limited(void)
{
	uint64_t limit[2];

	if (syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, limit))
		return false;
	return limit[0] <= INT64_MAX;
}

int zc_pipe(int fd[2], int flags)
{
	return ZC_SYSCALL(SYS_pipe2, fd, flags | O_CLOEXEC);
}

/* SOCK_NONBLOCK is O_NONBLOCK, and SOCK_CLOEXEC O_CLOEXEC. */
int zc_socketpair(int fd[2], int flags)
{
	return ZC_SYSCALL(SYS_socketpair, AF_UNIX,
			  SOCK_STREAM | flags | SOCK_CLOEXEC, 0, fd);
}

enum { DONTCACHE = 0x80 }; /* RWF_DONTCACHE of linux/fs.h */

/* The kernel wants an offset in two longs, and looks at both of 32 bits. */
ssize_t zc_sys_read_uncached(int fd, void *buf, size_t len, off_t at)
{
	struct iovec v = { buf, len };

	return ZC_SYSCALL(SYS_preadv2, fd, &v, 1, (long)at, (long)(at >> 32),
			  DONTCACHE);
}

ssize_t zc_sys_write_uncached(int fd, const void *buf, size_t len, off_t at)
{
	struct iovec v = { (void *)buf, len };

	return ZC_SYSCALL(SYS_pwritev2, fd, &v, 1, (long)at, (long)(at >> 32),
			  DONTCACHE);
}

void zc_sys_sync_range(int fd, off_t at, off_t len, bool wait)
{
	unsigned flags = SYNC_FILE_RANGE_WRITE;

	if (wait)
		flags |= SYNC_FILE_RANGE_WAIT_BEFORE |
			 SYNC_FILE_RANGE_WAIT_AFTER;
	sync_file_range(fd, at, len, flags);
}

long zc_sys_file_system(int fd)
{
	struct statfs st;

	st.f_type = 0;
	fstatfs(fd, &st);
	return st.f_type;
}

void zc_sys_drop_cache(int fd, off_t at, off_t len)
{
	posix_fadvise(fd, at, len, POSIX_FADV_DONTNEED);
}

size_t zc_unread(int fd)
{
	int n = 0;

	if (syscall(SYS_ioctl, fd, TIOCOUTQ, &n))
		syscall(SYS_ioctl, fd, FIONREAD, &n);
	return n;
}

/* A sanitizer of threads calls the handler of a signal only in libc's calls: a
 * handler that is to end a call of libzc would wait for ever. */
int zc_sys_poll(struct pollfd *p, int n, int ms)
{
	return zc_sys_result(poll(p, n, ms));
}

uint64_t zc_clock(void)
{
	struct timespec t;
#ifdef SYS_clock_gettime64
	/* Linux before 5.1 lacks the call, and libc knows another. */
	int status = clock_gettime(CLOCK_MONOTONIC, &t);
#else
	int status = syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
#endif

	if (status)
		return 0;
	return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1;
}

/* musl's mmap(3) does more, in 0.2 KB; other machines pass offsets otherwise.
 */
int zc_sys_map(void **map, size_t len, int prot, int fd, off_t at)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
#ifdef __x86_64__
	void *p = (void *)syscall(SYS_mmap, 0, len, prot, flags, fd, at);
#else
	void *p = mmap(NULL, len, prot, flags, fd, at);
#endif

	*map = NULL;
	if (p == MAP_FAILED)
		return -errno;
	*map = p;
	return 0;
}

void zc_sys_unmap(void *p, size_t len)
{
	syscall(SYS_munmap, p, len);
}

int zc_sys_io_uring_setup(unsigned entries, struct io_uring_params *p)
{
	return ZC_SYSCALL(SYS_io_uring_setup, entries, p);
}

int zc_sys_io_uring_enter(int fd, unsigned submit, unsigned wait)
{
	enum { GETEVENTS = 1 }; /* IORING_ENTER_GETEVENTS */

	return ZC_SYSCALL(SYS_io_uring_enter, fd, submit, wait, GETEVENTS, NULL,
			  0);
}

int zc_sys_io_uring_register(int fd, void *buf, size_t len)
{
	enum { BUFFERS = 0 }; /* IORING_REGISTER_BUFFERS */
	struct iovec lent = { buf, len };

	return ZC_SYSCALL(SYS_io_uring_register, fd, BUFFERS, &lent, 1);
}
