/* SPDX-License-Identifier: 0BSD */
/* The package note of the UAPI group, as JSON. Scanners of images and reports of crashes
 * read it. VERSION and PROCESSOR are strings. */
	.section .note.package, "a"
	.balign 4
	.long 4, 2f - 1f, 0xcafe1a7e
	.asciz "FDO"
1:	.ascii "{\"type\":\"generic\",\"name\":\"box\",\"version\":\""
	.ascii VERSION
	.ascii "\",\"architecture\":\""
	.ascii PROCESSOR
	.asciz "\"}"
2:	.balign 4
/* A linker makes the stack executable for an object without this. */
	.section .note.GNU-stack, ""
