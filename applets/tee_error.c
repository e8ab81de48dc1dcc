/* SPDX-License-Identifier: 0BSD */
/* tee -p and --output-error: what to do when a sink fails. */
#include <signal.h>

#include "applet.h"
#include "tee.h"

static const struct {
	char name[12];
	struct tee_mode mode;
} modes[] = {
	{ "warn", { .tell_epipe = true } },
	{ "warn-nopipe", { .watch = true } },
	{ "exit", { .tell_epipe = true, .exit = true } },
	{ "exit-nopipe", { .watch = true, .exit = true } },
};

enum { INVALID = -2, AMBIGUOUS = -1 };

/* Like other words of GNU's, a mode may be shortened while it is unambiguous.
 * Returns its index, or one of these. */
static int find_mode(const char *name)
{
	int found = INVALID;

	for (int i = 0; i < 4; i++) {
		const char *rest = after(modes[i].name, name);

		if (!rest)
			continue;
		if (!*rest)
			return i;
		found = found == INVALID ? i : AMBIGUOUS;
	}
	return found;
}

static int tee_error_set(const struct option *opt, const char *value)
{
	int mode = value ? find_mode(value) : 1;

	(void)opt;
	if (mode < 0)
		return usage_error(mode == INVALID ? "invalid argument '" :
				 "ambiguous argument '", value,
				 "' for '--output-error'\n"
				 "Valid arguments are:\n  - 'warn'\n"
				 "  - 'warn-nopipe'\n  - 'exit'\n"
				 "  - 'exit-nopipe'");
	tee_mode = modes[mode].mode;
	tee_block(SIGPIPE);
	return 0;
}

const struct option_group tee_error_options = {
	.applies_to = IS_TEE,
	.options = (const struct option[]){
		{ 'p', NO_VALUE, 0, "" },
		{ 0, OPTIONAL_VALUE, 0, "output-error" },
		{ 0 }
	},
	.set = tee_error_set,
};

const char tee_error_help[] =
"  -p                       the same as --output-error=warn-nopipe\n"
"      --output-error[=MODE]  what to do when a write fails; MODE is one of:\n"
"                             warn         say so, and go on with the others\n"
"                             warn-nopipe  the same, but a pipe whose reader has\n"
"                                          gone is no error (default MODE)\n"
"                             exit         say so, and exit\n"
"                             exit-nopipe  the same, but a pipe whose reader has\n"
"                                          gone is no error\n"
"                           without -p or --output-error, a pipe whose reader\n"
"                           has gone ends tee, and other failures are as in warn\n";
