/* SPDX-License-Identifier: 0BSD */
/* tee --retry: tries a FILE again after an error of space. */
#define _GNU_SOURCE
#include <string.h>

#include "applet.h"
#include "tee.h"

enum { PAUSE = 1000 }; /* milliseconds between two attempts */

static bool tee_retry_is_wanted(int err)
{
	return tee_file_is_full(err) || err == EROFS;
}

static void tee_retry_fail(const struct zc_sink *out, struct tee_retry *r,
			   int err)
{
	if (!r->failing)
		tee_file_status = message_path(out->name, error_text(err));
	r->failing = true;
	r->next = zc_clock() + PAUSE;
}

/* Counts n bytes at buf as left out. Returns n. */
static ssize_t tee_retry_miss(struct tee_file *f, const char *buf, size_t n)
{
	f->retry.gap += n;
	f->retry.left_out += n;
	f->retry.line_start = buf[n - 1] == '\n';
	f->missed = true;
	return n;
}

static void tee_retry_say(const struct zc_sink *out, struct tee_retry *r,
			  const char *what)
{
	message_begin();
	put_name(out->name);
	put_string(what);
	put_decimal(r->left_out);
	put_string(" bytes left out");
	message_end();
	r->left_out = 0;
}

/* Returns how many of len bytes to leave out before the next attempt, which
 * begins with a whole line. Where a sandbox refuses the clock, that is now. */
static size_t tee_retry_skip(const struct tee_retry *r, const char *buf,
			     size_t len)
{
	uint64_t now = zc_clock();
	const char *end;

	if (now && now < r->next)
		return len;
	if (r->line_start)
		return 0;
	end = memchr(buf, '\n', len);
	return end ? (size_t)(end - buf) + 1 : len;
}

/* Opens the file if it is not open yet. Writes the line that counts the missing
 * bytes, if any are missing, and then the len bytes at buf. Returns how many of
 * the len bytes were written, or -errno. */
static ssize_t tee_retry_once(struct zc_sink *out, struct tee_file *f,
			      const char *buf, size_t len)
{
	struct tee_retry *r = &f->retry;
	char text[TEE_TOLD_MAX] = "\n";
	char *line = text + 1, *told;
	size_t told_len = 0;
	ssize_t n;

	if (out->fd < 0) {
		out->fd = zc_open(out->name, f->flags);
		if (out->fd < 0)
			return out->fd;
		tee_file_begin(out, f, true);
	}
	told = r->partial ? text : line;
	if (r->gap) {
		if (tee_file_stamp)
			line += tee_file_stamp(line);
		told_len = line + tee_tell(line, r->gap) - told;
	}
	n = tee_file_put(out, f, told, told_len, buf, len);
	if (n <= 0)
		return n;
	/* But for its end it has told all, and the next line begins with that.
	 */
	if ((size_t)n + 1 >= told_len)
		r->gap = 0;
	if ((size_t)n < told_len) {
		r->partial = told[n - 1] != '\n';
		return 0;
	}
	n -= told_len;
	r->partial = n && buf[n - 1] != '\n';
	return n;
}

/* A write that takes nothing and has no error is ENOSPC, as in GNU's tee. */
static ssize_t tee_retry_write(struct zc_sink *out, struct tee_file *f,
			       const char *buf, size_t len)
{
	struct tee_retry *r = &f->retry;
	size_t skip = r->failing ? tee_retry_skip(r, buf, len) : 0;
	ssize_t n;

	if (skip)
		return tee_retry_miss(f, buf, skip);
	n = tee_retry_once(out, f, buf, len);
	if (n < 0 && !tee_retry_is_wanted(-n)) {
		if (r->left_out && n != -EINTR && n != -EAGAIN)
			tee_retry_say(out, r, ": ");
		return n;
	}
	if (n <= 0) {
		tee_retry_fail(out, r, n ? -n : ENOSPC);
		return tee_retry_miss(f, buf, len);
	}
	if (r->failing)
		tee_retry_say(out, r, ": works again, ");
	r->failing = false;
	return n;
}

static bool tee_retry_begin(struct zc_sink *out, struct tee_file *f, bool late)
{
	struct tee_retry *r = &f->retry;

	/* The end of a device cannot be read: that of the last write stays. */
	if (out->kind != ZC_DEVICE)
		r->partial = tee_file_is_partial(out, late);
	r->line_start |= !r->failing;
	r->next = 0;
	if (!out->error)
		return true;
	if (!tee_retry_is_wanted(out->error))
		return false;
	tee_retry_fail(out, r, out->error);
	out->error = 0;
	return true;
}

static void tee_retry_end(struct zc_sink *out, struct tee_file *f)
{
	if (!f->retry.failing)
		return;
	tee_retry_once(out, f, "", 0);
	if (f->retry.left_out)
		tee_retry_say(out, &f->retry, ": ");
}

static const struct tee_step retrying = { tee_retry_begin, tee_retry_write,
					  tee_retry_end };

static int tee_retry_set(const struct option *opt, const char *value)
{
	tee_file_steps[TEE_RETRY] = &retrying;
	return 0;
}

const struct option_group tee_retry_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, 0, "retry",
		      HELP("try a full FILE again, once a second") }),
	.set = tee_retry_set,
};
