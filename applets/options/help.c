/* SPDX-License-Identifier: 0BSD */
/* --help. */
#include "applet.h"

static const struct {
	const struct applet *applet;
	const char *text;
} applets[] = {
#define APPLET(name) { &name##_applet, name##_help },
#include "applets.h"
#undef APPLET
};

static const struct {
	const struct option_group *group;
	const char *text;
} groups[] = {
#define OPTIONS(name) { &name##_options, name##_help },
#include "options.h"
#undef OPTIONS
};

int help_run(char *const *operands)
{
	int status = 0;

	(void)operands;
	for (size_t i = 0; i < sizeof(applets) / sizeof(*applets); i++)
		if (applets[i].applet == applet)
			status = print(applets[i].text, NULL);
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (groups[i].group->applies_to & (applet->traits | ANY_APPLET))
			status |= print(groups[i].text, NULL);
	return status;
}

static int help_set(const struct option *opt, const char *value)
{
	(void)opt;
	(void)value;
	applet_run = help_run;
	return STOP;
}

const struct option_group help_options = {
	.applies_to = ANY_APPLET,
	OPTION_LIST({ 0, NO_VALUE, 0, "help" }),
	.set = help_set,
};

const char help_help[] = "      --help\t\t   show help and exit\n";
