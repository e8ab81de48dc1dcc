/* SPDX-License-Identifier: 0BSD */
/* tee --stamp: each line in a FILE begins with the time at which it came. */
#include <string.h>

#include "applet.h"
#include "tee.h"

enum {
	PIECE = 64 << 10, /* bytes that are passed on at once */
	DAY = 86400,	  /* seconds */
	FEBRUARY = 1,
	/* TAI was so many seconds ahead of UTC in 1970. TAI64N of other
	 * programs leaves out later leap seconds, too. */
	TAI_AHEAD = 10,
};

struct format {
	char name[7];
	unsigned char len; /* bytes of a stamp */
	void (*put)(char *to, const struct timespec *t);
};

static const struct format *format;
static char now[TEE_STAMP_MAX]; /* the stamp of this run */

/* Writes n with leading zeros, and a byte after it. Returns the end. */
static char *tee_stamp_number(char *to, unsigned n, int width, char after)
{
	to[width] = after;
	for (int i = width; i--; n /= 10)
		to[i] = '0' + n % 10;
	return to + width + 1;
}

static bool tee_stamp_is_leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 || year % 400 == 0);
}

static void tee_stamp_put_iso(char *to, const struct timespec *t)
{
	static const char lengths[] = { 31, 28, 31, 30, 31, 30,
					31, 31, 30, 31, 30, 31 };
	unsigned day = t->tv_sec / DAY, second = t->tv_sec % DAY;
	unsigned year = 1970, month = 0, len;

	while (day >= (len = 365 + tee_stamp_is_leap(year))) {
		day -= len;
		year++;
	}
	while (day >= (len = lengths[month] +
			     (month == FEBRUARY && tee_stamp_is_leap(year)))) {
		day -= len;
		month++;
	}
	to = tee_stamp_number(to, year, 4, '-');
	to = tee_stamp_number(to, month + 1, 2, '-');
	to = tee_stamp_number(to, day + 1, 2, 'T');
	to = tee_stamp_number(to, second / 3600, 2, ':');
	to = tee_stamp_number(to, second / 60 % 60, 2, ':');
	to = tee_stamp_number(to, second % 60, 2, '.');
	to = tee_stamp_number(to, t->tv_nsec / 1000000, 3, 'Z');
	*to = ' ';
}

static char *tee_stamp_hex(char *to, uint64_t n, int width)
{
	for (int i = width; i--; n /= 16)
		to[i] = "0123456789abcdef"[n % 16];
	return to + width;
}

static void tee_stamp_put_tai64n(char *to, const struct timespec *t)
{
	*to = '@';
	to = tee_stamp_hex(to + 1, (1ULL << 62) + TAI_AHEAD + t->tv_sec, 16);
	to = tee_stamp_hex(to, t->tv_nsec, 8);
	*to = ' ';
}

static const struct format formats[] = {
	{ "iso", 25, tee_stamp_put_iso },
	{ "tai64n", 26, tee_stamp_put_tai64n },
};

enum { KNOWN = sizeof(formats) / sizeof(*formats) };

/* Reads the clock once a run: all of its lines have come at one time. */
static void tee_stamp_look(void)
{
	static uint64_t run;
	struct timespec t = { .tv_sec = 0 };

	if (run == tee_source->bytes)
		return;
	run = tee_source->bytes;
	sys_now(&t);
	format->put(now, &t);
}

/* Puts bytes at buf and the stamps before their lines to `to', until it has
 * *room bytes. Subtracts these from *room. Returns how many of the len bytes at
 * buf it has. */
static size_t tee_stamp_fill(struct tee_stamp *s, const char *buf, size_t len,
			     char *to, size_t *room)
{
	size_t taken = 0;

	while (taken < len && *room) {
		size_t n = len - taken < *room ? len - taken : *room;
		const char *end;

		if (!s->begun) {
			memcpy(s->text, now, format->len);
			s->left = format->len;
			s->begun = true;
		}
		if (s->left) {
			n = s->left < *room ? s->left : *room;
			memcpy(to, s->text + format->len - s->left, n);
			s->left -= n;
		} else {
			end = memchr(buf + taken, '\n', n);
			n = end ? (size_t)(end - buf) + 1 - taken : n;
			memcpy(to, buf + taken, n);
			s->begun = !end;
			taken += n;
		}
		to += n;
		*room -= n;
	}
	return taken;
}

/* Goes on while only a part of a stamp was written. */
static ssize_t tee_stamp_write(struct zc_sink *out, struct tee_file *f,
			       const char *buf, size_t len)
{
	static char piece[PIECE];
	size_t taken;

	tee_stamp_look();
	do {
		struct tee_stamp s = f->stamp;
		size_t room = PIECE, filled;
		ssize_t n;

		taken = tee_stamp_fill(&s, buf, len, piece, &room);
		filled = PIECE - room;
		n = tee_file_pass_on(TEE_STAMP, out, f, piece, filled);
		if (n <= 0)
			return n;
		if ((size_t)n < filled) {
			s = f->stamp;
			room = n;
			taken = tee_stamp_fill(&s, buf, len, piece, &room);
		}
		f->stamp = s;
	} while (!taken);
	return taken;
}

/* The end of a line that an earlier tee has begun gets no stamp. */
static bool tee_stamp_begin(struct zc_sink *out, struct tee_file *f, bool late)
{
	if (!late)
		f->stamp.begun = tee_file_is_partial(out, late);
	return !out->error;
}

static size_t tee_stamp_put(char *to)
{
	memcpy(to, now, format->len);
	return format->len;
}

static const struct tee_step stamping = { tee_stamp_begin, tee_stamp_write,
					  NULL };

static int tee_stamp_set(const struct option *opt, const char *value)
{
	format = formats;
	while (value && format < formats + KNOWN && strcmp(value, format->name))
		format++;
	if (format == formats + KNOWN) {
		usage_wrong_value("invalid", value, "stamp");
		for (format = formats; format < formats + KNOWN; format++)
			usage_put_value(format->name);
		return usage_end();
	}
	tee_file_steps[TEE_STAMP] = &stamping;
	tee_file_stamp = tee_stamp_put;
	return 0;
}

const struct option_group tee_stamp_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, 0, "stamp\0[=FORMAT]",
		      HELP("begin each line in FILE with the time, in UTC\n"
			   "iso     2026-11-28T16:20:00.123Z (if no FORMAT)\n"
			   "tai64n  as tai64nlocal(1) reads it") }),
	.set = tee_stamp_set,
};
