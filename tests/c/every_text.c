/* SPDX-License-Identifier: 0BSD */
/* cat_format.c on every text of so many bytes, of so many letters, and on those
 * in which any byte stands anywhere among letters; with every set of options,
 * and with every way to read the text in pieces. It prints what
 * tests/fuzz/format.h does, and before each read all that is known of it.
 *
 *     every_text LETTERS BYTES
 *
 * The numbers of cat_format.h are replaced: a block is two bytes here. */
#define CAT_FORMAT_H
enum {
	VECTOR = 1,
	BLOCK = 2,
	HALF = 1,
	FLUSH_SIZE = 6,
	PLAIN = 4,
	CHUNK = 4,
	UNROLL = 2,
	DENSE = 1,
	DENSE_LINES = 1,
};

#include "core.h"

enum {
	BYTES_MAX = 8,
	OPTIONS = 1 << 6,
	LINE = 999998, /* the first number: they grow out of their columns */
};

/* The text ends where the buffer does. */
#define ZC_BUFFER BYTES_MAX
#define ZC_ALIGN 4
#define zc_buffer(z) memory

static char memory[96];

#include "../../applets/cat_format.c"

_Static_assert(sizeof(memory) == IN_SIZE + OUT_SIZE, "and no larger");

#include "../fuzz/format.h"

struct zc zc;
const struct cat_format *cat_format;

static const char letters[] = "\n\ra\t\1\x8d\xff";

static char text[BYTES_MAX];
static unsigned size, at;
static unsigned cuts; /* a bit for each byte that begins a read */
static unsigned long runs;
static struct text got;
static struct reference want;
static size_t known[BYTES_MAX + 1]; /* bytes to print, after so many */

/* The number before that. */
static struct {
	char number[sizeof(number)], *first, digit;
} before;

static void fail(const char *what)
{
	printf("options %#x, \"", show);
	for (unsigned i = 0; i < size; i++)
		printf("%s\\x%02x", i && cuts >> i & 1 ? "\" \"" : "",
		       (byte)text[i]);
	printf("\": %s\n  got  \"%s\"\n  want \"%s\"\n", what, got.at,
	       want.out.at);
	exit(1);
}

ssize_t zc_read(struct zc *z, struct zc_source *in, void *buf, size_t n)
{
	size_t i = 0;

	(void)z, (void)in;
	if (got.len != known[at])
		fail("a read begins, and what is known is not printed");
	while (i < n && at < size) {
		((char *)buf)[i++] = text[at++];
		if (cuts >> at & 1)
			break;
	}
	return i;
}

int zc_write(struct zc *z, struct zc_sink *out, const void *buf, size_t n)
{
	(void)z, (void)out;
	append(&got, buf, n);
	return 0;
}

static void find_number(void)
{
	format_set(&(const struct option){ .asks = NUMBER }, NULL);
	for (int i = 1; i < LINE; i++)
		put_number(out_buffer);
	memcpy(before.number, number, sizeof(number));
	before.first = first;
	before.digit = digit;
}

static void set_options(unsigned options)
{
	static const char names[] = "nbsETv"; /* a bit each, from the lowest */

	show = 0;
	format_set(&(const struct option){ .asks = options }, NULL);
	want = (struct reference){ .out = want.out };
	for (int i = 0; names[i]; i++)
		if (options & 1u << i)
			reference_option(&want, names[i]);
}

static void print_text(void)
{
	struct zc_source in = { .fd = 0 };
	struct zc_sink out = { .fd = 1 };

	at = 0;
	got.len = 0;
	memcpy(number, before.number, sizeof(number));
	first = before.first;
	digit = before.digit;
	input[-2] = 0;
	input[-1] = '\n';
	format_copy(&in, &out);
	format_end(&out);
	if (got.len != want.out.len || memcmp(got.at, want.out.at, got.len))
		fail("it prints something else");
}

/* The text that is there, in whatever pieces it is read. */
static void print_all_ways(void)
{
	struct reference r = want;

	r.line = LINE - 1;
	r.out.len = 0;
	for (unsigned i = 0; i < size; i++) {
		reference_byte(&r, text[i]);
		known[i + 1] = r.out.len;
	}
	reference_end(&r);
	want.out = r.out;
	for (cuts = 0; cuts < 1u << size; cuts += 2, runs++)
		print_text();
}

static void print_texts(unsigned nletters)
{
	unsigned long texts = 1;

	for (unsigned i = 0; i < size; i++)
		texts *= nletters;
	for (unsigned long which = 0; which < texts; which++) {
		unsigned long rest = which;

		for (unsigned i = 0; i < size; i++, rest /= nletters)
			text[i] = letters[rest % nletters];
		print_all_ways();
	}
}

static void print_bytes(void)
{
	for (unsigned c = 0; c < 256; c++)
		for (unsigned i = 0; i < size; i++) {
			memset(text, 'a', size);
			text[i] = c;
			print_all_ways();
		}
}

int main(int argc, char **argv)
{
	unsigned nletters = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;

	size = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	if (nletters < 1 || nletters >= sizeof(letters) || size < 1 ||
	    size > BYTES_MAX) {
		fprintf(stderr, "usage: every_text LETTERS BYTES\n");
		return 2;
	}
	find_number();
	for (unsigned options = 0; options < OPTIONS; options++) {
		if (options & FILLED && !(options & NUMBER))
			continue;
		set_options(options);
		print_texts(nletters);
		print_bytes();
	}
	printf("%lu runs\n", runs);
	return 0;
}
