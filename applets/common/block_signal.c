/* SPDX-License-Identifier: 0BSD */
/* sigprocmask(2), for one signal. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

void block_signal(int sig)
{
	unsigned long set[_NSIG / 8 / sizeof(long)] = { 1ul << (sig - 1) };

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, set, NULL, sizeof(set));
}
