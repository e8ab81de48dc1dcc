/* SPDX-License-Identifier: 0BSD */
/* What is in a FILE of tee --stamp and --retry, a byte at a time: the source,
 * with a stamp before each line, except where a line counts the bytes that are
 * missing there. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "simulate.h"

enum {
	BYTES = 2 << 20,
	STAMP = 0x100, /* a byte of a stamp: its number is added */
	STAMP_MAX = 32,
};

/* '0' is any digit. */
static const char *const patterns[] = {
	[NO_STAMP] = "",
	[ISO] = "0000-00-00T00:00:00.000Z ",
	[TAI64N] = "@0000000000000000"
		   "00000000 ",
};

static const char *pattern;
static int stamp_len;
static unsigned short due[BYTES]; /* all that is due to the file */
static size_t due_len, at;	  /* how many, and had so far */
static size_t gaps;		  /* missing, as the file tells */
static char file[BYTES];
static size_t len, pos;
static char last[STAMP_MAX]; /* the stamp before */

static bool is_stamp_byte(char c, int i)
{
	return pattern[i] == '0' ? isxdigit((unsigned char)c) != 0 :
				   c == pattern[i];
}

static void print_time(char *to, uint64_t now)
{
	uint64_t ms = now - EPOCH;
	time_t seconds = REAL_EPOCH + ms / 1000;
	struct tm t;

	if (*pattern == '@') {
		sprintf(to, "@%016llx%08x ",
			(1ull << 62) + 10 + (unsigned long long)seconds,
			(unsigned)(ms % 1000 * 1000000));
		return;
	}
	gmtime_r(&seconds, &t);
	to += strftime(to, STAMP_MAX, "%FT%T", &t);
	sprintf(to, ".%03uZ ", (unsigned)(ms % 1000));
}

/* A stamp ends at pos. */
static void check_time(void)
{
	char now[STAMP_MAX] = "", stamp[STAMP_MAX] = "";

	memcpy(stamp, file + pos - stamp_len, stamp_len);
	print_time(now, world.now);
	if (strcmp(stamp, last) < 0 || strcmp(stamp, now) > 0)
		broken("the stamp %s is not between %s and %s", stamp, last,
		       now);
	strcpy(last, stamp);
}

static void add_due(const unsigned char *text, size_t n, bool begun)
{
	due_len = 0;
	for (size_t i = 0; i < n; i++) {
		for (int k = 0; !begun && k < stamp_len; k++)
			due[due_len++] = STAMP + k;
		begun = text[i] != '\n';
		due[due_len++] = text[i];
	}
}

/* Whether a text that was cut ends here: a line end was written after it, or
 * nothing. */
static bool is_cut_here(const char *p)
{
	return *p == '\n' || p == file + len;
}

/* A line that counts missing bytes is at p, or a beginning of it, after which a
 * write failed. Returns its length, or 0, and sets *n to its number, or to 0.
 */
static size_t told_line(const char *p, size_t *n)
{
	static const char said[] = "tee: ", after[] = " bytes left out\n";
	const char *begin = p;
	size_t number = 0;

	*n = 0;
	for (int i = 0; i < stamp_len; i++, p++)
		if (!is_stamp_byte(*p, i))
			return is_cut_here(p) ? p - begin : 0;
	for (const char *s = said; *s; s++, p++)
		if (*p != *s)
			return is_cut_here(p) ? p - begin : 0;
	while (isdigit((unsigned char)*p))
		number = number * 10 + *p++ - '0';
	for (const char *s = after; *s; s++, p++)
		if (*p != *s)
			return is_cut_here(p) ? p - begin : 0;
	*n = number;
	return p - begin;
}

/* Behind a gap the file goes on with a whole line. */
static bool may_go_on(size_t to)
{
	return to == due_len || (to < due_len && (!to || due[to - 1] == '\n'));
}

/* Takes a gap, if there is one here: the line that counts it, behind the end of
 * a line that was cut, and behind beginnings of itself where there may be any.
 */
static bool take_gap(bool beginnings)
{
	const char *p = file + pos;
	size_t n = 0, taken;

	do {
		const char *begin = p;

		p += *p == '\n';
		p += told_line(p, &n);
		taken = p - begin;
	} while (beginnings && taken && !n && p < file + len);
	/* At the end of the file only a message may tell the number. */
	if (n ? !may_go_on(at + n) : !beginnings || p < file + len)
		return false;
	pos = p - file;
	at += n;
	gaps += n;
	return true;
}

/* Takes a gap that begins here, or up to n bytes before: a line end, a stamp or
 * two, and beginnings of them, may be the gap's own though as much was due. */
static bool take_gap_near(size_t n)
{
	size_t here = pos, due_here = at;

	for (size_t back = 0; back <= n; back++) {
		pos = here - back;
		at = due_here - back;
		if (take_gap(true))
			return true;
	}
	pos = here;
	at = due_here;
	return false;
}

static bool is_due(void)
{
	unsigned c;

	if (at == due_len)
		return false;
	c = due[at];
	if (c < STAMP)
		return (unsigned char)file[pos] == c;
	return is_stamp_byte(file[pos], c - STAMP);
}

static void walk(int j)
{
	const size_t most = 2 * (stamp_len + 1);
	size_t same = 0; /* bytes that were due, since the last gap */
	bool may_be_cut = history.s->retries && history.faults;

	while (pos < len) {
		if (history.s->retries && take_gap(false)) {
			same = 0;
		} else if (is_due()) {
			pos++;
			if (due[at] >= STAMP &&
			    due[at] - STAMP == stamp_len - 1)
				check_time();
			at++;
			same++;
		} else if (may_be_cut &&
			   take_gap_near(same < most ? same : most)) {
			same = 0;
		} else {
			broken("byte %zu of file %d is \\x%02x: after %zu bytes",
			       pos, j, (unsigned char)file[pos], at);
		}
	}
}

/* Sets what is due: the last line that was there before may go on. */
static void begin(const struct tape *t, uint32_t had)
{
	static unsigned char text[BYTES];
	const struct seg *before = t->n && t->seg->origin == BEFORE ? t->seg :
								      NULL;
	bool begun = before && byte_of(before, before->len - 1) != '\n';

	pattern = patterns[history.s->stamps];
	stamp_len = strlen(pattern);
	print_time(last, EPOCH);
	len = tape_copy(t, before != NULL, file);
	file[len] = 0;
	pos = 0;
	/* Without a look at it, it is taken for one that goes on. */
	if (before && (world.hindered || history.faults))
		begun |= !is_stamp_byte(*file, 0);
	add_due(text, text_of(0, had, text), begun);
	at = gaps = 0;
}

/* Beginnings of a gap's line may look like due ones, and the end of a due line
 * like the empty one before them. Returns whether at least the last n bytes of
 * the file may be such. */
static bool may_be_beginnings(size_t n)
{
	enum { MOST = 200 };

	for (; history.s->retries && n <= len && n < MOST; n++) {
		const char *p = file + len - n;
		size_t number, taken = 1;

		while (p < file + len && taken) {
			const char *begin = p;

			p += *p == '\n';
			p += told_line(p, &number);
			taken = p - begin;
		}
		if (p == file + len)
			return true;
	}
	return false;
}

uint32_t lines_of(int j, const struct tape *t, uint32_t had, uint32_t told)
{
	uint32_t n = 0;

	begin(t, had);
	walk(j);
	if (history.outcome == ENDED && told < gaps)
		broken("file %d tells of %zu missing bytes, and %u are told", j,
		       gaps, told);
	if (told > gaps) {
		at += told - gaps;
		if (may_be_beginnings(
			    at > due_len ? at - due_len : due_len - at))
			at = due_len;
	}
	if (at > due_len)
		broken("%u bytes of file %d are told to be missing, and %zu were due",
		       told, j, due_len);
	for (size_t i = 0; i < at; i++)
		n += due[i] < STAMP;
	return n;
}
