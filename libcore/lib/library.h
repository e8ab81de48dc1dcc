/* SPDX-License-Identifier: 0BSD */
/* What the callers of libzc may do, and box's applets never do:
 * lib/library.c. */
#pragma once

#include "core.h"

#ifdef CONFIG_ZC_LIBRARY

/* Finds out how to write to a sink that was just identified without sleeping.
 * How long it takes nothing is counted from now on. */
void zc_check_sink(struct zc_sink *out);

/* Sets the error EINVAL of a sink if its limit cannot be. A gap ends if it has
 * no limit. */
void zc_check_limit(struct zc_sink *out);

/* Chooses how a call of zc_run() writes to a single sink. */
void zc_choose_queue(struct zc_job *j);

/* A sink enters a job: it gets what is read from now on, and nothing is left of
 * a job in which its limit was before. */
void zc_enter(const struct zc_job *j, struct zc_sink *out);

/* A sink gets n bytes more than the source gives. */
void zc_count_told(struct zc_sink *out, size_t n);

/* Sets `missing' of a sink. */
void zc_count_missing(const struct zc_job *j, struct zc_sink *out);

#else

static inline void zc_check_sink(struct zc_sink *out)
{
}

static inline void zc_check_limit(struct zc_sink *out)
{
}

static inline void zc_choose_queue(struct zc_job *j)
{
}

static inline void zc_enter(const struct zc_job *j, struct zc_sink *out)
{
}

static inline void zc_count_told(struct zc_sink *out, size_t n)
{
}

static inline void zc_count_missing(const struct zc_job *j, struct zc_sink *out)
{
}

#endif
