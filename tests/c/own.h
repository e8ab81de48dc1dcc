/* SPDX-License-Identifier: 0BSD */
/* Ends whose bytes functions of the caller's move. */
#pragma once

#include <limits.h>

#include "ends.h"

/* It says `refusal' at its first `busy' calls, which may be all, and then moves
 * bytes. */
struct own {
	ssize_t refusal;
	int busy, calls;
	size_t at, size; /* bytes: moved so far, and of a source */
	char got[DATA_MAX];
};

static bool own_refuses(struct own *o)
{
	o->calls++;
	return o->calls <= o->busy;
}

static ssize_t own_read(struct zc_source *in, void *buf, size_t size)
{
	struct own *o = in->user;
	size_t left = o->size - o->at, n = left < size ? left : size;

	if (own_refuses(o))
		return o->refusal;
	n = n < 7001 ? n : 7001;
	memcpy(buf, data + o->at, n);
	o->at += n;
	return n;
}

static ssize_t own_write(struct zc_sink *out, const void *buf, size_t len)
{
	struct own *o = out->user;
	size_t n = len < 5001 ? len : 5001;

	if (own_refuses(o))
		return o->refusal;
	memcpy(o->got + o->at, buf, n);
	o->at += n;
	return n;
}

static struct own *new_own(struct zc_endpoint *end, int fd, ssize_t refusal)
{
	struct own *o = calloc(1, sizeof(*o));

	NEED(o);
	o->refusal = refusal;
	o->busy = INT_MAX;
	o->size = DATA_MAX;
	end->fd = fd;
	end->user = o;
	return o;
}
