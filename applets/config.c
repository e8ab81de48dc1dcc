/* SPDX-License-Identifier: 0BSD */
/* box --config: the configuration it was built with. */
#include "box.h"

static int config(char **args)
{
	(void)args;
	return print(
#include "config_text.h"
		     , NULL);
}

const struct command config_command = { "--config", "", config };
