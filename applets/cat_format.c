/* SPDX-License-Identifier: 0BSD */
/* cat's options that format text: numbers, ends, tabs, unprintable bytes. */
#include <stdint.h>
#include <string.h>

#include "applet.h"
#include "cat.h"
#include "cat_format.h"

#define FAST inline __attribute__((always_inline)) /* runs for each byte */
#define SMALL __attribute__((cold))		   /* runs seldom */

/* The options given; -b is NUMBER and FILLED. */
enum {
	NUMBER = 1 << 0,
	FILLED = 1 << 1, /* number no empty lines */
	SQUEEZE = 1 << 2,
	ENDS = 1 << 3,
	TABS = 1 << 4,
	UNPRINTABLE = 1 << 5,
};

enum {
	NUMBER_MAX = 16,	 /* fifteen digits and a TAB */
	GROWTH = NUMBER_MAX + 2, /* an empty line at most: "1 $" */
};

typedef unsigned char byte;
typedef byte bytes __attribute__((vector_size(VECTOR)));
typedef signed char sbytes __attribute__((vector_size(VECTOR)));
typedef byte wide __attribute__((vector_size(16)));
typedef char chars __attribute__((vector_size(16)));

static unsigned show;

/* The text of each byte. Where len is 0, its neighbours decide. Both members
 * are loaded at once, which is faster. */
static union shown {
	struct {
		char as[4];
		uint32_t len;
	};
	uint64_t all;
} shown[256];

/* The special bytes, which are printed as another text. */
static struct {
	bool alone; /* no byte's neighbours decide */
	uint64_t (*find)(const byte *block);
	sbytes printing; /* the last that prints: see is_control() */
	bytes others[3]; /* exceptions from that: see is_any() */
} special;

/* Both are in zc_buffer(), which is free while text is formatted, because any
 * call for memory can be refused (seccomp(2)). */
enum {
	IN_SIZE = ZC_ALIGN + ZC_BUFFER + BLOCK,
	OUT_SIZE = FLUSH_SIZE + CHUNK * GROWTH + 2 * BLOCK,
};

_Static_assert(IN_SIZE + OUT_SIZE <= sizeof(zc.memory) - ZC_ALIGN,
	       "zc_buffer() is smaller");

static byte *in_buffer, *out_buffer;

/* The two bytes before the input are the last two of the read before, and
 * enough of it. At first they are "\0\n". The input begins 16 bytes after a
 * multiple of 64. At a multiple itself, reading cached files takes a tenth
 * longer where the kernel copies by `rep movsb' (measured on Sapphire Rapids).
 */
static byte *input;

/* The line number as it is printed, except for its last digit. */
static char number[2 * NUMBER_MAX];
static char *const last_digit = number + NUMBER_MAX - 2;
static char *first;
static char digit;

/* The first line is number 1. */
static SMALL void begin_numbers(void)
{
	memcpy(number, "              0\t", NUMBER_MAX);
	first = last_digit - 5;
	digit = '0';
}

/* Adds one to the digits before the last. A sixteenth digit would take weeks.
 */
static SMALL void carry(void)
{
	char *p = last_digit - 1;

	digit = '0';
	while (p > number && *p == '9')
		*p-- = '0';
	*p = *p == ' ' ? '1' : *p + 1;
	if (p < first)
		first = p;
}

/* Prints the next number. The last digit is stored in the output alone: a load
 * of `number' soon after a store to it would have to wait for that. */
static FAST byte *put_number(byte *out)
{
	size_t digits;

	if (++digit > '9')
		carry();
	digits = last_digit - first;
	memcpy(out, first, NUMBER_MAX);
	out[digits] = digit;
	return out + digits + 2;
}

/* Prints the number of the line after the line feed at p, if it has one. */
static byte *put_number_after(const byte *p, byte *out)
{
	bool empty = p[1] == '\n';

	if (!(show & NUMBER) || (empty && show & FILLED) ||
	    (empty && show & SQUEEZE && p[-1] == '\n'))
		return out;
	return put_number(out);
}

/* Prints the line feed at p. */
static FAST byte *put_newline(const byte *p, byte *out)
{
	if (show & SQUEEZE && p[-1] == '\n' && p[-2] == '\n')
		return out;
	if (show & ENDS)
		*out++ = '$';
	*out++ = '\n';
	return out;
}

/* Prints the line feed at p and the number of the next line, or the CR there,
 * which is shown before a line feed. */
static byte *put_by_neighbours(const byte *p, byte *out)
{
	if (*p == '\n') {
		out = put_newline(p, out);
		return put_number_after(p, out);
	}
	if (p[1] != '\n') {
		*out++ = '\r';
	} else {
		*out++ = '^';
		*out++ = 'M';
	}
	return out;
}

static FAST byte *put_shown(union shown it, byte *out)
{
	memcpy(out, it.as, sizeof(it.as));
	return out + it.len;
}

/* Prints a byte. `alone` says that its neighbours are irrelevant: asking them
 * takes a sixth of the time. */
static FAST byte *put_one(const byte *p, byte *out, bool alone)
{
	union shown it = { .all = shown[*p].all };
	byte *end = put_shown(it, out);

	if (!alone && __builtin_expect(!it.len, 0))
		return put_by_neighbours(p, out);
	return end;
}

/* Prints UNROLL bytes whose neighbours are irrelevant. All loads stand before
 * all stores: alternating takes twice as long where a load waits for every
 * store of unknown address before it (Speculative Store Bypass Disable). */
static FAST byte *put_several(const byte *p, byte *out)
{
	union shown it[UNROLL];

#pragma GCC unroll UNROLL
	for (int i = 0; i < UNROLL; i++)
		it[i].all = shown[p[i]].all;
#pragma GCC unroll UNROLL
	for (int i = 0; i < UNROLL; i++)
		out = put_shown(it[i], out);
	return out;
}

/* Prints byte by byte. */
static byte *put_each(const byte *p, const byte *stop, byte *out)
{
	if (special.alone)
		for (; stop - p >= UNROLL; p += UNROLL)
			out = put_several(p, out);
	while (p < stop)
		out = put_one(p++, out, false);
	return out;
}

static FAST bytes load(const byte *p)
{
	bytes x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* memcpy(3) of so much might be a call. */
static FAST void copy_bytes(const byte *p, byte *out, int size)
{
#pragma GCC unroll 4
	for (int i = 0; i < size; i += VECTOR) {
		bytes x = load(p + i);

		memcpy(out + i, &x, VECTOR);
	}
}

/* A bit for each byte that is all ones, the first one lowest. */
static FAST uint64_t bits(sbytes x)
{
	wide all = { 0 };

	memcpy(&all, &x, sizeof(x));
#ifdef __SSE2__
	return __builtin_ia32_pmovmskb128((chars)all);
#else
	wide bit = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
	uint64_t half[2], sum = 0x0101010101010101;

	bit &= all;
	memcpy(half, &bit, sizeof(half));
	return half[0] * sum >> 56 | half[1] * sum >> 56 << 8;
#endif
}

/* A bit for each byte of a block that is_special makes all ones. */
static FAST uint64_t find_by(const byte *p, sbytes (*is_special)(bytes x))
{
	uint64_t m = 0;

#pragma GCC unroll 4
	for (int i = 0; i < BLOCK; i += VECTOR)
		m |= bits(is_special(load(p + i))) << i;
	return m;
}

static FAST sbytes is_newline(bytes x)
{
	return x == '\n';
}

/* A space becomes the lowest signed number, so that one comparison is enough.
 */
static FAST sbytes is_control(bytes x)
{
	return (sbytes)(x + (0x80 - ' ')) > special.printing;
}

static FAST sbytes is_any(bytes x)
{
	return is_control(x) ^
	       ((x == special.others[0]) | (x == special.others[1]) |
		(x == special.others[2]));
}

/* The three ways to find the special bytes of a block, a bit each. The first
 * two are faster than the last, which finds any. */
static uint64_t find_newlines(const byte *p)
{
	uint64_t m = find_by(p, is_newline), before = p[-1] == '\n';

	if (show == SQUEEZE) /* the third of those in a row, and on */
		m &= (m << 1 | before) &
		     (m << 2 | before << 1 | (p[-2] == '\n'));
	return m;
}

static uint64_t find_controls(const byte *p)
{
	return find_by(p, is_control);
}

static uint64_t find_any(const byte *p)
{
	return find_by(p, is_any);
}

/* Prints blocks. It always copies a whole block, because comparing lengths
 * costs more: the next copy overwrites the excess. `numbers` says that only
 * line feeds are special, with a number after each. */
static FAST byte *put_blocks(const byte *p, const byte *stop, byte *out,
			     bool numbers)
{
	for (; p < stop; p += BLOCK) {
		uint64_t m = special.find(p);
		unsigned from = 0;

		copy_bytes(p, out, BLOCK);
		for (; m; m &= m - 1) {
			unsigned at = __builtin_ctzll(m);

			out += at - from;
			from = at + 1;
			out = numbers ? put_number(out + 1) :
					put_one(p + at, out, false);
			copy_bytes(p + from, out, BLOCK);
		}
		out += BLOCK - from;
	}
	return out;
}

/* Prints half a block. Most halves of a text have one special byte or none, and
 * a branch on that would often be mispredicted. So the first byte is looked at
 * in any case (the last one, if none is special), and the loop branches only
 * for the second. */
static FAST byte *put_half(const byte *p, uint32_t m, byte *out)
{
	unsigned from = 0;

	copy_bytes(p, out, HALF);
	do {
		unsigned at = __builtin_ctz(m | 1u << (HALF - 1));

		out = put_one(p + at, out + (at - from), true);
		from = at + 1;
		copy_bytes(p + from, out, HALF);
		m &= m - 1;
	} while (m);
	return out + HALF - from;
}

/* Prints blocks of bytes whose neighbours are irrelevant. */
static FAST byte *put_halves(const byte *p, const byte *stop, byte *out)
{
	for (; p < stop; p += BLOCK) {
		uint64_t m = special.find(p), low = UINT64_MAX >> (64 - HALF);

		out = put_half(p, m & low, out);
		out = put_half(p + HALF, m >> HALF, out);
	}
	return out;
}

/* Whether looking at each byte is faster, because many are special. The first
 * block of a chunk decides. */
static bool is_dense(const byte *p)
{
	uint64_t m = special.find(p);

	for (int i = special.alone ? DENSE : DENSE_LINES; i; i--)
		m &= m - 1;
	return m;
}

static byte *put_chunk(const byte *p, const byte *stop, byte *out)
{
	const byte *rest = is_dense(p) ? p : stop - (stop - p) % BLOCK;

	out = special.alone  ? put_halves(p, rest, out) :
	      show == NUMBER ? put_blocks(p, rest, out, true) :
			       put_blocks(p, rest, out, false);
	return put_each(rest, stop, out);
}

/* Prints the text that the read before has left over: see put_last(). */
static byte *begin_read(const byte *p, byte *out)
{
	if (p[-1] == '\n')
		return put_number_after(p - 1, out);
	if (p[-1] == '\r' && !shown['\r'].len)
		return put_by_neighbours(p - 1, out);
	return out;
}

/* Writes bytes that stay as they are directly from the input, if there are
 * enough for a call. Returns the rest. */
static const byte *write_plain(const byte *p, const byte *end,
			       struct zc_sink *out)
{
	const byte *start = p;

	while (end - p >= BLOCK && !special.find(p))
		p += BLOCK;
	if (p - start < PLAIN)
		return start;
	zc_write(&zc, out, start, p - start);
	return p;
}

/* Prints the last byte of a read. The next read decides about the number after
 * a line feed, and about a CR that may end a line, whose len is 0:
 * begin_read() prints these. */
static byte *put_last(const byte *p, byte *out)
{
	return *p == '\n' ? put_newline(p, out) : put_one(p, out, true);
}

static void format_read(const byte *end, struct zc_sink *out)
{
	const byte *p = input, *last = end - 1, *stop;
	byte *o;

	o = begin_read(p, out_buffer);
	/* A message stays one. */
	if (o == out_buffer && out->kind != ZC_DATAGRAM)
		p = write_plain(p, end, out);
	for (; p < last; p = stop) {
		if (o - out_buffer >= FLUSH_SIZE) {
			zc_write(&zc, out, out_buffer, o - out_buffer);
			o = out_buffer;
		}
		stop = last - p < CHUNK ? last : p + CHUNK;
		o = put_chunk(p, stop, o);
	}
	if (p == last)
		o = put_last(p, o);
	zc_write(&zc, out, out_buffer, o - out_buffer);
	input[-2] = end[-2];
	input[-1] = end[-1];
}

/* zc_read(), with a call of zc.trace. Where O_DIRECT refuses the input's
 * address, reads to an aligned one from then on. */
static ssize_t read_input(struct zc_source *in, struct zc_sink *out)
{
	static const struct zc_method formatted = { .name = "rw (formatted)" };
	byte *aligned = in_buffer + ZC_ALIGN;
	ssize_t n = zc_read(&zc, in, input, ZC_BUFFER);

	if (n < 0 && in->error == EINVAL && input != aligned) {
		aligned[-2] = input[-2];
		aligned[-1] = input[-1];
		input = aligned;
		in->error = 0;
		n = zc_read(&zc, in, input, ZC_BUFFER);
	}
	if (zc.trace)
		zc.trace(in, out, &formatted, n);
	return n;
}

/* All output is written before a read, because a read may wait. */
static void format_copy(struct zc_source *in, struct zc_sink *out)
{
	ssize_t n;

	while (!out->error && (n = read_input(in, out)) > 0)
		format_read(input + n, out);
}

static SMALL void format_end(struct zc_sink *out)
{
	if (input[-1] == '\r' && !shown['\r'].len)
		zc_write(&zc, out, "\r", 1);
}

static SMALL unsigned build_entry(byte c, char *as)
{
	bool plain = c == '\n' || !(show & (c == '\t' ? TABS : UNPRINTABLE));
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

static SMALL void choose_finder(void)
{
	static const byte other[] = { '\n', '\t', '\r' };
	bool controls = show & UNPRINTABLE;

	special.alone = shown['\n'].len && shown['\r'].len;
	special.find = !(show & (ENDS | TABS | UNPRINTABLE)) ?
			       find_newlines :
		       controls && show & TABS && shown['\n'].len != 1 ?
			       find_controls :
			       find_any;
	memset(&special.printing, controls ? '~' - ' ' - 0x80 : 0x7f, VECTOR);
	/* A tilde stands for a missing exception: it is printed as a tilde
	 * anyway. */
	for (int i = 0; i < 3; i++) {
		bool is_special = shown[other[i]].len != 1;

		memset(&special.others[i],
		       is_special == controls ? '~' : other[i], VECTOR);
	}
}

static const struct cat_format format = { format_copy, format_end };

static SMALL int format_set(const struct option *opt, const char *value)
{
	(void)value;
	show |= opt->asks;
	for (int c = 0; c < 256; c++)
		shown[c].len = build_entry(c, shown[c].as);
	if (show & (NUMBER | SQUEEZE))
		shown['\n'].len = 0;
	if ((show & (ENDS | UNPRINTABLE)) == ENDS)
		shown['\r'].len = 0;
	choose_finder();
	begin_numbers();
	in_buffer = (byte *)zc_buffer(&zc);
	out_buffer = in_buffer + IN_SIZE;
	input = in_buffer + BLOCK + VECTOR;
	input[-1] = '\n';
	cat_format = &format;
	return 0;
}

const struct option_group cat_format_options = {
	.applies_to = FORMATS,
	/* In GNU's order, in which the possibilities of an ambiguous one are
	 * named. */
	OPTION_LIST(
		{ 'b', NUMBER | FILLED, "number-nonblank",
		  HELP("number nonempty output lines; overrides -n") },
		{ 'n', NUMBER, "number", HELP("number all output lines") },
		{ 's', SQUEEZE, "squeeze-blank",
		  HELP("print repeated empty lines as one") },
		{ 'v', UNPRINTABLE, "show-nonprinting",
		  HELP("print ^X and M-X, except for line feeds and TABs") },
		{ 'E', ENDS, "show-ends",
		  HELP("print $ at the end of each line, a CR there as ^M") },
		{ 'T', TABS, "show-tabs", HELP("print TAB characters as ^I") },
		{ 'A', UNPRINTABLE | ENDS | TABS, "show-all",
		  HELP("equivalent to -vET") },
		{ 'e', UNPRINTABLE | ENDS, "", HELP("equivalent to -vE") },
		{ 't', UNPRINTABLE | TABS, "", HELP("equivalent to -vT") }),
	.set = format_set,
};
