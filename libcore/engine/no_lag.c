/* SPDX-License-Identifier: 0BSD */
/* The stub of lag.c: no sink has a limit. */
#include "engine.h"

size_t zc_lag_max(void)
{
	return 0;
}

int zc_lag_open(struct zc_endpoint *out)
{
	return zc_relay_open(&out->queue);
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

size_t zc_lag_run(const struct zc_job *j)
{
	return ZC_RUN_MAX;
}

size_t zc_lag_read(const struct zc_job *j)
{
	return ZC_BUFFER;
}

bool zc_lag_goes_on(const struct zc_endpoint *out)
{
	return !out->lack;
}

void zc_lag_enforce(struct zc_endpoint *late, const struct zc_job *j)
{
}

int zc_lag_nap(const struct zc_job *j)
{
	return -1;
}

void zc_lag_waited(const struct zc_job *j, uint64_t begun, bool lacking)
{
}

int zc_lag_last(const struct zc_job *j)
{
	return -1;
}
