/* SPDX-License-Identifier: 0BSD */
/* box --install [-s] [-f] [DIR]: a link for every applet. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"

static bool symbolic, force;
static char self[PATH_MAX];	/* the file that runs, as an absolute path */

/* The kernel tells what was executed, in the vector behind the environment
 * (getauxval(3)); /proc may not be there. */
static const char *executed(void)
{
	char **e = environ;
	const unsigned long *aux;

	while (*e++)
		;
	for (aux = (void *)e; *aux && *aux != AT_EXECFN; aux += 2)
		;
	return (const char *)aux[1];
}

static int find_self(void)
{
	const char *name = executed();
	size_t len = 0;

	if (*name != '/') {
		/* getcwd(3) would bring in an allocator. */
		if (syscall(SYS_getcwd, self, sizeof(self)) < 0)
			return -1;
		len = strlen(self);
		self[len++] = '/';
	}
	if (len + strlen(name) >= sizeof(self)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(self + len, name);
	return 0;
}

static int make_link(int dir, const char *name)
{
	if (symbolic)
		return symlinkat(self, dir, name);
	return linkat(AT_FDCWD, self, dir, name, AT_SYMLINK_FOLLOW);
}

/* A symbolic link in place of the file that runs would lead to itself. */
static bool is_self(int dir, const char *name)
{
	struct zc_stat a, b;

	if (strcmp(strrchr(self, '/') + 1, name))
		return false;
	/* What nothing can be learned of may be it, and is left alone. */
	return zc_stat(AT_FDCWD, self, &a) || zc_stat(dir, name, &b) ||
	       (a.dev == b.dev && a.ino == b.ino);
}

/* Replaces in one step: at no time is there nothing of that name. */
static int replace(int dir, const char *name)
{
	char fresh[NAME_MAX];

	stpcpy(stpcpy(fresh, name), ".box-new");
	if (symbolic && is_self(dir, name)) {
		errno = EEXIST;
		return -1;
	}
	/* One that was stopped half-way may have left its own. */
	unlinkat(dir, fresh, 0);
	if (make_link(dir, fresh))
		return -1;

	int status = renameat(dir, fresh, dir, name);
	int err = errno;

	/* rename(2) of one of two links to the same file leaves both. */
	unlinkat(dir, fresh, 0);
	errno = err;
	return status;
}

static int install(const struct applet *a, const char *into)
{
	const char *folder = into ? into : a->folder;
	const char *root = into ? "" : "/";
	int dir = !into && chdir(root) ? -1 : zc_open(folder, O_PATH);
	int err = dir < 0 ? -1 : make_link(dir, a->name);

	if (dir >= 0 && err && errno == EEXIST && force)
		err = replace(dir, a->name);
	if (err)
		say(NULL, root, folder, "/", a->name, ": ", error_text(errno), NULL);
	if (dir >= 0)
		close(dir);
	return !!err;
}

static int run(char **args)
{
	int status = 0;

	for (; *args && **args == '-'; args++) {
		const char *p = *args;

		while (*++p == 's' || *p == 'f')
			*(*p == 's' ? &symbolic : &force) = true;
		if (*p || p == *args + 1)
			return say_usage("--install: invalid option '", *args,
					 "'");
	}
	if (*args && args[1])
		return say_usage("--install: extra operand '", args[1], "'");
	if (find_self())
		return say_error("--install", errno);
	for (const struct applet *const *a = box_applets; *a; a++)
		status |= install(*a, *args);
	return status;
}

const struct command install_command = {
	"--install", " [-s] [-f] [DIR]", run
};
