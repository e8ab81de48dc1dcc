/* SPDX-License-Identifier: 0BSD */
/* Text on standard output: lists, help, versions. */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"

int print(const char *first, ...)
{
	/* Zeroed, it takes no room in the file. */
	static struct zc_endpoint out;
	bool said = out.error;
	va_list rest;

	out.fd = STDOUT_FILENO;
	va_start(rest, first);
	for (const char *s = first; s; s = va_arg(rest, const char *))
		zc_write(&zc, &out, s, strlen(s));
	va_end(rest);
	return out.error && !said ? message_error("write error", out.error) :
				    said;
}
