/* SPDX-License-Identifier: 0BSD */
/* box --config: the configuration of this build. */
#include "box.h"

static int show_config_run(char *const *args)
{
	/* "NAME" for a symbol that is on, or "NAME=VALUE"; then an empty
	 * string. */
	static const char settings[] =
#include "config_text.h"
		"";
	int status = 0;

	for (const char *p = settings; *p && !status; p++) {
		const char *name = p, *on = "=y";

		for (; *p; p++)
			if (*p == '=')
				on = "";
		print("CONFIG_");
		print(name);
		print(on);
		status = print("\n");
	}
	return status;
}

const struct command show_config_command = { "--config", "", show_config_run };
