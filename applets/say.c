/* SPDX-License-Identifier: 0BSD */
/* What is said to people: each message goes out in one writev(2), unless a name
 * in it is longer than a path can be. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "applet.h"

/* What Kconfig may replace. */
#pragma weak put_name

static struct {
	/* A byte of a name takes six at most, when it is quoted. */
	char text[6 * PATH_MAX];
	unsigned used;
} message;

static void flush(void)
{
	struct iovec v = { message.text, message.used };

	message.used = 0;
	/* If this fails there is nobody left to tell. */
	syscall(SYS_writev, STDERR_FILENO, &v, 1);
}

void put_byte(char c)
{
	message.text[message.used++] = c;
	if (message.used == sizeof(message.text))
		flush();
}

void put_string(const char *s)
{
	while (*s)
		put_byte(*s++);
}

void put_name(const char *name)
{
	put_string(name);
}

int say(const char *name, const char *first, ...)
{
	va_list rest;

	/* A signal may have come in the middle of another message. */
	message.used = 0;
	put_name(applet->name);
	put_string(": ");
	if (name)
		put_name(name);
	va_start(rest, first);
	for (const char *s = first; s; s = va_arg(rest, const char *))
		put_string(s);
	va_end(rest);
	put_byte('\n');
	flush();
	return 1;
}

int say_error(const char *what, int err)
{
	return say(NULL, what, ": ", error_text(err), NULL);
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
	for (const char *s = first; s; s = va_arg(rest, const char *)) {
		size_t len = 0;

		/* musl's strlen(3) is 125 bytes. */
		while (s[len])
			len++;
		zc_write(&zc, &out, s, len);
	}
	va_end(rest);
	return out.error && !said ? say_error("write error", out.error) : said;
}
