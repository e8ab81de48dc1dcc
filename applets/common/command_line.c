/* SPDX-License-Identifier: 0BSD */
/* The command line, read by the rules of GNU getopt_long(3), with its messages:
 * musl's has other words and costs 6 KB. */
#define _GNU_SOURCE
#include <unistd.h>

#include "applet.h"

/* The letters of the files that this build lacks. */
static const struct {
	unsigned char applies_to;
	char letter;
} off[] = {
#define OPTION(applies_to, letter, name) { applies_to, letter },
#include "options_off.h"
#undef OPTION
};

enum {
	OFF = sizeof(off) / sizeof(*off),
/* NOLINTNEXTLINE(bugprone-macro-parentheses): all are added up. */
#define OPTION(applies_to, letter, name) +!!(letter)
	LETTERS = 0
#include "options_off.h"
#undef OPTION
};

/* Says why a letter is no option of this build. Returns 1. */
static int command_line_unknown(char letter)
{
	char text[] = { letter, 0 };

	if (IS_ENABLED(CONFIG_LONG_OPTS) && LETTERS > 0)
		for (int i = 0; i < OFF; i++)
			if (off[i].letter == letter &&
			    option_applies(off[i].applies_to))
				return usage_left_out("-", text);
	return usage_error("invalid option -- '", text, "'");
}

/* Sets the options of one argument's letters, which take no values. */
static int command_line_letters(const char *letters)
{
	for (; *letters; letters++) {
		const struct option_group *group;
		const struct option *o = option_by_letter(*letters, &group);
		int err;

		if (!o)
			return command_line_unknown(*letters);
		err = group->set(o, NULL);
		if (err)
			return err;
	}
	return 0;
}

/* Whether options end at the first operand. musl's getenv(3) costs 0.4 KB, as
 * nothing else calls what it needs. */
static bool command_line_is_posix(void)
{
	char **e = environ;

	while (*e && !skip_prefix(*e, "POSIXLY_CORRECT="))
		e++;
	return *e;
}

int applet_start(const struct applet *a, char **argv)
{
	char **operands = argv, **end = argv;
	bool posix = command_line_is_posix();
	int status;

	applet = a;
	applet_run = a->run;
	while (*argv) {
		char *arg = *argv++;
		int err;

		if (*arg != '-' || !arg[1]) {
			*end++ = arg;
			if (posix)
				break;
			continue;
		}
		if (arg[1] != '-')
			err = command_line_letters(arg + 1);
		else if (!arg[2])
			break;
		else if (IS_ENABLED(CONFIG_LONG_OPTS))
			err = long_opts(arg, &argv);
		else
			err = usage_error("unrecognized option '", arg, "'");
		if (err == STOP)
			break;
		if (IS_ENABLED(CONFIG_TEE_RUN) && err == COMMAND) {
			command = argv;
			*end = NULL;
			end = argv;
			break;
		}
		if (err)
			return err;
	}
	while (*argv)
		*end++ = *argv++;
	*end = NULL;
	status = applet_run(operands);
	if (IS_ENABLED(CONFIG_EXIT_HOOKS))
		exit_hooks_run();
	return status;
}
