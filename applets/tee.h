/* SPDX-License-Identifier: 0BSD */
/* What tee_error.c changes in tee. */
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

#endif
