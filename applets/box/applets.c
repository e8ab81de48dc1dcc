/* SPDX-License-Identifier: 0BSD */
/* The list of applets, and the applet of a name. */
#include <string.h>

#include "box.h"

const struct applet *const box_applets[] = {
#define APPLET(name) &name##_applet,
#include "applets.h"
#undef APPLET
	NULL
};

const char *box_file_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

const struct applet *box_find(const char *name)
{
	for (const struct applet *const *a = box_applets; *a; a++)
		if (!strcmp((*a)->name, name))
			return *a;
	return NULL;
}

int box_not_found(const char *name)
{
	static struct applet missing;

	missing.name = name;
	applet = &missing;
	message("applet not found");
	return 127;
}

const char *box_args(const struct command *c)
{
	return c->name + strlen(c->name) + 1;
}
