/* SPDX-License-Identifier: 0BSD */
/* sigprocmask(2), for one signal. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

void block_signal(int sig)
{
	enum { BITS = 8 * sizeof(long) };
	unsigned long set[_NSIG / BITS] = { 0 };

	set[(sig - 1) / BITS] = 1ul << (sig - 1) % BITS;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, set, NULL, sizeof(set));
}
