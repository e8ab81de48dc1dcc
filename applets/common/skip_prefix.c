/* SPDX-License-Identifier: 0BSD */
/* Whether a string begins with another. */
#include "applet.h"

const char *skip_prefix(const char *s, const char *prefix)
{
	while (*prefix && *s == *prefix)
		s++, prefix++;
	return *prefix ? NULL : s;
}
