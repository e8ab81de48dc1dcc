/* SPDX-License-Identifier: 0BSD */
/* --version. */
#include "applet.h"
#include "version.h"

int version_run(char *const *operands)
{
	put_string(applet->name);
	put_string(" (box) " BOX_VERSION "\n");
	return put_print();
}

static int version_set(const struct option *opt, const char *value)
{
	applet_run = version_run;
	return STOP;
}

const struct option_group version_options = {
	.applies_to = ANY_APPLET,
	OPTION_LIST({ 0, 0, "version", HELP("print the version and exit") }),
	.set = version_set,
};
