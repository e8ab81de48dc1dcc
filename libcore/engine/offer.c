/* SPDX-License-Identifier: 0BSD */
/* Gives a run to several sinks: at once, from memory, or by their queues. Drops
 * what a sink has yet to get. */
#include <limits.h>

#include "engine.h"

void zc_queue_lack(struct zc *z, struct zc_endpoint *out)
{
	size_t n;

	if (zc_lag_open(out)) {
		z->no_queue = true;
		return;
	}
	n = zc_limited(out) ? zc_lag_room(out) :
			      zc_excess(z->share, zc_queued(out));
	n = zc_least(out->lack, n);
	/* Otherwise one small piece would make all later ones small. */
	if (zc_queued(out) && n < out->lack && n < PIPE_BUF)
		return;
	n = zc_queue_write(out, out->next, n);
	zc_took(out, n);
	/* An empty queue that takes nothing is useless. */
	z->no_queue |= !zc_queued(out);
}

bool zc_write_now(struct zc *z, struct zc_endpoint *out)
{
	size_t len = 0;
	ssize_t n;

	if (!zc_queued(out))
		len = zc_one_message(z, out, z->run, out->lack);
	z->calls++;
	if (zc_sends(out)) {
		n = zc_sys_send(out->fd, out->next, len);
		if (zc_is_refused(n))
			return out->socket = false;
	} else {
		n = zc_own_write(out, out->next, len);
	}
	if (n > 0) {
		zc_took(out, n);
		out->bytes += n;
	} else if (n < (ssize_t)len && n != -EINTR &&
		   (n != -EAGAIN || zc_is_always_ready(out))) {
		zc_fail_write(out, n);
	}
	return n > 0;
}

/* Gives a sink what it lacks, if that takes no poll(2) before it. Many devices
 * do not tell poll(2) whether they can be written to. */
static void give_now(struct zc *z, struct zc_endpoint *out)
{
	if (zc_queued(out)) {
		zc_queue_lack(z, out);
	} else if (!(out->kind & (ZC_LATE | ZC_DATAGRAM | ZC_OWN)) ||
		   zc_is_prompt(out)) {
		zc_write(z, out, out->next, out->lack);
		out->lack = 0;
	} else if (zc_sends(out)) {
		zc_write_now(z, out);
	}
}

void zc_offer(const struct zc_job *j, const char *p, size_t len)
{
	j->z->run = len;
	for (int i = 0; i < j->nout; i++) {
		struct zc_endpoint *o = j->out[i];
		size_t had = zc_least(o->had, len);

		if (o->error)
			continue;
		o->had -= had;
		if (had < len)
			had += zc_lag_admit(o, p + had, len - had);
		o->next = p + had;
		o->lack = len - had;
		if (o->lack)
			give_now(j->z, o);
	}
}

void zc_release(struct zc_endpoint *out)
{
	if (!out->error && (out->owed || zc_queued(out)))
		out->error = ECANCELED;
	out->lack = out->had = out->owed = 0;
	zc_relay_close(&out->queue);
}
