/* SPDX-License-Identifier: 0BSD */
/* What programs that measure or test box share: a failure ends them, with a
 * message. */
#pragma once

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

/* Says what has failed, and errno's text. */
static inline _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		strerror(errno));
	exit(2);
}

#define NEED(condition) ((condition) ? (void)0 : die(#condition))

/* What a system call has returned, unless it has failed. */
static inline ssize_t checked(ssize_t n, const char *what)
{
	if (n < 0)
		die(what);
	return n;
}

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}
