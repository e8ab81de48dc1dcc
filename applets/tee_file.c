/* SPDX-License-Identifier: 0BSD */
/* FILEs whose bytes pass the functions of options on their way. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "applet.h"
#include "tee.h"

const struct tee_step *tee_file_steps[TEE_STEPS];
bool (*tee_file_make_room)(const struct zc_sink *out);
size_t (*tee_file_stamp)(char *to);
void (*tee_file_turn)(struct zc_source *in, struct zc_sink *out, int nout);
int tee_file_status;

bool tee_file_is_full(int err)
{
	return err == ENOSPC || err == EDQUOT;
}

bool tee_file_has_room_now(const struct zc_sink *out, const struct tee_file *f,
			   int err)
{
	return tee_file_make_room && f->rotate.on && tee_file_is_full(err) &&
	       tee_file_make_room(out);
}

ssize_t tee_file_put(struct zc_sink *out, struct tee_file *f, const char *told,
		     size_t told_len, const char *buf, size_t len)
{
	const struct iovec v[] = { { (void *)told, told_len },
				   { (void *)buf, len } };
	ssize_t n;

	do {
		n = told ? sys_writev(out->fd, v, 2) :
			   sys_write(out->fd, buf, len);
		n = n < 0 ? -errno : n;
	} while (n < 0 && tee_file_has_room_now(out, f, -n));
	if (n > 0)
		f->rotate.size += n;
	return n;
}

ssize_t tee_file_pass_on(int step, struct zc_sink *out, struct tee_file *f,
			 const char *buf, size_t len)
{
	while (++step < TEE_STEPS)
		if (tee_file_steps[step])
			return tee_file_steps[step]->write(out, f, buf, len);
	return tee_file_put(out, f, NULL, 0, buf, len);
}

static ssize_t tee_file_write(struct zc_sink *out, const void *buf, size_t len)
{
	struct tee_file *f = tee_file_of(out);
	ssize_t n;

	f->missed = false;
	n = tee_file_pass_on(-1, out, f, buf, len);
	if (f->missed)
		zc_uncount(out, n);
	return n;
}

/* Reads the last byte of a file. Returns whether there was one. */
static bool tee_file_read_last(int fd, char *last)
{
	return lseek(fd, -1, SEEK_END) >= 0 &&
	       UNINTERRUPTED(sys_read(fd, last, 1)) == 1;
}

bool tee_file_is_partial(const struct zc_sink *out, bool late)
{
	struct zc_stat st;
	bool partial;
	char last;
	int fd = -1;

	if (zc_stat(out->fd, NULL, &st) || !st.size)
		return false;
	if (!IS_ENABLED(CONFIG_CONFINE) || !late)
		fd = zc_open(out->name, O_RDONLY | O_NONBLOCK);
	partial = !tee_file_read_last(fd, &last) || last != '\n';
	if (fd >= 0)
		zc_close_fd(fd);
	return partial;
}

bool tee_file_begin(struct zc_sink *out, struct tee_file *f, bool late)
{
	bool wanted = false;

	for (int i = 0; i < TEE_STEPS; i++)
		if (tee_file_steps[i])
			wanted |= tee_file_steps[i]->begin(out, f, late);
	return wanted && !out->error;
}

void tee_file_take(struct zc_sink *out, bool way)
{
	zc_write_by(out, way ? tee_file_write : NULL);
}

int tee_file_open(struct zc_sink *out, int flags, struct tee_file *f, bool late)
{
	enum { KINDS = ZC_REGULAR | ZC_DEVICE };
	bool passes = out->error || out->kind & KINDS;

	if (!f && !passes)
		return 0;
	if (!f)
		f = allocate(sizeof(*f));
	if (!f)
		return 1;
	/* Its memory stays for the next file of this name. */
	out->user = f;
	f->flags = flags;
	if (passes && tee_file_begin(out, f, late)) {
		tee_file_take(out, true);
		return 0;
	}
	/* That was of another file. */
	f->retry.partial = false;
	tee_file_end(out);
	*f = (struct tee_file){ .flags = 0 };
	return 0;
}

struct tee_file *tee_file_of(const struct zc_sink *out)
{
	return out->user;
}

void tee_file_end(struct zc_sink *out)
{
	struct tee_file *f = tee_file_of(out);

	if (!f)
		return;
	for (int i = 0; i < TEE_STEPS; i++)
		if (tee_file_steps[i] && tee_file_steps[i]->end)
			tee_file_steps[i]->end(out, f);
}
