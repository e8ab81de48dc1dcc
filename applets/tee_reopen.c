/* SPDX-License-Identifier: 0BSD */
/* tee --reopen: opens each FILE again at SIGHUP, and closes the old one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "applet.h"
#include "tee.h"

/* O_NONBLOCK refuses a FIFO without a reader, so that no other output waits. */
enum { FLAGS = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK };

static char *const *names;
static int count;  /* of the names */
static bool *told; /* of each FILE: a message has said that open failed */

static int tee_reopen_begin(char *const *files)
{
	int err;

	names = files;
	while (names[count])
		count++;
	if (!count)
		return usage_error("option '--reopen' needs a FILE", "", "");
	told = allocate(count * sizeof(*told));
	if (!told)
		return 1;
	err = listen_to(SIGHUP);
	return err ? message_error("--reopen", -err) : 0;
}

/* Closes the old file of an output and gives it the new one, which gets the
 * queued bytes, too. Returns 0, or 1 after a message. */
static int tee_reopen_replace(struct zc_sink *out, int fd, bool sole)
{
	struct tee_file *file = NULL;
	int status = 0;
	int failed = out->error ? 0 : zc_close_fd(out->fd);

	if (failed && failed != -EBADF)
		status = message_path(out->name, error_text(-failed));
	/* The bytes that it missed were reported. */
	if (out->error && out->lag)
		*out->lag = tee_lag;
	if (IS_ENABLED(CONFIG_TEE_FILE))
		file = tee_file_of(out);
	zc_replace(out, fd);
	out->user = NULL;
	tee_open_sink(out, out->name, fd, sole);
	if (IS_ENABLED(CONFIG_TEE_FILE))
		status |= tee_file_open(out, FLAGS, file, true);
	return status;
}

/* open(2). A name such as /dev/fd/4, or a link to one, leads to no pipe of
 * ours. Returns a descriptor, or -errno. */
static int tee_reopen_open(const char *name, const struct zc_source *in,
			   bool *sole)
{
	int fd = operand_open(name, FLAGS, sole);
	struct zc_stat st;

	if (fd < 0 || zc_stat(fd, NULL, &st) || !S_ISFIFO(st.mode))
		return fd;
	if (!(IS_ENABLED(CONFIG_ZC_RANGE) && zc_is_pipe_of(&zc, &st.id)) &&
	    !(tee_runs() && zc_is_same_file(&in->id, &st.id)))
		return fd;
	zc_close_fd(fd);
	return -ENOENT;
}

/* A FILE was opened again, as fd. If that is -errno, the output keeps the old
 * file. No message is repeated: *said is true after the first, and out->error
 * was reported. Returns 0, or 1 after a message. */
static int tee_reopen_file(struct zc_sink *out, int fd, bool sole, bool *said)
{
	int status = 0;

	if (fd >= 0) {
		*said = false;
		return tee_reopen_replace(out, fd, sole);
	}
	if (!*said && !out->error)
		status = message_path(out->name, error_text(-fd));
	*said = true;
	return status;
}

static int tee_reopen_again(const struct zc_source *in, struct zc_sink *out)
{
	int status = 0;

	for (int i = 0; i < count; i++) {
		bool sole;
		int fd = tee_reopen_open(names[i], in, &sole);

		status |= tee_reopen_file(++out, fd, sole, &told[i]);
	}
	return status;
}

static const struct tee_reopen reopening = { tee_reopen_begin,
					     tee_reopen_again };

static int tee_reopen_set(const struct option *opt, const char *value)
{
	block_signal(SIGHUP);
	tee_reopen = &reopening;
	return 0;
}

const struct option_group tee_reopen_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, 0, "reopen",
		      HELP("at SIGHUP, open each FILE again, to append") }),
	.set = tee_reopen_set,
};
