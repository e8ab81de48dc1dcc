/* SPDX-License-Identifier: 0BSD */
/* String functions that C lacks. */
#include "applet.h"

const char *skip_prefix(const char *s, const char *prefix)
{
	for (; *prefix; s++, prefix++)
		if (*s != *prefix)
			return NULL;
	return s;
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

const char *bytes_number(const char *s, uint64_t max, uint64_t *bytes)
{
	static const char units[] = "KMG";
	const char *first = s;
	uint64_t n = 0;
	int power = 0;

	for (; *s >= '0' && *s <= '9' && n <= max; s++)
		n = n * 10 + (*s - '0');
	if (s == first)
		return NULL;
	while (units[power] && *s != units[power])
		power++;
	if (units[power]) {
		int by = 1024;

		if (*++s == 'B') {
			by = 1000;
			s++;
		} else if (s[0] == 'i' && s[1] == 'B') {
			s += 2;
		}
		for (; power >= 0 && n <= max; power--)
			n *= by;
	}
	*bytes = n;
	return n <= max ? s : NULL;
}
