/* SPDX-License-Identifier: 0BSD */
/* A small harness. A program is one file of cases:
 *
 *     #include "test.h"
 *
 *     TEST(what_holds)
 *     {
 *             CHECK(one > 0, "of %s", name);
 *             CHECK_EQ(one, two);
 *     }
 *
 * TEST_ROWS(n, what_holds) is run for each `row' below n, most of them one of a
 * table. Each runs in a process of its own, whose end closes what the case
 * leaves open, and which is killed if it hangs. Prints a line for each, with
 * what failed in it, and returns how many failed. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kconfig.h"
#include "core.h"

enum { MOST_CASES = 64, MOST_FAILURES = 10, SECONDS = 1000 };

static struct {
	const char *name;
	int rows;
	void (*run)(int row);
} cases[MOST_CASES];
static int case_count, failures;

#define TEST(id) TEST_ROWS_IF(true, 1, id)
#define TEST_IF(condition, id) TEST_ROWS_IF(condition, 1, id)
#define TEST_ROWS(n, id) TEST_ROWS_IF(true, n, id)

/* A case that is left out where a constant is false: what the configuration
 * lacks is not linked then. */
#define TEST_ROWS_IF(condition, n, id)                                \
	static void id(int row);                                      \
	__attribute__((constructor)) static void id##_is_a_case(void) \
	{                                                             \
		if (condition) {                                      \
			cases[case_count].name = #id;                 \
			cases[case_count].rows = n;                   \
			cases[case_count++].run = id;                 \
		}                                                     \
	}                                                             \
	static void id(int row)

/* Whether a symbol of the configuration, without its CONFIG_, is on. */
#define HAS(symbol) IS_ENABLED(CONFIG_##symbol)

/* What the checks that follow are about. */
static __thread char about[256];

__attribute__((format(printf, 1, 2))) static void
checking(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(about, sizeof(about), format, args);
	va_end(args);
}

__attribute__((format(printf, 3, 4))) static void
fail(const char *file, int line, const char *format, ...)
{
	char what[512];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	printf("%s:%d: %s%s%s\n", file, line, what, *about ? ": " : "", about);
	if (__atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST) >=
	    MOST_FAILURES) {
		fflush(stdout);
		_exit(1);
	}
}

#define CHECK(condition)                                                    \
	do {                                                                \
		if (!(condition))                                           \
			fail(__FILE__, __LINE__, "not so: %s", #condition); \
	} while (0)

#define CHECK_EQ(a, b)                                                       \
	do {                                                                 \
		long long a_ = (a), b_ = (b);                                \
		if (a_ != b_)                                                \
			fail(__FILE__, __LINE__, "%s is %lld, not %s, %lld", \
			     #a, a_, #b, b_);                                \
	} while (0)

/* What a test needs itself, and does not test. */
#define NEED(condition)                                                \
	do {                                                           \
		if (!(condition)) {                                    \
			fail(__FILE__, __LINE__, "%s: %s", #condition, \
			     strerror(errno));                         \
			fflush(stdout);                                \
			_exit(1);                                      \
		}                                                      \
	} while (0)

/* How the runs of fan() end before their source does. */
static struct {
	bool steps, cancels;
	int cancel_fd;
	uint64_t deadline; /* or 0 */
} early;

/* A run of a job from a source to the sinks of a row that have no error: of the
 * job of the run before, if that may go on, or else of a new one. Those that
 * fail leave it. */
static inline int fan(struct zc *z, struct zc_source *in, struct zc_sink *row,
		      int n)
{
	uint64_t until = early.deadline ? early.deadline : ZC_EVER;
	int status;

	if (!z->job.out || z->job.in != in) {
		zc_end(z);
		zc_begin(z, in);
	}
	for (int i = 0; i < n; i++)
		if (!row[i].error)
			zc_add(z, &row[i]);
	if (!z->job.out)
		return ZC_FAILED;
	status = zc_run(z, early.steps ? ZC_NOW : until,
			early.cancels ? early.cancel_fd : -1);
	while (zc_failed(z))
		;
	if (status == ZC_ENDED || in->error)
		zc_end(z);
	return status;
}

static inline int copy(struct zc *z, struct zc_source *in, struct zc_sink *out)
{
	return fan(z, in, out, 1);
}

/* A hang or a crash: which one it was. */
static void on_signal(int number)
{
	fail("in", 0, "signal %d", number);
	fflush(stdout);
	_exit(1);
}

/* The threads of a case may still write to ends that were on its stack: exit(3)
 * has its own below these. Not _exit(2), because gcov writes its counts there.
 */
static void leave(void)
{
	volatile char theirs[1 << 18];

	theirs[0] = failures != 0;
	exit(theirs[0]);
}

static int run_case(int i, int row)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		signal(SIGPIPE, SIG_IGN);
		signal(SIGALRM, on_signal);
		signal(SIGFPE, on_signal);
		signal(SIGSEGV, on_signal);
		alarm(SECONDS);
		if (cases[i].rows > 1)
			checking("row %d", row);
		cases[i].run(row);
		leave();
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		exit(126);
	return status != 0;
}

/* Returns whether a row of a case has failed. */
static bool run_rows(int i)
{
	bool failed = false;

	for (int row = 0; row < cases[i].rows; row++)
		failed |= run_case(i, row);
	printf("%s %s\n", failed ? "not ok" : "ok", cases[i].name);
	return failed;
}

/* [CASE]: that case alone. */
int main(int argc, char **argv)
{
	int failed = 0, ran = 0;

	for (int i = 0; i < case_count; i++)
		if (argc < 2 || !strcmp(argv[1], cases[i].name)) {
			failed += run_rows(i);
			ran++;
		}
	return ran ? failed : 127;
}
