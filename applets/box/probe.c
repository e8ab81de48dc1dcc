/* SPDX-License-Identifier: 0BSD */
/* box --probe: the ways of moving bytes, and which of them work here, with or
 * without copying. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "box.h"

enum { SINKS = 2 };

static const char text[] = "moved";
static char source[sizeof(text)];

/* Opens a pipe, a socket or else a file, whichever serves; exit(2) closes it.
 * Returns the descriptor of its other side, or -errno. */
static int open_sink(struct zc_sink *out, unsigned kinds)
{
	int fd[2], err = 0;

	if (kinds & ZC_PIPE) {
		zc_take_for(&out->end, ZC_PIPE);
		err = zc_pipe(fd, O_NONBLOCK);
	} else if (kinds & ZC_SOCKET) {
		zc_take_for(&out->end, ZC_SOCKET);
		err = zc_socketpair(fd, 0);
	} else {
		zc_take_for(&out->end, ZC_FILE);
		fd[0] = fd[1] = sys_memfd();
		if (fd[0] < 0)
			err = -errno;
	}
	if (err)
		return err;
	out->fd = fd[1];
	return fd[0];
}

/* Opens a file, or a repeated line for a method that moves that alone. */
static int open_source(struct zc_source *in, unsigned kinds)
{
	memcpy(source, text, sizeof(text));
	if (!(kinds & ZC_FILE)) {
		zc_take_for(&in->end, ZC_REPEAT);
		return 0;
	}
	in->fd = sys_memfd();
	if (in->fd < 0 || pwrite(in->fd, source, sizeof(text), 0) < 0)
		return -1;
	/* It has the size of a small file. */
	zc_identify(&in->end, false);
	zc_take_for(&in->end, ZC_FILE);
	return 0;
}

static bool tried;     /* the method */
static ssize_t result; /* of its first try */

static void note_result(const struct zc_source *in, const struct zc_sink *out,
			const struct zc_method *m, ssize_t n)
{
	if (m == *zc.methods && !tried)
		result = n;
	tried |= m == *zc.methods;
}

/* Moves the source by the one method. Returns bytes, or -errno. */
static ssize_t move_once(struct zc_source *in, struct zc_sink *out)
{
	const struct zc_method *m = *zc.methods;

	/* A line has no end. */
	if (in->kind == ZC_REPEAT)
		return m->run(&zc, in, out);
	tried = false;
	zc_run(&zc, ZC_EVER, -1);
	return result < 0 ? result : (ssize_t)sizeof(text);
}

/* Returns how the method works, or why it fails. */
static const char *method(const struct zc_method *m)
{
	struct zc_line line = { .pattern = source };
	struct zc_source in = { .fd = -1, .line = &line };
	struct zc_sink out[SINKS] = { { .fd = -1 } };
	char got[sizeof(text)];
	int sink = -1;
	ssize_t n;

	line.pattern_len = line.line_len = sizeof(text);
	if (open_source(&in, m->from))
		return error_text(errno);
	zc_begin(&zc, &in);
	for (int i = m->fan ? SINKS : 1; i--;) {
		sink = open_sink(&out[i], m->to);
		zc_add(&zc, &out[i]);
	}
	n = sink < 0 ? sink : move_once(&in, out);
	zc_end(&zc);
	if (in.error || out->error)
		return error_text(in.error ? in.error : out->error);
	if (n == ZC_PASSED_OVER)
		return "passed over";
	if (n < 0)
		return error_text(-n);
	/* Bytes that were not copied have changed with the source. */
	*(char *)line.pattern = 'a';
	lseek(in.fd, 0, SEEK_SET);
	sys_write(in.fd, line.pattern, 1);
	if (out->kind == ZC_FILE)
		lseek(sink, 0, SEEK_SET);
	if (n != sizeof(got) || sys_read(sink, got, sizeof(got)) != n ||
	    strcmp(got + 1, text + 1))
		return "moves the wrong bytes";
	return *got == 'a' ? "works without copying" : "works by copying";
}

static int print_probe(char *const *args)
{
	static const char not_built_in[] = ""
#define METHOD(name) #name ": not built in\n"
#include "methods_off.h"
#undef METHOD
		;

	/* A limit of file size (RLIMIT_FSIZE) is an error of a method. */
	block_signal(SIGXFSZ);
	/* The name comes first: seccomp(2) may kill box in the method. */
	zc.trace = note_result;
	for (const struct zc_method *const *m = zc_methods; *m; m++) {
		const struct zc_method *list[] = { *m, &zc_method_rw, NULL };

		/* Some methods are tried only if they are named. */
		zc.methods = list;
		put_string((*m)->name);
		put_string(": ");
		if (put_print())
			return 1;
		put_string(method(*m));
		put_byte('\n');
		if (put_print())
			return 1;
	}
	put_string(not_built_in);
	return put_print();
}

const struct command probe_command = { "--probe\0", HELP("test each method"),
				       print_probe };
