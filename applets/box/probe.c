/* SPDX-License-Identifier: 0BSD */
/* box --probe: which ways of moving bytes there are, and which work here. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"

static const char text[64] = "A method that works moves this from end to end.";
static char lines[4096]; /* copies of it */

/* Opens a pipe or else a file, whichever serves; exit(2) closes it. Returns the
 * descriptor of its other side, or -1 with errno. */
static int probe_open_end(struct zc_endpoint *end, unsigned kinds, bool source)
{
	int fd[2];

	end->kind = kinds & ZC_PIPE ? ZC_PIPE : ZC_FILE;
	if (end->kind == ZC_FILE)
		fd[0] = fd[1] = memfd_create("box", 0);
	else if (syscall(SYS_pipe2, fd, O_NONBLOCK))
		return -1;
	end->fd = fd[!source];
	return fd[source];
}

static int probe_open_source(struct zc_endpoint *in, unsigned kinds)
{
	int fd;

	if (kinds & ZC_REPEAT) {
		in->kind = ZC_REPEAT;
		in->pattern = lines;
		in->pattern_len = sizeof(lines);
		in->line_len = sizeof(text);
		return 0;
	}
	fd = probe_open_end(in, kinds, true);
	if (fd < 0)
		return -1;
	if (write(fd, text, sizeof(text)) != sizeof(text))
		return -1;
	in->size = sizeof(text);
	if (in->kind == ZC_PIPE)
		return close(fd);
	return lseek(fd, 0, SEEK_SET);
}

/* Returns "works", or why the method does not. */
static const char *probe_method(const struct zc_method *m)
{
	struct zc_endpoint in = { .fd = -1 }, out = { .fd = -1 };
	char got[sizeof(text)];
	int sink = probe_open_end(&out, m->to, false);
	ssize_t n = -1;

	if (sink >= 0 && !probe_open_source(&in, m->from))
		n = m->run(&zc, &in, &out, 1);
	if (in.error || out.error)
		return error_text(in.error ? in.error : out.error);
	if (n < 0)
		return error_text(errno);
	if (out.kind == ZC_FILE)
		lseek(sink, 0, SEEK_SET);
	/* A repeated line may have come more than once. */
	if (n < (ssize_t)sizeof(got) ||
	    read(sink, got, sizeof(got)) != sizeof(got) ||
	    memcmp(got, text, sizeof(got)))
		return "moves the wrong bytes";
	return "works";
}

static int probe_run(char **args)
{
	int status = 0;

	(void)args;
	for (size_t i = 0; i < sizeof(lines); i += sizeof(text))
		memcpy(lines + i, text, sizeof(text));
	/* The name comes first: seccomp(2) may kill box in the method. */
	for (const struct zc_method *const *m = zc_methods; *m && !status; m++)
		status = print((*m)->name, ": ", NULL) ||
			 print(probe_method(*m), "\n", NULL);
	return status || print("",
#define METHOD(name) #name ": not built in\n",
#include "methods_off.h"
#undef METHOD
			       NULL);
}

const struct command probe_command = { "--probe", "", probe_run };
