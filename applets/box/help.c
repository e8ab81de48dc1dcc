/* SPDX-License-Identifier: 0BSD */
/* box --help [APPLET]. */
#include "box.h"

int help_print_usage(void)
{
	int status = print("Usage: box APPLET [ARG]...\n"
			   "  or:  APPLET [ARG]...   through a link of that "
			   "name\n",
			   NULL);

	for (const struct command *const *c = applet->commands; *c; c++)
		status |= print("  or:  box ", (*c)->name, (*c)->args, "\n",
				NULL);
	status |= print("\nApplets:", NULL);
	for (const struct applet *const *a = box_applets; *a; a++)
		status |= print(" ", (*a)->name, NULL);
	return status | print("\n", NULL);
}

static int help_command_run(char *const *args)
{
	if (!*args)
		return help_print_usage();
	if (args[1])
		return usage_error("extra operand '", args[1], "'");
	applet = box_find(*args);
	return applet ? help_run(NULL) : box_not_found(*args);
}

const struct command help_command = { "--help", " [APPLET]", help_command_run };
