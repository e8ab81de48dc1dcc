/* SPDX-License-Identifier: 0BSD */
/* What --debug and --progress share. */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

#include "applet.h"

/* Writes n in decimal at p, without a NUL. Returns where it ends. */
char *put_number(char *p, uintmax_t n);

enum turn { PROGRESS_TURN, TRACE_TURN, TURNS };

/* Has last_word() called, in that turn, when the applet ends: by itself or by a
 * signal. It may do no more than a signal handler may. */
void at_end(enum turn turn, void (*last_word)(void));

#endif
