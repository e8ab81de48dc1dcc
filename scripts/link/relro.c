/* SPDX-License-Identifier: 0BSD */
/* Makes read-only what has been relocated, tables of functions among it: a
 * static program has no dynamic loader to do so, and musl's start-up code
 * leaves it. */
#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

static int protect(struct dl_phdr_info *program, size_t size, void *unused)
{
	uintptr_t page = getauxval(AT_PAGESZ);

	(void)size;
	(void)unused;
	for (int i = 0; i < program->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &program->dlpi_phdr[i];
		uintptr_t start = program->dlpi_addr + p->p_vaddr;
		uintptr_t end = (start + p->p_memsz) & -page;

		start &= -page;
		if (p->p_type == PT_GNU_RELRO)
			mprotect((void *)start, end - start, PROT_READ);
	}
	return 0;
}

__attribute__((constructor)) static void protect_all(void)
{
	dl_iterate_phdr(protect, NULL);
}
