/* SPDX-License-Identifier: 0BSD */
/* How a name is quoted, as slow and obvious as can be. */
#pragma once

#include "kernel.h"

/* Returns the length of the well-formed character at s (table 3-7 of the
 * Unicode standard), or 0. */
static int character(const unsigned char *s)
{
	static const unsigned char table[][8] = {
		{ 0x00, 0x7f },
		{ 0xc2, 0xdf, 0x80, 0xbf },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 0x80, 0xbf },
		{ 0xe1, 0xec, 0x80, 0xbf, 0x80, 0xbf },
		{ 0xed, 0xed, 0x80, 0x9f, 0x80, 0xbf },
		{ 0xee, 0xef, 0x80, 0xbf, 0x80, 0xbf },
		{ 0xf0, 0xf0, 0x90, 0xbf, 0x80, 0xbf, 0x80, 0xbf },
		{ 0xf1, 0xf3, 0x80, 0xbf, 0x80, 0xbf, 0x80, 0xbf },
		{ 0xf4, 0xf4, 0x80, 0x8f, 0x80, 0xbf, 0x80, 0xbf },
	};

	for (size_t row = 0; row < sizeof(table) / sizeof(*table); row++) {
		const unsigned char *t = table[row];
		int n = 0;

		while (n < 4 && t[2 * n + 1] && s[n] >= t[2 * n] &&
		       s[n] <= t[2 * n + 1])
			n++;
		if (n == 4 || !t[2 * n + 1])
			return n;
	}
	return 0;
}

/* Returns the length of the character at s if it prints, or 0. */
static int printing(const unsigned char *s)
{
	int n = character(s);

	if (n == 1)
		return *s >= ' ' && *s < 127;
	/* Up to U+009F, and U+2028 and U+2029. */
	if ((n == 2 && *s == 0xc2 && s[1] < 0xa0) ||
	    (n == 3 &&
	     (!memcmp(s, "\xe2\x80\xa8", 3) || !memcmp(s, "\xe2\x80\xa9", 3))))
		return 0;
	return n;
}

/* Tells whether a shell takes a byte of a name that prints for something else:
 * with `within', between double quotes too, or even where no quotes are needed
 * there must be none of these. */
static bool is_special(const char *name, const char *at, bool within)
{
	bool alone = !name[1];

	if (strchr("!\"$&()*;<=>?[\\^`|", *at))
		return true;
	if (strchr("#~", *at))
		return (at == name) != within;
	if (strchr("{}", *at))
		return alone != within;
	return !within && strchr(" :'", *at);
}

/* What a shell would read as the name within ''. */
static void reference_quote_inner(struct text *out, const char *name)
{
	bool escaped = false;
	char octal[8];

	for (const char *p = name; *p;) {
		int n = printing((const unsigned char *)p);
		const char *letters = "abtnvfr";

		if (!n) {
			if (!escaped)
				append_string(out, "'$'");
			escaped = true;
			if (*p >= 7 && *p <= 13)
				snprintf(octal, sizeof(octal), "\\%c",
					 letters[*p - 7]);
			else
				snprintf(octal, sizeof(octal), "\\%03o",
					 (unsigned char)*p);
			append_string(out, octal);
			p++;
			continue;
		}
		if (*p == '\'')
			append_string(out, "'\\'");
		else if (escaped)
			append_string(out, "''");
		escaped = false;
		append(out, p, n);
		p += n;
	}
}

/* GNU's "shell-escape" quoting. */
static void reference_quote(struct text *out, const char *name)
{
	bool needed = !*name, apostrophe = strchr(name, '\''), plain = true;

	for (const char *p = name; *p;) {
		int n = printing((const unsigned char *)p);

		needed |= !n || is_special(name, p, false);
		plain &= n && !is_special(name, p, true);
		p += n ? n : 1;
	}
	/* One that is special without quotes only is let alone within them, but
	 * GNU takes "#" and "~" at first, and "{" and "}" alone, for harmless.
	 */
	if (!needed) {
		append_string(out, name);
		return;
	}
	if (apostrophe && plain) {
		append_string(out, "\"");
		append_string(out, name);
		append_string(out, "\"");
		return;
	}
	append_string(out, "'");
	reference_quote_inner(out, name);
	append_string(out, "'");
}
