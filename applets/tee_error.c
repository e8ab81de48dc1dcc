/* SPDX-License-Identifier: 0BSD */
/* tee -p and --output-error: the effect of a failure of a sink. */
#include <signal.h>

#include "applet.h"
#include "tee.h"

enum { WARN, WARN_NOPIPE, EXIT, EXIT_NOPIPE, MODES };

static const struct {
	char name[12];
	struct tee_mode mode;
} modes[] = {
	[WARN] = { "warn", { .tell_epipe = true } },
	[WARN_NOPIPE] = { "warn-nopipe", { .watch = true } },
	[EXIT] = { "exit", { .tell_epipe = true, .exit = true } },
	[EXIT_NOPIPE] = { "exit-nopipe", { .watch = true, .exit = true } },
};

enum { INVALID = -2, AMBIGUOUS = -1 };

/* Like other words of GNU's, a mode may be shortened while it is unambiguous.
 * Returns its index, or one of these. */
static int tee_find_mode(const char *name)
{
	int found = INVALID;

	for (int i = 0; i < MODES; i++) {
		const char *rest = skip_prefix(modes[i].name, name);

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
	int mode = value ? tee_find_mode(value) : WARN_NOPIPE;

	if (mode < 0) {
		usage_wrong_value(mode == INVALID ? "invalid" : "ambiguous",
				  value, "output-error");
		for (int i = 0; i < MODES; i++)
			usage_put_value(modes[i].name);
		return usage_end();
	}
	tee_mode = modes[mode].mode;
	block_signal(SIGPIPE);
	return 0;
}

const struct option_group tee_error_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST(
		{ 'p', 0, "", HELP("the same as --output-error=warn-nopipe") },
		{ 0, 0, "output-error\0[=MODE]",
		  HELP("handle failed writes\n"
		       "warn         report it, and go on\n"
		       "warn-nopipe  as warn, but ignore readers that left (if no MODE)\n"
		       "exit         report it, and exit\n"
		       "exit-nopipe  as exit, but ignore readers that left\n"
		       "If not given: as warn, but such a reader ends tee") }),
	.set = tee_error_set,
};
