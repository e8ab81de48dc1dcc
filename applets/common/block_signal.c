/* SPDX-License-Identifier: 0BSD */
/* sigprocmask(2). */
#include <signal.h>

#include "applet.h"

signal_set blocked_here, blocked_before;

void signal_set_add(signal_set set, int sig)
{
	set[(sig - 1) / SIGNAL_BITS] |= 1ul << (sig - 1) % SIGNAL_BITS;
}

bool signal_set_has(const signal_set set, int sig)
{
	return set[(sig - 1) / SIGNAL_BITS] >> (sig - 1) % SIGNAL_BITS & 1;
}

void block_signal(int sig)
{
	signal_set set = { 0 }, before;

	signal_set_add(set, sig);
	sys_sigprocmask(SIG_BLOCK, set, before);
	if (IS_ENABLED(CONFIG_TEE_BLOCK) || IS_ENABLED(CONFIG_TEE_RUN))
		for (size_t i = 0; i < sizeof(set) / sizeof(*set); i++) {
			blocked_before[i] |= before[i] & ~blocked_here[i];
			blocked_here[i] |= set[i];
		}
}
