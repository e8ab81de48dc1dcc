/* SPDX-License-Identifier: 0BSD */
/* box --help [APPLET]. */
#include "box.h"

int help_print_usage(void)
{
	print("Usage: box APPLET [ARG]...\n"
	      "  or:  APPLET [ARG]...   through a link of that name\n");
	for (const struct command *const *c = applet->commands; *c; c++) {
		print("  or:  box ");
		print((*c)->name);
		print((*c)->args);
		print("\n");
	}
	print("\nApplets:");
	for (const struct applet *const *a = box_applets; *a; a++) {
		print(" ");
		print((*a)->name);
	}
	return print("\n");
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
