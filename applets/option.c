/* SPDX-License-Identifier: 0BSD */
/* The command line, read by the rules of GNU getopt_long(3) and in its words:
 * the C library's own says other things and costs 6 KB. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "box.h"

#define PART(name) extern const struct part name##_part;
#include "parts.h"
#undef PART

static const struct part *const shared[] = {
#define PART(name) &name##_part,
#include "parts.h"
#undef PART
	NULL
};

/* What Kconfig may have left out, or a program of one applet. */
#pragma weak help_part
#pragma weak long_option
#pragma weak end_reports
#pragma weak box_command_names
extern const struct part help_part;

struct zc zc;
const struct applet *applet;
int (*applet_run)(char **operands);

const struct part *part_at(int i)
{
	const struct part *const *p = applet->parts;

	for (; *p; p++)
		if (!i--)
			return *p;
	for (p = shared; *p; p++)
		if ((*p)->of & (applet->is | ANY_APPLET) && !i--)
			return *p;
	return NULL;
}

/* Returns the option of that letter, and its part; or NULL. */
static const struct option *find(char letter, const struct part **part)
{
	for (int i = 0; (*part = part_at(i)); i++)
		for (const struct option *o = (*part)->options;
		     o->letter || *o->name; o++)
			if (o->letter == letter)
				return o;
	return NULL;
}

int say_usage(const char *what, const char *arg, const char *end)
{
	char letters[3 * ('~' - '!' + 1) + 1], *p = letters;
	const struct part *part;
	const char *names = letters;

	if (&help_part)
		return say(NULL, what, arg, end, "\nTry '", applet->name,
			   " --help' for more information.", NULL);
	for (char letter = '!'; letter <= '~'; letter++)
		if (find(letter, &part)) {
			p = stpcpy(p, " -");
			*p++ = letter;
		}
	*p = 0;
	if (!applet->run)	/* box itself */
		names = box_command_names;
	return say(NULL, what, arg, end, "\nOptions of this small build:",
		   *names ? names : " none", NULL);
}

/* Answers the letters of one argument; none of them takes a value. */
static int answer(const char *letters)
{
	for (; *letters; letters++) {
		const struct part *part;
		const struct option *o = find(*letters, &part);
		int err;

		if (!o) {
			char letter[] = { *letters, 0 };

			return say_usage("invalid option -- '", letter, "'");
		}
		err = part->set(o, NULL);
		if (err)
			return err;
	}
	return 0;
}

bool begins(const char *s, const char *with)
{
	while (*with && *s == *with)
		s++, with++;
	return !*with;
}

/* getenv(3) would cost 300 bytes. */
static bool posixly_correct(void)
{
	for (char **e = environ; *e; e++)
		if (begins(*e, "POSIXLY_CORRECT="))
			return true;
	return false;
}

int applet_start(const struct applet *a, char **argv)
{
	char **operands = argv, **end = argv;
	bool posix = posixly_correct();
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
			err = answer(arg + 1);
		else if (!arg[2])
			break;
		else if (long_option)
			err = long_option(arg + 2, &argv);
		else
			err = say_usage("unrecognized option '", arg, "'");
		if (err == STOP)
			break;
		if (err)
			return err;
	}
	while (*argv)
		*end++ = *argv++;
	*end = NULL;
	status = applet_run(operands);
	if (end_reports)
		end_reports();
	return status;
}
