/* SPDX-License-Identifier: 0BSD */
/* What --debug and --progress share: numbers, and a last word. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static void (*last_words[TURNS])(void);

char *put_number(char *p, uintmax_t n)
{
	char digits[20], *first = digits + sizeof(digits);

	do
		*--first = '0' + n % 10;
	while (n /= 10);
	return mempcpy(p, first, digits + sizeof(digits) - first);
}

void end_reports(void)
{
	for (int i = 0; i < TURNS; i++) {
		void (*last_word)(void) = last_words[i];

		if (!last_word)
			continue;
		last_words[i] = NULL;
		last_word();
	}
}

/* Ends as if the signal had never been caught (SA_RESETHAND), for which
 * raise(3) would cost more. */
static void on_signal(int sig)
{
	end_reports();
	kill(getpid(), sig);
}

void at_end(enum turn turn, void (*last_word)(void))
{
	static const char signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	struct sigaction old, act = {
		.sa_handler = on_signal, .sa_flags = SA_RESETHAND | SA_RESTART,
	};

	last_words[turn] = last_word;
	for (unsigned i = 0; i < sizeof(signals); i++) {
		sigaction(signals[i], &act, &old);
		/* What is ignored, as by nohup(1), stays so. */
		if (old.sa_handler == SIG_IGN)
			sigaction(signals[i], &old, NULL);
	}
}
