/* SPDX-License-Identifier: 0BSD */
/* What tee_error.c replaces in tee. */
#ifndef TEE_H
#define TEE_H

#include "zc.h"

/* What becomes of a sink that has failed. */
struct tee_mode {
	bool tell_epipe; /* a reader that has gone is an error */
	bool watch;	 /* and if it is none, is waited for (poll(2)) */
	bool exit;	 /* an error ends the program */
};

extern struct tee_mode tee_mode;

/* Keeps a signal below 32 from ending the program. To one that never takes it
 * up again, blocked is as good as ignored, and sigaction(3) costs 1 KB. */
void tee_block(int sig);

#endif
