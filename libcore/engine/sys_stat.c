/* SPDX-License-Identifier: 0BSD */
/* fstat(2) and fstatat(2). libc's own conversions between the layouts of struct
 * stat take 0.8 KB, so they serve only where no header has the kernel's layout.
 * This is apart from sys.c, because fcntl.h can clash with asm/stat.h. */
#include <sys/syscall.h>
#include <unistd.h>

#include "engine.h"

/* The kernel's layout is libc's on some machines; asm/stat.h has it for others.
 */
#if defined(__x86_64__) && defined(__LP64__) || defined(__aarch64__) || \
	defined(__powerpc64__) || defined(__s390x__) || __riscv_xlen == 64
#include <sys/stat.h>
#define FSTAT(...) ZC_SYSCALL(SYS_fstat, __VA_ARGS__)
#define FSTATAT(...) ZC_SYSCALL(SYS_newfstatat, __VA_ARGS__)
typedef struct stat stat_layout;
#elif defined(SYS_fstat64) && __has_include(<asm/stat.h>)
#include <asm/stat.h>
#define FSTAT(...) ZC_SYSCALL(SYS_fstat64, __VA_ARGS__)
#define FSTATAT(...) ZC_SYSCALL(SYS_fstatat64, __VA_ARGS__)
typedef struct stat64 stat_layout;
#else
#include <sys/stat.h>
#define FSTAT(...) zc_sys_result(fstat(__VA_ARGS__))
#define FSTATAT(...) zc_sys_result(fstatat(__VA_ARGS__))
typedef struct stat stat_layout;
#endif

static void convert(const stat_layout *s, struct zc_stat *st)
{
	*st = (struct zc_stat){
		.mode = s->st_mode,
		.size = s->st_size,
		.id = { s->st_dev, s->st_ino },
		.rdev = s->st_rdev,
	};
}

int zc_stat(int fd, const char *name, struct zc_stat *st)
{
	stat_layout s;
	int err = name ? FSTATAT(fd, name, &s, 0) : FSTAT(fd, &s);

	if (!err)
		convert(&s, st);
	return err;
}

int zc_stat_at(int fd, const char *name, struct zc_stat *st, int flags)
{
	stat_layout s;
	int err = FSTATAT(fd, name, &s, flags);

	if (!err)
		convert(&s, st);
	return err;
}

int zc_owner(int fd, unsigned *user, unsigned *group)
{
	stat_layout s;
	int err = FSTAT(fd, &s);

	if (!err) {
		*user = s.st_uid;
		*group = s.st_gid;
	}
	return err;
}
