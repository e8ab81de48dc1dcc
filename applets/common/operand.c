/* SPDX-License-Identifier: 0BSD */
/* Opens an operand. */
#include "applet.h"

int operand_open(const char *name, int flags, bool *sole)
{
	*sole = true;
	if (IS_ENABLED(CONFIG_DESCRIPTOR))
		return descriptor_open(name, flags, sole);
	return zc_open(name, flags);
}
