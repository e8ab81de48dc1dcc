/* SPDX-License-Identifier: 0BSD */
/* --version. */
#include "box.h"
#include "version.h"

static int version(char **operands)
{
	(void)operands;
	return print(applet->name, " (box) " BOX_VERSION "\n", NULL);
}

static int set(const struct option *opt, const char *value)
{
	(void)opt;
	(void)value;
	applet_run = version;
	return STOP;
}

const struct part version_part = {
	.of = ANY_APPLET,
	.options = (const struct option[]){
		{ 0, NO_VALUE, "version" },
		{ 0 }
	},
	.set = set,
};

const char version_help[] =
"      --version            show the version and exit\n";

const struct command version_command = { "--version", "", version };
