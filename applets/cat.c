/* SPDX-License-Identifier: 0BSD */
/* cat: files, one after the other, to standard output. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"
#include "cat.h"

const struct cat_format *cat_format;

/* Whether cat would read its own output: both are the same file, and the output
 * is further on. Formatted text grows and would overtake the source, so there
 * any position before its end counts, too. */
static bool cat_is_output(const struct zc_source *in, const struct zc_sink *out)
{
	off_t at, end;
	int flags;

	if (!zc_is_same_file(&in->id, &out->id))
		return false;
	/* If both share a position (cat <>f >&0), it is further on after each
	 * read. So the position of the output is asked after a step forth. */
	at = lseek(in->fd, 1, SEEK_CUR) - 1;
	if (at < 0)
		return false;
	flags = zc_fcntl(out->fd, F_GETFL, 0);
	end = zc_may_have(flags, O_APPEND) ? in->size :
					     lseek(out->fd, 0, SEEK_CUR);
	lseek(in->fd, -1, SEEK_CUR);
	return at < in->size && (cat_format || at < end);
}

/* Reports it. GNU cat would copy the file if the text is formatted, the
 * position shared or fcntl(2) refused. Then the file keeps its bytes, and the
 * next operand goes behind them, as behind a copy. */
static int cat_refuse(const struct zc_source *in, const struct zc_sink *out)
{
	if (lseek(out->fd, 0, SEEK_CUR) <= lseek(in->fd, 0, SEEK_CUR))
		lseek(out->fd, 0, SEEK_END);
	return message_path(in->name, "input file is output file");
}

static bool cat_is_file(const struct zc_endpoint *end)
{
	return end->kind & ZC_REGULAR;
}

/* Whether small files are just read and written: no method is named, and none
 * is reported (--debug, --progress). If rw is the only method, zc_copy() does
 * the same. */
static bool cat_is_plain(void)
{
	bool named = zc.methods && zc.methods[1]; /* more than rw */

	return zc_methods[1] && !zc.trace && !named;
}

/* Moves a file that is small, or taken for it until it turns out to be large.
 */
static void cat_small(struct zc_source *in, struct zc_sink *out)
{
	char *buffer = zc_buffer(&zc);
	ssize_t n;

	do {
		n = zc_read(&zc, in, buffer, ZC_BUFFER);
		if (n <= 0 || zc_write(&zc, out, buffer, n))
			return;
	} while (n <= ZC_SMALL_MAX);
	zc_identify(&in->end, false);
	zc_copy(&zc, in, out);
}

/* Returns 0, or 1 after a message about the operand; the caller reports
 * out->error. */
static int cat_file(struct zc_source *in, struct zc_sink *out, bool plain)
{
	if (!in->error) {
		if (cat_is_file(&out->end) && cat_is_output(in, out))
			return cat_refuse(in, out);
		if (cat_format)
			cat_format->copy(in, out);
		else if (plain && in->kind == ZC_SMALL)
			cat_small(in, out);
		else
			zc_copy(&zc, in, out);
	}
	return in->error ? message_path(in->name, error_text(in->error)) : 0;
}

/* Opens an operand in place of the one before. Small files come together: after
 * one of those the next is taken for small, without fstat(2), if one may guess.
 */
static void cat_open(struct zc_source *in, const char *name, bool guess)
{
	bool small = guess && in->kind == ZC_SMALL, sole;

	/* The last one is left to exit(2). */
	if (in->fd > STDERR_FILENO)
		zc_close_fd(in->fd);
	*in = (struct zc_source){ .name = name, .fd = STDIN_FILENO };
	if (!strcmp(name, "-"))
		return;
	/* The name may lead to /proc/self/fd, and there to the relay. */
	if (IS_ENABLED(CONFIG_ZC_RANGE))
		zc_close_relay_of(&zc);
	in->fd = operand_open(name, O_RDONLY, &sole);
	if (in->fd < 0)
		in->error = -in->fd;
	else if (small && sole)
		zc_take_for(&in->end, ZC_SMALL);
}

/* Writes what is left, and closes the ends. Returns the exit status. */
static int cat_end(struct zc_sink *out, bool reads_input, int status)
{
	int failed;

	if (!out->error && cat_format)
		cat_format->end(out);
	if (!out->error && reads_input) {
		failed = zc_close_fd(STDIN_FILENO);
		if (failed)
			status = message_error("closing standard input",
					       -failed);
	}
	/* A network file system reports a lost write at close(2). */
	if (!out->error)
		out->error = -zc_close_fd(out->fd);
	return out->error ? message_error("write error", out->error) : status;
}

static int cat_main(char *const *operands)
{
	struct zc_sink out = { .fd = STDOUT_FILENO };
	struct zc_source in = { .fd = -1 };
	bool reads_input = false; /* an operand is "-" */
	bool plain = cat_is_plain();
	int status = 0;

	if (zc_identify(&out.end, false))
		return message_error("standard output", out.error);
	if (!*operands)
		operands = standard_input;
	for (char *const *o = operands; *o && !out.error; o++) {
		/* With a file each has to be compared. */
		cat_open(&in, *o, plain && !cat_is_file(&out.end));
		reads_input |= in.fd == STDIN_FILENO;
		if (IS_ENABLED(CONFIG_CONFINE) && (o == operands || !o[1]))
			confine(o[1] ? OPENS_TO_READ : OPENS_NOTHING);
		if (!in.error && in.kind == ZC_UNIDENTIFIED)
			zc_identify(&in.end, false);
		status |= cat_file(&in, &out, plain);
	}
	return cat_end(&out, reads_input, status);
}

static int cat_set(const struct option *opt, const char *value)
{
	return 0;
}

/* Nothing is ever kept back. */
static const struct option_group cat_options = {
	OPTION_LIST({ 'u', 0, "", HELP("(ignored)") }),
	.set = cat_set,
};

const struct applet cat_applet = {
	.name = "cat",
	.directory = "bin",
	.traits = READS_OPERANDS | FORMATS | COPIES | MOVES,
	.own = &cat_options,
	.help = HELP("Usage: cat [OPTION]... [FILE]...\n"
		     "Concatenate FILE(s) to standard output.\n"
		     "\n"
		     "With no FILE, or when FILE is -, read standard input.\n"
		     "\n"),
	.run = cat_main,
};
