/* SPDX-License-Identifier: 0BSD */
/* Objects that tee and the files of its options share. */
#pragma once

#include "core.h"

/* The effect of a failure of a sink. */
struct tee_mode {
	bool tell_epipe; /* a sink whose reader has gone is an error */
	bool watch;	 /* a hang-up is noticed while the input is idle */
	bool exit;	 /* an error ends the program */
};

extern struct tee_mode tee_mode;

/* How late each sink may be, with CONFIG_TEE_LAG. */
extern struct zc_lag tee_lag;

/* Writes the line that counts missing bytes to text. Returns its length, fewer
 * than ZC_GAP_TEXT bytes. */
size_t tee_tell(char *text, uint64_t missing);

/* The functions for a FILE whose file system was full. */
struct tee_retry {
	/* Prepares an output for further attempts, after open(2) of the FILE
	 * with these flags has worked or failed. `writer' is NULL at first,
	 * and out->writer of the old file at --reopen. Returns 0, or 1 after a
	 * message if memory is short. */
	int (*open)(struct zc_endpoint *out, int flags,
		    struct zc_writer *writer);
	/* Tries a FILE for the last time, and reports the bytes that it has
	 * missed. Returns 0, or 1 if any FILE has failed. */
	int (*end)(struct zc_endpoint *out);
};

extern const struct tee_retry *tee_retry;

/* Returns tee_retry, which is NULL without --retry. */
const struct tee_retry *tee_retries(void);

/* The effect of a signal on tee. */
struct tee_reopen {
	/* Begins to listen for SIGHUP, which opens these FILEs again. Returns
	 * 0, or 1 after a message. */
	int (*begin)(char *const *files);
	/* Opens each FILE again, after SIGHUP. `in' is the source. out has
	 * standard output and all FILEs, the first *live of which are alive.
	 * Returns 0, or 1 after a message. */
	int (*again)(const struct zc_endpoint *in, struct zc_endpoint *out,
		     int *live);
};

extern const struct tee_reopen *tee_reopen;

/* Sets the name, the descriptor and the kind of an output. All else is 0
 * before, except its lag and its queue. If fd is negative, its error becomes
 * -fd. `own' says that no other process shares the open file. */
void tee_open_sink(struct zc_endpoint *out, const char *name, int fd, bool own);

void tee_exchange(struct zc_endpoint *a, struct zc_endpoint *b);

/* A command whose output is copied. */
struct tee_run {
	/* Starts the command, and makes its output the source. Returns 0, or
	 * the exit status after a message. */
	int (*begin)(struct zc_endpoint *in);
	/* Opens a FILE as operand_open() does. While a FIFO has no reader,
	 * reaps the children that end. Returns -ENXIO if the command has ended
	 * after a signal. */
	int (*open)(const char *name, int flags, bool *own);
	/* Reaps the command if it has ended, after zc_fan() has returned
	 * `result'. Then ends the source if that has no more bytes. */
	void (*turn)(struct zc_endpoint *in, int result);
	/* Closes the source, and waits for the command. Returns the exit status
	 * of the command, or, if that is 0, `status'. */
	int (*end)(struct zc_endpoint *in, int status);
};

extern const struct tee_run *tee_run;

/* Returns tee_run, which is NULL without --run. */
const struct tee_run *tee_runs(void);
