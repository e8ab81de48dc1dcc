/* SPDX-License-Identifier: 0BSD */
/* What tee_error.c and tee_lag.c change in tee. */
#ifndef TEE_H
#define TEE_H

#include "zc.h"

/* What becomes of a sink that has failed. */
struct tee_mode {
	bool tell_epipe; /* a reader that has gone is an error */
	bool watch;	 /* it is noticed even without input (poll(2)) */
	bool exit;	 /* an error ends the program */
};

extern struct tee_mode tee_mode;

/* How late a sink may be, if CONFIG_TEE_LAG. */
extern struct zc_lag tee_lag;

#endif
