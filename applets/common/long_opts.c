/* SPDX-License-Identifier: 0BSD */
/* Long options, which may be shortened to an unambiguous beginning. */
#include "applet.h"

struct found {
	const struct option_group *group;
	const struct option *option;
	const char *end; /* of its name in the argument */
};

/* The options of the files that this build lacks. The sizes of their names,
 * ORed, are no less than any of them. */
static const struct {
	unsigned char applies_to;
#define OPTION(applies_to, letter, name) | sizeof(#name)
	char name[0
#include "options_off.h"
	];
#undef OPTION
} off[] = {
#define OPTION(applies_to, letter, name) { applies_to, #name },
#include "options_off.h"
#undef OPTION
};

enum { OFF = sizeof(off) / sizeof(*off) };

/* Returns the end of arg, or its "=", if arg begins the name of an option up to
 * there; or NULL. */
static const char *long_end(const char *arg, const char *name)
{
	if (!*name)
		return NULL;
	while (*arg == *name && *name)
		arg++, name++;
	return *arg && *arg != '=' ? NULL : arg;
}

/* Finds the option of arg. Returns how many options it may be; with `put' the
 * name of each is put into the message, as GNU lists them. */
static int long_find(const char *arg, struct found *found, bool put)
{
	const struct option_group *group;
	const struct option *o;
	int count = 0;

	for (int i = 0; (o = option_at(i, &group)); i++) {
		const char *end = long_end(arg, o->name);

		if (!end)
			continue;
		*found = (struct found){ group, o, end };
		count++;
		if (!o->name[end - arg])
			return 1;
		if (put) {
			put_string(" '--");
			put_string(o->name);
			put_byte('\'');
		}
	}
	return count;
}

/* Says why arg, with its dashes, is no option of this build. Returns 1. */
static int long_unknown(const char *arg)
{
	for (int i = 0; i < OFF; i++)
		if (option_applies(off[i].applies_to) &&
		    long_end(arg + 2, off[i].name))
			return usage_left_out("--", off[i].name);
	return usage_error("unrecognized option '", arg, "'");
}

int long_opts(const char *arg, char ***next)
{
	const char *word = arg + 2;
	struct found found;
	int count = long_find(word, &found, false);
	const char *value = NULL, *name, *takes;

	if (!count)
		return long_unknown(arg);
	if (count > 1) {
		message_begin();
		put_string("option '");
		put_string(arg);
		put_string("' is ambiguous; possibilities:");
		long_find(word, &found, true);
		return usage_end();
	}
	name = found.option->name;
	takes = option_value(found.option);
	if (*found.end) {
		if (!*takes)
			return usage_error("option '--", name,
					   "' doesn't allow an argument");
		value = found.end + 1;
	} else if (*takes == '=') {
		value = *(*next)++;
		if (!value)
			return usage_error("option '--", name,
					   "' requires an argument");
	}
	return found.group->set(found.option, value);
}
