/* SPDX-License-Identifier: 0BSD */
/* Memory of a size that is known only at run time: the heap, which nothing else
 * uses. An array of the largest size would count against RLIMIT_DATA. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "applet.h"

void *allocate(size_t size)
{
	uintptr_t start = (syscall(SYS_brk, 0) + 63) & -64ul;
	uintptr_t end = start + size;

	return (uintptr_t)syscall(SYS_brk, end) == end ? (void *)start : NULL;
}
