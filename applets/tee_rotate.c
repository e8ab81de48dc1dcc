/* SPDX-License-Identifier: 0BSD */
/* tee --rotate: before FILE grows beyond a size, it becomes FILE.1, and FILE.1
 * becomes FILE.2, and so on. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "applet.h"
#include "tee.h"

enum {
	SIZE_MIN = 4 << 10,
	KEEP = 3,
	KEEP_MAX = 999,
	MODE = 07777,
};

#define LARGEST (1ULL << 40)

typedef char rotated_name[PATH_MAX + DIGITS + 2];

static uint64_t max;	/* bytes of a file */
static uint64_t margin; /* bytes that the end of a line is expected to need */
static uint64_t keep = KEEP;

/* Returns how many bytes before SIZE a FILE is no longer spliced to. */
static uint64_t tee_rotate_near(void)
{
	return 2 * zc_pause_late();
}

/* Returns 0 if a name is that of an output's file, which is a regular one, or
 * else -errno. A link is another file: nobody wants to have /dev/stdout
 * renamed. Sets *st to the file's. */
static int tee_rotate_check(const struct zc_sink *out, const char *name,
			    struct zc_stat *st)
{
	struct zc_stat named;
	int err = zc_stat(out->fd, NULL, st);

	/* ENOENT is for the name alone: FUSE may say so of a removed file. */
	if (err)
		return err == -ENOENT ? -ESTALE : err;
	err = zc_stat_at(AT_FDCWD, name, &named, AT_SYMLINK_NOFOLLOW);
	if (err)
		return err;
	if (S_ISREG(named.mode) && zc_is_same_file(&named.id, &st->id))
		return 0;
	return -EEXIST;
}

static bool tee_rotate_begin(struct zc_sink *out, struct tee_file *f, bool late)
{
	struct zc_stat st;

	f->rotate.on = out->fd >= 0 && !tee_rotate_check(out, out->name, &st);
	if (!f->rotate.on)
		return false;
	f->rotate.size = st.size;
	f->rotate.highest = KEEP_MAX;
	if (!late)
		f->rotate.line = tee_file_is_partial(out, late);
	return true;
}

/* Returns how many bytes more than `size' a file may have. */
static uint64_t tee_rotate_room(uint64_t size)
{
	return size < max ? max - size : 0;
}

/* Returns how many of len bytes go to the file as it is, at least 1, or 0 if it
 * has to be rotated first. Bytes are scanned only near the end of the file, and
 * behind a line that was too long. */
static size_t tee_rotate_fit(const struct tee_file *f, const char *buf,
			     size_t len)
{
	const struct tee_rotate *r = &f->rotate;
	/* --retry first writes the line that counts missing bytes. */
	uint64_t told = f->retry.gap ? TEE_TOLD_MAX : 0;
	uint64_t room = tee_rotate_room(r->size + told);
	uint64_t more = buf[len - 1] == '\n' ? 0 : margin;
	size_t n = len < room ? len : room;
	const char *end;

	if (len + more <= room && r->line <= max)
		return len;
	end = memrchr(buf, '\n', n);
	if (end)
		return end - buf + 1;
	if (!r->size)
		return n;
	/* A line that begins here goes to a new file. */
	if (!r->line)
		return 0;
	if (n == len)
		return len;
	/* One that has begun ends in the old file, unless it is too long. */
	end = memchr(buf, '\n', len);
	len = end ? (size_t)(end - buf) + 1 : len;
	return r->line + len > max ? n : len;
}

/* Counts the bytes of the last line, after n bytes that were written. */
static void tee_rotate_count(struct tee_rotate *r, const char *buf, size_t n)
{
	const char *end;

	if (buf[n - 1] == '\n') {
		r->line = 0;
	} else if (r->size + margin <= max && r->line <= max) {
		r->line = 1;
	} else {
		end = memrchr(buf, '\n', n);
		r->line = end ? (uint64_t)(buf + n - 1 - end) : r->line + n;
	}
}

/* Sets `to' to the name of the n-th old file. open(2) has taken the name, so it
 * is no longer than any path. */
static const char *tee_rotate_name(rotated_name to, const char *name, int n)
{
	size_t len = strlen(name);

	memcpy(to, name, len);
	to[len] = '.';
	*decimal(to + len + 1, n) = 0;
	return to;
}

static bool tee_rotate_is_there(const char *name, int n)
{
	rotated_name old;
	struct zc_stat st;

	return zc_stat(AT_FDCWD, tee_rotate_name(old, name, n), &st) != -ENOENT;
}

/* Returns 0, or -errno. */
static int tee_rotate_rename(const char *from, const char *to)
{
	return sys_rename(from, to) && errno != ENOENT ? -errno : 0;
}

/* Renames the oldest file first, so that whoever ends box between two renames
 * leaves each byte under some name, and one number that no file has. The next
 * time only the files before that number are renamed. Returns 0, or -errno. */
static int tee_rotate_shift(const char *name)
{
	rotated_name from, to;
	unsigned n = 1;
	int err = 0;

	while (n < keep && tee_rotate_is_there(name, n))
		n++;
	for (; n > 1 && !err; n--)
		err = tee_rotate_rename(tee_rotate_name(from, name, n - 1),
					tee_rotate_name(to, name, n));
	if (err)
		return err;
	return tee_rotate_rename(name, tee_rotate_name(to, name, 1));
}

/* Removes the oldest file, be it of an earlier start that has kept more, but
 * not the one that is written: that is FILE.1 while there is no new FILE.
 * Returns whether there was one. */
static bool tee_rotate_make_room(const struct zc_sink *out)
{
	struct tee_rotate *r = &tee_file_of(out)->rotate;
	rotated_name old;
	struct zc_stat st;

	for (; r->highest; r->highest--) {
		tee_rotate_name(old, out->name, r->highest);
		if (tee_rotate_check(out, old, &st) == -EEXIST &&
		    !sys_unlink(old))
			return true;
	}
	return false;
}

/* Creates FILE with the mode and the owner of the old one, as far as this
 * account may. fchown(2) takes some bits of the mode away. Returns a
 * descriptor, or -errno. */
static int tee_rotate_create(const struct zc_sink *out,
			     const struct tee_file *f, unsigned mode)
{
	unsigned user, group;
	int fd;

	do {
		fd = sys_create(out->name, f->flags & O_APPEND, mode);
		fd = fd < 0 ? -errno : zc_above_stdio(fd);
	} while (fd < 0 && tee_file_has_room_now(out, f, -fd));
	if (fd < 0)
		return fd;
	if (!zc_owner(out->fd, &user, &group))
		sys_fchown(fd, user, group);
	sys_fchmod(fd, mode);
	return fd;
}

/* Returns 0, or -errno: then FILE is written as before. */
static int tee_rotate_now(struct zc_sink *out, const struct tee_file *f,
			  unsigned mode)
{
	rotated_name first;
	int err = tee_rotate_shift(out->name), fd;

	if (err)
		return err;
	fd = tee_rotate_create(out, f, mode & MODE);
	if (fd < 0) {
		if (fd != -EEXIST)
			sys_rename(tee_rotate_name(first, out->name, 1),
				   out->name);
		return fd;
	}
	err = zc_close_fd(out->fd);
	if (err)
		tee_file_status = message_path(out->name, error_text(-err));
	out->fd = fd;
	return 0;
}

/* Rotates a FILE, unless another process has made it smaller. If that fails, it
 * is tried again when FILE has got as many bytes again. */
static void tee_rotate_due(struct zc_sink *out, struct tee_file *f)
{
	struct tee_rotate *r = &f->rotate;
	struct zc_stat old = { .size = r->size };
	int err = tee_rotate_check(out, out->name, &old);

	if ((uint64_t)old.size < r->size) {
		r->size = old.size;
		return;
	}
	if (r->highest < keep)
		r->highest = keep;
	if (!err || err == -ENOENT)
		err = tee_rotate_now(out, f, old.mode);
	if (err && !r->told) {
		message_begin();
		put_name(out->name);
		put_string(": not rotated: ");
		put_string(error_text(-err));
		message_end();
		tee_file_status = 1;
	}
	r->told = err;
	r->size = 0;
}

static ssize_t tee_rotate_write(struct zc_sink *out, struct tee_file *f,
				const char *buf, size_t len)
{
	struct tee_rotate *r = &f->rotate;
	ssize_t n;

	if (!r->on)
		return tee_file_pass_on(TEE_ROTATE, out, f, buf, len);
	while (!(n = tee_rotate_fit(f, buf, len)))
		tee_rotate_due(out, f);
	n = tee_file_pass_on(TEE_ROTATE, out, f, buf, n);
	if (n > 0 && !f->missed)
		tee_rotate_count(r, buf, n);
	return n;
}

/* Whether an output is spliced to without --rotate, and may be with it: no
 * other option sees its bytes, a confined box does not need to open it to read,
 * and the source keeps no messages or records apart. */
static bool tee_rotate_may_splice(const struct zc_source *in,
				  const struct zc_sink *out)
{
	const struct tee_file *f = tee_file_of(out);

	return in->kind & (ZC_REGULAR | ZC_PIPE | ZC_SOCKET) && f &&
	       f->rotate.on && !out->error && out->sole &&
	       !IS_ENABLED(CONFIG_CONFINE) && max >= 4 * tee_rotate_near() &&
	       !tee_file_make_room && !tee_file_steps[TEE_STAMP] &&
	       !tee_file_steps[TEE_RETRY];
}

/* Has an output spliced to while it is far from SIZE, and written near that,
 * where the ends of lines count. Returns how many bytes of the source may come
 * before it is looked at again. */
static uint64_t tee_rotate_choose(const struct zc_source *in,
				  struct zc_sink *out)
{
	struct tee_rotate *r = &tee_file_of(out)->rotate;
	uint64_t near = tee_rotate_near(), room;
	bool far;

	if (!out->write)
		r->size += out->bytes - r->seen;
	r->seen = out->bytes;
	/* Some bytes are on their way to it. */
	room = tee_rotate_room(r->size + in->bytes - out->bytes);
	far = room >= 2 * near;
	if (!far && !out->write)
		r->line = tee_file_is_partial(out, true);
	tee_file_take(out, !far);
	return far ? room - near : room + near;
}

static void tee_rotate_turn(struct zc_source *in, struct zc_sink *out, int nout)
{
	uint64_t least = ZC_EVER;

	for (struct zc_sink *o = out; o < out + nout; o++) {
		uint64_t n = ZC_EVER;

		if (tee_rotate_may_splice(in, o))
			n = tee_rotate_choose(in, o);
		if (n < least)
			least = n;
	}
	zc_pause_at(in, least == ZC_EVER ? least : in->bytes + least);
}

static const struct tee_step rotating = { tee_rotate_begin, tee_rotate_write,
					  NULL };

static int tee_rotate_wrong(const char *value)
{
	usage_wrong_value("invalid", value, "rotate");
	put_string("\n  - 'SIZE'\n  - 'SIZE,KEEP'\n  - 'SIZE,free'"
		   "\n  - 'SIZE,KEEP,free'"
		   "\nSIZE is a number of bytes, 4K to 1024G, KEEP 1 to 999");
	return usage_end();
}

static int tee_rotate_set(const struct option *opt, const char *value)
{
	const char *rest = bytes_number(value, LARGEST, &max);
	const char *free = rest ? skip_prefix(rest, ",free") : NULL;

	if (rest && *rest == ',' && !free) {
		rest = bytes_number(rest + 1, KEEP_MAX, &keep);
		free = rest ? skip_prefix(rest, ",free") : NULL;
	}
	if (free)
		rest = free;
	if (!rest || *rest || max < SIZE_MIN || !keep)
		return tee_rotate_wrong(value);
	margin = max < 4 * SIZE_MIN ? max / 4 : SIZE_MIN;
	tee_file_turn = tee_rotate_turn;
	tee_file_make_room = free ? tee_rotate_make_room : NULL;
	tee_file_steps[TEE_ROTATE] = &rotating;
	return 0;
}

const struct option_group tee_rotate_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST(
		{ 0, 0, "rotate\0=SIZE[,KEEP]",
		  HELP("begin a new FILE before it exceeds SIZE, such as 1M\n"
		       "FILE becomes FILE.1, that FILE.2, and so on up to KEEP (3)\n"
		       "SIZE,KEEP,free removes the oldest on a full disk") }),
	.set = tee_rotate_set,
};
