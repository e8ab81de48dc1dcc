/* SPDX-License-Identifier: 0BSD */
/* Calls that go on where an earlier one was ended: engine/resume.c. */
#pragma once

#include "cancel.h"
#include "job.h"

/* Returns whether a call with this result is to be made again. If so, keeps in
 * its endpoints the state that the next call needs. */
bool zc_pause(struct zc_job *j, int status);

/* Returns whether send(2) writes to a sink without sleeping: the call may be
 * ended, and the sink is a socket. */
static inline bool zc_sends(const struct zc *z, const struct zc_endpoint *out)
{
	return IS_ENABLED(CONFIG_ZC_RESUME) && zc_may_stop(z) &&
	       out->kind == ZC_SOCKET;
}

/* Begins a call: drops the bytes of a call that was given up, and finds out how
 * to write to sockets without sleeping. Returns false, with the error EINVAL of
 * the source, if another call has overwritten bytes that a sink lacks. */
bool zc_resume(struct zc_job *j);
