/* SPDX-License-Identifier: 0BSD */
/* box --config: the configuration it was built with. */
#include "box.h"

static int show_config_run(char **args)
{
	/* One string after the other, then an empty one. */
	static const char settings[] =
#include "config_text.h"
		"";
	int status = 0;

	(void)args;
	for (const char *p = settings; *p && !status; p++) {
		status = print("CONFIG_", p, "\n", NULL);
		while (*p)
			p++;
	}
	return status;
}

const struct command show_config_command = { "--config", "", show_config_run };
