/* SPDX-License-Identifier: 0BSD */
/* The errors that end a copy, and their endpoints: engine/failure.c. */
#pragma once

#include "core.h"

/* n is the value of a call: bytes, or a negative errno. */

/* Returns whether it is a failure that the next call need not repeat. Once
 * bytes have moved it is final. */
bool zc_is_final(ssize_t n);

/* Returns whether a sandbox has refused the call, as far as its errno tells. */
static inline bool zc_is_refused(ssize_t n)
{
	return n == -EPERM || n == -ENOSYS;
}

/* Returns the failure of a pipe, a ring or a map of our own, which is never an
 * endpoint's: an errno that is not final, and for which no endpoint is waited
 * for. */
int zc_refusal(int status);

/* Records a failure in the endpoint that must have caused it, unless another
 * call may do better. */
void zc_record(struct zc_endpoint *end, ssize_t n);

/* Records the failure of a write(2) that took no bytes. A write of nothing
 * without an error: GNU reports ENOSPC. */
void zc_fail_write(struct zc_sink *out, ssize_t n);

/* Returns whether it is the error of a connection, which is told once
 * (SO_ERROR, socket(7)): a read(2) after that finds the end of input, and a
 * write(2) raises SIGPIPE. */
bool zc_is_told_once(ssize_t n);

/* Returns the first sink that has failed, or NULL. */
struct zc_sink *zc_first_failed(const struct zc_job *j);

/* Returns whether an endpoint has failed. */
static inline bool zc_has_failed(const struct zc_job *j)
{
	return j->in->error || zc_first_failed(j);
}
