/* SPDX-License-Identifier: 0BSD */
/* box --version. */
#include "box.h"

const struct command version_command = { "--version", "", version_run };
