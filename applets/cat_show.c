/* SPDX-License-Identifier: 0BSD */
/* What cat shows of lines and bytes: numbers, ends, tabs, nonprinting bytes. */
#include <stdint.h>
#include <string.h>

#include "applet.h"
#include "cat.h"

/* What the options ask for; -b is NUMBER and NONBLANK. */
enum {
	NUMBER = 1 << 0,
	NONBLANK = 1 << 1,
	SQUEEZE = 1 << 2,
	ENDS = 1 << 3,
	TABS = 1 << 4,
	NONPRINTING = 1 << 5,
	LINES = NUMBER | SQUEEZE,
};

enum {
	STEP = 16,		/* bytes looked at together */
	SLICE = 1 << 10,	/* bytes formatted between looks at the room */
	NUMBER_MAX = 16,	/* fifteen digits and a TAB */
	GROWTH = NUMBER_MAX + 2, /* bytes an empty line can become: "1 $" */
	IN_SIZE = CONFIG_ZC_BUFFER_KB << 10,
	OUT_SIZE = CONFIG_ZC_BUFFER_KB << 10,
};

typedef unsigned char byte;
typedef byte bytes __attribute__((vector_size(STEP)));
typedef signed char sbytes __attribute__((vector_size(STEP)));
typedef uint16_t pairs __attribute__((vector_size(STEP)));
typedef byte halves __attribute__((vector_size(STEP / 2)));

static unsigned show;

/* What each byte is printed as; a length of 0 leaves it to judge(). */
static struct { char as[4]; uint32_t len; } shown[256];

static sbytes below;		/* bytes under this, as signed, are special, */
static bytes but[3];		/* except these, and these only are */

static byte in_buf[IN_SIZE + STEP];
static byte out_buf[OUT_SIZE + SLICE * GROWTH + 4 * STEP];

/* Where we are. It all lives on from file to file. */
static const byte *line;	/* start of the line, if that is in in_buf */
static bool at_start = true;
static bool after_blank;
static bool held_cr;		/* the last byte was a CR: is LF next? */

/* The line number as it is printed, without its last digit. */
static char number[NUMBER_MAX + STEP] = "              0\t";
static char last_digit = '0';
static char *first = number + 9;
static char *const last = number + 14;

/* Makes room for the next ten numbers. Past fifteen digits they begin again. */
static void carry(void)
{
	char *p = last - 1;

	last_digit = '0';
	while (p >= number && *p == '9')
		*p-- = '0';
	if (p < number)
		return;
	*p = *p == ' ' ? '1' : *p + 1;
	if (p < first)
		first = p;
}

static inline byte *put_number(byte *out)
{
	size_t digits = last - first;

	if (++last_digit > '9')
		carry(), digits = last - first;
	memcpy(out, first, NUMBER_MAX);
	out[digits] = last_digit;
	return out + digits + 2;
}

/* Prints the line feed at p where lines are counted or squeezed, and what
 * comes before the next line. An empty line is not begun before its end is
 * seen: it may be left out. */
static inline byte *end_line(const byte *p, byte *out)
{
	bool blank = p == line;

	if (blank && after_blank && show & SQUEEZE)
		goto next;
	if (blank && (show & (NUMBER | NONBLANK)) == NUMBER)
		out = put_number(out);
	if (show & ENDS)
		*out++ = '$';
	*out++ = '\n';
	after_blank = blank;
next:
	line = p + 1;
	if (*line != '\n' && show & NUMBER)
		out = put_number(out);
	return out;
}

static byte *judge(const byte *p, const byte *end, byte *out)
{
	if (*p == '\n')
		return end_line(p, out);
	if (p[1] != '\n') {
		*out++ = '\r';
	} else if (p + 1 == end) {
		held_cr = true;
	} else {
		*out++ = '^';
		*out++ = 'M';
	}
	return out;
}

static inline byte *put(const byte *p, const byte *end, byte *out)
{
	unsigned len = shown[*p].len;

	if (!len)
		return judge(p, end, out);
	memcpy(out, shown[*p].as, 4);
	return out + len;
}

/* Four bits for each byte, set where it is special, the first one lowest. */
static inline uint64_t specials(bytes x)
{
	pairs p = (pairs)(((sbytes)x < below) ^
			  ((x == but[0]) | (x == but[1]) | (x == but[2])));
	halves h = __builtin_convertvector(p >> 4, halves);
	uint64_t m;

	memcpy(&m, &h, sizeof(m));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
		m = __builtin_bswap64(m);
		m = (m >> 4 & 0x0f0f0f0f0f0f0f0f) |
		    (m & 0x0f0f0f0f0f0f0f0f) << 4;
	}
	return m;
}

static byte *format(const byte *p, const byte *end, const byte *stop, byte *out)
{
	bytes x;

	for (; p < end; p += STEP) {
		unsigned n = end - p < STEP ? end - p : STEP, from = 0;
		uint64_t m;

		memcpy(&x, p, STEP);
		memcpy(out, &x, STEP);
		m = specials(x) & ~0ull >> 4 * (STEP - n);
#ifdef DENSE
		uint64_t k = m & 0x8888888888888888;
		k &= k - 1; k &= k - 1; k &= k - 1; 
		if (DENSE > 4) k &= k - 1;
		if (DENSE > 5) k &= k - 1;
		if (k) {
			for (; from < n; from++) 
				out = put(p + from, stop, out);
			continue;
		}
#endif
		while (m) {
			unsigned at = __builtin_ctzll(m) / 4;

			out = put(p + at, stop, out + at - from);
			from = at + 1;
			memcpy(&x, p + from, STEP);
			memcpy(out, &x, STEP);
			m &= ~0xfull << 4 * at;
		}
		out += n - from;
	}
	return out;
}

static byte *begin(const byte *p, byte *out)
{
	line = at_start ? p : NULL;
	if (at_start && *p != '\n' && show & NUMBER)
		out = put_number(out);
	if (held_cr) {
		if (*p == '\n') {
			*out++ = '^';
			*out++ = 'M';
		} else {
			*out++ = '\r';
		}
		held_cr = false;
	}
	return out;
}

static int show_block(byte *end, struct zc_end *out)
{
	const byte *p = in_buf;
	byte *o;

	*end = '\n';
	o = begin(p, out_buf);
	while (p < end) {
		const byte *stop = end - p < SLICE ? end : p + SLICE;

		o = format(p, stop, end, o);
		if (o >= out_buf + OUT_SIZE) {
			if (zc_write(out, out_buf, o - out_buf))
				return -1;
			o = out_buf;
		}
		p = stop;
	}
	at_start = end[-1] == '\n';
	return zc_write(out, out_buf, o - out_buf);
}

static int show_copy(struct zc_end *in, struct zc_end *out)
{
	ssize_t n;

	while ((n = zc_read(in, in_buf, IN_SIZE)) > 0)
		if (show_block(in_buf + n, out))
			return -1;
	return n;
}

static int show_end(struct zc_end *out)
{
	return held_cr ? zc_write(out, "\r", 1) : 0;
}

static void fill(void)
{
	for (int c = 0; c < 256; c++) {
		char *p = shown[c].as, low = c & 127;
		bool control = low < ' ' || low == 127;

		if (c == '\n' || c == '\t' ? c == '\t' && show & TABS :
		    show & NONPRINTING) {
			if (c > 127)
				*p++ = 'M', *p++ = '-';
			if (control)
				*p++ = '^', low ^= 64;
			*p++ = low;
		} else {
			if (c == '\n' && show & ENDS)
				*p++ = '$';
			*p++ = c;
		}
		shown[c].len = p - shown[c].as;
	}
	if (show & LINES)
		shown['\n'].len = 0;
	if ((show & (ENDS | NONPRINTING)) == ENDS)
		shown['\r'].len = 0;
}

static void tell(void)
{
	byte b[3] = { 127, 127, 127 };
	bool lines = show & (LINES | ENDS), tabs = show & TABS;

	if (show & NONPRINTING) {
		b[1] = lines ? 127 : '\n';
		b[2] = tabs ? 127 : '\t';
	} else {
		b[0] = lines ? '\n' : '\t';
		b[1] = tabs ? '\t' : b[0];
		b[2] = show & ENDS ? '\r' : b[0];
	}
	for (int i = 0; i < 3; i++)
		memset(&but[i], b[i], sizeof(but[i]));
	memset(&below, show & NONPRINTING ? ' ' : -128, sizeof(below));
}

static int set(const struct option *opt, const char *value)
{
	static const char letters[] = "A" "b" "e" "E" "n" "s" "t" "T" "v";
	static const byte what[] = {
		NONPRINTING | ENDS | TABS, NUMBER | NONBLANK,
		NONPRINTING | ENDS, ENDS, NUMBER, SQUEEZE,
		NONPRINTING | TABS, TABS, NONPRINTING,
	};

	(void)value;
	show |= what[strchr(letters, opt->letter) - letters];
	fill();
	tell();
	cat_copy = show_copy;
	cat_end = show_end;
	return 0;
}

const struct part cat_show_part = {
	.of = IS_CAT,
	.options = (const struct option[]){
		{ 'A', NO_VALUE, "show-all" },
		{ 'b', NO_VALUE, "number-nonblank" },
		{ 'e', NO_VALUE, "" },
		{ 'E', NO_VALUE, "show-ends" },
		{ 'n', NO_VALUE, "number" },
		{ 's', NO_VALUE, "squeeze-blank" },
		{ 't', NO_VALUE, "" },
		{ 'T', NO_VALUE, "show-tabs" },
		{ 'v', NO_VALUE, "show-nonprinting" },
		{ 0 },
	},
	.set = set,
};

const char cat_show_help[] = "";
