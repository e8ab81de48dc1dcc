/* SPDX-License-Identifier: 0BSD */
/* The loop: engine/fan.c. */
#pragma once

#include "job.h"

/* The loop of zc_run(), once all endpoints are known. Returns an enum
 * zc_result. */
int zc_fan_all(struct zc_job *j);
