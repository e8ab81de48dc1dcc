/* SPDX-License-Identifier: 0BSD */
/* The state that applets and options share and change. */
#include "applet.h"

struct zc zc;
const struct applet *applet;
int (*applet_run)(char *const *operands);
const struct option_group *const *option_groups;
char *const standard_input[] = { "-", NULL };
bool debug;
char *const *command;
