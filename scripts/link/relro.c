/* SPDX-License-Identifier: 0BSD */
/* Makes read-only what has been relocated, tables of functions among it: a
 * static program has no dynamic loader to do so, and musl's start-up code
 * leaves it. dl_iterate_phdr(3) would add 450 bytes. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

/* The linker's: where a position-independent program begins, at its address 0.
 */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

__attribute__((constructor)) static void protect_all(void)
{
	uintptr_t page = getauxval(AT_PAGESZ);
	uintptr_t program = (uintptr_t)&__ehdr_start;
	const ElfW(Phdr) *p = (const void *)(program + __ehdr_start.e_phoff);

	for (int i = 0; i < __ehdr_start.e_phnum; i++, p++) {
		uintptr_t start = program + p->p_vaddr;
		uintptr_t end = (start + p->p_memsz) & -page;

		start &= -page;
		if (p->p_type == PT_GNU_RELRO)
			mprotect((void *)start, end - start, PROT_READ);
	}
}
