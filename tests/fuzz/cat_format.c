/* SPDX-License-Identifier: 0BSD */
/* cat with every combination of its options, over files that are read in pieces
 * of every size and written in pieces of every size. */
#include "reference.h"

enum { MOST = 300 << 10 };

static struct reference reference;
static struct text messages;
static char *const names[] = { "-", "b", "c", "d" };

/* Nothing is kept back while a read may wait. */
static void all_is_written(void)
{
	size_t len = reference.out.len;

	CHECK(kernel.out.len == (len < kernel.limit ? len : kernel.limit));
}

static void was_read(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		reference_byte(&reference, bytes[i]);
}

static void read_failed(int source)
{
	append_string(&messages, "cat: ");
	append_string(&messages, names[source]);
	append_string(&messages, ": Input/output error\n");
}

/* Writes options, in one argument or several, as letters or words. */
static char **put_options(char **argv, struct input *in)
{
	static const struct {
		char letter, word[20];
	} options[] = {
		{ 'A', "--show-all" }, { 'b', "--number-nonblank" },
		{ 'e', "-e" },	       { 'E', "--show-ends" },
		{ 'n', "--number" },   { 's', "--squeeze-blank" },
		{ 't', "-t" },	       { 'T', "--show-tabs" },
		{ 'u', "-u" },	       { 'v', "--show-nonprinting" },
	};
	static char letters[16];
	char *p = letters;

	*p++ = '-';
	for (unsigned n = take(in) % 8; n; n--) {
		unsigned c = take(in), i = c % 10;

		if (c & 128)
			*argv++ = (char *)options[i].word;
		else
			*p++ = options[i].letter;
		reference_option(&reference, options[i].letter);
	}
	*p = 0;
	if (letters[1])
		*argv++ = letters;
	return argv;
}

/* Bytes as they are, and bytes that repeat. */
static size_t take_text(char *text, struct input *in)
{
	size_t len = 0;

	while (in->at < in->end && len < MOST) {
		unsigned op = take(in), size = op % 16 + 1;
		size_t times = 1;
		const uint8_t *piece;

		if (op & 128) {
			times = take(in) << 8;
			times += take(in);
		}
		piece = in->at;
		if (size > (size_t)(in->end - in->at))
			size = in->end - in->at;
		in->at += size;
		for (; times && len + size <= MOST; times--, len += size)
			memcpy(text + len, piece, size);
		if (!size)
			break;
	}
	return len;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const mode_t modes[] = { S_IFCHR, S_IFIFO, S_IFREG, S_IFSOCK };
	static char text[MOST];
	struct input in = { bytes, bytes + size };
	char *argv[20], **end;
	struct text out = reference.out;
	unsigned how, parts, limit, cuts[SOURCES];
	size_t len;
	int status;

	kernel_new();
	reference = (struct reference){ .out = out };
	reference.out.len = messages.len = 0;
	end = put_options(argv, &in);
	how = take(&in);
	kernel.in_mode = modes[how & 3];
	kernel.out_mode = modes[how >> 2 & 3];
	limit = take(&in);
	if (limit > 200)
		kernel.limit = (limit - 201) * take(&in) * 16;
	kernel.nchoices = take(&in) % 16;
	if (kernel.nchoices > (size_t)(in.end - in.at))
		kernel.nchoices = in.end - in.at;
	kernel.choices = in.at;
	in.at += kernel.nchoices;
	parts = take(&in) % SOURCES + 1;
	for (unsigned i = 0; i < parts; i++) {
		struct source *s = kernel.sources + i;
		unsigned what = take(&in);

		*end++ = names[i];
		s->direct = what & 1;
		s->error = what & 2 ? errnos_unread[0] : 0;
		cuts[i] = what >> 2;
	}
	*end = NULL;
	len = take_text(text, &in);
	for (unsigned i = 0; i < parts; i++) {
		size_t from = i ? kernel.sources[i - 1].bytes - text +
					      kernel.sources[i - 1].len :
				  0;

		kernel.sources[i].bytes = text + from;
		kernel.sources[i].len = i == parts - 1 ?
						len - from :
						(len - from) * cuts[i] / 64;
	}
	kernel.before_read = all_is_written;
	kernel.after_read = was_read;
	kernel.read_failed = read_failed;

	option_groups = all_option_groups;
	status = applet_start(&cat_applet, argv);
	reference_end(&reference);
	if (reference.out.len > kernel.limit) {
		reference.out.len = kernel.limit;
		append_string(&messages,
			      "cat: write error: No space left on device\n");
	}
	check_same(&kernel.out, &reference.out);
	check_same(&kernel.err, &messages);
	CHECK(status == (messages.len > 0));
	return 0;
}
