/* SPDX-License-Identifier: 0BSD */
/* The configuration, as Kconfig wrote it: CONFIG_X is 1, a number, or
 * undefined.
 */
#pragma once

#include "config.h"

/* Whether a symbol is y, as a constant for a plain if (): a symbol that is
 * undefined expands to its own name. */
#define IS_ENABLED(symbol) (sizeof(KCONFIG_TEXT(symbol)) == sizeof("1"))
#define KCONFIG_TEXT(symbol) #symbol
