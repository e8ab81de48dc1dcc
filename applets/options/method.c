/* SPDX-License-Identifier: 0BSD */
/* --method: only these ways of moving bytes, in this order. */
#include "applet.h"

/* How many there are. */
enum {
	METHODS = 0
#define METHOD(name) +1
#include "methods.h"
#undef METHOD
};

static const struct zc_method *chosen[METHODS + 1];
static int count;

/* Adds the method that names begins with, unless it is there. rw, the last of
 * all, needs no adding. Returns what follows the name, or NULL. */
static const char *add(const char *names)
{
	const struct zc_method *const *m;
	const char *rest = NULL;
	int i = 0;

	for (m = zc_methods; *m; m++) {
		rest = after(names, (*m)->name);
		if (rest && (!*rest || *rest == ','))
			break;
	}
	if (m - zc_methods >= METHODS - 1)
		return *m ? rest : NULL;
	while (i < count && chosen[i] != *m)
		i++;
	if (i == count)
		chosen[count++] = *m;
	return rest;
}

static int wrong_value(const char *names)
{
	wrong_value_begin("invalid", names, "method");
	for (const struct zc_method *const *m = zc_methods; *m; m++)
		put_value((*m)->name);
	return usage_end();
}

static int method_set(const struct option *opt, const char *names)
{
	const char *rest = names - 1;

	(void)opt;
	count = 0;
	do {
		rest = add(rest + 1);
		if (!rest)
			return wrong_value(names);
	} while (*rest);
	chosen[count] = zc_methods[METHODS - 1];
	chosen[count + 1] = NULL;
	zc.methods = chosen;
	return 0;
}

const struct option_group method_options = {
	.applies_to = MOVES,
	.options = (const struct option[]){ { 0, VALUE, 0, "method" }, { 0 } },
	.set = method_set,
};

const char method_help[] =
	"      --method=NAME,...    move bytes by these methods alone, in this order,\n"
	"                           and by rw (read and write) where they are refused\n";
