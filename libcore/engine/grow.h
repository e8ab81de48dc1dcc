/* SPDX-License-Identifier: 0BSD */
/* The sizes of pipes: engine/grow.c. */
#pragma once

#include "core.h"

/* Makes a pipe as large as it may grow, after a run of n bytes that filled it.
 * Being refused is no error. */
void zc_grow(struct zc_endpoint *pipe, size_t n);

/* Likewise for a relay. Returns whether it grew. */
bool zc_relay_grow(struct zc_relay *relay, size_t n);
