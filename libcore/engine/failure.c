/* SPDX-License-Identifier: 0BSD */
/* The errnos that end a copy. Any other asks for the next method, and read(2)
 * and write(2) decide in the end. */
#include "engine.h"

bool zc_is_final(ssize_t n)
{
	switch (n) {
	case -EIO:
	case -ENOSPC:
	case -EDQUOT:
	case -EPIPE:
		return true;
	}
	return false;
}

int zc_refusal(int status)
{
	if (status == -EAGAIN || zc_is_final(status))
		return -ENOSYS;
	return status;
}

bool zc_is_told_once(ssize_t n)
{
	switch (n) {
	case -ECONNRESET:
	case -ECONNREFUSED:
	case -ECONNABORTED:
	case -ETIMEDOUT:
	case -EHOSTUNREACH:
	case -EHOSTDOWN:
	case -ENETUNREACH:
	case -ENETDOWN:
	case -ENETRESET:
		return true;
	}
	return false;
}

void zc_fail_write(struct zc_sink *out, ssize_t n)
{
	out->error = n ? -n : ENOSPC;
}

void zc_record(struct zc_endpoint *end, ssize_t n)
{
	bool socket_says = end->kind == ZC_SOCKET && zc_is_told_once(n);

	if (socket_says || (end->bytes && zc_is_final(n)))
		end->error = -n;
}

struct zc_sink *zc_first_failed(const struct zc_job *j)
{
	struct zc_sink *o = j->out;

	while (o && !o->error)
		o = o->peer;
	return o;
}
