/* SPDX-License-Identifier: 0BSD */
/* -g, --progress: how far a copy has come, on standard error: all the while if
 * that is a terminal, and whenever SIGUSR1 asks. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "applet.h"

enum { TICK_MS = 250, HZ = 100, COLUMNS = 80, COLUMNS_MAX = 160 };

/* The reason for a line. A line that was asked for stays, as the last one does.
 */
enum why { TICK, ASKED, DONE };

static uintmax_t moved;
static uintmax_t total; /* bytes to move; 0: unknown */
static unsigned long
	begun; /* in ticks of 1/HZ seconds, as progress_now() says */
static int (*inner)(char *const *operands);
static zc_trace *next;

/* clock_gettime(3) is finer, and costs 900 bytes with musl's vdso code. */
static unsigned long progress_now(void)
{
	struct tms unused;

	return times(&unused);
}

static char *progress_put_size(char *p, uintmax_t bytes)
{
	const char *unit = "BKMGTPE";
	unsigned tenths = 0;

	for (; bytes >= 1024; bytes /= 1024, unit++)
		tenths = bytes % 1024 * 10 / 1024;
	p = decimal(p, bytes);
	if (*unit != 'B') {
		*p++ = '.';
		*p++ = '0' + tenths;
	}
	*p++ = ' ';
	if (*unit != 'B') {
		*p++ = *unit;
		*p++ = 'i';
	}
	*p++ = 'B';
	return p;
}

static char *progress_put_time(char *p, uintmax_t seconds)
{
	unsigned left = seconds % 3600;

	p = decimal(p, seconds / 3600);
	*p++ = ':';
	*p++ = '0' + left / 600;
	*p++ = '0' + left / 60 % 10;
	*p++ = ':';
	*p++ = '0' + left % 60 / 10;
	*p++ = '0' + left % 10;
	return p;
}

/* Bytes a second, lately. */
static uintmax_t progress_speed(unsigned long time)
{
	static uintmax_t rate, before;
	static unsigned long then;
	uintmax_t fresh = (moved - before) * HZ / (time - then + 1);

	rate = then ? (3 * rate + fresh) / 4 : fresh;
	before = moved;
	then = time;
	return rate;
}

static void progress_put_bar(char *p, int room, unsigned percent)
{
	int filled = percent * room / 100;

	p[0] = '[';
	memset(p + 1, '=', filled);
	if (filled < room)
		p[1 + filled] = '>';
	p[1 + room] = ']';
}

/* Each field has its column, so that the line does not jump. */
static void progress_put_line(char *p, int width, enum why why)
{
	unsigned long time = progress_now() - begun;
	bool known = total && moved <= total;
	unsigned percent = known ? moved * 100 / total : 0;
	uintmax_t rate = moved * HZ / (time + 1); /* all in all */
	char *end = p + width;

	progress_put_size(p, moved);
	p += 12;
	if (known) {
		*decimal(p + (percent < 100) + (percent < 10), percent) = '%';
		p += 6;
	}
	memcpy(progress_put_size(p, why == TICK ? progress_speed(time) : rate),
	       "/s", 2);
	progress_put_time(p + 14, time / HZ);
	p += 24;
	if (known && why != DONE && rate)
		memcpy(progress_put_time(p, (total - moved) / rate), " left",
		       5);
	p += 16;
	if (known && end - p > 10)
		progress_put_bar(p, end - p - 2, percent);
}

static void progress_signalled(int sig);

/* Without SA_RESTART, a tick ends a write(2) that the terminal holds up, as
 * that of a virtual machine may after 16 bytes. With it, other calls go on,
 * such as an open(2) that waits for a FIFO's writer; but the time limit of a
 * socket starts from its beginning (signal(7)). */
static void progress_let_tick(int flags)
{
	handle_signal(SIGALRM, progress_signalled, SA_NODEFER | flags);
}

/* A background job writes on the terminal only when it is asked. */
static bool progress_may_write(enum why why)
{
	pid_t front = -1;

	sys_ioctl(STDERR_FILENO, TIOCGPGRP, &front);
	return put_poll(0) == 1 &&
	       (why == ASKED || front <= 0 || front == getpgrp());
}

/* On a terminal a line begins in the first column, even if a signal has cut
 * another one short. */
static void progress_write(enum why why)
{
	char line[1 + COLUMNS_MAX + 1];
	struct winsize w = { .ws_col = 0 };
	bool tty = !sys_ioctl(STDERR_FILENO, TIOCGWINSZ, &w);
	int width = (w.ws_col ? w.ws_col : COLUMNS) - 1;

	if (width > COLUMNS_MAX)
		width = COLUMNS_MAX;
	memset(line, ' ', sizeof(line));
	*line = '\r';
	progress_put_line(line + 1, width, why);
	line[1 + width] = why == TICK ? '\r' : '\n';
	if (tty)
		progress_let_tick(0);
	/* A terminal that has gone is no error. */
	sys_write(STDERR_FILENO, line + !tty, tty + width + 1);
	if (tty)
		progress_let_tick(SA_RESTART);
}

static void progress_draw(enum why why)
{
	static volatile bool drawing, asked;

	if (drawing && why != DONE) {
		asked |= why == ASKED;
		return;
	}
	drawing = true;
	if (progress_may_write(why))
		progress_write(why);
	drawing = why == DONE;
	if (drawing || !asked)
		return;
	asked = false;
	progress_draw(ASKED);
}

static void progress_signalled(int sig)
{
	int err = errno;

	progress_draw(sig == SIGUSR1 ? ASKED : TICK);
	errno = err;
}

static void progress_end(void)
{
	struct itimerval never = { .it_value = { .tv_sec = 0 } };

	progress_draw(DONE);
	setitimer(ITIMER_REAL, &never, NULL);
}

static void progress_count(const struct zc_source *in,
			   const struct zc_sink *out, const struct zc_method *m,
			   ssize_t n)
{
	if (n > 0)
		moved += n;
	if (next)
		next(in, out, m, n);
}

/* Returns the bytes to come from a file, or -1 if that is unknown. */
static off_t progress_size_of(const char *name)
{
	bool named = strcmp(name, "-");
	struct zc_stat st;
	uint64_t size = -1;
	int fd;

	/* cat reports the error. */
	if (zc_stat(named ? AT_FDCWD : STDIN_FILENO, named ? name : NULL, &st))
		return 0;
	if (S_ISREG(st.mode))
		return st.size - (named ? 0 : lseek(STDIN_FILENO, 0, SEEK_CUR));
	if (!S_ISBLK(st.mode))
		return -1;
	fd = named ? zc_open(name, O_RDONLY) : STDIN_FILENO;
	sys_ioctl(fd, BLKGETSIZE64, &size);
	if (named)
		zc_close_fd(fd);
	return size;
}

/* A second "-" finds nothing left of standard input. */
static void progress_measure(char *const *operands)
{
	bool had_input = false;

	if (IS_ENABLED(CONFIG_TEE_RUN) && command)
		return;
	if (!*operands || !(applet->traits & READS_OPERANDS))
		operands = standard_input;
	for (; *operands; operands++) {
		bool is_input = !strcmp(*operands, "-");
		off_t size = is_input && had_input ?
				     0 :
				     progress_size_of(*operands);

		if (size < 0) {
			total = 0;
			return;
		}
		total += size;
		had_input |= is_input;
	}
}

/* They may have been blocked when box began. --block has blocked them, too. */
static void progress_unblock(void)
{
	signal_set set = { SIGNAL_BIT(SIGALRM) | SIGNAL_BIT(SIGUSR1) };

	if (IS_ENABLED(CONFIG_TEE_BLOCK))
		set[0] &= ~blocked_here[0];
	sys_sigprocmask(SIG_UNBLOCK, set, NULL);
}

static int progress_run(char *const *operands)
{
	struct itimerval often = {
		{ .tv_usec = TICK_MS * 1000 },
		{ .tv_usec = TICK_MS * 1000 },
	};

	progress_measure(operands);
	next = zc.trace;
	zc.trace = progress_count;
	begun = progress_now();
	progress_unblock();
	/* A signal that is ignored, as by nohup(1), stays ignored. */
	if (!signal_is_ignored(SIGUSR1))
		handle_signal(SIGUSR1, progress_signalled, SA_RESTART);
	if (zc_is_tty(STDERR_FILENO)) {
		exit_hooks_set(PROGRESS_HOOK, progress_end);
		progress_let_tick(SA_RESTART);
		setitimer(ITIMER_REAL, &often, NULL);
	}
	return inner(operands);
}

static int progress_set(const struct option *opt, const char *value)
{
	if (!inner) {
		inner = applet_run;
		applet_run = progress_run;
	}
	return 0;
}

const struct option_group progress_options = {
	.applies_to = COPIES,
	OPTION_LIST({ 'g', 0, "progress",
		      HELP("show progress on a terminal, or at SIGUSR1") }),
	.set = progress_set,
};
