/* SPDX-License-Identifier: 0BSD */
/* zc_move(): one copy in a new context. */
#include "engine/engine.h"

uint64_t zc_move(int in, int out, uint64_t max, int *error)
{
	struct zc_source from = { .fd = in };
	struct zc_sink to = { .fd = out };
	struct zc *z = zc_new();
	int err = ENOMEM;

	if (z) {
		from.has_max = max != UINT64_MAX;
		from.max = max;
		zc_copy(z, &from, &to);
		zc_free(z);
		err = from.error ? from.error : to.error;
	}
	if (error)
		*error = err;
	return to.bytes;
}
