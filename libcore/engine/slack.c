/* SPDX-License-Identifier: 0BSD */
/* What a sink is late with waits in a relay of its own, its slack. */
#include <limits.h>

#include "engine.h"

static ssize_t copy_piece(struct zc *z, struct zc_relay *relay,
			  struct zc_endpoint *out)
{
	enum { MOST = ZC_BUFFER / 2 / PIPE_BUF * PIPE_BUF };
	/* Behind the run, of which others may lack something; zc_fan_out() has
	 * the second half of that. */
	char *piece = zc_buffer(z) + ZC_BUFFER;
	size_t promise = zc_promise(z, out, relay->held);
	ssize_t n = zc_sys_read(relay->fd, piece,
				promise < MOST ? promise : MOST);

	if (n > 0)
		zc_write_pages(z, out, piece, n);
	return n;
}

int zc_slack_open(struct zc_endpoint *out)
{
	return zc_limit(out) ? zc_lag_open(out) : zc_relay_open(&out->slack);
}

void zc_drain(struct zc *z, struct zc_relay *relay, struct zc_endpoint *out)
{
	bool by_splice = (out->kind == ZC_PIPE || zc_nonblock(out)) &&
			 !out->no_splice;
	ssize_t n;

	z->calls++;
	/* With these this does not sleep, with others it may. */
	if (by_splice)
		n = zc_sys_splice(relay->fd, NULL, out->fd, relay->held);
	else
		n = copy_piece(z, relay, out);
	if (n > 0) {
		relay->held -= n;
		if (zc_limit(out))
			zc_lag_drained(out->lag, n);
		out->moved = true;
		zc_grow(out, n);
	} else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	} else if (by_splice) {
		if (n)
			zc_record(out);
		out->no_splice = !out->error;
	} else {
		/* What is stuck there is lost. */
		out->error = n ? errno : EIO;
	}
	if (out->error)
		zc_relay_close(relay);
}

void zc_put_off(struct zc *z, struct zc_endpoint *out, const char *end)
{
	struct zc_relay *slack = &out->slack;
	ssize_t m;

	if (!slack->fd)
		return;
	if (zc_limit(out)) {
		m = zc_lag_room(out);
		/* So that pieces do not become small, once one has been. */
		if (slack->held && m < PIPE_BUF && (size_t)m < out->lack)
			return;
		m = zc_lag_put(out, end - out->lack,
			       (size_t)m < out->lack ? (size_t)m : out->lack);
	} else {
		/* It is full of buffers, if not of bytes. */
		do
			m = zc_sys_write(slack->sink, end - out->lack,
					 out->lack);
		while (m < 0 && zc_relay_grow(slack, SIZE_MAX));
		if (m > 0)
			slack->held += m;
	}
	/* An empty one that takes nothing is of no use. */
	if (m <= 0) {
		z->no_slack |= !slack->held;
		return;
	}
	out->lack -= m;
}
