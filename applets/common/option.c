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

bool option_applies(unsigned traits)
{
	return traits & (applet->traits | ANY_APPLET);
}

const struct option *option_at(int i, const struct option_group **group)
{
	for (int j = -1; j < GROUPS; j++) {
		const struct option_group *g = j < 0 ? applet->own :
						       option_groups[j];

		if (!g || (j >= 0 && !option_applies(g->applies_to)))
			continue;
		*group = g;
		if (i < g->count)
			return &g->options[i];
		i -= g->count;
	}
	return NULL;
}

const char *option_value(const struct option *o)
{
	return o->name + strlen(o->name) + 1;
}

const struct option *option_by_letter(char letter,
				      const struct option_group **group)
{
	const struct option *o;

	for (int i = 0; (o = option_at(i, group)); i++)
		if (o->letter == letter)
			break;
	return o;
}
