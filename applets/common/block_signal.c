/* SPDX-License-Identifier: 0BSD */
/* sigprocmask(2). */
#include <signal.h>

#include "applet.h"

static signal_set blocked; /* by block_signal() alone */

void signal_set_add(signal_set set, int sig)
{
	set[(sig - 1) / SIGNAL_BITS] |= 1ul << (sig - 1) % SIGNAL_BITS;
}

void block_signal(int sig)
{
	signal_set set = { 0 }, before;

	signal_set_add(set, sig);
	sys_sigprocmask(SIG_BLOCK, set, before);
	if (IS_ENABLED(CONFIG_TEE_RUN))
		for (size_t i = 0; i < sizeof(set) / sizeof(*set); i++)
			blocked[i] |= set[i] & ~before[i];
}

void unblock_signals(void)
{
	sys_sigprocmask(SIG_UNBLOCK, blocked, NULL);
}
