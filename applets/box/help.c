/* SPDX-License-Identifier: 0BSD */
/* box --help [APPLET]. */
#include "box.h"

int help_print_usage(void)
{
	put_string("Usage: box APPLET [ARG]...\n"
		   "  or:  APPLET [ARG]...     by a link of that name\n\n");
	for (const struct command *const *c = applet->commands; *c; c++) {
		put_string("  ");
		put_string((*c)->name);
		put_string(box_args(*c));
		help_put_text((*c)->help);
	}
	put_string("\nApplets:");
	for (const struct applet *const *a = box_applets; *a; a++) {
		put_byte(' ');
		put_string((*a)->name);
	}
	put_byte('\n');
	return put_print();
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

const struct command help_command = { "--help\0 [APPLET]",
				      HELP("print this, or APPLET's help"),
				      help_command_run };
