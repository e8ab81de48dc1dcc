/* SPDX-License-Identifier: 0BSD */
/* Names in messages, quoted by GNU's rules: a name that a shell would split is
 * quoted, and no name can control a terminal or imitate another message. */
#include "applet.h"

typedef unsigned char byte;

/* The kinds of characters in a name. */
enum {
	SPECIAL = 1 << 0,    /* it is quoted */
	APOSTROPHE = 1 << 1, /* in double quotes */
	UNSAFE = 1 << 2,     /* but not with one of these */
};

/* Returns the length of the character at p, or 0 if it does not print. There is
 * no locale to ask: UTF-8 prints, except control characters up to U+009F and
 * the ends of a line and of a paragraph (U+2028 and U+2029). */
static int quote_length(const byte *p)
{
	/* Of two, three and four bytes, with the bits that tell the length:
	 * U+00A0, U+0800 and U+10000. The last is U+10FFFF. */
	static const unsigned least[] = { 0x30a0, 0xe0800, 0x3c10000 };
	unsigned c = *p, n = 1;

	if (c < 0x80)
		return c - ' ' < 0x7f - ' ';
	for (unsigned bit = 0x40; c & bit; bit <<= 5) {
		if (p[n] >> 6 != 2)
			return 0;
		c = c << 6 | (p[n++] & 0x3f);
	}
	/* U+D800 to U+DFFF are halves of a pair in UTF-16. */
	if (c >> 11 == 0xed800 >> 11 || c >> 1 == 0xe2028 >> 1)
		return 0;
	return n - 2 < 3 && c >= least[n - 2] && c < 0x3d10000 ? n : 0;
}

static bool quote_has(byte c, const char *set)
{
	while (*set && (byte)*set != c)
		set++;
	return *set;
}

static int quote_meaning(const byte *p, bool first)
{
	if (*p == '\'')
		return SPECIAL | APOSTROPHE;
	if (quote_has(*p, ": "))
		return SPECIAL;
	if (quote_has(*p, "!\"$&()*;<=>?[\\^`|"))
		return SPECIAL | UNSAFE;
	/* These only at first, those only alone. */
	if (quote_has(*p, "#~") || (quote_has(*p, "{}") && !p[1]))
		return first ? SPECIAL : UNSAFE;
	return quote_has(*p, "{}") ? UNSAFE : 0;
}

/* Puts an escape that $'' reads as the byte. */
static void quote_put_escape(byte c)
{
	put_byte('\\');
	if (c >= '\a' && c <= '\r')
		put_byte("abtnvfr"[c - '\a']);
	else
		for (int shift = 6; shift >= 0; shift -= 3)
			put_byte('0' + (c >> shift & 7));
}

void quote_put_inner(const char *name)
{
	const byte *p = (const byte *)name;
	bool escaped = false;

	while (*p) {
		int n = quote_length(p);

		if (!n) {
			if (!escaped)
				put_string("'$'");
			quote_put_escape(*p++);
			escaped = true;
			continue;
		}
		if (*p == '\'')
			put_string("'\\'");
		else if (escaped)
			put_string("''");
		escaped = false;
		while (n--)
			put_byte(*p++);
	}
}

void quote_put_name(const char *name)
{
	const byte *start = (const byte *)name;
	int has = *name ? 0 : SPECIAL, n;
	const char *quote = "";

	for (const byte *p = start; *p; p += n ? n : 1) {
		n = quote_length(p);
		has |= n ? quote_meaning(p, p == start) : SPECIAL | UNSAFE;
	}
	if (has == (SPECIAL | APOSTROPHE))
		quote = "\"";
	else if (has & SPECIAL)
		quote = "'";
	put_string(quote);
	if (*quote == '\'')
		quote_put_inner(name);
	else
		put_string(name);
	put_string(quote);
}
