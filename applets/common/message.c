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
#include "have/QUOTE.h"

static struct {
	/* A byte of a name takes six at most, when it is quoted. */
	char text[6 * PATH_MAX];
	unsigned used;
} buffer;

static void flush(void)
{
	struct iovec v = { buffer.text, buffer.used };

	buffer.used = 0;
	/* If this fails there is nobody left to tell. */
	syscall(SYS_writev, STDERR_FILENO, &v, 1);
}

void put_byte(char c)
{
	buffer.text[buffer.used++] = c;
	if (buffer.used == sizeof(buffer.text))
		flush();
}

void put_string(const char *s)
{
	while (*s)
		put_byte(*s++);
}

void put_decimal(uintmax_t n)
{
	if (n > 9)
		put_decimal(n / 10);
	put_byte('0' + n % 10);
}

void put_name(const char *name)
{
	if (HAVE_QUOTE)
		put_quoted_name(name);
	else
		put_string(name);
}

void message_begin(void)
{
	/* A signal may have come in the middle of another message. */
	buffer.used = 0;
	put_name(applet->name);
	put_string(": ");
}

void message_end(void)
{
	put_byte('\n');
	flush();
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
	return out.error && !said ? message_error("write error", out.error) :
				    said;
}
