/* SPDX-License-Identifier: 0BSD */
/* --help, and box --help [APPLET]. */
#include "box.h"

#define APPLET(name) extern const char name##_help[];
#include "applets.h"
#undef APPLET
#define PART(name) extern const char name##_help[];
#include "parts.h"
#undef PART
#define PART(name) extern const struct part name##_part;
#include "parts.h"
#undef PART

static const struct {
	const struct applet *applet;
	const char *text;
} applets[] = {
#define APPLET(name) { &name##_applet, name##_help },
#include "applets.h"
#undef APPLET
};

static const struct {
	const struct part *part;
	const char *text;
} parts[] = {
#define PART(name) { &name##_part, name##_help },
#include "parts.h"
#undef PART
};

static int help(char **operands)
{
	int status = 0;

	(void)operands;
	for (size_t i = 0; i < sizeof(applets) / sizeof(*applets); i++)
		if (applets[i].applet == applet)
			status = print(applets[i].text, NULL);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].part->of & (applet->is | ANY_APPLET))
			status |= print(parts[i].text, NULL);
	return status;
}

static int set(const struct option *opt, const char *value)
{
	(void)opt;
	(void)value;
	applet_run = help;
	return STOP;
}

const struct part help_part = {
	.of = ANY_APPLET,
	.options = (const struct option[]){
		{ 0, NO_VALUE, "help" },
		{ 0 }
	},
	.set = set,
};

const char help_help[] =
"      --help               show this help and exit\n";

int box_print_usage(void)
{
	int status = print("Usage: box APPLET [ARG]...\n"
			   "  or:  APPLET [ARG]...   through a link of that "
			   "name\n", NULL);

	for (const struct command *const *c = box_commands; *c; c++)
		status |= print("  or:  box ", (*c)->name, (*c)->args, "\n",
				NULL);
	status |= print("\nApplets:", NULL);
	for (const struct applet *const *a = box_applets; *a; a++)
		status |= print(" ", (*a)->name, NULL);
	return status | print("\n", NULL);
}

static int help_run(char **args)
{
	if (!*args)
		return box_print_usage();
	applet = box_find(*args);
	return applet ? help(NULL) : box_not_found(*args);
}

const struct command help_command = { "--help", " [APPLET]", help_run };
