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
	SPARSE = 10,		/* special bytes that a block is hopped along */
	PIECE = 32 << 10,	/* written at once: half a pipe is read while
				 * the other half is being filled */
	SLICE = 1 << 10,	/* bytes formatted between looks at the room */
	NUMBER_MAX = 16,	/* fifteen digits and a TAB */
	GROWTH = NUMBER_MAX + 2, /* what an empty line can become: "1 $" */
};

typedef unsigned char byte;
typedef byte bytes __attribute__((vector_size(VECTOR)));
typedef signed char sbytes __attribute__((vector_size(VECTOR)));
typedef uint16_t pairs __attribute__((vector_size(2 * VECTOR)));

static unsigned show;

/* What each byte is printed as. Where len is 0, its neighbours decide. */
static struct {
	char as[4];
	uint32_t len;
} shown[256];

/* Which bytes are special, which is to say not printed as they are. */
static enum { SOME, FEEDS, RUNS, CONTROLS, MOST_CONTROLS } special;
static bytes some[3];		/* special, or of the controls those not */

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

/* Prints the line feed at p and the number of the next line. An empty line
 * may be left out, so it gets its number only when its own end is seen. */
static FAST byte *put_feed(const byte *p, byte *out)
{
	bool empty = p[-1] == '\n';

	if (!empty || p[-2] != '\n' || !(show & SQUEEZE)) {
		if (empty && (show & (NUMBER | FILLED)) == NUMBER)
			out = put_number(out);
		if (show & ENDS)
			*out++ = '$';
		*out++ = '\n';
	}
	if (p[1] != '\n' && show & NUMBER)
		out = put_number(out);
	return out;
}

/* A CR is shown before a line feed, and left to the next block at the end of
 * this one, where a false line feed stands. */
static NOINLINE byte *put_return(const byte *p, const byte *end, byte *out)
{
	if (p[1] != '\n') {
		*out++ = '\r';
	} else if (p + 1 < end) {
		*out++ = '^';
		*out++ = 'M';
	}
	return out;
}

static FAST byte *put(const byte *p, const byte *end, byte *out)
{
	unsigned len = shown[*p].len;

	if (!len)
		return *p == '\n' ? put_feed(p, out) : put_return(p, end, out);
	memcpy(out, shown[*p].as, sizeof(shown->as));
	return out + len;
}

/* Prints byte by byte, which is best where most are special. */
static NOINLINE byte *put_each(const byte *p, const byte *stop,
			       const byte *end, byte *out)
{
	while (p < stop)
		out = put(p++, end, out);
	return out;
}

static FAST bytes load(const byte *p)
{
	bytes x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* All ones for each special byte of a vector. */
static FAST sbytes find(const byte *p)
{
	bytes x = load(p);
	sbytes controls, picked;

	if (special == FEEDS)
		return x == '\n';
	if (special == RUNS)
		return (x == '\n') & (load(p - 1) == '\n') &
		       (load(p - 2) == '\n');
	/* What prints is moved to the lower end of the signed numbers. */
	controls = (sbytes)(x + (0x80 - ' ')) > '~' - ' ' - 0x80;
	if (special == CONTROLS)
		return controls;
	picked = (x == some[0]) | (x == some[1]) | (x == some[2]);
	return special == SOME ? picked : controls & ~picked;
}

/* Ors each byte with its neighbour: two vectors become one. */
static FAST bytes fold(bytes a, bytes b)
{
	union {
		bytes half[2];
		pairs both;
	} u = { .half = { a, b } };

	u.both |= u.both >> 8;
	return __builtin_convertvector(u.both, bytes);
}

/* A bit for each byte of a block, the first one lowest. */
static NOINLINE uint64_t find_all(const byte *p)
{
	bytes bit = { 1, 2, 4, 8, 16, 32, 64, 128,
		      1, 2, 4, 8, 16, 32, 64, 128 };
	bytes x = fold((bytes)find(p) & bit, (bytes)find(p + VECTOR) & bit);
	bytes y = fold((bytes)find(p + 2 * VECTOR) & bit,
		       (bytes)find(p + 3 * VECTOR) & bit);
	uint64_t m;

	x = fold(x, y);
	x = fold(x, x);
	memcpy(&m, &x, sizeof(m));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		m = __builtin_bswap64(m);
	return m;
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

/* Counts by adding neighbours up: where a processor has an instruction for it
 * is not known here. */
static FAST bool is_sparse(uint64_t m)
{
	m -= m >> 1 & 0x5555555555555555;
	m = (m & 0x3333333333333333) + (m >> 2 & 0x3333333333333333);
	m = (m + (m >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return m * 0x0101010101010101 >> 56 <= SPARSE;
}

/* Prints a block. All of it is copied each time, as asking how much is left
 * would cost more: what is too much is overwritten. */
static FAST byte *put_block(const byte *p, const byte *end, byte *out)
{
	uint64_t m = find_all(p);
	unsigned from = 0;

	if (!is_sparse(m))
		return put_each(p, p + BLOCK, end, out);
	copy_block(p, out);
	for (; m; m &= m - 1) {
		unsigned at = __builtin_ctzll(m);

		out = put(p + at, end, out + at - from);
		from = at + 1;
		copy_block(p + from, out);
	}
	return out + BLOCK - from;
}

static byte *put_slice(const byte *p, const byte *stop, const byte *end,
		       byte *out)
{
	for (; stop - p >= BLOCK; p += BLOCK)
		out = put_block(p, end, out);
	return put_each(p, stop, end, out);
}

/* Settles what the last block has left open. */
static byte *begin(const byte *p, byte *out)
{
	if (p[-1] == '\n' && *p != '\n' && show & NUMBER)
		out = put_number(out);
	if (p[-1] == '\r' && !shown['\r'].len) {
		if (*p == '\n')
			*out++ = '^';
		*out++ = *p == '\n' ? 'M' : '\r';
	}
	return out;
}

static FAST bool any(sbytes x)
{
	uint64_t w[2];

	memcpy(w, &x, sizeof(x));
	return w[0] | w[1];
}

/* Writes what needs no formatting from where it is, if that is worth a call.
 * Returns the rest. */
static const byte *write_plain(const byte *p, const byte *end,
			       struct zc_end *out)
{
	const byte *start = p;

	while (end - p >= BLOCK && !any(find(p)))
		p += VECTOR;
	if (p - start < PIECE)
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
	byte b[3];

	if (show & UNPRINTABLE) {
		special = lines && tabs ? CONTROLS : MOST_CONTROLS;
		b[0] = b[1] = tabs ? '\n' : '\t';
		b[2] = lines ? b[0] : '\n';
	} else {
		special = SOME;
		b[0] = lines ? '\n' : '\t';
		b[1] = tabs ? '\t' : b[0];
		b[2] = show & ENDS ? '\r' : b[0];
		if (!(show & (ENDS | TABS)))
			special = show & NUMBER ? FEEDS : RUNS;
	}
	for (int i = 0; i < 3; i++)
		some[i] = (bytes){ 0 } + b[i];
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
