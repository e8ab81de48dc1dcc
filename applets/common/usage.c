/* SPDX-License-Identifier: 0BSD */
/* Messages about wrong options and values. */
#include "applet.h"

/* For a build without help texts. */
static void usage_put_options(void)
{
	const struct option_group *group;
	const struct option *o;
	bool none = true;

	put_string("\nOptions of this small build:");
	for (int letter = '!'; letter <= '~'; letter++)
		if (option_by_letter(letter, &group)) {
			put_string(" -");
			put_byte(letter);
			none = false;
		}
	if (IS_ENABLED(CONFIG_LONG_OPTS) && !applet->commands)
		for (int i = 0; (o = option_at(i, &group)); i++)
			if (!o->letter) {
				put_string(" --");
				put_string(o->name);
				none = false;
			}
	for (const struct command *const *c = applet->commands; c && *c; c++) {
		put_byte(' ');
		put_string((*c)->name);
		none = false;
	}
	if (none)
		put_string(" none");
}

int usage_end(void)
{
	if (IS_ENABLED(CONFIG_HELP)) {
		put_string("\nTry '");
		put_string(applet->name);
		put_string(" --help' for more information.");
	} else {
		usage_put_options();
	}
	message_end();
	return 1;
}

/* An argument must not control the terminal. */
static void usage_put_text(const char *value)
{
	if (IS_ENABLED(CONFIG_QUOTE))
		quote_put_inner(value);
	else
		put_string(value);
}

void usage_wrong_value(const char *what, const char *value, const char *option)
{
	message_begin();
	put_string(what);
	put_string(" argument '");
	usage_put_text(value);
	put_string("' for '--");
	put_string(option);
	put_string("'\nValid arguments are:");
}

void usage_put_value(const char *value)
{
	put_string("\n  - '");
	put_string(value);
	put_byte('\'');
}

int usage_error(const char *what, const char *arg, const char *end)
{
	message_begin();
	put_string(what);
	put_string(arg);
	put_string(end);
	return usage_end();
}

int usage_left_out(const char *dashes, const char *name)
{
	return usage_error(dashes, name,
			   IS_ENABLED(CONFIG_SHOW_CONFIG) ?
				   " is not in this build (see box --config)" :
				   " is not in this build");
}
