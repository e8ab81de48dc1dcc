/* SPDX-License-Identifier: 0BSD */
/* What --debug and --progress have to say at the end. */
#include <signal.h>
#include <unistd.h>

#include "applet.h"

static void (*exit_hooks[HOOKS])(void);

void exit_hooks_run(void)
{
	for (int i = 0; i < HOOKS; i++) {
		void (*hook)(void) = exit_hooks[i];

		if (!hook)
			continue;
		exit_hooks[i] = NULL;
		hook();
	}
}

/* Ends as if the signal had never been caught (SA_RESETHAND), for which
 * raise(3) would cost more. */
static void exit_on_signal(int sig)
{
	exit_hooks_run();
	kill(getpid(), sig);
}

void exit_hooks_set(enum exit_hook which, void (*hook)(void))
{
	static const char signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	const int flags = SA_RESETHAND | SA_RESTART;

	exit_hooks[which] = hook;
	for (unsigned i = 0; i < sizeof(signals); i++)
		/* What is ignored, as by nohup(1), stays so. */
		if (handle_signal(signals[i], exit_on_signal, flags) == SIG_IGN)
			handle_signal(signals[i], SIG_IGN, 0);
}
