/* SPDX-License-Identifier: 0BSD */
/* Contexts that libzc allocates, and its version. */
#include <sys/mman.h>

#include "engine/engine.h"

/* Each program that includes zc.h refers to it. */
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
