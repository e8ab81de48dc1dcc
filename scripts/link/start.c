/* SPDX-License-Identifier: 0BSD */
/* What musl's crt1.o calls, in place of musl's own, which costs 1.7 KB: that
 * prepares for constructors, thread-local storage and the vdso, which box does
 * without, and for a stack protector, with which Kconfig leaves this out. */
#define _GNU_SOURCE
#include <sys/auxv.h>
#include <unistd.h>

#if defined(__SSP__) || defined(__SSP_STRONG__) || defined(__SSP_ALL__)
#error "for a stack protector choose CONFIG_HARDEN, or CONFIG_START=n"
#endif

/* What errno is in. musl keeps its size to itself, 200 bytes or so: the link
 * looks whether it may be more (scripts/link/guesses). */
static char thread[512] __attribute__((aligned(16)));

/* sigaction(3) locks out other threads, of which there are none. */
void __lock(volatile int *lock)
{
	(void)lock;
}

void __unlock(volatile int *lock)
{
	(void)lock;
}

/* Behind the environment is what the kernel says of the program. */
unsigned long getauxval(unsigned long type)
{
	char **end = environ;
	unsigned long *aux;

	while (*end)
		end++;
	aux = (unsigned long *)(end + 1);
	while (*aux && *aux != type)
		aux += 2;
	return *aux ? aux[1] : 0;
}

/* Of musl's own: has the processor point to what errno is in. */
int __init_tp(void *thread);

_Noreturn void __libc_start_main(int (*main)(int, char **, char **), int argc,
				 char **argv)
{
	environ = argv + argc + 1;
	__init_tp(thread);
	_exit(main(argc, argv, environ));
}
