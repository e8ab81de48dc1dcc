/* SPDX-License-Identifier: 0BSD */
/* --method: only these ways of moving bytes, in this order. */
#include <string.h>

#include "applet.h"

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
	const struct zc_method *const *m = zc_methods;
	int i = 0;

	while (*m && (strncmp((*m)->name, name, len) || (*m)->name[len]))
		m++;
	if (m - zc_methods >= METHODS - 1)
		return *m;
	while (i < count && chosen[i] != *m)
		i++;
	if (i == count)
		chosen[count++] = *m;
	return true;
}

static int say_unknown(const char *names)
{
	return usage_error("invalid argument '", names, "' for '--method'\n"
			 "Valid arguments are:"
#define METHOD(name) "\n  - '" #name "'"
#include "methods.h"
#undef METHOD
			 );
}

static int method_set(const struct option *opt, const char *names)
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
	chosen[count] = zc_methods[METHODS - 1];
	chosen[count + 1] = NULL;
	zc.methods = chosen;
	return 0;
}

const struct option_group method_options = {
	.applies_to = MOVES,
	.options = (const struct option[]){
		{ 0, VALUE, 0, "method" },
		{ 0 }
	},
	.set = method_set,
};

const char method_help[] =
"      --method=NAME,...    move bytes by these methods alone, in this order,\n"
"                           and by rw (read and write) where they are refused\n";
