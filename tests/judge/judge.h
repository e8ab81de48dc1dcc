/* SPDX-License-Identifier: 0BSD */
/* What a run of box has to keep, whoever made the run: the simulator, the
 * adversary and the fault matrix say what happened, and judge_run() what of
 * that is wrong. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { JUDGED_ENDS = 24, JUDGED_FAILURES = 128 };

/* A source or a sink. */
struct judged_end {
	const char *name;
	bool sink;
	int told, most_told; /* messages about it, and how many there may be */
	int error;	     /* of the last one; 0: not looked at */
	int64_t due, got; /* bytes of a sink, from the first on, which are right
			   * as far as they go; -1: nobody can tell */
	bool wrong;	  /* the byte behind these is not that which is due */
	bool spared; /* it may have less: its reader has gone, or the like */
	int64_t position, end; /* of a file: where it is left, and where its
				* output ends; or -1 */
	int64_t theirs, theirs_due; /* bytes of another writer in a sink */
};

/* A call that failed for good, or a reader that has gone. One of its ends is
 * told, or, where nobody has asked which, any number. */
struct judged_failure {
	uint32_t ends; /* a bit for each end that it may have been about */
	int error;     /* or 0: any */
	bool certain;  /* one of these ends is told */
};

struct judged {
	int status, signal;  /* of the exit */
	int may_end_by;	     /* a signal, or 0 */
	int said;	     /* messages in all */
	int command;	     /* the status of a command, or 0 */
	bool exits;	     /* the first failure ends it */
	bool unnamed;	     /* nobody has asked which end a message is about */
	int open, most_open; /* descriptors at the exit */
	int ends, failures;
	struct judged_end end[JUDGED_ENDS];
	struct judged_failure failure[JUDGED_FAILURES];
};

/* Adds an end, of which nothing is known, and returns it. */
struct judged_end *judged_end(struct judged *j, const char *name, bool sink);

void judged_failure(struct judged *j, uint32_t ends, int error, bool certain);

/* Returns NULL, or what is wrong. */
const char *judge_run(const struct judged *j);
