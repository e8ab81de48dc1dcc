/* SPDX-License-Identifier: 0BSD */
/* What cat_show.c replaces in cat, and takes from it. */
#ifndef CAT_H
#define CAT_H

#include "zc.h"

/* Copies in to out to the end of input, and leaves nothing unwritten: 0, or -1
 * with the error in one of the ends. A plain copy until an option asks for
 * formatting. */
extern int (*cat_copy)(struct zc_endpoint *in, struct zc_endpoint *out);

/* Where set, writes what only the end of all input decides: 0, or -1 with
 * out->error set. */
extern int (*cat_end)(struct zc_endpoint *out);

#endif
