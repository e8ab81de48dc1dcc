/* SPDX-License-Identifier: 0BSD */
/* box --version. */
#include "box.h"

const struct command version_command = {
	"--version\0", HELP("print the version and exit"), version_run
};
