/* SPDX-License-Identifier: 0BSD */
/* What is said to people: each message goes out in one writev(2). */
#include <stdarg.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "applet.h"

/* What Kconfig may replace. */
#pragma weak say_name

enum { STRINGS_MAX = 16 };

static struct iovec piece(const char *s)
{
	return (struct iovec){ (char *)s, strlen(s) };
}

int say(const char *first, ...)
{
	struct iovec v[STRINGS_MAX + 1];
	int n = 2;
	va_list rest;

	v[0] = piece(applet->name);
	v[1] = piece(": ");
	va_start(rest, first);
	for (const char *s = first; s && n < STRINGS_MAX;
	     s = va_arg(rest, const char *))
		v[n++] = piece(s);
	va_end(rest);
	v[n++] = piece("\n");
	/* If this fails there is nobody left to tell. */
	(void)!writev(STDERR_FILENO, v, n);
	return 1;
}

int say_error(const char *name, int err)
{
	return say(name, ": ", error_text(err), NULL);
}

int say_name(const char *name, const char *what)
{
	return say(name, ": ", what, NULL);
}

int print(const char *first, ...)
{
	static struct zc_endpoint out = { .fd = STDOUT_FILENO };
	bool said = out.error;
	va_list rest;

	va_start(rest, first);
	for (const char *s = first; s; s = va_arg(rest, const char *))
		zc_write(&zc, &out, s, strlen(s));
	va_end(rest);
	return out.error && !said ? say_error("write error", out.error) : said;
}
