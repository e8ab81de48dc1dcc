/* SPDX-License-Identifier: 0BSD */
/* Objects that tee and the files of its options share. */
#ifndef TEE_H
#define TEE_H

#include "core.h"

/* The effect of a failure of a sink. */
struct tee_mode {
	bool tell_epipe; /* a reader that has gone is an error */
	bool watch;	 /* it is noticed even without input (poll(2)) */
	bool exit;	 /* an error ends the program */
};

extern struct tee_mode tee_mode;

/* How late a sink may be, if CONFIG_TEE_LAG. */
extern struct zc_lag tee_lag;

/* Puts the line that stands where bytes are missing, ZC_GAP_TEXT bytes at most.
 * Returns how many. */
size_t tee_tell(char *text, uint64_t missing);

/* The functions for a FILE whose file system was full. */
struct tee_retry {
	/* Takes care of a FILE that was opened with these flags, or could not
	 * be. If it has done so before, `writer' is what the FILE had then, or
	 * else NULL. Returns 0, or 1 having said that there is no memory. */
	int (*open)(struct zc_endpoint *out, int flags,
		    struct zc_writer *writer);
	/* Tries a FILE for the last time, and says what it has missed. Returns
	 * 0, or 1 if any FILE has missed anything. */
	int (*end)(struct zc_endpoint *out);
};

extern const struct tee_retry *tee_retry;

/* Returns that, or NULL where no option asks for it. */
const struct tee_retry *tee_retries(void);

/* The effect of a signal on tee. */
struct tee_reopen {
	/* Begins to listen, for these FILEs. Returns 0, or 1 having said why it
	 * cannot. */
	int (*begin)(char *const *files);
	/* Opens each FILE again, after SIGHUP: `all' outputs begin at out, of
	 * which the first *live are alive. Returns 0, or 1 having said
	 * what has failed. */
	int (*again)(struct zc_endpoint *out, int *live, int all);
};

extern const struct tee_reopen *tee_reopen;

/* Gives an output, zeros but for its lag and its queue, a name and a
 * descriptor; or has it fail with the errno of which fd is the negative. `own'
 * says that nobody shares the open file. */
void tee_open_sink(struct zc_endpoint *out, const char *name, int fd, bool own);

void tee_exchange(struct zc_endpoint *a, struct zc_endpoint *b);

/* A command whose output is copied. */
struct tee_run {
	/* Starts it, and makes its output the source. Returns 0, or the exit
	 * status having said why it cannot. */
	int (*begin)(struct zc_endpoint *in);
	/* Looks whether it has ended, after zc_fan() has returned `result', and
	 * whether the source has, too. */
	void (*turn)(struct zc_endpoint *in, int result);
	/* Closes the source, and waits for the command. Returns its exit
	 * status, or `status' if that is 0. */
	int (*end)(struct zc_endpoint *in, int status);
};

extern const struct tee_run *tee_run;

#endif
