/* SPDX-License-Identifier: 0BSD */
/* What cat prints, as slow and obvious as can be. */
#pragma once

#include <stdbool.h>

#include "text.h"

/* cat's options, and what it remembers from one byte to the next. */
struct reference {
	bool number, nonblank, squeeze, ends, tabs, unprintable;
	struct text out;
	unsigned long line; /* the last one that had a number */
	int empty;	    /* empty lines in a row */
	bool in_line;	    /* there was a byte since the line feed */
	bool held;	    /* a CR that may end the line */
};

static void reference_option(struct reference *r, char letter)
{
	r->nonblank |= letter == 'b';
	r->number |= letter == 'n' || letter == 'b';
	r->squeeze |= letter == 's';
	r->ends |= !!strchr("AeE", letter);
	r->tabs |= !!strchr("AtT", letter);
	r->unprintable |= !!strchr("Aetv", letter);
}

static void reference_number(struct reference *r)
{
	char text[32];

	snprintf(text, sizeof(text), "%6lu\t", ++r->line);
	append_string(&r->out, text);
}

static void reference_line_feed(struct reference *r)
{
	if (r->held)
		append_string(&r->out, "^M");
	r->held = false;
	if (r->in_line)
		r->empty = 0;
	else if (++r->empty > 1 && r->squeeze)
		return;
	if (!r->in_line && r->number && !r->nonblank)
		reference_number(r);
	append_string(&r->out, r->ends ? "$\n" : "\n");
	r->in_line = false;
}

static void reference_byte(struct reference *r, unsigned char c)
{
	char text[8], *p = text;

	if (c == '\n') {
		reference_line_feed(r);
		return;
	}
	if (r->held)
		append_string(&r->out, "\r");
	r->held = false;
	if (!r->in_line && r->number)
		reference_number(r);
	r->in_line = true;
	if (c == '\r' && r->ends && !r->unprintable) {
		r->held = true;
		return;
	}
	if (c == '\t' ? r->tabs : r->unprintable) {
		if (c >= 128) {
			*p++ = 'M';
			*p++ = '-';
			c -= 128;
		}
		if (c < 32) {
			*p++ = '^';
			c += 64;
		} else if (c == 127) {
			*p++ = '^';
			c = '?';
		}
	}
	*p++ = c;
	append(&r->out, text, p - text);
}

static void reference_end(struct reference *r)
{
	if (r->held)
		append_string(&r->out, "\r");
	r->held = false;
}
