/* SPDX-License-Identifier: 0BSD */
/* What a descriptor or a name stands for. libc's own conversions between the
 * layouts of struct stat take 0.8 KB. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "zc.h"

/* fstat(2) is quicker than statx(2), and there before Linux 4.11. Its layout is
 * libc's on some machines, and asm/stat.h has it for the others that have it. */
#if defined(__x86_64__) && defined(__LP64__) || defined(__aarch64__) || \
	defined(__powerpc64__) || defined(__s390x__) || __riscv_xlen == 64
#include <sys/stat.h>
#define FSTAT SYS_fstat
typedef struct stat layout;
#elif defined(SYS_fstat64) && __has_include(<asm/stat.h>)
#include <asm/stat.h>
#define FSTAT SYS_fstat64
typedef struct stat64 layout;
#endif

enum {
	BASIC = 0x7ff,		/* STATX_BASIC_STATS */
	EMPTY_PATH = 0x1000,	/* AT_EMPTY_PATH; fcntl.h can clash with asm/ */
};

int zc_stat(int fd, const char *name, struct zc_stat *st)
{
#ifdef FSTAT
	layout s;

	if (!*name) {
		if (syscall(FSTAT, fd, &s))
			return -1;
		*st = (struct zc_stat){
			.mode = s.st_mode, .size = s.st_size,
			.ino = s.st_ino, .dev = s.st_dev,
			.rdev_major = major(s.st_rdev),
			.rdev_minor = minor(s.st_rdev),
		};
		return 0;
	}
#endif
	return syscall(SYS_statx, fd, name, EMPTY_PATH, BASIC, st);
}
