/* SPDX-License-Identifier: 0BSD */
/* Messages, on standard error. */
#include <stdarg.h>

#include "applet.h"
#include "have/QUOTE.h"

void put_name(const char *name)
{
	if (HAVE_QUOTE)
		quote_put_name(name);
	else
		put_string(name);
}

void message_begin(void)
{
	put_begin();
	put_name(applet->name);
	put_string(": ");
}

void message_end(void)
{
	put_byte('\n');
	put_end();
}

int message(const char *name, const char *first, ...)
{
	va_list rest;

	message_begin();
	if (name)
		put_name(name);
	va_start(rest, first);
	for (const char *s = first; s; s = va_arg(rest, const char *))
		put_string(s);
	va_end(rest);
	message_end();
	return 1;
}

int message_error(const char *what, int err)
{
	return message(NULL, what, ": ", error_text(err), NULL);
}

int message_path(const char *name, const char *what)
{
	return message(name, ": ", what, NULL);
}
