/* SPDX-License-Identifier: 0BSD */
/* --method: only these ways of moving bytes, in this order. */
#include <string.h>

#include "applet.h"

enum {
	METHODS_MAX = 0
#define METHOD(name) + 1
#include "methods.h"
#undef METHOD
};

/* Returns where the method of that name is in what there is. The last one, rw,
 * is always there. */
static const struct zc_method *find(const char *name, size_t len)
{
	static const struct zc_method *const *all;

	if (!all)
		all = zc_methods;
	for (int i = 0; all[i]; i++)
		if (!strncmp(all[i]->name, name, len) && !all[i]->name[len])
			return all[i];
	return NULL;
}

static int say_unknown(const char *names)
{
	return say_usage("invalid argument '", names, "' for '--method'\n"
			 "Valid arguments are:"
#define METHOD(name) "\n  - '" #name "'"
#include "methods.h"
#undef METHOD
			 );
}

/* Sets the methods to those that are named, each once, and rw. */
static int set(const struct option *opt, const char *names)
{
	static const struct zc_method *chosen[METHODS_MAX + 1];
	const struct zc_method *m, *rw = find("rw", 2);
	int n = 0, i;

	(void)opt;
	for (const char *p = names, *end; ; p = end + 1) {
		for (end = p; *end && *end != ','; end++)
			;
		m = find(p, end - p);
		if (!m)
			return say_unknown(names);
		for (i = 0; i < n && chosen[i] != m; i++)
			;
		if (i == n && m != rw)
			chosen[n++] = m;
		if (!*end)
			break;
	}
	chosen[n] = rw;
	chosen[n + 1] = NULL;
	zc_methods = chosen;
	return 0;
}

const struct part method_part = {
	.of = MOVES,
	.options = (const struct option[]){
		{ 0, VALUE, "method" },
		{ 0 }
	},
	.set = set,
};

const char method_help[] =
"      --method=NAME,...    move bytes by these methods alone, in this order,\n"
"                           and by rw (read and write) where they are refused\n";
