/* SPDX-License-Identifier: 0BSD */
/* The functions on which the methods are built. */
#pragma once

#include "choose.h"
#include "endpoint.h"
#include "failure.h"
#include "io.h"
#include "kconfig.h"
#include "lag.h"
#include "pipe.h"
#include "range.h"
#include "sink.h"
#include "sys.h"
#include "wait.h"
#include "core.h"
#include "lib/library.h"

#define METHOD(name) extern const struct zc_method zc_method_##name;
#include "methods.h"
#undef METHOD

/* How many methods there are. */
enum {
	ZC_METHODS = 0
/* NOLINTNEXTLINE(bugprone-macro-parentheses): all are added up. */
#define METHOD(name) +1
#include "methods.h"
#undef METHOD
};

/* If rw is the only method, there is nothing to select, and size counts for
 * more than speed. */
enum { ZC_SELECT = ZC_METHODS > 1 };

enum {
	/* Bytes: the largest pipe, and the largest that a socket fills, which
	 * puts up to 32 KiB into a buffer in place of 4. */
	ZC_PIPE_MAX = CONFIG_ZC_PIPE_KB << 10,
	ZC_DENSE_MAX = ZC_PIPE_MAX / 4,
	/* Bytes of a repeated line that are written to a pipe at once: a pipe
	 * keeps a page or two that were read for the next write. */
	ZC_LINES = 8 << 10,
};
