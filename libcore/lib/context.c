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

/* By libc's functions: a sanitizer of threads sees no other calls, and would
 * take two contexts that have the same memory, one after the other, for one. */
struct zc *zc_new(void)
{
	void *z = mmap(NULL, sizeof(struct zc), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return z == MAP_FAILED ? NULL : z;
}

void zc_free(struct zc *z)
{
	if (!z)
		return;
	zc_close(z);
	munmap(z, sizeof(*z));
}
