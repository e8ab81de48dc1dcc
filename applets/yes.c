/* SPDX-License-Identifier: 0BSD */
/* yes: a line, for ever. */
#include <unistd.h>

#include "applet.h"
#include "have/CONFINE.h"

/* Joins the operands where they stand, for execve(2) lays the arguments out end
 * to end and in order. Returns the length with the newline. */
static size_t yes_join(char *const *operands)
{
	char *start = operands[0], *end = start;

	for (; *operands; operands++) {
		for (const char *p = *operands; *p; p++)
			*end++ = *p;
		*end++ = operands[1] ? ' ' : '\n';
	}
	return end - start;
}

static int yes_main(char *const *operands)
{
	struct zc_endpoint out = { .fd = STDOUT_FILENO };
	const char *line = "y\n";
	size_t len = 2;

	if (*operands) {
		line = *operands;
		len = yes_join(operands);
	}
	if (HAVE_CONFINE)
		confine(false);
	if (!zc_identify(&out))
		zc_repeat(&zc, line, len, &out);
	return message_error("standard output", out.error);
}

const struct applet yes_applet = {
	.name = "yes",
	.directory = "usr/bin",
	.traits = IS_YES | MOVES,
	.help = HELP("Usage: yes [STRING]...\n"
		     "  or:  yes OPTION\n"
		     "Repeatedly output a line with all STRINGs, or 'y'.\n"
		     "\n"),
	.run = yes_main,
};
