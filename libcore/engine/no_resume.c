/* SPDX-License-Identifier: 0BSD */
/* The stub of resume.c: each call begins anew. */
#include "engine.h"

bool zc_pause(struct zc_job *j, int status)
{
	return false;
}

bool zc_resume(struct zc_job *j)
{
	return true;
}
