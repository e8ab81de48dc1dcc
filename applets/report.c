/* SPDX-License-Identifier: 0BSD */
/* What --debug and --progress share: numbers, and a last word. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

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

/* A destructor, for atexit(3) brings malloc along. */
__attribute__((destructor)) static void end(void)
{
	for (int i = 0; i < TURNS; i++) {
		void (*last_word)(void) = last_words[i];

		last_words[i] = NULL;
		if (last_word)
			last_word();
	}
}

/* Ends as if the signal had never been caught. */
static void on_signal(int sig)
{
	end();
	signal(sig, SIG_DFL);
	raise(sig);
}

void at_end(enum turn turn, void (*last_word)(void))
{
	static const char signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };

	last_words[turn] = last_word;
	for (unsigned i = 0; i < sizeof(signals); i++)
		/* What is ignored, as by nohup(1) or tee -i, stays so. */
		if (signal(signals[i], on_signal) == SIG_IGN)
			signal(signals[i], SIG_IGN);
}
