/* SPDX-License-Identifier: 0BSD */
/* What cat shows of lines and bytes: numbers, ends, tabs, the unprintable. */
#include <stdint.h>
#include <string.h>

#include "applet.h"
#include "cat.h"

/* Where a compiler that saves bytes would lose most of the speed, where one
 * that is after speed would spend bytes in vain, and where none matters. */
#define FAST inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define SMALL __attribute__((cold))

/* What is asked for; -b is NUMBER and FILLED. */
enum {
	NUMBER = 1 << 0,
	FILLED = 1 << 1,	/* number no empty lines */
	SQUEEZE = 1 << 2,
	ENDS = 1 << 3,
	TABS = 1 << 4,
	UNPRINTABLE = 1 << 5,
};

enum {
	VECTOR = 16,
	BLOCK = 4 * VECTOR,	/* bytes looked at together: a bit each */
	PIECE = 94 << 10,	/* written at once: with the last slice, two
				 * buffers of 48 KiB (libcore/slots.c) */
	PLAIN = 32 << 10,	/* written from where it is */
	SLICE = 1 << 10,	/* bytes formatted between looks at the room */
	UNROLL = 4,
	CROWD = 6,		/* special bytes; with more in a block, the way
				 * round the loop costs more than it saves */
	NUMBER_MAX = 16,	/* fifteen digits and a TAB */
	GROWTH = NUMBER_MAX + 2, /* what an empty line can become: "1 $" */
};

typedef unsigned char byte;
typedef byte bytes __attribute__((vector_size(VECTOR)));
typedef signed char sbytes __attribute__((vector_size(VECTOR)));
typedef char chars __attribute__((vector_size(VECTOR)));

static unsigned show;

/* What each byte is printed as. Where len is 0, its neighbours decide. One load
 * is quicker than two. */
static union shown {
	struct {
		char as[4];
		uint32_t len;
	};
	uint64_t all;
} shown[256];

/* Which bytes are special, which is to say not printed as they are. */
static struct {
	bool feeds;		/* line feeds alone */
	bool third;		/* and of those in a row the third, and on */
	sbytes controls;	/* all ones: what does not print */
	bytes others[3];	/* those with which it is the other way round */
} special;

/* The two bytes of input before a block stand before it: they are all that has
 * to be known of the past, and at first they are "?\n". */
static byte in_buffer[BLOCK + ZC_BUFFER + BLOCK];
static byte *const block = in_buffer + BLOCK;
static byte out_buffer[PIECE + SLICE * GROWTH + 2 * BLOCK];

/* The line number as it is printed, but for its last digit. */
static char number[2 * NUMBER_MAX] = "              0\t";
static char *const last = number + NUMBER_MAX - 2;
static char *first = number + NUMBER_MAX - 7;
static char digit = '0';

/* Leads on to the next ten numbers. A sixteenth digit would take weeks. */
static SMALL void carry(void)
{
	char *p = last - 1;

	digit = '0';
	while (p > number && *p == '9')
		*p-- = '0';
	*p = *p == ' ' ? '1' : *p + 1;
	if (p < first)
		first = p;
}

/* The digit is stored by itself, for a number that has just been changed in
 * memory would be slow to load. */
static FAST byte *put_number(byte *out)
{
	size_t digits;

	if (++digit > '9')
		carry();
	digits = last - first;
	memcpy(out, first, NUMBER_MAX);
	out[digits] = digit;
	return out + digits + 2;
}

/* Whether the line that begins after the line feed at p has a number. */
static FAST bool is_numbered(const byte *p)
{
	if (p[1] == '\n' && (show & FILLED ||
			     (show & SQUEEZE && p[-1] == '\n')))
		return false;
	return show & NUMBER;
}

/* Prints the line feed at p and, if there is more to come, the number of the
 * next line. */
static FAST byte *put_feed(const byte *p, const byte *end, byte *out)
{
	if (!(show & SQUEEZE) || p[-1] != '\n' || p[-2] != '\n') {
		if (show & ENDS)
			*out++ = '$';
		*out++ = '\n';
	}
	if (p + 1 < end && is_numbered(p))
		out = put_number(out);
	return out;
}

/* A CR is shown before a line feed, and left to the next block at the end of
 * this one, where a false line feed stands. */
static FAST byte *put_return(const byte *p, const byte *end, byte *out)
{
	if (p[1] != '\n') {
		*out++ = '\r';
	} else if (p + 1 < end) {
		*out++ = '^';
		*out++ = 'M';
	}
	return out;
}

static NOINLINE byte *put_line_end(const byte *p, const byte *end, byte *out)
{
	return *p == '\n' ? put_feed(p, end, out) : put_return(p, end, out);
}

/* Prints a byte; `alone` says that no byte's neighbours decide, for even asking
 * takes a sixth of the time. */
static FAST byte *put(const byte *p, const byte *end, byte *out, bool alone)
{
	union shown it = { .all = shown[*p].all };

	memcpy(out, it.as, sizeof(it.as));
	if (!alone && __builtin_expect(!it.len, 0))
		return put_line_end(p, end, out);
	return out + it.len;
}

static FAST byte *put_bytes(const byte *p, const byte *stop, const byte *end,
			    byte *out, bool alone)
{
	for (; stop - p >= UNROLL; p += UNROLL)
#pragma GCC unroll UNROLL
		for (int i = 0; i < UNROLL; i++)
			out = put(p + i, end, out, alone);
	while (p < stop)
		out = put(p++, end, out, alone);
	return out;
}

/* Prints byte by byte. */
static NOINLINE byte *put_each(const byte *p, const byte *stop,
			       const byte *end, byte *out)
{
	if (shown['\n'].len && shown['\r'].len)
		return put_bytes(p, stop, end, out, true);
	return put_bytes(p, stop, end, out, false);
}

static FAST bytes load(const byte *p)
{
	bytes x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* memcpy(3) of a block might be a call. */
static FAST void copy(const byte *p, byte *out)
{
	bytes x = load(p);

	memcpy(out, &x, sizeof(x));
}

static FAST void copy_block(const byte *p, byte *out)
{
	copy(p, out);
	copy(p + VECTOR, out + VECTOR);
	copy(p + 2 * VECTOR, out + 2 * VECTOR);
	copy(p + 3 * VECTOR, out + 3 * VECTOR);
}

/* All ones for each special byte of a vector. */
static FAST sbytes find(const byte *p)
{
	bytes x = load(p);
	sbytes other = x == special.others[0], control;

	if (special.feeds)
		return other;
	other |= (x == special.others[1]) | (x == special.others[2]);
	/* What prints is moved to the lower end of the signed numbers. */
	control = (sbytes)(x + (0x80 - ' ')) > '~' - ' ' - 0x80;
	return (control & special.controls) ^ other;
}

/* A bit for each byte that is all ones, the first one lowest. */
static FAST uint64_t bits(sbytes x)
{
#ifdef __SSE2__
	return __builtin_ia32_pmovmskb128((chars)x);
#else
	bytes bit = { 1, 2, 4, 8, 16, 32, 64, 128,
		      1, 2, 4, 8, 16, 32, 64, 128 };
	uint64_t half[2], sum = 0x0101010101010101;

	bit &= (bytes)x;
	memcpy(half, &bit, sizeof(half));
	return half[0] * sum >> 56 | half[1] * sum >> 56 << 8;
#endif
}

/* A bit for each special byte of a block. */
static NOINLINE uint64_t find_all(const byte *p)
{
	uint64_t m = bits(find(p)) | bits(find(p + VECTOR)) << VECTOR |
		     bits(find(p + 2 * VECTOR)) << 2 * VECTOR |
		     bits(find(p + 3 * VECTOR)) << 3 * VECTOR;
	uint64_t before = p[-1] == '\n';

	if (special.third)
		m &= (m << 1 | before) &
		     (m << 2 | before << 1 | (p[-2] == '\n'));
	return m;
}

/* Prints a block. All of it is copied each time, as asking how much is left
 * would cost more: what is too much is overwritten. */
static FAST byte *put_block(const byte *p, const byte *end, byte *out)
{
	uint64_t m = find_all(p);
	unsigned from = 0;

	copy_block(p, out);
	for (; m; m &= m - 1) {
		unsigned at = __builtin_ctzll(m);

		out = put(p + at, end, out + (at - from), false);
		from = at + 1;
		copy_block(p + from, out);
	}
	return out + BLOCK - from;
}

/* Where many bytes are special, they are best looked at one by one. The first
 * block of a slice tells. */
static bool is_crowded(const byte *p)
{
	uint64_t m = find_all(p);

	for (int i = 0; i < CROWD; i++)
		m &= m - 1;
	return m;
}

static byte *put_slice(const byte *p, const byte *stop, const byte *end,
		       byte *out)
{
	if (!is_crowded(p))
		for (; stop - p >= BLOCK; p += BLOCK)
			out = put_block(p, end, out);
	return put_each(p, stop, end, out);
}

/* Settles what the last block has left open. */
static byte *begin(const byte *p, byte *out)
{
	if (p[-1] == '\n' && is_numbered(p - 1))
		out = put_number(out);
	if (p[-1] == '\r' && !shown['\r'].len) {
		if (*p == '\n')
			*out++ = '^';
		*out++ = *p == '\n' ? 'M' : '\r';
	}
	return out;
}

/* Writes what needs no formatting from where it is, if that is worth a call.
 * Returns the rest. */
static const byte *write_plain(const byte *p, const byte *end,
			       struct zc_end *out)
{
	const byte *start = p;

	while (end - p >= BLOCK && !find_all(p))
		p += BLOCK;
	if (p - start < PLAIN)
		return start;
	zc_write(out, start, p - start);
	return p;
}

static int show_block(byte *end, struct zc_end *out)
{
	const byte *p = block, *stop;
	byte *o;

	*end = '\n';
	o = begin(p, out_buffer);
	if (o == out_buffer)
		p = write_plain(p, end, out);
	for (; p < end; p = stop) {
		stop = end - p < SLICE ? end : p + SLICE;
		o = put_slice(p, stop, end, o);
		if (o - out_buffer >= PIECE || stop == end) {
			zc_write(out, out_buffer, o - out_buffer);
			o = out_buffer;
		}
	}
	block[-2] = end[-2];
	block[-1] = end[-1];
	return out->error ? -1 : 0;
}

/* All is written before each read, which thus may wait as long as it likes. */
static int show_copy(struct zc_end *in, struct zc_end *out)
{
	ssize_t n;

	while ((n = cat_read(in, out, block, ZC_BUFFER)) > 0)
		if (show_block(block + n, out))
			return -1;
	return n;
}

static SMALL int show_end(struct zc_end *out)
{
	if (block[-1] == '\r' && !shown['\r'].len)
		return zc_write(out, "\r", 1);
	return 0;
}

static SMALL unsigned spell(byte c, char *as)
{
	bool plain = c == '\n' ||
		     !(show & (c == '\t' ? TABS : UNPRINTABLE));
	char *p = as;

	if (c == '\n' && show & ENDS)
		*p++ = '$';
	if (!plain && c > 127) {
		*p++ = 'M';
		*p++ = '-';
		c &= 127;
	}
	if (!plain && (c < ' ' || c == 127)) {
		*p++ = '^';
		c ^= 64;
	}
	*p++ = c;
	return p - as;
}

static SMALL void choose(void)
{
	bool lines = show & (NUMBER | SQUEEZE | ENDS), tabs = show & TABS;
	byte others[3];

	special.feeds = !(show & (ENDS | TABS | UNPRINTABLE));
	special.third = show == SQUEEZE;
	special.controls = (sbytes){ 0 };
	if (show & UNPRINTABLE) {
		/* What is none of the others must be something, and a tilde
		 * that is special is still printed as one. */
		special.controls = ~special.controls;
		others[0] = lines ? '~' : '\n';
		others[1] = tabs ? '~' : '\t';
		others[2] = '~';
	} else {
		others[0] = lines ? '\n' : '\t';
		others[1] = tabs ? '\t' : '\n';
		others[2] = show & ENDS ? '\r' : others[0];
	}
	for (int i = 0; i < 3; i++)
		special.others[i] = (bytes){ 0 } + others[i];
}

static const struct option options[] = {
	{ 'A', NO_VALUE, "show-all" },
	{ 'b', NO_VALUE, "number-nonblank" },
	{ 'e', NO_VALUE, "" },
	{ 'E', NO_VALUE, "show-ends" },
	{ 'n', NO_VALUE, "number" },
	{ 's', NO_VALUE, "squeeze-blank" },
	{ 't', NO_VALUE, "" },
	{ 'T', NO_VALUE, "show-tabs" },
	{ 'v', NO_VALUE, "show-nonprinting" },
	{ 0 }
};

static SMALL int set(const struct option *opt, const char *value)
{
	static const byte asks[] = {
		UNPRINTABLE | ENDS | TABS, NUMBER | FILLED,
		UNPRINTABLE | ENDS, ENDS, NUMBER, SQUEEZE,
		UNPRINTABLE | TABS, TABS, UNPRINTABLE,
	};

	(void)value;
	show |= asks[opt - options];
	for (int c = 0; c < 256; c++)
		shown[c].len = spell(c, shown[c].as);
	if (show & (NUMBER | SQUEEZE))
		shown['\n'].len = 0;
	if ((show & (ENDS | UNPRINTABLE)) == ENDS)
		shown['\r'].len = 0;
	choose();
	block[-1] = '\n';
	cat_copy = show_copy;
	cat_end = show_end;
	return 0;
}

const struct part cat_show_part = {
	.of = IS_CAT,
	.options = options,
	.set = set,
};

const char cat_show_help[] =
"  -A, --show-all           the same as -vET\n"
"  -b, --number-nonblank    number the lines that are not empty; overrides -n\n"
"  -e                       the same as -vE\n"
"  -E, --show-ends          print $ where a line ends, and \\r there as ^M\n"
"  -n, --number             number all lines\n"
"  -s, --squeeze-blank      print one empty line for several in a row\n"
"  -t                       the same as -vT\n"
"  -T, --show-tabs          print TAB as ^I\n"
"  -v, --show-nonprinting   print other control characters as ^X, and bytes\n"
"                             above 127 as M- and what is left without 128\n";
