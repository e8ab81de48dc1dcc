/* SPDX-License-Identifier: 0BSD */
/* The pieces of a message. They go out in one writev(2), or in more if a name
 * among them is longer than any path, or standard error takes a part. Lists and
 * help are put in the same way, and go to standard output. */
#define _GNU_SOURCE
#include <limits.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "applet.h"

static struct {
	/* A byte of a name takes six at most, when it is quoted. */
	char text[6 * PATH_MAX];
	unsigned used;
} put_buffer;

int put_patience;

void put_begin(void)
{
	/* A signal may have interrupted another message. */
	put_buffer.used = 0;
}

int put_poll(int ms)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return UNINTERRUPTED(sys_poll(&p, 1, ms));
}

/* Returns whether standard error takes a message, or may keep it waiting. Once
 * it has kept one waiting, no other waits for long. */
static bool put_may_write(void)
{
	if (!put_patience || put_poll(put_patience))
		return true;
	put_patience = 1;
	return false;
}

void put_end(void)
{
	struct iovec v = { put_buffer.text, put_buffer.used };
	ssize_t n;

	put_buffer.used = 0;
	do {
		if (!put_may_write())
			return;
		if (IS_ENABLED(CONFIG_SAFE_CALLS))
			n = sys_write(STDERR_FILENO, v.iov_base, v.iov_len);
		else
			n = sys_writev(STDERR_FILENO, &v, 1);
		/* A failure of standard error cannot be reported. */
		if (n <= 0)
			return;
		v.iov_base = (char *)v.iov_base + n;
		v.iov_len -= n;
	} while (v.iov_len);
}

int put_write(void)
{
	/* Zeroed, it takes no room in the file. */
	static struct zc_sink out;

	out.fd = STDOUT_FILENO;
	zc_write(&zc, &out, put_buffer.text, put_buffer.used);
	put_buffer.used = 0;
	return out.error;
}

void put_byte(char c)
{
	put_buffer.text[put_buffer.used++] = c;
	if (put_buffer.used == sizeof(put_buffer.text))
		put_end();
}

void put_string(const char *s)
{
	while (*s)
		put_byte(*s++);
}

void put_to_column(unsigned column)
{
	const char *end = put_buffer.text + put_buffer.used, *start = end;

	while (start > put_buffer.text && start[-1] != '\n')
		start--;
	put_string("  ");
	for (unsigned at = end - start + 2; at < column; at++)
		put_byte(' ');
}

void put_decimal(uintmax_t n)
{
	char text[DIGITS + 1];

	*decimal(text, n) = 0;
	put_string(text);
}
