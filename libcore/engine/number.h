/* SPDX-License-Identifier: 0BSD */
/* Two numbers of bytes or of milliseconds. */
#pragma once

#include <limits.h>
#include <stdint.h>

#include "core.h"

/* Returns the lesser of two numbers. */
static inline uint64_t zc_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the greater of two numbers. */
static inline uint64_t zc_most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns by how much a number is above another, or 0. */
static inline uint64_t zc_excess(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Returns the shorter of two times in milliseconds; -1 is for ever. */
static inline int zc_sooner(int a, int b)
{
	/* Unsigned, -1 is longest. */
	return (unsigned)a < (unsigned)b ? a : b;
}

/* Returns the milliseconds until a time of zc_clock(). */
static inline int zc_until(uint64_t at)
{
	return zc_least(zc_excess(at, zc_clock()), INT_MAX);
}
