/* SPDX-License-Identifier: 0BSD */
/* Memory of a size that is known only at run time: the heap, which nothing else
 * uses. An array of the largest size would count against RLIMIT_DATA. Where no
 * call may ask for a heap there is an array, of what cat -n and its like take.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"
#include "have/SAFE_CALLS.h"

/* Bytes: a buffer, what is made of a block of it, and tables. */
enum { SAFE = HAVE_SAFE_CALLS ? ZC_BUFFER + (176 << 10) : 64 };

static char safe[SAFE] __attribute__((aligned(64)));

static void *allocate_fails(void)
{
	message(NULL, "memory exhausted", NULL);
	return NULL;
}

void *allocate(size_t size)
{
	uintptr_t start, end;

	/* Each applet asks once. */
	if (HAVE_SAFE_CALLS)
		return size <= SAFE ? safe : allocate_fails();
	start = (syscall(SYS_brk, 0) + 63) & -64ul;
	end = start + size;
	return (uintptr_t)syscall(SYS_brk, end) == end ? (void *)start :
							 allocate_fails();
}
