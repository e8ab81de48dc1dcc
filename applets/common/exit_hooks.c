/* SPDX-License-Identifier: 0BSD */
/* Reports at the end of the program: those of --debug and --progress. */
#include <signal.h>
#include <unistd.h>

#include "applet.h"

static const char exit_signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
static void (*exit_hooks[HOOKS])(void);

/* A signal waits until the report is whole. */
static void exit_block_signals(void)
{
	for (unsigned i = 0; i < sizeof(exit_signals); i++)
		block_signal(exit_signals[i]);
}

void exit_hooks_run(void)
{
	for (int i = 0; i < HOOKS; i++) {
		void (*hook)(void) = exit_hooks[i];

		if (!hook)
			continue;
		exit_block_signals();
		exit_hooks[i] = NULL;
		hook();
	}
}

/* The handler stays until the report is made: timeout(1) sends a signal twice.
 */
void exit_hooks_end_by(int sig)
{
	pid_t self = getpid();

	exit_hooks_run();
	if (self == 1)
		_exit(128 + sig);
	handle_signal(sig, SIG_DFL, 0);
	sys_kill(self, sig);
}

void exit_hooks_set(enum exit_hook which, void (*hook)(void))
{
	exit_hooks[which] = hook;
	for (unsigned i = 0; i < sizeof(exit_signals); i++)
		/* A signal that is ignored, as by nohup(1), stays ignored. */
		if (!signal_is_ignored(exit_signals[i]))
			handle_signal(exit_signals[i], exit_hooks_end_by,
				      SA_RESTART);
}
