/* SPDX-License-Identifier: 0BSD */
/* Which options the running applet has, and what is said of wrong ones. */
#include "applet.h"
#include "have/HELP.h"

#define OPTIONS(name) extern const struct option_group name##_options;
#include "options.h"
#undef OPTIONS

static const struct option_group *const shared[] = {
#define OPTIONS(name) &name##_options,
#include "options.h"
#undef OPTIONS
	NULL
};

struct zc zc;
const struct applet *applet;
int (*applet_run)(char **operands);

const struct option_group *option_group_at(int i)
{
	const struct option_group *const *g = applet->groups;

	for (; *g; g++)
		if (!i--)
			return *g;
	for (g = shared; *g; g++)
		if ((*g)->applies_to & (applet->traits | ANY_APPLET) && !i--)
			return *g;
	return NULL;
}

const struct option *option_by_letter(char letter,
				      const struct option_group **group)
{
	for (int i = 0; (*group = option_group_at(i)); i++)
		for (const struct option *o = (*group)->options;
		     o->letter || *o->name; o++)
			if (o->letter == letter)
				return o;
	return NULL;
}

/* A build without help texts. */
static void put_options(void)
{
	const struct option_group *group;
	bool none = true;

	put_string("\nOptions of this small build:");
	for (char letter = '!'; letter <= '~'; letter++)
		if (option_by_letter(letter, &group)) {
			put_string(" -");
			put_byte(letter);
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
	if (HAVE_HELP) {
		put_string("\nTry '");
		put_string(applet->name);
		put_string(" --help' for more information.");
	} else {
		put_options();
	}
	message_end();
	return 1;
}

void wrong_value_begin(const char *what, const char *value, const char *option)
{
	message_begin();
	put_string(what);
	put_string(" argument '");
	put_string(value);
	put_string("' for '--");
	put_string(option);
	put_string("'\nValid arguments are:");
}

void put_value(const char *value)
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
