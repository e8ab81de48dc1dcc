/* SPDX-License-Identifier: 0BSD */
/* The stub of resume.c: each call begins anew. */
#include "engine.h"

bool zc_goes_on(int status)
{
	return false;
}

void zc_pause(struct zc_job *j)
{
}

bool zc_is_nonblock(const struct zc_endpoint *out)
{
	return false;
}

bool zc_resume(struct zc_job *j)
{
	return true;
}
