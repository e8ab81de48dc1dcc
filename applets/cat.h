/* SPDX-License-Identifier: 0BSD */
/* The formatting that cat_format.c adds to cat. */
#pragma once

#include "core.h"

/* The functions that format the text on its way. */
struct cat_format {
	/* Copies in to out to the end of input, and leaves nothing unwritten,
	 * or sets the error of one of them. */
	void (*copy)(struct zc_source *in, struct zc_sink *out);
	/* Writes the text that only the end of all input decides, or sets
	 * out->error. */
	void (*end)(struct zc_sink *out);
};

/* NULL until an option asks for it: then cat copies plainly. */
extern const struct cat_format *cat_format;
