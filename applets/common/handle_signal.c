/* SPDX-License-Identifier: 0BSD */
/* sigaction(2). musl's sigaction(3) locks out other threads, of which there are
 * none, in 0.9 KB. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

#if defined(__x86_64__) && defined(__LP64__)
/* The kernel's layout, and the code to which a handler returns: on this
 * processor the kernel has none of its own. */
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

void handle_signal(int sig, void (*handler)(int sig), int flags)
{
	struct action new = {
		handler,
		(unsigned)flags | HAS_RESTORE,
		handle_signal_return,
		0,
	};

	syscall(SYS_rt_sigaction, sig, &new, NULL, sizeof(new.mask));
}

bool signal_is_ignored(int sig)
{
	struct action now = { .handler = SIG_DFL };

	syscall(SYS_rt_sigaction, sig, NULL, &now, sizeof(now.mask));
	return now.handler == SIG_IGN;
}
#else
void handle_signal(int sig, void (*handler)(int sig), int flags)
{
	struct sigaction new = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &new, NULL);
}

bool signal_is_ignored(int sig)
{
	struct sigaction now = { .sa_handler = SIG_DFL };

	sigaction(sig, NULL, &now);
	return now.sa_handler == SIG_IGN;
}
#endif
