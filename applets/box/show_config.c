/* SPDX-License-Identifier: 0BSD */
/* box --config: the configuration it was built with. */
#include "box.h"

static int show_config_run(char **args)
{
	(void)args;
	return print(
#include "config_text.h"
		     , NULL);
}

const struct command show_config_command = { "--config", "", show_config_run };
