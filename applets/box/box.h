/* SPDX-License-Identifier: 0BSD */
/* The commands of box itself: box --COMMAND [ARG]... */
#pragma once

#include "applet.h"

#define COMMAND(name) extern const struct command name##_command;
#include "commands.h"
#undef COMMAND

/* All applets, then NULL. */
extern const struct applet *const box_applets[];

/* Returns the arguments of a command as --help shows them. */
const char *box_args(const struct command *c);

/* Returns the part of a path after its last "/". */
const char *box_file_name(const char *path);

/* Returns the applet of that name, or NULL. */
const struct applet *box_find(const char *name);

/* Reports that there is no such applet. Returns the exit status, 127. */
int box_not_found(const char *name);

/* Prints the usage of box, which is the applet that runs, and its applets.
 * Returns 0 or 1. If CONFIG_HELP. */
int help_print_usage(void);
