/* SPDX-License-Identifier: 0BSD */
/* What --debug and --progress share. */
#ifndef EXIT_HOOKS_H
#define EXIT_HOOKS_H

#include "applet.h"

enum exit_hook { PROGRESS_HOOK, TRACE_HOOK, HOOKS };

/* Has hook() called, in that turn, when the applet ends: by itself or by a
 * signal. It may do no more than a signal handler may. */
void exit_hook_set(enum exit_hook which, void (*hook)(void));

#endif
