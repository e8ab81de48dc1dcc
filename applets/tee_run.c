/* SPDX-License-Identifier: 0BSD */
/* tee --run: starts a command, copies its output, and is its init. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "applet.h"
#include "tee.h"

enum {
	RUN,
	STDERR,
	/* Milliseconds: once the command has ended, a grandchild that holds
	 * the pipe may be silent for this time. */
	LINGER = 100,
	ATTEMPT = 100, /* milliseconds between two to open a FIFO */
	CANNOT_RUN = 126,
	NOT_FOUND = 127,
	KILLED = 128, /* plus the number of the signal */
};

/* A fault of tee's own, a write of its own, the end of a child, and the signals
 * of a terminal that stop tee and the command. */
#define NOT_PASSED_ON                                                      \
	(SIGNAL_BIT(SIGILL) | SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGBUS) |   \
	 SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGSYS) |   \
	 SIGNAL_BIT(SIGPIPE) | SIGNAL_BIT(SIGXFSZ) | SIGNAL_BIT(SIGCHLD) | \
	 SIGNAL_BIT(SIGTSTP) | SIGNAL_BIT(SIGTTIN) | SIGNAL_BIT(SIGTTOU))

static const char *name;
static char **args;	    /* the command's */
static char **by_shell;	    /* to start a script that has no #! */
static bool both;	    /* copy standard error, too */
static bool was_deaf;	    /* SIGCHLD was ignored at the start */
static bool terminal;	    /* there is one that may send signals */
static signal_set harmless; /* do not end tee after the child's end */
static volatile pid_t child;
static volatile sig_atomic_t opened; /* no open(2) is to wait any more */
static volatile sig_atomic_t asked;  /* to end, by a signal */
static volatile sig_atomic_t over;   /* the child has ended */
static int code;		     /* the exit status of the child */

/* The command has ended. From now on signals are for tee. The command is reaped
 * after this, because its number may then be another process'. */
static void tee_run_note(const siginfo_t *info)
{
	over = true;
	opened |= asked;
	child = 0;
	code = info->si_status;
	if (info->si_code != CLD_EXITED)
		code += KILLED;
}

/* Reaps every child that has ended, because PID 1 has to. Without WNOHANG,
 * sleeps until the command has ended. */
static void tee_run_reap(int options)
{
	siginfo_t info;

	do {
		info.si_pid = 0;
		waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | options);
		if (!info.si_pid)
			continue;
		if (info.si_pid == child)
			tee_run_note(&info);
		waitpid(info.si_pid, NULL, 0);
	} while (options ? info.si_pid : !over);
}

/* Passes a signal on to the child. The kernel (si_code > 0) sends the signals
 * of a terminal to the child, too, if that has stayed in our process group.
 * Without a terminal, its SIGINT is Ctrl-Alt-Del, for PID 1 alone. After the
 * child's end tee may still sleep in the open(2) of a serial line without a
 * carrier. */
static void tee_run_pass_on(int sig, siginfo_t *info, void *context)
{
	int err = errno;
	bool ends = !signal_set_has(harmless, sig);

	asked |= ends;
	if (!opened)
		tee_run_reap(WNOHANG);
	if (!over) {
		if (!terminal || info->si_code <= 0 ||
		    (sig != SIGINT && sig != SIGQUIT && sig != SIGWINCH) ||
		    getpgid(child) != getpgrp())
			sys_kill(child, sig);
	} else if (ends) {
		exit_hooks_end_by(sig);
	}
	errno = err;
}

/* Sets the handler of each signal to pass on, except those that --progress
 * handles. The command may handle one that is ignored. */
static void tee_run_handle(void)
{
	signal_set others = { NOT_PASSED_ON };

	harmless[0] = SIGNAL_BIT(SIGWINCH) | SIGNAL_BIT(SIGCONT) |
		      SIGNAL_BIT(SIGURG);
	if (applet_run != applet->run) {
		others[0] |= SIGNAL_BIT(SIGUSR1);
		if (zc_is_tty(STDERR_FILENO))
			others[0] |= SIGNAL_BIT(SIGALRM);
	}
	for (int sig = 1; sig < _NSIG; sig++) {
		if (signal_set_has(others, sig))
			continue;
		if (signal_is_ignored(sig))
			signal_set_add(harmless, sig);
		handle_signal(sig,
			      (void (*)(int))(void (*)(void))tee_run_pass_on,
			      SA_SIGINFO | SA_RESTART);
	}
}

static void tee_run_set_mask(const signal_set mask)
{
	sys_sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Runs the command, in the child, with the signals that tee was started with.
 * No handler may run here, in the memory of tee (vfork(2)). Returns the errno
 * of the failure. */
static int tee_run_exec(int out)
{
	for (int sig = 1; sig < _NSIG; sig++)
		if (!signal_is_ignored(sig))
			handle_signal(sig, SIG_DFL, 0);
	if (was_deaf)
		handle_signal(SIGCHLD, SIG_IGN, 0);
	tee_run_set_mask(blocked_before);
	dup2(out, STDOUT_FILENO);
	if (both)
		dup2(out, STDERR_FILENO);
	execvp(*args, args);
	if (errno != ENOEXEC)
		return errno;
	execv(*by_shell, by_shell);
	return ENOEXEC;
}

/* A message that a call of tee's own has failed. Returns the exit status. */
static int tee_run_fail(int err)
{
	message_error("--run", err);
	return CANNOT_RUN;
}

/* Starts the command. Signals wait until it is there. Returns 0, or the exit
 * status after a message. */
static int tee_run_start(int out)
{
	static volatile int failed;
	signal_set all;
	pid_t pid;

	memset(all, -1, sizeof(all));
	tee_run_set_mask(all);
	pid = vfork();
	if (!pid) {
		failed = tee_run_exec(out);
		_exit(NOT_FOUND);
	}
	if (pid < 0)
		return tee_run_fail(errno);
	if (!failed) {
		child = pid;
		tee_run_handle();
		tee_run_set_mask(blocked_here);
		return 0;
	}
	waitpid(pid, NULL, 0);
	message_path(name, failed == ENOEXEC ? "Exec format error" :
					       error_text(failed));
	return failed == ENOENT ? NOT_FOUND : CANNOT_RUN;
}

/* Sets the arguments for execvp(3). A shell looks for a script in PATH, too,
 * and runs it without #!. Returns 0, or 1 after a message if memory is short.
 */
static int tee_run_arguments(void)
{
	const char *const shell[] = { "/bin/sh", "-c", "exec \"$0\" \"$@\"" };
	size_t n = 0;

	while (command[n])
		n++;
	by_shell = allocate(sizeof(shell) + (n + 2) * sizeof(*by_shell));
	if (!by_shell)
		return 1;
	args = by_shell + sizeof(shell) / sizeof(*shell);
	memcpy(by_shell, shell, sizeof(shell));
	args[0] = (char *)name;
	memcpy(args + 1, command, n * sizeof(*args));
	return 0;
}

static bool tee_run_has_terminal(void)
{
	int fd = zc_open("/dev/tty", O_RDONLY | O_NONBLOCK);

	if (fd >= 0)
		zc_close_fd(fd);
	return fd >= 0;
}

static int tee_run_begin(struct zc_source *in)
{
	int fd[2], err;

	if (!command)
		return usage_error("option '--stderr' needs --run", "", "");
	if (tee_run_arguments())
		return CANNOT_RUN;
	err = zc_pipe(fd, 0);
	if (err)
		return tee_run_fail(-err);
	in->name = name;
	in->fd = zc_above_stdio(fd[0]);
	zc_identify(&in->end, false);
	fd[1] = zc_above_stdio(fd[1]);
	tee_mode.watch |= !tee_mode.tell_epipe;
	terminal = tee_run_has_terminal();
	was_deaf = signal_is_ignored(SIGCHLD);
	handle_signal(SIGCHLD, SIG_DFL, 0);
	err = -listen_to(SIGCHLD);
	err = err ? tee_run_fail(err) : tee_run_start(fd[1]);
	zc_close_fd(fd[1]);
	return err;
}

/* Waits for a reader by attempts, because a signal may come just before an
 * open(2) that waits. */
static int tee_run_open(const char *file, int flags, bool *sole)
{
	struct zc_stat st;
	int fd;

	if (!zc_stat(AT_FDCWD, file, &st) && S_ISFIFO(st.mode))
		flags |= O_NONBLOCK;
	while ((fd = operand_open(file, flags, sole)) == -ENXIO &&
	       flags & O_NONBLOCK && !opened) {
		sys_poll(NULL, 0, ATTEMPT);
		tee_run_reap(WNOHANG);
	}
	return fd;
}

/* Signals that come more often than every LINGER prolong no silence. */
static uint64_t tee_run_turn(struct zc_source *in)
{
	static uint64_t had, since;
	struct pollfd p = { .fd = in->fd, .events = POLLIN };
	uint64_t now;

	opened = true;
	tee_run_reap(WNOHANG);
	if (!over)
		return ZC_EVER;
	now = zc_clock();
	if (!since || had != in->bytes)
		since = now;
	had = in->bytes;
	if (now - since >= LINGER)
		in->ended |= !sys_poll(&p, 1, 0);
	return now + LINGER;
}

static int tee_run_end(struct zc_source *in, int status)
{
	opened = true;
	zc_close_fd(in->fd);
	if (!over)
		tee_run_reap(0);
	return code ? code : status;
}

static const struct tee_run running = { tee_run_begin, tee_run_open,
					tee_run_turn, tee_run_end };

static int tee_run_set(const struct option *opt, const char *value)
{
	/* A reader that has gone does not end tee. Once all have gone, the pipe
	 * is closed, and SIGPIPE ends the command. */
	block_signal(SIGPIPE);
	tee_run = &running;
	both |= opt->asks == STDERR;
	name = value;
	return opt->asks == RUN ? COMMAND : 0;
}

const struct option_group tee_run_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, RUN, "run\0=COMMAND",
		      HELP("copy what COMMAND prints, and exit as it does\n"
			   "all that follow are its arguments") },
		    { 0, STDERR, "stderr",
		      HELP("with --run, copy its standard error, too") }),
	.set = tee_run_set,
};
