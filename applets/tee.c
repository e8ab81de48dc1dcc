/* SPDX-License-Identifier: 0BSD */
/* tee: copies standard input to standard output and to files. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "applet.h"
#include "tee.h"

static bool append;
static bool over; /* an output has failed, and that is to end tee */

struct tee_mode tee_mode;
struct zc_lag tee_lag;
const struct zc_source *tee_source;
const struct tee_reopen *tee_reopen;
const struct tee_run *tee_run;

static bool tee_is_over(void)
{
	return IS_ENABLED(CONFIG_TEE_ERROR) && over;
}

static const char *tee_why(int err)
{
	if (IS_ENABLED(CONFIG_TEE_LAG) && tee_lag.late != ZC_WAIT &&
	    err == ETIME)
		return "too late";
	return error_text(err);
}

size_t tee_tell(char *text, uint64_t missing)
{
	static const char before[] = "tee: ", after[] = " bytes left out\n";
	char *end = text + strlen(before);

	memcpy(text, before, strlen(before));
	end = decimal(end, missing);
	memcpy(end, after, strlen(after));
	return end + strlen(after) - text;
}

/* Reports the bytes that a late sink has missed. Returns 0 or 1. */
static int tee_say_left_out(const struct zc_sink *out)
{
	if (!IS_ENABLED(CONFIG_TEE_LAG) || !out->lag || !out->lag->left_out)
		return 0;
	message_begin();
	put_name(out->name);
	put_string(": late, ");
	put_decimal(out->lag->left_out);
	put_string(" bytes left out");
	message_end();
	return 1;
}

/* Discards the bytes that a serial line holds if it was given up. close(2) and
 * exit(3) would wait for them for up to 30 s while the line is stopped (^S).
 * Other terminals report that they hold none, and keep theirs. SIGTTOU would
 * stop us in the background. */
static void tee_discard(const struct zc_sink *out)
{
	if (IS_ENABLED(CONFIG_TEE_LAG) && out->kind == ZC_TTY &&
	    out->error == ETIME && zc_unread(out->fd)) {
		block_signal(SIGTTOU);
		sys_tcflush(out->fd, TCOFLUSH);
	}
}

/* Reports an output that has failed, and closes it. After an error that ends
 * the program none is reported. Returns 0 or 1. */
static int tee_retire(const struct zc_sink *out)
{
	int status;

	tee_discard(out);
	status = tee_say_left_out(out);
	if (!tee_is_over() && (out->error != EPIPE || tee_mode.tell_epipe)) {
		status = message_path(out->name, tee_why(out->error));
		over = tee_mode.exit;
	}
	if (out->fd > STDERR_FILENO)
		zc_close_fd(out->fd);
	return status;
}

static int tee_retire_failed(void)
{
	const struct zc_sink *out;
	int status = 0;

	while ((out = zc_failed(&zc)))
		status |= tee_retire(out);
	return status;
}

/* Returns whether an output is /dev/null, which gets no bytes while there is
 * another. Where it is not open for writing it counts as another, because the
 * write has to fail. If sinks may lose bytes, /dev/null gets bytes as well: it
 * is always on time, and sets the pace. */
static bool tee_is_idle(const struct zc_sink *out)
{
	return out->kind == ZC_NULL && !out->no_write &&
	       !(IS_ENABLED(CONFIG_TEE_LAG) && tee_lag.late != ZC_WAIT);
}

/* Adds the outputs that are alive to the job, and one at least. */
static void tee_add_all(struct zc_sink *out, int nout)
{
	struct zc_sink *idle = NULL;
	bool none = true;

	for (struct zc_sink *o = out; o < out + nout; o++) {
		if (o->error)
			continue;
		if (tee_is_idle(o)) {
			idle = o;
		} else {
			zc_add(&zc, o);
			none = false;
		}
	}
	if (none && idle)
		zc_add(&zc, idle);
}

static const struct tee_reopen *tee_reopens(void)
{
	return IS_ENABLED(CONFIG_TEE_REOPEN) ? tee_reopen : NULL;
}

const struct tee_run *tee_runs(void)
{
	return IS_ENABLED(CONFIG_TEE_RUN) ? tee_run : NULL;
}

/* Acts on the signals that have arrived. Returns 0, or 1 after a message. */
static int tee_hear(const struct zc_source *in, struct zc_sink *out)
{
	bool hangup = false;
	int sig;

	while ((sig = listen_heard()))
		hangup |= sig == SIGHUP;
	if (tee_reopens() && hangup)
		return tee_reopen->again(in, out);
	return 0;
}

/* Closes an output that is alive. A network file system reports a lost write at
 * close(2). EBADF means that the output was closed before tee began: no write
 * is lost. Returns 0 or 1. */
static int tee_close(struct zc_sink *out)
{
	int failed;

	if (IS_ENABLED(CONFIG_TEE_FILE))
		tee_file_end(out);
	failed = zc_close_fd(out->fd);
	if (!failed || failed == -EBADF)
		return tee_say_left_out(out);
	out->error = -failed;
	out->fd = -1; /* close(2) frees it even so */
	return tee_retire(out);
}

static int tee_copy_all(struct zc_source *in, struct zc_sink *out, int nout)
{
	int status = 0, result = ZC_ENDED;
	uint64_t until = ZC_EVER;

	zc_begin(&zc, in);
	/* If a signal or a time has ended the call (result > 0), bytes may be
	 * queued even after a failure of the source: call again. */
	do {
		if (IS_ENABLED(CONFIG_LISTEN) && result == ZC_CANCELED)
			status |= tee_hear(in, out);
		if (tee_runs())
			until = tee_run->turn(in);
		if (IS_ENABLED(CONFIG_TEE_ROTATE) && tee_file_turn)
			tee_file_turn(in, out, nout);
		tee_add_all(out, nout);
		result = zc_run(&zc, until,
				IS_ENABLED(CONFIG_LISTEN) ? listen_fd : -1);
		status |= tee_retire_failed();
		/* The others still get the bytes in their queues. */
		in->ended |= tee_is_over();
	} while (result &&
		 (!in->error || (IS_ENABLED(CONFIG_LISTEN) && result > 0)));
	if (in->error)
		status = message_error("read error", in->error);
	for (struct zc_sink *o = out; o < out + nout; o++)
		if (!o->error)
			status |= tee_close(o);
	return IS_ENABLED(CONFIG_TEE_FILE) ? status | tee_file_status : status;
}

/* Makes the writes to a terminal O_NONBLOCK. Otherwise write(2) sleeps if the
 * terminal is stopped (^S), even after poll(2) called it ready. O_NONBLOCK
 * belongs to the open file, which other processes may share. So standard output
 * is opened a second time. /dev/tty, /dev/console and /dev/ptmx (devices 5:0 to
 * 5:2) and /dev/tty0 (4:0) may open as another terminal, and are left alone.
 * Returns whether no write sleeps now. */
static bool tee_never_sleep(struct zc_sink *out, bool sole)
{
	struct zc_stat st;
	int fd;

	if (out->kind != ZC_TTY || out->no_write)
		return false;
	if (sole)
		return !zc_fcntl(out->fd, F_SETFL, O_NONBLOCK);
	if (out->fd != STDOUT_FILENO)
		return false;
	if (zc_stat(out->fd, NULL, &st) || major(st.rdev) == 5 ||
	    st.rdev == makedev(4, 0))
		return false;
	fd = zc_open("/proc/self/fd/1", O_WRONLY | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	out->fd = fd;
	return true;
}

void tee_open_sink(struct zc_sink *out, const char *name, int fd, bool sole)
{
	out->name = name;
	out->fd = fd;
	if (fd < 0) {
		out->error = -fd;
	} else if (zc_identify(&out->end, out->sole)) {
		/* It is closed: the first write to it reports that. */
		out->error = 0;
	}
	/* Of the kind ZC_DATAGRAM, a pipe (O_DIRECT) has no message_max. */
	if (tee_mode.watch)
		out->retire_on_hangup = out->kind & (ZC_PIPE | ZC_SOCKET) ||
					(out->kind == ZC_DATAGRAM &&
					 !out->message_max);
	if (IS_ENABLED(CONFIG_TEE_LAG) && tee_lag.max)
		out->lag->nonblock = tee_never_sleep(out, sole);
}

/* Gives each output a struct zc_lag, if --lag limits it or --debug prints it.
 * Returns 0, or 1 after a message if memory is short. */
static int tee_allow_lag(struct zc_sink *out, int nout)
{
	struct zc_lag *lag;

	if (!tee_lag.max && !zc.trace)
		return 0;
	lag = allocate(nout * sizeof(*lag));
	for (int i = 0; lag && i < nout; i++) {
		lag[i] = tee_lag;
		out[i].lag = &lag[i];
	}
	return !lag;
}

static int tee_open(const char *name, int flags, bool *sole)
{
	if (tee_runs())
		return tee_run->open(name, flags, sole);
	return operand_open(name, flags, sole);
}

/* Opens the FILEs. A failure is reported at once, because the open(2) of a FIFO
 * may wait for a reader. Returns 0, or 1 after a message. */
static int tee_open_files(const struct zc_source *in, struct zc_sink *out,
			  char *const *operands)
{
	int flags = O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC);
	int status = 0;

	for (; *operands && !tee_is_over(); operands++, out++) {
		bool sole;
		int fd = tee_open(*operands, flags, &sole);

		if (!append)
			out->sole = sole;
		tee_open_sink(out, *operands, fd, sole);
		/* /dev/fd/N, or a link to it, has led to the command's pipe. */
		if (tee_runs() && zc_is_same_file(&out->id, &in->id))
			out->error = ENOENT;
		if (IS_ENABLED(CONFIG_TEE_FILE))
			status |= tee_file_open(out, flags, NULL, false);
		if (out->error)
			status |= tee_retire(out);
	}
	return status;
}

static bool tee_has(int step)
{
	return IS_ENABLED(CONFIG_TEE_FILE) && tee_file_steps[step];
}

static enum opens tee_opens_later(void)
{
	if (tee_has(TEE_ROTATE))
		return OPENS_AND_RENAMES;
	if (tee_has(TEE_RETRY) || tee_reopens())
		return OPENS_TO_WRITE;
	return OPENS_NOTHING;
}

/* Returns 0, or the exit status. */
static int tee_begin(struct zc_source *in, char *const *files)
{
	if (tee_has(TEE_ROTATE) && !*files)
		return usage_error("option '--rotate' needs a FILE", "", "");
	if (tee_reopens() && tee_reopen->begin(files))
		return 1;
	return tee_runs() ? tee_run->begin(in) : 0;
}

static int tee_end(struct zc_source *in, int status)
{
	int failed;

	if (tee_runs())
		return tee_run->end(in, status);
	failed = zc_close_fd(STDIN_FILENO);
	return failed ? message_error("standard input", -failed) : status;
}

static int tee_main(char *const *operands)
{
	struct zc_source in = { .name = "-", .fd = STDIN_FILENO };
	struct zc_sink *out;
	int nout = 1, status;

	while (operands[nout - 1])
		nout++;
	if (nout > ZC_SINKS_MAX)
		return message_path("operands", "too many");
	out = allocate(nout * sizeof(*out));
	if (!out || (IS_ENABLED(CONFIG_TEE_LAG) && tee_allow_lag(out, nout)))
		return 1;
	if (IS_ENABLED(CONFIG_TEE_STAMP))
		tee_source = &in;
	status = tee_begin(&in, operands);
	if (status)
		return status;
	tee_open_sink(out, "standard output", STDOUT_FILENO, false);
	status = tee_open_files(&in, out + 1, operands);
	if (tee_is_over())
		return tee_runs() ? tee_run->end(&in, status) : status;
	if (IS_ENABLED(CONFIG_CONFINE))
		confine(tee_opens_later());
	return tee_end(&in, tee_copy_all(&in, out, nout) | status);
}

static int tee_set(const struct option *opt, const char *value)
{
	switch (opt->letter) {
	case 'a':
		append = true;
		break;
	case 'i':
		block_signal(SIGINT);
		break;
	}
	return 0;
}

static const struct option_group tee_options = {
	OPTION_LIST({ 'a', 0, "append", HELP("append to each FILE") },
		    { 'i', 0, "ignore-interrupts",
		      HELP("ignore interrupt signals") }),
	.set = tee_set,
};

const struct applet tee_applet = {
	.name = "tee",
	.directory = "usr/bin",
	.traits = WRITES_OPERANDS | COPIES | MOVES,
	.own = &tee_options,
	.help = HELP(
		"Usage: tee [OPTION]... [FILE]...\n"
		"Copy standard input to each FILE and to standard output.\n"
		"\n"),
	.run = tee_main,
};
