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

/* What tee --retry knows of a FILE. */
struct tee_retry {
	bool failing;	   /* the last attempt had an error of space */
	bool partial;	   /* the last line in the file may lack its newline */
	bool line_start;   /* the next byte of input begins a line */
	uint64_t next;	   /* zc_clock() of the next attempt */
	uint64_t gap;	   /* missing bytes that no line in the file counts */
	uint64_t left_out; /* bytes left out since it failed */
};

/* What tee --rotate knows of a FILE. */
struct tee_rotate {
	bool on;	  /* it is a regular file of that name */
	bool told;	  /* a message has said that it cannot be rotated */
	unsigned highest; /* number that an old file may have */
	uint64_t size; /* bytes in the file, or since it could not be rotated */
	uint64_t seen; /* the output's `bytes' when it was last looked at */
	uint64_t line; /* bytes of its last line, at least, while that has no
			* newline; or 0 */
};

/* Bytes of a stamp, and of what --retry writes before a line. */
enum { TEE_STAMP_MAX = 26, TEE_TOLD_MAX = 1 + TEE_STAMP_MAX + ZC_GAP_TEXT };

/* What tee --stamp knows of a FILE. */
struct tee_stamp {
	bool begun;    /* the last line has a stamp, or a part of it */
	unsigned left; /* bytes of its text that are not written yet */
	char text[TEE_STAMP_MAX];
};

/* A FILE that options write: --retry and its like. */
struct tee_file {
	int flags;   /* for open(2) */
	bool missed; /* the last bytes were left out */
	struct tee_stamp stamp;
	struct tee_rotate rotate;
	struct tee_retry retry;
};

/* The way of the bytes to a FILE: each step passes them on to the next one that
 * there is, and the last one to the file. */
enum { TEE_STAMP, TEE_ROTATE, TEE_RETRY, TEE_STEPS };

struct tee_step {
	/* A FILE was opened, or has an error. Returns whether to take this way,
	 * if it has none or the step has taken that away. `late' says that the
	 * FILEs of the command line are open. */
	bool (*begin)(struct zc_sink *out, struct tee_file *f, bool late);
	/* Returns as `write' of a sink. */
	ssize_t (*write)(struct zc_sink *out, struct tee_file *f,
			 const char *buf, size_t len);
	/* Is called before close(2), unless it is NULL. */
	void (*end)(struct zc_sink *out, struct tee_file *f);
};

extern const struct tee_step *tee_file_steps[TEE_STEPS];

/* Passes len bytes on to the step after this one. */
ssize_t tee_file_pass_on(int step, struct zc_sink *out, struct tee_file *f,
			 const char *buf, size_t len);

/* Writes the first piece, unless it is NULL, and the second, at once. Returns
 * bytes, or -errno. */
ssize_t tee_file_put(struct zc_sink *out, struct tee_file *f, const char *told,
		     size_t told_len, const char *buf, size_t len);

/* Returns whether an errno says that the file system is full. */
bool tee_file_is_full(int err);

/* After an error: returns whether there is room now, because an old file was
 * removed. */
bool tee_file_has_room_now(const struct zc_sink *out, const struct tee_file *f,
			   int err);

/* NULL, or writes the stamp of this run to `to', which has room for
 * TEE_STAMP_MAX bytes. Returns its length. */
extern size_t (*tee_file_stamp)(char *to);

/* NULL, or removes the oldest file that FILE was rotated to. Returns whether
 * there was one. */
extern bool (*tee_file_make_room)(const struct zc_sink *out);

/* Returns whether the last line in the file lacks its newline, or may lack it:
 * a file may be closed to readers, and a confined box opens no file to read
 * once the command line's files are open (`late'). */
bool tee_file_is_partial(const struct zc_sink *out, bool late);

/* Begins each step. Returns whether the way is to be taken. */
bool tee_file_begin(struct zc_sink *out, struct tee_file *f, bool late);

/* Gives an output that way, if it is a FILE for that and an option wants it,
 * after open(2) with these flags has worked or failed. f is NULL, or that of
 * the output before --reopen. `late' says that this is no FILE of the command
 * line's. Returns 0, or 1 after a message if memory is short. */
int tee_file_open(struct zc_sink *out, int flags, struct tee_file *f,
		  bool late);

/* Returns what is kept for that way of an output, or NULL. It is all 0 where
 * the bytes of the output take another. */
struct tee_file *tee_file_of(const struct zc_sink *out);

/* Ends that way. */
void tee_file_end(struct zc_sink *out);

/* Has the bytes of an output take that way, or none. */
void tee_file_take(struct zc_sink *out, bool way);

/* NULL, or is called before each run, and says how many bytes of the source
 * that may move. */
extern void (*tee_file_turn)(struct zc_source *in, struct zc_sink *out,
			     int nout);

/* 1: a FILE lacks bytes, or could not be rotated. */
extern int tee_file_status;

/* The source, with CONFIG_TEE_STAMP. */
extern const struct zc_source *tee_source;

/* The effect of a signal on tee. */
struct tee_reopen {
	/* Begins to listen for SIGHUP, which opens these FILEs again. Returns
	 * 0, or 1 after a message. */
	int (*begin)(char *const *files);
	/* Opens each FILE again, after SIGHUP. `in' is the source. out has
	 * standard output and all FILEs. Returns 0, or 1 after a message. */
	int (*again)(const struct zc_source *in, struct zc_sink *out);
};

extern const struct tee_reopen *tee_reopen;

/* Sets the name, the descriptor and the kind of an output, and what a hang-up
 * and --lag do to it. With --lag, a terminal may get a descriptor of its own in
 * place of fd. All else is 0 before, except `sole' and the fields that
 * zc_replace() keeps. If fd is negative, its error becomes -fd. `sole' says
 * that no other process shares the open file. */
void tee_open_sink(struct zc_sink *out, const char *name, int fd, bool sole);

/* A command whose output is copied. */
struct tee_run {
	/* Starts the command, and makes its output the source. Returns 0, or
	 * the exit status after a message. */
	int (*begin)(struct zc_source *in);
	/* Opens a FILE as operand_open() does. While a FIFO has no reader,
	 * reaps the children that end. Returns -ENXIO if the command has ended
	 * after a signal. */
	int (*open)(const char *name, int flags, bool *sole);
	/* Reaps the command if it has ended. Then ends the source if that has
	 * no more bytes. Returns the time until which the next run may last. */
	uint64_t (*turn)(struct zc_source *in);
	/* Closes the source, and waits for the command. Returns the exit status
	 * of the command, or, if that is 0, `status'. */
	int (*end)(struct zc_source *in, int status);
};

extern const struct tee_run *tee_run;

/* Returns tee_run, which is NULL without --run. */
const struct tee_run *tee_runs(void);
