/* SPDX-License-Identifier: 0BSD */
/* Long options, which may be shortened to an unambiguous beginning. */
#include "applet.h"

/* How arg, up to a "=", relates to the name of an option. */
enum match { NONE, PREFIX, EXACT };

static enum match long_compare(const char *arg, const char *name)
{
	if (!*name)
		return NONE;
	while (*arg == *name && *name)
		arg++, name++;
	if (*arg && *arg != '=')
		return NONE;
	return *name ? PREFIX : EXACT;
}

/* Finds the option of arg. Returns how many options it may be; with `put' the
 * name of each is put into the message, as GNU lists them. */
static int long_find(const char *arg, const struct option_group **group,
		     const struct option **option, bool put)
{
	const struct option_group *g;
	int count = 0;

	for (int i = 0; (g = option_group_at(i)); i++)
		for (const struct option *o = g->options;
		     o < g->options + g->count; o++) {
			enum match match = long_compare(arg, o->name);

			if (match == NONE)
				continue;
			*group = g;
			*option = o;
			count++;
			if (match == EXACT)
				return 1;
			if (put) {
				put_string(" '--");
				put_string(o->name);
				put_byte('\'');
			}
		}
	return count;
}

int long_opts(const char *arg, char ***next)
{
	const struct option_group *group;
	const struct option *option;
	int count = long_find(arg, &group, &option, false);
	const char *value = arg;

	while (*value && *value != '=')
		value++;
	value = *value ? value + 1 : NULL;
	if (!count)
		return usage_error("unrecognized option '--", arg, "'");
	if (count > 1) {
		message_begin();
		put_string("option '--");
		put_string(arg);
		put_string("' is ambiguous; possibilities:");
		long_find(arg, &group, &option, true);
		return usage_end();
	}
	if (value && !*option_value(option))
		return usage_error("option '--", option->name,
				   "' doesn't allow an argument");
	if (!value && *option_value(option) == '=') {
		if (!**next)
			return usage_error("option '--", option->name,
					   "' requires an argument");
		value = *(*next)++;
	}
	return group->set(option, value);
}
