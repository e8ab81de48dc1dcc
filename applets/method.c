/* SPDX-License-Identifier: 0BSD */
/* --method: only these ways of moving bytes, in this order. */
#include <string.h>

#include "applet.h"
#include "method.h"

/* How many there are. */
enum {
	METHODS = 0
#define METHOD(name) + 1
#include "methods.h"
#undef METHOD
};

static const struct zc_method *chosen[METHODS + 1];
static int count;

/* Adds the method of that name, unless it is there. rw, the last of all, needs
 * no adding. Returns whether there is one. */
static bool add(const char *name, size_t len)
{
	static const struct zc_method *const all[] = {
#define METHOD(name) &method_##name,
#include "methods.h"
#undef METHOD
	};
	int i = 0, j = 0;

	while (i < METHODS &&
	       (strncmp(all[i]->name, name, len) || all[i]->name[len]))
		i++;
	if (i >= METHODS - 1)
		return i == METHODS - 1;
	while (j < count && chosen[j] != all[i])
		j++;
	if (j == count)
		chosen[count++] = all[i];
	return true;
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

static int set(const struct option *opt, const char *names)
{
	const char *end, *p = names;

	(void)opt;
	for (count = 0; ; p = end + 1) {
		for (end = p; *end && *end != ','; end++)
			;
		if (!add(p, end - p))
			return say_unknown(names);
		if (!*end)
			break;
	}
	chosen[count] = &method_rw;
	chosen[count + 1] = NULL;
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
