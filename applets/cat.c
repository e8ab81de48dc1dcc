/* SPDX-License-Identifier: 0BSD */
/* cat: files, one after the other, to standard output. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"
#include "cat.h"

static bool gathers = true;
static size_t held;	/* bytes of small files gathered in zc_buffer */

static int flush(struct zc_end *out)
{
	size_t n = held;

	held = 0;
	return n ? zc_write(out, zc_buffer, n) : 0;
}

ssize_t cat_read(struct zc_end *in, struct zc_end *out, void *buf, size_t size)
{
	static const struct zc_method gathered = { .name = "rw (gathered)" };
	static const struct zc_method formatted = { .name = "rw (formatted)" };
	ssize_t n = zc_read(in, buf, size);

	if (zc_trace)
		zc_trace(cat_end == flush ? &gathered : &formatted, in, out, 1,
			 n);
	return n;
}

/* Returns as zc_open(). While something is held this does not wait, as open(2)
 * may for the writer of a FIFO or for a lease on a file. */
static int open_file(const char *name, struct zc_end *out)
{
	int fd = held ? zc_open(name, O_RDONLY | O_NONBLOCK) : -1;

	if (fd < 0) {
		flush(out);
		fd = zc_open(name, O_RDONLY);
	}
	return fd;
}

/* Writes what is held before an input that may wait: for the writer of a FIFO
 * too, which read(2) with O_NONBLOCK would take for one that has ended. */
static void hold_nothing(struct zc_end *in, struct zc_end *out)
{
	if (flush(out) || in->fd == STDIN_FILENO)
		return;
	if (in->kind != ZC_PIPE || !zc_wait(in)) {
		zc_fcntl(in->fd, F_SETFL, 0);
		return;
	}
	close(in->fd);
	in->fd = zc_open(in->name, O_RDONLY);
	if (in->fd < 0)
		in->error = errno;
}

/* Small files are gathered into one write. One of size 0 may be anything, such
 * as a tracing pipe, and is not kept waiting. */
static int copy(struct zc_end *in, struct zc_end *out)
{
	ssize_t n;

	if (in->kind != ZC_SMALL || !in->size || !gathers) {
		if (held)
			hold_nothing(in, out);
		return zc_copy(in, out, 1);
	}
	do {
		if (ZC_BUFFER - held < ZC_SMALL_MAX && flush(out))
			return -1;
		n = cat_read(in, out, zc_buffer + held, ZC_BUFFER - held);
		if (n > 0)
			held += n;
	} while (n > 0);
	return n;
}

int (*cat_copy)(struct zc_end *in, struct zc_end *out) = copy;
int (*cat_end)(struct zc_end *out) = flush;

/* Whether copying would chase its own output, as GNU cat tells: the output is
 * the same file and further on. What is formatted grows, and gets there. */
static bool is_output(struct zc_end *in, struct zc_end *out)
{
	off_t at, end;
	int flags;

	if (in->dev != out->dev || in->ino != out->ino || flush(out))
		return false;
	at = lseek(in->fd, 0, SEEK_CUR);
	flags = zc_fcntl(out->fd, F_GETFL, 0);
	end = lseek(out->fd, 0,
		    flags >= 0 && flags & O_APPEND ? SEEK_END : SEEK_CUR);
	return at >= 0 && at < (cat_copy == copy ? end : in->size);
}

/* Returns 0, or 1 having said what is wrong with the operand; out->error is
 * the caller's to report. */
static int cat_file(struct zc_end *in, struct zc_end *out, bool first)
{
	bool file = out->kind & (ZC_FILE | ZC_SMALL);

	in->error = 0;
	in->kind = 0;
	if (!strcmp(in->name, "-"))
		in->fd = STDIN_FILENO;
	else
		in->fd = open_file(in->name, out);
	if (in->fd < 0)
		in->error = errno;
	/* An empty output has nothing to chase: then copy_file_range(2) may
	 * find out for itself what the input is. */
	else if (first && file && !out->size && cat_copy == copy)
		in->kind = ZC_UNSEEN;
	else
		zc_look(in);
	if (!in->error && file && in->kind != ZC_UNSEEN && is_output(in, out))
		return say_name(in->name, "input file is output file");
	if (!in->error)
		cat_copy(in, out);
	if (!in->error)
		return 0;
	flush(out);
	return say_name(in->name, error_text(in->error));
}

static int run(char **operands)
{
	static char *standard_input[] = { "-", NULL };
	struct zc_end out = { .fd = STDOUT_FILENO };
	struct zc_end in = { .fd = -1 };
	int status = 0;

	if (zc_look(&out))
		return say_error("standard output", out.error);
	if (!*operands)
		operands = standard_input;
	for (char **o = operands; *o && !out.error; o++) {
		/* The last one is left to exit(2). */
		if (in.fd > STDERR_FILENO)
			close(in.fd);
		in.name = *o;
		status |= cat_file(&in, &out, o == operands);
	}
	if (!out.error)
		cat_end(&out);
	/* close(2) is where a network file system tells of a lost write. */
	if (!out.error && close(out.fd))
		out.error = errno;
	return out.error ? say_error("write error", out.error) : status;
}

static int set(const struct option *opt, const char *value)
{
	(void)opt;
	(void)value;
	gathers = false;
	return 0;
}

static const struct part unbuffered = {
	.options = (const struct option[]){
		{ 'u', NO_VALUE, "" },
		{ 0 }
	},
	.set = set,
};

const struct applet cat_applet = {
	.name = "cat",
	.folder = "bin",
	.is = IS_CAT | COPIES | MOVES,
	.parts = (const struct part *const[]){ &unbuffered, NULL },
	.run = run,
};

const char cat_help[] =
"Usage: cat [OPTION]... [FILE]...\n"
"Concatenate FILE(s) to standard output.\n\n"
"With no FILE, or when FILE is -, read standard input.\n\n"
"  -u                       write each file as soon as it is read\n";
