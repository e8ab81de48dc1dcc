/* SPDX-License-Identifier: 0BSD */
/* Memory of a size that is known only at run time. A static part is enough for
 * most command lines, because a seccomp(2) filter may refuse mmap(2). */
#include "applet.h"

enum {
	ALIGN = 16,
	/* Bytes: for 70 sinks with a lag; where no other call may be made, for
	 * 2,000 without. */
	ROOM = IS_ENABLED(CONFIG_SAFE_CALLS) ? 640 << 10 : 32 << 10,
};

static char room[ROOM] __attribute__((aligned(ALIGN)));

void *allocate(size_t size)
{
	static size_t used;
	void *map = NULL;

	size = (size + ALIGN - 1) & -(size_t)ALIGN;
	if (size <= ROOM - used) {
		used += size;
		return room + used - size;
	}
	if (!IS_ENABLED(CONFIG_SAFE_CALLS))
		map = zc_map(size);
	if (!map)
		message("memory exhausted");
	return map;
}
