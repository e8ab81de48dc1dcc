/* SPDX-License-Identifier: 0BSD */
/* The choice of a method for the next run: engine/choose.c. */
#pragma once

#include "core.h"

/* Kinds of sinks to which little is written, and more spliced from a pipe. */
enum { ZC_SPLICED = ZC_PIPE | ZC_SOLE };

/* Moves a run by the best method that does, or by rw if `plain'. Returns bytes,
 * with the failures of sinks recorded; or at most 0: the source has ended,
 * unless an endpoint has failed, or a wait was cut short. */
ssize_t zc_move_run(struct zc_job *j, bool plain);
