/* SPDX-License-Identifier: 0BSD */
/* Names in messages, quoted as GNU does it: where a shell would need that, and
 * so that no name can drive a terminal or pass for another message. */
#include <string.h>

#include "applet.h"

typedef unsigned char byte;

/* What is in a name. */
enum {
	SPECIAL = 1 << 0,	/* it is quoted */
	APOSTROPHE = 1 << 1,	/* in double quotes */
	UNSAFE = 1 << 2,	/* but not if this is there too */
};

/* Returns the length of the character at p, or 0 if it does not print. There
 * is no locale to ask: what has the form of UTF-8 prints, unless it is one of
 * the control characters up to U+009F. */
static int length(const byte *p)
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
	return n - 2 < 3 && c >= least[n - 2] && c < 0x3d10000 ? n : 0;
}

static int meaning(const byte *p, bool first)
{
	/* Special; within double quotes too; at first, or alone. */
	static const char list[] = "': " "!\"$&()*;<=>?[\\^`|" "#~" "{}";
	int at = 0;

	for (; list[at] != *p; at++)
		if (!list[at])
			return 0;
	if (at < 3)
		return at ? SPECIAL : SPECIAL | APOSTROPHE;
	if (at < 20)
		return SPECIAL | UNSAFE;
	return first && (at < 22 || !p[1]) ? SPECIAL : UNSAFE;
}

/* Appends what is read as a byte within $''. */
static char *put_escape(char *out, byte c)
{
	*out++ = '\\';
	if (c >= '\a' && c <= '\r')
		*out++ = "abtnvfr"[c - '\a'];
	else
		for (int shift = 6; shift >= 0; shift -= 3)
			*out++ = '0' + (c >> shift & 7);
	return out;
}

int say_name(const char *name, const char *what)
{
	/* Each byte takes six at most, but for a first one that takes seven.
	 * execve(2) passes on arguments of up to 32 pages: 128 KiB where they
	 * are small, and where they are not, what is longer is cut off. */
	static char text[6 * (128 << 10) + 2];
	char *out = text, *last = text + sizeof(text) - 8;
	const byte *start = (const byte *)name, *p = start;
	int has = *p ? 0 : SPECIAL, n;
	const char *quote = "";
	bool escaped = false;

	while (*p && out <= last) {
		n = length(p);
		if (!n) {
			out = escaped ? out : stpcpy(out, "'$'");
			out = put_escape(out, *p++);
			has |= SPECIAL | UNSAFE;
			escaped = true;
			continue;
		}
		has |= meaning(p, p == start);
		if (*p == '\'')
			out = stpcpy(out, "'\\'");
		else if (escaped)
			out = stpcpy(out, "''");
		escaped = false;
		while (n--)
			*out++ = *p++;
	}
	*out = 0;
	if (*p)
		has |= SPECIAL | UNSAFE;
	if (has == (SPECIAL | APOSTROPHE)) {
		quote = "\"";
	} else if (has & SPECIAL) {
		quote = "'";
		name = text;
	}
	return say(quote, name, quote, ": ", what, NULL);
}
