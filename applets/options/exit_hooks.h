/* SPDX-License-Identifier: 0BSD */
/* What --debug and --progress share. */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

#include "applet.h"

/* Writes n in decimal at p, without a NUL. Returns where it ends. */
char *put_number(char *p, uintmax_t n);

enum exit_hook { PROGRESS_HOOK, TRACE_HOOK, HOOKS };

/* Has hook() called, in that turn, when the applet ends: by itself or by a
 * signal. It may do no more than a signal handler may. */
void exit_hook_set(enum exit_hook which, void (*hook)(void));

#endif
