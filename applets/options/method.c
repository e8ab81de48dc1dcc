/* SPDX-License-Identifier: 0BSD */
/* --method: only these ways of moving bytes, in this order. */
#include "applet.h"

/* How many there are. */
enum {
	METHODS = 0
/* A term of a sum: NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define METHOD(name) +1
#include "methods.h"
#undef METHOD
};

static const struct zc_method *chosen[METHODS + 1];
static int count;

static bool method_is_chosen(const struct zc_method *m)
{
	for (int i = 0; i < count; i++)
		if (chosen[i] == m)
			return true;
	return false;
}

/* Chooses the method whose name is first in names. Returns what follows that,
 * or NULL if there is none of the name. */
static const char *method_choose(const char *names)
{
	for (const struct zc_method *const *m = zc_methods; *m; m++) {
		const char *rest = skip_prefix(names, (*m)->name);

		if (!rest || (*rest && *rest != ','))
			continue;
		/* rw, the last of all, always comes last. */
		if (m[1] && !method_is_chosen(*m))
			chosen[count++] = *m;
		return rest;
	}
	return NULL;
}

static int method_wrong_value(const char *names)
{
	static const char left_out[] = ""
#define METHOD(name) " " #name
#include "methods_off.h"
#undef METHOD
		;

	usage_wrong_value("invalid", names, "method");
	for (const struct zc_method *const *m = zc_methods; *m; m++)
		usage_put_value((*m)->name);
	if (*left_out) {
		put_string("\nNot built in:");
		put_string(left_out);
	}
	return usage_end();
}

static int method_set(const struct option *opt, const char *names)
{
	const char *rest = names;

	count = 0;
	while ((rest = method_choose(rest)) && *rest)
		rest++;
	if (!rest)
		return method_wrong_value(names);
	chosen[count] = &zc_method_rw;
	chosen[count + 1] = NULL;
	zc.methods = chosen;
	return 0;
}

const struct option_group method_options = {
	.applies_to = MOVES,
	OPTION_LIST({ 0, 0, "method\0=NAME,...",
		      HELP("try these methods in order, then rw") }),
	.set = method_set,
};
