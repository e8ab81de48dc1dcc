/* SPDX-License-Identifier: 0BSD */
/* read(2) and write(2), which serve every endpoint, and decide about each
 * failure that no other method has recorded. */
#include "engine/engine.h"

/* Returns how many bytes of lines to write at once. */
static ssize_t max_lines(const struct zc *z, const struct zc_source *in,
			 const struct zc_sink *out)
{
	bool pages = out->kind == ZC_PIPE &&
		     !(zc_has_pipe_buffers(z, out) && out->bytes);

	return pages ? ZC_LINES : zc_run_max(in, out);
}

/* Returns how many bytes of a line that is repeated come next, at *p. */
static ssize_t take_lines(const struct zc *z, struct zc_source *in,
			  const struct zc_sink *out, const char **p)
{
	struct zc_line *line = in->line;
	ssize_t n = line->pattern_len - line->pos;

	*p = line->pattern + line->pos;
	if (out->kind == ZC_DATAGRAM || out->message_max)
		n = line->line_len - line->pos % line->line_len;
	else if (ZC_SELECT)
		n = zc_least(n, max_lines(z, in, out));
	/* As if in the first line, so that the bytes stay in the nearest cache.
	 */
	line->pos = ZC_SELECT ? (line->pos + n) % line->line_len : 0;
	return n;
}

/* Whether this is the first run from a pipe to pipes and sole files: it only
 * shows whether it is little, and the others are spliced. */
static bool is_first(const struct zc_source *in, unsigned kinds)
{
	return ZC_SELECT && in->kind == ZC_PIPE && !(kinds & ~ZC_SPLICED) &&
	       !in->bytes;
}

/* Returns how many bytes to read at once: fewer for a pipe, whose reader can
 * begin sooner, than for a file. A message that is longer is an error. */
static size_t max_read(const struct zc_source *in, const struct zc_sink *out)
{
	if (in->kind == ZC_DATAGRAM)
		return 2 * ZC_BUFFER;
	if (!ZC_SELECT)
		return ZC_BUFFER;
	if (is_first(in, out->kind))
		return zc_least_run();
	return out->kind & ZC_REGULAR ? 2 * ZC_BUFFER : ZC_BUFFER;
}

static ssize_t rw_run(struct zc *z, struct zc_source *in, struct zc_sink *out)
{
	const char *p = zc_buffer(z);
	ssize_t n;

	if (in->kind == ZC_REPEAT)
		n = take_lines(z, in, out, &p);
	else
		n = zc_read(z, in, zc_buffer(z), max_read(in, out));
	if (n > 0)
		zc_write(z, out, p, n);
	return n;
}

static ssize_t rw_fan(struct zc_job *j)
{
	size_t max = zc_lag_read(j);
	ssize_t n;

	if (j->in->kind == ZC_DATAGRAM)
		max = ZC_MESSAGE;
	if (is_first(j->in, j->kinds))
		max = zc_least(max, zc_least_run());
	n = zc_read(j->z, j->in, zc_buffer(j->z), max);
	if (n > 0)
		j->span = zc_buffer(j->z);
	return n;
}

const struct zc_method zc_method_rw = {
	.name = "rw",
	.from = ZC_ANY | ZC_UNKNOWN | ZC_OWN,
	.to = ZC_ANY | ZC_UNKNOWN | ZC_OWN,
	.run = rw_run,
	.fan = rw_fan,
};
