/* SPDX-License-Identifier: 0BSD */
/* The stub of lag.c: no sink has a limit. */
#include "engine.h"

size_t zc_lag_max(void)
{
	return 0;
}

int zc_lag_open(struct zc_endpoint *out)
{
	return zc_queue_open(out);
}

size_t zc_lag_room(const struct zc_endpoint *out)
{
	return SIZE_MAX;
}

void zc_lag_count(struct zc_endpoint *out, size_t n)
{
}

size_t zc_lag_admit(struct zc_endpoint *out, const char *buf, size_t len)
{
	return 0;
}

bool zc_lag_pass(struct zc_endpoint *out, size_t n)
{
	return false;
}

size_t zc_lag_run(const struct zc_endpoint *out, int nout)
{
	return ZC_RUN_MAX;
}

size_t zc_lag_read(const struct zc_endpoint *in, const struct zc_endpoint *out,
		   int nout)
{
	return ZC_BUFFER;
}

bool zc_lag_goes_on(const struct zc_endpoint *out)
{
	return !out->lack;
}

bool zc_lag_is_overdue(const struct zc_endpoint *late,
		       const struct zc_endpoint *out, int nout)
{
	return false;
}

int zc_lag_nap(struct zc_endpoint *out, int nout)
{
	return -1;
}

void zc_lag_leave_out(struct zc_endpoint *out)
{
}

uint64_t zc_lag_clock(const struct zc_endpoint *out, int nout)
{
	return 0;
}

void zc_lag_waited(struct zc_endpoint *out, int nout, uint64_t begun,
		   bool lacking)
{
}

int zc_lag_last(struct zc_endpoint *out, int nout)
{
	return -1;
}
