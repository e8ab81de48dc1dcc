/* SPDX-License-Identifier: 0BSD */
/* The options of the running applet. */
#include <string.h>

#include "applet.h"

/* The number of groups of options in this build. */
enum {
	GROUPS = 0
/* NOLINTNEXTLINE(bugprone-macro-parentheses): all are added up. */
#define OPTIONS(name) +1
#include "options.h"
#undef OPTIONS
};

const struct option_group *option_group_at(int i)
{
	if (applet->own && !i--)
		return applet->own;
	for (int j = 0; j < GROUPS; j++)
		if (option_groups[j]->applies_to &
			    (applet->traits | ANY_APPLET) &&
		    !i--)
			return option_groups[j];
	return NULL;
}

const char *option_value(const struct option *o)
{
	return o->name + strlen(o->name) + 1;
}

const struct option *option_by_letter(char letter,
				      const struct option_group **group)
{
	for (int i = 0; (*group = option_group_at(i)); i++)
		for (const struct option *o = (*group)->options;
		     o < (*group)->options + (*group)->count; o++)
			if (o->letter == letter)
				return o;
	return NULL;
}
