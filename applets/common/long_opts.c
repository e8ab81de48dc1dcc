/* SPDX-License-Identifier: 0BSD */
/* Long options, which may be shortened to what is still unambiguous. */
#include <string.h>

#include "applet.h"

struct match {
	const struct option_group *group;
	const struct option *option;
	int count;
};

/* Leaves the names of all that match in zc_buffer(&zc), as GNU lists them. */
static struct match find_matches(const char *arg, size_t len)
{
	struct match m = { .count = 0 };
	char *p = stpcpy(zc_buffer(&zc), "' is ambiguous; possibilities:");
	const struct option_group *group;

	for (int i = 0; (group = option_group_at(i)); i++)
		for (const struct option *o = group->options;
		     o->letter || *o->name; o++) {
			if (!*o->name || strncmp(o->name, arg, len))
				continue;
			m.group = group;
			m.option = o;
			m.count++;
			if (!o->name[len]) {
				m.count = 1;
				return m;
			}
			if (p < zc_buffer(&zc) + ZC_BUFFER - 64)
				p = stpcpy(stpcpy(stpcpy(p, " '--"), o->name),
					   "'");
		}
	return m;
}

int long_opts(const char *arg, char ***next)
{
	size_t len = 0;
	const char *value;
	struct match m;

	while (arg[len] && arg[len] != '=')
		len++;
	value = arg[len] ? arg + len + 1 : NULL;
	m = find_matches(arg, len);

	if (!m.count)
		return usage_error("unrecognized option '--", arg, "'");
	if (m.count > 1)
		return usage_error("option '--", arg, zc_buffer(&zc));
	if (value && m.option->takes == NO_VALUE)
		return usage_error("option '--", m.option->name,
				 "' doesn't allow an argument");
	if (!value && m.option->takes == VALUE) {
		if (!**next)
			return usage_error("option '--", m.option->name,
					 "' requires an argument");
		value = *(*next)++;
	}
	return m.group->set(m.option, value);
}
