/* SPDX-License-Identifier: 0BSD */
/* Calls that go on where an earlier one was ended: engine/resume.c. */
#pragma once

#include "cancel.h"
#include "job.h"

#ifdef CONFIG_ZC_RESUME

/* Returns whether a call with this result is to be made again. If so, keeps in
 * its endpoints the state that the next call needs. */
bool zc_pause(struct zc_job *j, int status);

/* Begins a call: drops the bytes of a call that was given up, and finds out how
 * to write to sockets without sleeping. Returns false, with the error EINVAL of
 * the source, if another call has overwritten bytes that a sink lacks. */
bool zc_resume(struct zc_job *j);

#else

static inline bool zc_pause(struct zc_job *j, int status)
{
	return false;
}

static inline bool zc_resume(struct zc_job *j)
{
	return true;
}

#endif
