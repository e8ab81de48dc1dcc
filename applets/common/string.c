/* SPDX-License-Identifier: 0BSD */
/* String functions that C lacks. */
#include <string.h>

#include "applet.h"

const char *skip_prefix(const char *s, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(s, prefix, len) ? NULL : s + len;
}

char *decimal(char *to, uintmax_t n)
{
	char digits[DIGITS], *first = digits + DIGITS;

	do
		*--first = '0' + n % 10;
	while (n /= 10);
	while (first < digits + DIGITS)
		*to++ = *first++;
	return to;
}
