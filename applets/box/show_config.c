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

	for (const char *p = settings; *p; p++) {
		const char *on = "=y";

		put_string("CONFIG_");
		for (; *p; p++) {
			if (*p == '=')
				on = "";
			put_byte(*p);
		}
		put_string(on);
		put_byte('\n');
	}
	return put_print();
}

const struct command show_config_command = {
	"--config\0", HELP("print the configuration"), show_config_run
};
