/* SPDX-License-Identifier: 0BSD */
/* Chooses the method for the next run. */
#include "engine.h"

const struct zc_method *const zc_methods[] = {
#define METHOD(name) &zc_method_##name,
#include "methods.h"
#undef METHOD
	NULL
};

/* Kinds of sources that end where read(2) says so, and not where a method does:
 * the size of a file may lie, and splice(2) returns 0 at a mark of urgent data
 * (tcp(7)). A terminal would need a second ^D, and a tape goes on to its next
 * file, so these end at the first 0. */
enum { READ_ENDS = ZC_REGULAR | ZC_SOCKET };

/* Returns whether to read and write this run, because the one before was
 * little. To several sinks, splicing puts each piece into a pipe buffer of its
 * own, and a queue would hold few of them; writing fills pages. To a file, it
 * takes a call more. From pipe to pipe, packets (O_DIRECT, pipe2(2)) go on as
 * packets, and a reader that takes less than a whole one loses the rest. The
 * reading end of a pipe does not show O_DIRECT, but no packet is larger than a
 * page. */
static bool is_little(const struct zc_job *j)
{
	/* The first lines are written: a reader may take one and go. */
	if (j->in->kind == ZC_REPEAT)
		return !j->out->bytes && j->kinds == ZC_PIPE;
	if (j->last >= (ssize_t)zc_least_run())
		return false;
	return j->fan || (j->in->kind & ZC_PIPE && j->kinds & ZC_SPLICED);
}

/* Tries a method, if it serves these kinds of endpoints. Returns as it does. */
static ssize_t try(struct zc_job *j, const struct zc_method *m)
{
	bool serves = m->from & j->in->kind && !(j->kinds & ~m->to);
	ssize_t n = ZC_PASSED_OVER;

	if (serves && !j->fan)
		n = m->run(j->z, j->in, j->out);
	else if (serves && m->fan)
		n = m->fan(j);
	if (j->z->trace)
		j->z->trace(j->in, j->out, m, n);
	return n;
}

/* Tries the methods in turn until one has moved a run, rw last. One that has
 * refused is not tried again. If that may be a failure, rw alone decides, and
 * serves the rest. Returns as they do. */
static ssize_t try_all(struct zc_job *j, bool little)
{
	unsigned bit = 1;

	for (const struct zc_method *const *m = j->methods; m[1];
	     m++, bit <<= 1) {
		ssize_t n;

		if (j->refused & bit || (little && !(*m)->uncached))
			continue;
		n = try(j, *m);
		if (n > 0 || zc_has_failed(j) || zc_was_cut(n))
			return n;
		if (!n) {
			if (j->in->kind & READ_ENDS)
				break;
			return 0;
		}
		j->refused |= bit;
		if (zc_is_final(n)) {
			j->in->by_read = true;
			break;
		}
	}
	return try(j, &zc_method_rw);
}

ssize_t zc_move_run(struct zc_job *j, bool plain)
{
	bool little = is_little(j);

	/* No method leaves a file uncached unless it is named. */
	if (plain || j->in->by_read || (little && !j->z->methods))
		j->last = try(j, &zc_method_rw);
	else
		j->last = try_all(j, little);
	return j->last;
}
