/* SPDX-License-Identifier: 0BSD */
/* The whole program of one applet, without a dispatcher. */
#include "applet.h"

static const struct applet *const only =
#define APPLET(name) &name##_applet
#include "applets.h"
#undef APPLET
	;

int main(int argc, char **argv)
{
	option_groups = all_option_groups;
	return applet_start(only, argv + !!argc);
}
