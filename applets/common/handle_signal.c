/* SPDX-License-Identifier: 0BSD */
/* sigaction(2). musl's sigaction(3) locks out other threads, of which there are
 * none, in 0.9 KB. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

#if defined(__x86_64__) && defined(__LP64__)
/* The kernel's layout, and what a handler returns to: here, and not everywhere,
 * the kernel has none of its own. */
struct action {
	void (*handler)(int sig);
	unsigned long flags;
	void (*restore)(void);
	unsigned long mask;
};

enum { HAS_RESTORE = 0x04000000 }; /* SA_RESTORER */

__attribute__((naked)) static void handle_signal_return(void)
{
	__asm__("movl %0, %%eax\n\tsyscall" : : "i"(SYS_rt_sigreturn));
}

signal_handler handle_signal(int sig, signal_handler handler, int flags)
{
	struct action old, new = {
		handler,
		(unsigned)flags | HAS_RESTORE,
		handle_signal_return,
		0,
	};

	if (syscall(SYS_rt_sigaction, sig, &new, &old, sizeof(new.mask)))
		return SIG_ERR;
	return old.handler;
}
#else
signal_handler handle_signal(int sig, signal_handler handler, int flags)
{
	struct sigaction old, new = {
		.sa_handler = handler,
		.sa_flags = flags,
	};

	return sigaction(sig, &new, &old) ? SIG_ERR : old.sa_handler;
}
#endif
