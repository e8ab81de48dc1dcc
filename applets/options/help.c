/* SPDX-License-Identifier: 0BSD */
/* --help. */
#include "applet.h"

enum { COLUMN = 27 };	  /* where the text of an option begins */
#define INDENT "        " /* of its further lines */

void help_put_text(const char *text)
{
	put_to_column(COLUMN);
	for (; *text; text++) {
		put_byte(*text);
		if (*text == '\n')
			put_string(INDENT);
	}
	put_byte('\n');
}

static void help_put_option(const struct option *o)
{
	put_string("  ");
	if (o->letter) {
		put_byte('-');
		put_byte(o->letter);
	}
	if (*o->name) {
		put_string(o->letter ? ", --" : "    --");
		put_string(o->name);
		put_string(option_value(o));
	}
	help_put_text(o->help);
}

int help_run(char *const *operands)
{
	const struct option_group *group;
	const struct option *o;

	put_string(applet->help);
	for (int i = 0; (o = option_at(i, &group)); i++)
		help_put_option(o);
	return put_print();
}

static int help_set(const struct option *opt, const char *value)
{
	applet_run = help_run;
	return STOP;
}

const struct option_group help_options = {
	.applies_to = ANY_APPLET,
	OPTION_LIST({ 0, 0, "help", HELP("print this help and exit") }),
	.set = help_set,
};
