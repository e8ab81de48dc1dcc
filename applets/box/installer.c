/* SPDX-License-Identifier: 0BSD */
/* box --install [-s] [-f] [DIR]: a link for every applet. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "box.h"

/* More than any path that the kernel takes. */
enum { ROOM = 2 * PATH_MAX };

static bool symbolic, force;
static char self[PATH_MAX]; /* the file that runs, as an absolute path */

/* Adds a string at end, up to the end of the room. Returns its end. */
static char *append_text(char *end, const char *s, const char *room_end)
{
	while (*s && end < room_end - 1)
		*end++ = *s++;
	*end = 0;
	return end;
}

/* Puts the working directory into self, "" for the root. Returns whether it is
 * known: the kernel calls one out of reach "(unreachable)/...". */
static bool get_directory(void)
{
	long len = sys_getcwd(self, sizeof(self));

	if (len > 0 && !strcmp(self, "/"))
		*self = 0;
	return len > 0 && (!*self || *self == '/');
}

/* Likewise the directory above self, to which a link may have led. */
static bool go_up(void)
{
	int here = zc_open(".", O_PATH | O_DIRECTORY);
	bool known = here >= 0 && !sys_chdir(*self ? self : "/") &&
		     !sys_chdir("..") && get_directory();

	if (here >= 0) {
		known &= !sys_fchdir(here);
		zc_close_fd(here);
	}
	return known;
}

/* Adds a part of a path to self, without "." and "..". Returns whether that is
 * known and has room. */
static bool add_part(const char *part, size_t len)
{
	size_t used = strlen(self);

	if (!len || (len == 1 && *part == '.'))
		return true;
	if (len == 2 && part[0] == '.' && part[1] == '.')
		return go_up();
	if (used + 1 + len >= sizeof(self))
		return false;
	self[used] = '/';
	memcpy(self + used + 1, part, len);
	self[used + 1 + len] = 0;
	return true;
}

/* Returns whether there is a path to link to. The kernel tells which file was
 * executed, because /proc may not be mounted. */
static bool find_self(void)
{
	const char *name = (const char *)getauxval(AT_EXECFN);

	*self = 0;
	if (*name != '/' && !get_directory())
		return false;
	while (*name) {
		size_t len = 0;

		while (name[len] && name[len] != '/')
			len++;
		if (!add_part(name, len))
			return false;
		name += len + (name[len] == '/');
	}
	/* fexecve(3) leaves a descriptor's number, which other processes cannot
	 * use. */
	return !symbolic ||
	       !(skip_prefix(self, "/dev/fd/") || skip_prefix(self, "/proc/"));
}

static int make_link(const char *path)
{
	if (symbolic)
		return sys_symlink(self, path);
	return sys_link(self, path);
}

/* A symbolic link in place of the file that runs would lead to itself. */
static bool is_self(const char *path)
{
	struct zc_stat a, b;

	if (strcmp(box_file_name(self), box_file_name(path)))
		return false;
	/* A file that cannot be examined may be box itself. */
	return zc_stat(AT_FDCWD, self, &a) || zc_stat(AT_FDCWD, path, &b) ||
	       zc_is_same_file(&a.id, &b.id);
}

/* Replaces by rename(2), so that the name exists at all times. */
static int replace(const char *path)
{
	char fresh[ROOM], *room_end = fresh + ROOM;
	char *end = append_text(fresh, path, room_end);
	int status, err;

	end = append_text(end, ".box-new", room_end);
	if (symbolic && is_self(path)) {
		errno = EEXIST;
		return -1;
	}
	/* A file of that name is another's: the next name is longer, up to
	 * ENAMETOOLONG. */
	while (make_link(fresh)) {
		if (errno != EEXIST)
			return -1;
		end = append_text(end, "~", room_end);
	}
	status = rename(fresh, path);
	err = errno;
	/* rename(2) of one of two links to the same file leaves both. */
	if (status || !symbolic)
		unlink(fresh);
	errno = err;
	return status;
}

static int link_applet(const struct applet *a, const char *into)
{
	char path[ROOM], *room_end = path + ROOM;
	char *end = append_text(path, into ? into : "/", room_end);

	if (!into)
		end = append_text(end, a->directory, room_end);
	end = append_text(end, "/", room_end);
	append_text(end, a->name, room_end);
	if (!make_link(path) || (errno == EEXIST && force && !replace(path)))
		return 0;
	return message_path(path, error_text(errno));
}

static int install_links(char *const *args)
{
	int status = 0;

	for (; *args && **args == '-'; args++) {
		const char *p = *args;

		if (!strcmp(p, "--")) {
			args++;
			break;
		}
		while (*++p == 's' || *p == 'f') {
			if (*p == 's')
				symbolic = true;
			else
				force = true;
		}
		if (*p || p == *args + 1)
			return usage_error("--install: invalid option '", *args,
					   "'");
	}
	if (*args && args[1])
		return usage_error("extra operand '", args[1], "'");
	if (*args && !**args)
		return message_path(*args, error_text(ENOENT));
	if (!find_self())
		return message("--install: cannot find itself: "
			       "call box by its path");
	for (const struct applet *const *a = box_applets; *a; a++)
		status |= link_applet(*a, *args);
	return status;
}

const struct command installer_command = {
	"--install\0 [-s] [-f] [DIR]",
	HELP("make links (-s: symbolic; -f: replace)"), install_links
};
