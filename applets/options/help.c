/* SPDX-License-Identifier: 0BSD */
/* --help. */
#include "applet.h"

int help_run(char *const *operands)
{
	const struct option_group *group;
	int status = print(applet->help);

	(void)operands;
	for (int i = 0; (group = option_group_at(i)); i++)
		if (group->help)
			status = print(group->help);
	return status;
}

static int help_set(const struct option *opt, const char *value)
{
	(void)opt;
	(void)value;
	applet_run = help_run;
	return STOP;
}

const struct option_group help_options = {
	.applies_to = ANY_APPLET,
	OPTION_LIST({ 0, NO_VALUE, 0, "help" }),
	.help = HELP("      --help               print this help and exit\n"),
	.set = help_set,
};
