/* SPDX-License-Identifier: 0BSD */
/* tee --run: starts a command, copies its output, and is its init. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
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
	CANNOT_RUN = 126,
	NOT_FOUND = 127,
	KILLED = 128, /* plus the number of the signal */
};

static const char passed_on[] = { SIGHUP,  SIGINT,  SIGQUIT,  SIGUSR1,
				  SIGUSR2, SIGTERM, SIGWINCH, SIGCONT };

static const char *name;
static char **args;	/* the command's */
static char **by_shell; /* to start a script that has no #! */
static bool both;	/* copy standard error, too */
static bool was_deaf;	/* SIGCHLD was ignored at the start */
static bool terminal;	/* there is one that may send signals */
static volatile pid_t child;
static volatile sig_atomic_t waiting; /* a signal that came without a child */
static volatile sig_atomic_t copying; /* each FILE is open */
static bool over;		      /* the child has ended */
static int code;		      /* the exit status of the child */

/* After the end of the command: a signal that ends a program ends tee. */
static void tee_run_end_by(int sig)
{
	if (sig == SIGWINCH || sig == SIGCONT)
		return;
	handle_signal(sig, SIG_DFL, 0);
	exit_hooks_end_by(sig);
}

/* Returns whether the child has ended, and is yet to be reaped. */
static bool tee_run_has_ended(void)
{
	siginfo_t info = { .si_pid = 0 };

	waitid(P_PID, child, &info, WEXITED | WNOWAIT | WNOHANG);
	return info.si_pid;
}

/* Passes a signal on to the child. Without one it waits for the start, or for
 * the end that was just seen. The kernel (si_code > 0) sends the signals of a
 * terminal to the child, too, if that has stayed in our process group, except
 * SIGHUP, which only the leader of a session gets. Without a terminal, its
 * SIGINT is Ctrl-Alt-Del, for PID 1 alone. A FIFO without a reader may keep
 * open(2) waiting after the child's end. */
static void tee_run_pass_on(int sig, siginfo_t *info, void *context)
{
	int err = errno;

	if (child && !copying && tee_run_has_ended())
		tee_run_end_by(sig);
	if (terminal && info->si_code > 0 && sig != SIGHUP &&
	    getpgid(child) == getpgrp())
		return;
	if (child)
		kill(child, sig);
	else
		waiting = sig;
	errno = err;
}

/* Sets the handler of each signal to pass on. SIGUSR1 is left alone if
 * --progress handles it. An ignored signal stays ignored. */
static void tee_run_handle(void (*handler)(void), int flags)
{
	for (size_t i = 0; i < sizeof(passed_on); i++) {
		int sig = passed_on[i];

		if (sig == SIGUSR1 && applet_run != applet->run)
			continue;
		if (!signal_is_ignored(sig))
			handle_signal(sig, (void (*)(int))handler, flags);
	}
}

/* Runs the command, in the child, with the signals that tee was started with.
 * Returns the errno of the failure. */
static int tee_run_exec(int out)
{
	tee_run_handle((void (*)(void))SIG_DFL, 0);
	if (was_deaf)
		handle_signal(SIGCHLD, SIG_IGN, 0);
	unblock_signals();
	dup2(out, STDOUT_FILENO);
	if (both)
		dup2(out, STDERR_FILENO);
	execvp(*args, args);
	if (errno != ENOEXEC)
		return errno;
	execv(*by_shell, by_shell);
	return ENOEXEC;
}

/* Starts the command. Returns 0, or the errno of the failure. */
static int tee_run_start(int out)
{
	static volatile int failed;
	pid_t pid = vfork();

	if (!pid) {
		failed = tee_run_exec(out);
		_exit(NOT_FOUND);
	}
	if (pid < 0)
		return errno;
	if (failed) {
		waitpid(pid, NULL, 0);
		return failed;
	}
	child = pid;
	if (waiting)
		kill(pid, waiting);
	waiting = 0;
	return 0;
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

static int tee_run_begin(struct zc_endpoint *in)
{
	int fd[2], err;

	if (!command)
		return usage_error("option '--stderr' needs --run", "", "");
	if (tee_run_arguments())
		return 1;
	if (sys_pipe(fd, O_CLOEXEC))
		return message_error("--run", errno);
	in->name = name;
	in->fd = zc_above_stdio(fd[0]);
	zc_identify(in);
	fd[1] = zc_above_stdio(fd[1]);
	/* A reader that has gone does not end tee. Once all have gone, the pipe
	 * is closed, and SIGPIPE ends the command. */
	block_signal(SIGPIPE);
	tee_mode.watch |= !tee_mode.tell_epipe;
	terminal = tee_run_has_terminal();
	was_deaf = signal_is_ignored(SIGCHLD);
	handle_signal(SIGCHLD, SIG_DFL, 0);
	err = -listen_to(SIGCHLD);
	tee_run_handle((void (*)(void))tee_run_pass_on,
		       SA_SIGINFO | SA_RESTART);
	if (!err)
		err = tee_run_start(fd[1]);
	zc_close_fd(fd[1]);
	if (!err)
		return 0;
	message_path(name,
		     err == ENOEXEC ? "Exec format error" : error_text(err));
	return err == ENOENT ? NOT_FOUND : CANNOT_RUN;
}

/* The command has ended. From now on signals are for tee, and so is one that
 * came meanwhile. */
static void tee_run_note(const siginfo_t *info)
{
	over = true;
	tee_run_handle((void (*)(void))tee_run_end_by, 0);
	if (waiting)
		tee_run_end_by(waiting);
	code = info->si_status;
	if (info->si_code != CLD_EXITED)
		code += KILLED;
}

/* Reaps every child that has ended, because PID 1 has to. Once the command is
 * reaped, its number may be another process': signals go there only until then.
 * Without WNOHANG, sleeps until the command has ended. */
static void tee_run_reap(int options)
{
	siginfo_t info;

	do {
		bool ours;

		info.si_pid = 0;
		waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | options);
		ours = info.si_pid && info.si_pid == child;
		if (ours)
			child = 0;
		if (info.si_pid)
			waitpid(info.si_pid, NULL, 0);
		if (ours)
			tee_run_note(&info);
	} while (options ? info.si_pid : !over);
}

static void tee_run_turn(struct zc_endpoint *in, int result)
{
	struct pollfd p = { .fd = in->fd, .events = POLLIN };

	copying = true;
	tee_run_reap(WNOHANG);
	if (!over)
		return;
	zc.idle = LINGER;
	in->ended |= result == ZC_TIMED_OUT && !sys_poll(&p, 1, 0);
}

static int tee_run_end(struct zc_endpoint *in, int status)
{
	zc_close_fd(in->fd);
	if (!over)
		tee_run_reap(0);
	return code ? code : status;
}

static const struct tee_run running = { tee_run_begin, tee_run_turn,
					tee_run_end };

static int tee_run_set(const struct option *opt, const char *value)
{
	tee_run = &running;
	both |= opt->asks == STDERR;
	name = value;
	return opt->asks == RUN ? COMMAND : 0;
}

const struct option_group tee_run_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, RUN, "run\0=COMMAND",
		      HELP("copy what COMMAND prints, and exit as it does:\n"
			   "all that follow are its arguments") },
		    { 0, STDERR, "stderr",
		      HELP("with --run, copy its standard error, too") }),
	.set = tee_run_set,
};
