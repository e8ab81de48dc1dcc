/* SPDX-License-Identifier: 0BSD */
/* The table of calls.def for programs in C. */
#pragma once

#include <errno.h>
#include <sys/syscall.h>

#define ERRNOS(name, ...)
#define CALL(name, ...) CALL_##name,
enum call {
#include "calls.def"
	CALL_COUNT
};
#undef ERRNOS
#undef CALL

/* As calls.def says, of the end and of the answers. */
enum call_end {
	END_NOBODY,
	END_SOURCE,
	END_SINK,
	END_BOTH,
	END_CLOSED,
	END_ASKED
};
enum { SHORT = 1 << 0, ZERO = 1 << 1, INTR = 1 << 2, AGAIN = 1 << 3 };

#define ERRNOS(name, ...) static const int errnos_##name[] = { __VA_ARGS__, 0 };
#define CALL(...)
#include "calls.def"
#undef ERRNOS
#undef CALL

static const struct call_facts {
	const char *name;
	long number;
	int length;
	enum call_end end;
	unsigned answers;
	const int *refusals, *failures; /* a 0 ends them */
} call_facts[CALL_COUNT] = {
#define ERRNOS(name, ...)
#define CALL(name, length, end, answers, refusals, failures)             \
	[CALL_##name] = {                                                \
		#name,	 SYS_##name,	    length,	      END_##end, \
		answers, errnos_##refusals, errnos_##failures            \
	},
#include "calls.def"
#undef ERRNOS
#undef CALL
};

static inline int errnos_in(const int *list)
{
	int n = 0;

	while (list[n])
		n++;
	return n;
}

/* Returns CALL_COUNT for a call that has no line. */
static inline enum call call_of(long number)
{
	int i = 0;

	while (i < CALL_COUNT && call_facts[i].number != number)
		i++;
	return i;
}
