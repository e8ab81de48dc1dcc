/* SPDX-License-Identifier: 0BSD */
/* The dispatcher: runs the applet of a name, or a command of box's own. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "box.h"

static int print_applets(bool full)
{
	for (const struct applet *const *a = box_applets; *a; a++) {
		if (full) {
			put_string((*a)->directory);
			put_byte('/');
		}
		put_string((*a)->name);
		put_byte('\n');
	}
	return put_print();
}

static int box_list(char *const *args)
{
	return print_applets(false);
}

static int box_list_full(char *const *args)
{
	return print_applets(true);
}

static const struct command list_command = {
	"--list\0", HELP("list the applets"), box_list
};
static const struct command list_full_command = {
	"--list-full\0", HELP("and their paths"), box_list_full
};

static const struct command *const box_commands[] = {
	&list_command, &list_full_command,
#define COMMAND(name) &name##_command,
#include "commands.h"
#undef COMMAND
	NULL
};

static const struct applet box_itself = {
	.name = "box",
	.commands = box_commands,
};

/* box ARG...: an applet, or a command of box's own. */
static int box_run(char **args)
{
	const struct applet *a;

	applet = &box_itself;
	if (!*args)
		return IS_ENABLED(CONFIG_HELP) ? help_print_usage() :
						 box_list(args);
	for (const struct command *const *c = box_commands; *c; c++) {
		if (strcmp((*c)->name, *args))
			continue;
		if (!*box_args(*c) && args[1])
			return usage_error("extra operand '", args[1], "'");
		return (*c)->run(args + 1);
	}
	if (**args == '-')
		return usage_error("unrecognized option '", *args, "'");
	a = box_find(*args);
	if (!a)
		return box_not_found(*args);
	/* As if a link had been called: ps(1) and pgrep(1) look for this. */
	if (!IS_ENABLED(CONFIG_SAFE_CALLS))
		sys_set_name(a->name);
	return applet_start(a, args + 1);
}

int main(int argc, char **argv)
{
	const char *name = argc ? box_file_name(argv[0]) : "";
	const struct applet *a;

	option_groups = all_option_groups;
	/* A login shell's name begins with a dash. */
	if (*name == '-')
		name++;
	a = box_find(name);
	if (a)
		return applet_start(a, argv + 1);
	if (*name && !skip_prefix(name, "box"))
		return box_not_found(name);
	return box_run(argv + !!argc);
}
