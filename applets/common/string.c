/* SPDX-License-Identifier: 0BSD */
/* Comparisons of strings: musl's strcmp(3) would add to the size. */
#include "applet.h"

const char *skip_prefix(const char *s, const char *prefix)
{
	while (*prefix && *s == *prefix)
		s++, prefix++;
	return *prefix ? NULL : s;
}

bool is_same(const char *a, const char *b)
{
	a = skip_prefix(a, b);
	return a && !*a;
}
