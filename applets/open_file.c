/* SPDX-License-Identifier: 0BSD */
/* Opening files, where some of the descriptors 0 to 2 may be closed. */
#include <fcntl.h>

#include "applet.h"

int open_file(const char *name, int flags)
{
	return zc_above_stdio(open(name, flags, 0666));
}
