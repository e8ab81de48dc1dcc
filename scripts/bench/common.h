/* SPDX-License-Identifier: 0BSD */
/* What the benchmark's programs share: a failure ends them, with a message. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		strerror(errno));
	exit(1);
}

static inline ssize_t checked(ssize_t n, const char *what)
{
	if (n < 0)
		die(what);
	return n;
}

/* Nanoseconds. */
static inline long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}
