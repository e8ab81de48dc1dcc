/* SPDX-License-Identifier: 0BSD */
/* Contexts in memory of their own, and which libzc this is. */
#include <sys/mman.h>

#include "engine/engine.h"

/* zc.h has each program ask for it. */
extern const char zc_abi_1;
const char zc_abi_1 = 1;

unsigned zc_version(void)
{
	return ZC_VERSION;
}

struct zc *zc_new(void)
{
	return zc_map(sizeof(struct zc));
}

void zc_free(struct zc *z)
{
	if (!z)
		return;
	zc_close(z);
	zc_sys_unmap(z, sizeof(*z));
}
