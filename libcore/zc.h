/* SPDX-License-Identifier: 0BSD */
/* libzc moves bytes between descriptors, in the cheapest way that the kernel
 * allows. zc(3) has an example of each layer. */
#ifndef ZC_H
#define ZC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, which grows with each addition. zc_version()
 * returns the version of the library, which must be at least as large. */
#define ZC_VERSION 1

unsigned zc_version(void);

/* The number in the name is that of the layout of these types. A program that
 * was compiled for another layout does not link. */
#ifndef ZC_INTERNAL
extern const char zc_abi_1;
__attribute__((__used__)) static const char *const zc_abi_used = &zc_abi_1;
#endif

/* Room for the part of a type that only libzc uses. The caller zeroes it. */
#ifndef ZC_ROOM
#define ZC_ROOM(words, part) uint64_t part##_room[words]
#define ZC_END struct zc_endpoint end
#endif

struct pollfd;
struct zc;
struct zc_source;
struct zc_sink;

/* One call ---------------------------------------------------------------- */

/* Copies at most max bytes from in to out, or all until in ends if max is
 * UINT64_MAX. Returns how many have reached out. Unless error is NULL, sets
 * *error to 0, or to the errno of the failure. */
uint64_t zc_move(int in, int out, uint64_t max, int *error);

/* Endpoints and a context ------------------------------------------------- */

/* The results of zc_copy() and zc_run(). */
enum zc_result {
	ZC_FAILED = -1,	 /* an endpoint has failed: see its error */
	ZC_ENDED = 0,	 /* the source has ended, or given its max,
			  * and every sink has all; or no sink is left */
	ZC_CANCELED = 1, /* cancel_fd can be read */
	ZC_AGAIN = 2	 /* the time is over, or the step is done */
};

enum { ZC_SINKS_MAX = 8190 }; /* of one job */

/* The fields that a source and a sink share. The caller sets fd and the fields
 * that it needs, and leaves the rest 0. */
struct zc_endpoint {
	int fd;	   /* the caller closes it */
	int error; /* the errno that ended it; 0 while alive */
	/* Bytes that were taken from the source, or that the sink has got. The
	 * number is exact after a failure, too. */
	uint64_t bytes;
	ZC_ROOM(7, endpoint);

	const char *name; /* for the caller: libzc ignores it */
	void *user;	  /* for the caller: libzc ignores it */
	int64_t offset;
	bool has_offset; /* of a file: libzc uses and moves `offset'; the
			  * position of the file stays */
};

/* A source, and a sink, stay where they are in memory while they are in a job,
 * and keep their fd, except at zc_replace(). A descriptor that is read and
 * written has one of each. */
struct zc_source {
	ZC_END;
	bool has_max; /* `bytes' grows to `max' at most */
	bool ended;   /* it has ended. The caller may set it to stop reading,
		       * and clear it to read on */
	ZC_ROOM(5, source);
	/* A function in place of read(2), or NULL. Returns bytes, 0 at the end,
	 * or -errno. libzc asks poll(2) about fd before it calls the function.
	 * If fd is -1, the source is always ready. After -EINTR the function is
	 * called again, unless the run is to end. After -EAGAIN it is called
	 * again once fd is ready. If fd is -1, -EAGAIN is an error. */
	ssize_t (*read)(struct zc_source *in, void *buf, size_t size);
	uint64_t max;
	uint64_t later[2]; /* 0: for later versions */
};

struct zc_sink {
	struct zc_lag *lag; /* or NULL: its max is 0 */
	ZC_ROOM(11, sink);
	ZC_END;
	/* Bytes that the source and tell() have given since zc_add(), and that
	 * the sink has not got. In a job, as of the last zc_run(), they are on
	 * their way or left out; afterwards they are lost to it. */
	uint64_t missing;
	/* A function in place of write(2), or NULL. libzc calls it as it calls
	 * `read' of a source. Returns bytes, at least 1, or -errno. */
	ssize_t (*write)(struct zc_sink *out, const void *buf, size_t len);
	bool retire_on_hangup; /* EPIPE as soon as its reader has gone, if the
				* kernel tells, as not for TCP or datagrams */
	bool sole; /* a file: nobody else has its open file (open(2)), so
		    * splice(2) may move the position, although it takes no lock
		    * on that */
	uint64_t later[2]; /* 0: for later versions */
};

/* A context keeps buffers and pipes from one job to the next. zc_new() returns
 * one, and zeroed memory is one. Contexts are independent. Each serves one
 * thread at a time, and has one job. It holds up to four descriptors, and each
 * sink holds two, until it leaves the job, or four for a moment. All are above
 * 2 and close-on-exec. */
struct zc {
	ZC_ROOM(128, context);

	uint64_t later[8]; /* 0: for later versions */
	uint64_t memory[37376];
};

/* Returns a new context, or NULL if memory is short. */
struct zc *zc_new(void);

/* Closes and frees a context of zc_new(). */
void zc_free(struct zc *z);

/* Copies in to out until in ends: zc_begin(), zc_add(), zc_run() and zc_end().
 * Waits for ends that are O_NONBLOCK, and makes calls again that a signal
 * interrupts. If the reader of out has gone, that is SIGPIPE, or the error
 * EPIPE if the program ignores the signal. Returns an enum zc_result. */
int zc_copy(struct zc *z, struct zc_source *in, struct zc_sink *out);

/* Ends the job of a context, closes its descriptors and frees its buffers. It
 * is as good as new then, though its memory keeps bytes that were moved. */
void zc_close(struct zc *z);

/* A job ------------------------------------------------------------------- */

/* A job copies a source to sinks, which come and go between two calls of
 * zc_run(). The bytes on their way, which a sink has yet to get, are kept from
 * one call to the next. They
 *
 *     after ZC_CANCELED and ZC_AGAIN    go on with the next zc_run()
 *     after ZC_ENDED                    are none
 *     at zc_failed(), zc_drop()         are lost to the sink: `missing'. No
 *       and zc_end()                    other sink loses any
 *     at zc_replace()                   go to the new descriptor
 *     at zc_add()                       are not for the new sink
 */

/* Begins a job, without a sink yet. The one before has ended: zc_end(). */
void zc_begin(struct zc *z, struct zc_source *in);

/* Adds a sink to the job, which gets the bytes that are read from now on. Does
 * nothing if it is in the job. If it has an error, or is not open, it fails in
 * the next zc_run(); if it cannot be written to, with its first byte. */
void zc_add(struct zc *z, struct zc_sink *out);

/* Times of zc_clock(). */
#define ZC_NOW 0
#define ZC_EVER ((uint64_t)-1)

/* Copies until the source ends, or until zc_clock() reaches `until', or until
 * cancel_fd, unless it is -1, can be read. A run that is ready is moved first,
 * however late it is. If `until' has passed, as ZC_NOW has, that is a step: one
 * run, or as much as the sinks take now, and no sleep. Then wait as zc_polls()
 * says.
 *
 * The bytes by which one sink falls behind wait in its queue. Returns an enum
 * zc_result. After a sink has failed it is ZC_FAILED, once no other sink lacks
 * a part of a run in memory: zc_failed() removes the sink, and the next
 * zc_run() goes on. After the source has failed it is ZC_FAILED, once each sink
 * has all. With more than ZC_SINKS_MAX sinks, in gets the error EINVAL. */
int zc_run(struct zc *z, uint64_t until, int cancel_fd);

/* Removes a sink that has failed from the job, and returns it; or returns NULL.
 * Several may fail at once. */
struct zc_sink *zc_failed(struct zc *z);

/* Removes a sink from the job. Does nothing if it is not there. */
void zc_drop(struct zc *z, struct zc_sink *out);

/* Gives a sink another descriptor between two calls, which gets the bytes that
 * the old one has yet to get. The sink keeps its `bytes', lag, name and user.
 * Its other fields become 0: set them again. The old fd stays open. */
void zc_replace(struct zc_sink *out, int fd);

/* Ends the job: all its sinks leave it. The context keeps its pipes. */
void zc_end(struct zc *z);

/* A caller's own loop ----------------------------------------------------- */

/* Returns milliseconds of CLOCK_MONOTONIC (clock_gettime(2)), at least 1, or 0
 * where the kernel refuses the call. */
uint64_t zc_clock(void);

/* After a step: returns an array for poll(2) before the next call. Sets *n
 * to the number of its descriptors, some of which are -1. Sets *ms to the time
 * to wait, at most, in milliseconds; -1: for ever. The array is valid until
 * that call. */
struct pollfd *zc_polls(struct zc *z, int *n, int *ms);

/* Late sinks -------------------------------------------------------------- */

/* The effect on a late sink: the others wait for it, or whole lines are left
 * out for it, or it gets the error ETIME. */
enum zc_late { ZC_WAIT, ZC_SKIP, ZC_DROP };

enum { ZC_GAP_TEXT = 128 }; /* bytes */

/* How late one of several sinks may be, and has been. The caller sets the first
 * group, and the rest to 0. It must stay where it is in memory. */
struct zc_lag {
	size_t max; /* bytes, PIPE_BUF to zc_lag_max(): others are the error
		     * EINVAL of the sink; 0: as many as its queue holds, and
		     * then the others wait */
	enum zc_late late;
	bool nonblock; /* it is a terminal whose open file is O_NONBLOCK */
	/* NULL, or a function for a terminal in which bytes are missing. It
	 * writes a line of at most ZC_GAP_TEXT - 1 bytes to text, and returns
	 * its length. */
	size_t (*tell)(char *text, uint64_t missing);

	/* The caller reads these. */
	uint64_t bytes;	   /* bytes that were moved while it was alive */
	uint64_t left_out; /* bytes of these that it has missed */
	size_t lacks;	   /* bytes of max that its queue cannot hold */
	uint64_t waited;   /* milliseconds for which zc_run() slept while others
			    * or the end waited for it, if it is a pipe, a
			    * socket or a terminal */

	ZC_ROOM(10, lag);
};

/* Returns the largest max of a zc_lag in bytes: 1 GiB, because fcntl(2) cannot
 * return the size of a larger pipe. */
size_t zc_lag_max(void);

#ifdef __cplusplus
}
#endif

#endif
