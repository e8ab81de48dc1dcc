/* SPDX-License-Identifier: 0BSD */
/* --help. */
#include "applet.h"

enum { COLUMN = 27 };	  /* where the text of an option begins */
#define INDENT "        " /* of its further lines */

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
	put_to_column(COLUMN);
	for (const char *p = o->help; *p; p++) {
		put_byte(*p);
		if (*p == '\n')
			put_string(INDENT);
	}
	put_byte('\n');
}

int help_run(char *const *operands)
{
	const struct option_group *group;
	const struct option *o;

	put_begin();
	put_string(applet->help);
	for (int i = 0; (o = option_at(i, &group)); i++)
		help_put_option(o);
	return print(put_text());
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
