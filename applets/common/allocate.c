/* SPDX-License-Identifier: 0BSD */
/* Memory of which only the caller knows how much: the heap, of which this is
 * the only user. What nobody asks for counts against no limit. */
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
