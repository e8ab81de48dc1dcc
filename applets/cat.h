/* SPDX-License-Identifier: 0BSD */
/* What cat_show.c replaces in cat. */
#ifndef CAT_H
#define CAT_H

#include "zc.h"

/* Copies in to out to the end of input, and leaves nothing unwritten: 0, or -1
 * with the error in one of the ends. A plain copy until an option asks for
 * formatting. */
extern int (*cat_copy)(struct zc_end *in, struct zc_end *out);

/* Writes what only the end of all input decides: 0, or -1 with out->error set.
 * NULL until an option asks for formatting. */
extern int (*cat_end)(struct zc_end *out);

#endif
