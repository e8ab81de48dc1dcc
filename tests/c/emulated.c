/* SPDX-License-Identifier: 0BSD */
/* Has QEMU run BOX, a file for another processor, by the name that this program
 * was called by. What cannot be said by qemu's options is no name at all. */
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *name = argc ? argv[0] : "";
	char *args[argc + 5];

	memcpy(args, (char *[]){ QEMU, "-0", name, BOX }, 4 * sizeof(*args));
	memcpy(args + 4, argv + !!argc, (argc + !argc) * sizeof(*args));
	execv(QEMU, args);
	return 127;
}
