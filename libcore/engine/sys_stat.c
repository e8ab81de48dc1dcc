/* SPDX-License-Identifier: 0BSD */
/* fstat(2), or statx(2). libc's own conversions between the layouts of struct
 * stat take 0.8 KB. This is apart from sys.c, because fcntl.h can clash
 * with asm/stat.h. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine.h"

/* fstat(2) is quicker than statx(2), and there before Linux 4.11, as fstatat(2)
 * is. Their layout is libc's on some machines; asm/stat.h has it for others. */
#if defined(__x86_64__) && defined(__LP64__) || defined(__aarch64__) || \
	defined(__powerpc64__) || defined(__s390x__) || __riscv_xlen == 64
#include <sys/stat.h>
#define FSTAT SYS_fstat
#define FSTATAT SYS_newfstatat
typedef struct stat fstat_layout;
#elif defined(SYS_fstat64) && __has_include(<asm/stat.h>)
#include <asm/stat.h>
#define FSTAT SYS_fstat64
#define FSTATAT SYS_fstatat64
typedef struct stat64 fstat_layout;
#endif

#ifdef FSTAT

int zc_sys_fstatat(int fd, const char *name, struct zc_stat *st)
{
	fstat_layout s;
	int err = name ? ZC_SYSCALL(FSTATAT, fd, name, &s, 0) :
			 ZC_SYSCALL(FSTAT, fd, &s);

	if (err)
		return err;
	*st = (struct zc_stat){
		.mode = s.st_mode,
		.size = s.st_size,
		.ino = s.st_ino,
		.dev = s.st_dev,
		.rdev_major = major(s.st_rdev),
		.rdev_minor = minor(s.st_rdev),
	};
	return 0;
}

#else

/* The kernel's struct statx, the same on every machine. musl has none before
 * 1.2.5. */
struct statx_layout {
	uint32_t mask, block;
	uint64_t attributes;
	uint32_t links, uid, gid;
	uint16_t mode, unused;
	uint64_t ino, size, blocks, attributes_mask;
	uint64_t times[8];
	uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
	uint64_t rest[14];
};

int zc_sys_fstatat(int fd, const char *name, struct zc_stat *st)
{
	enum { BASIC = 0x7ff, EMPTY_PATH = 0x1000 }; /* linux/stat.h, fcntl.h */
	struct statx_layout x;
	int err = ZC_SYSCALL(SYS_statx, fd, name ? name : "",
			     name ? 0 : EMPTY_PATH, BASIC, &x);

	if (err)
		return err;
	*st = (struct zc_stat){
		.mode = x.mode,
		.size = x.size,
		.ino = x.ino,
		.dev = (uint64_t)x.dev_major << 32 | x.dev_minor,
		.rdev_major = x.rdev_major,
		.rdev_minor = x.rdev_minor,
	};
	return 0;
}

#endif
