/* SPDX-License-Identifier: 0BSD */
/* The optional groups of options, in the order of applets/files.mk. */
#include "applet.h"

const struct option_group *const all_option_groups[] = {
#define OPTIONS(name) &name##_options,
#include "options.h"
#undef OPTIONS
};
