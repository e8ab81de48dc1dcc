/* SPDX-License-Identifier: 0BSD */
/* sigprocmask(2). */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

enum { BITS = 8 * sizeof(long), WORDS = _NSIG / BITS };

static unsigned long blocked[WORDS]; /* that were not before */

void block_signal(int sig)
{
	unsigned long set[WORDS] = { 0 }, before[WORDS];
	int i = (sig - 1) / BITS;

	set[i] = 1ul << (sig - 1) % BITS;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, set, before, sizeof(set));
	if (IS_ENABLED(CONFIG_TEE_RUN))
		blocked[i] |= set[i] & ~before[i];
}

void unblock_signals(void)
{
	syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, blocked, NULL,
		sizeof(blocked));
}
