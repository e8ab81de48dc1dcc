/* SPDX-License-Identifier: 0BSD */
/* libzc: moves bytes between descriptors, the cheapest way there is. zc(3) has
 * an example of each layer. */
#ifndef ZC_H
#define ZC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with each addition to this header. zc_version() returns that of the
 * library, which must be no less. */
#define ZC_VERSION 1

unsigned zc_version(void);

/* A program that was compiled for another layout of these types does not link:
 * the number in the name is another then. */
#ifndef ZC_INTERNAL
extern const char zc_abi_1;
__attribute__((__used__)) static const char *const zc_abi_used = &zc_abi_1;
#endif

/* Room for libzc's own part of a type. It begins as zeros. */
#ifndef ZC_ROOM
#define ZC_ROOM(words, part) uint64_t own[words]
#endif

struct pollfd;
struct zc;
struct zc_endpoint;

/* One call ---------------------------------------------------------------- */

/* Copies from in to out: at most max bytes, UINT64_MAX for all until in ends.
 * Returns how many have reached out. Unless error is NULL, sets *error to 0, or
 * to the errno that ended it sooner. */
uint64_t zc_move(int in, int out, uint64_t max, int *error);

/* Endpoints and a context ------------------------------------------------- */

/* The results of zc_copy() and zc_fan(). */
enum zc_result {
	ZC_FAILED = -1,	  /* an endpoint has: its error says why */
	ZC_ENDED = 0,	  /* the source has, or has given its max, and every
			   * sink has all of it */
	ZC_CANCELED = 1,  /* cancel_fd can be read, or progress() said so */
	ZC_TIMED_OUT = 2, /* the deadline has passed */
	ZC_STEPPED = 3,	  /* zc_polls() says what to wait for now */
};

enum { ZC_SINKS_MAX = 8190 }; /* of a zc_fan() */

/* A source's read(2). poll(2) is asked about its fd before that, unless fd is
 * -1: then it is always ready. */
struct zc_reader {
	/* Returns bytes, 0 at the end, or -errno; called again after -EINTR. */
	ssize_t (*read)(struct zc_endpoint *in, void *buf, size_t size);
};

/* A sink's write(2). It is always ready, and its fd may be -1. */
struct zc_writer {
	/* Returns bytes, not 0, or -errno; called again after -EINTR. */
	ssize_t (*write)(struct zc_endpoint *out, const void *buf, size_t len);
};

/* A source or a sink: the caller sets fd and what else it needs, and leaves the
 * rest 0. It may be moved in memory between two calls. A descriptor has but one
 * endpoint. */
struct zc_endpoint {
	int fd;	   /* stays the caller's, who closes it */
	int error; /* the errno that ended it, 0 while alive */

	/* That have been taken from a source, or that a sink has got, also
	 * where something has failed. */
	uint64_t bytes;

	struct zc_lag *lag; /* how late a sink of several may be, or NULL */
	ZC_ROOM(24, struct zc_endpoint_own);

	const char *name; /* the caller's: libzc never reads these */
	void *user;
	struct zc_writer *writer; /* the caller's function, or NULL */
	struct zc_reader *reader;

	bool retire_on_hangup; /* a sink: EPIPE as soon as its reader has gone
				*/
	bool ended;   /* a source: no more is read. The caller may set it, too,
		       * and clear it to read on. */
	bool has_max; /* a source: no more is taken than makes bytes max */
	bool has_offset; /* a file: at offset, which moves on, and its own
			  * position stays */
	uint64_t max;
	int64_t offset;
	uint64_t later[4]; /* 0: for later versions */
};

/* A context lasts from one call to the next. Zeroed memory is one; zc_new()
 * returns another. Contexts are independent; one serves one thread at a time.
 * It holds up to seven descriptors, and each of several sinks two, all above 2
 * and close-on-exec. */
struct zc {
	ZC_ROOM(128, struct zc_own);

	/* The ends of a call before that of the source. The next call, with the
	 * same endpoints, goes on there: no byte is lost. */
	bool cancels;	   /* cancel_fd is set: */
	int cancel_fd;	   /* the call ends as soon as it can be read */
	uint64_t deadline; /* and at this time of zc_clock(); 0: none */
	unsigned idle;	   /* 0, or milliseconds: each call, and each run that
			    * is read, puts the deadline so far off */
	bool steps;	   /* and before it would sleep, or after a run */
	/* NULL, or called before each run: false cancels the call. */
	bool (*progress)(struct zc *z, const struct zc_endpoint *in);
	void *user;	   /* the caller's: libzc never reads it */
	uint64_t later[8]; /* 0: for later versions */
	uint64_t memory[33280];
};

/* Returns a new context, or NULL where there is no memory. */
struct zc *zc_new(void);

/* Closes it, and frees it. */
void zc_free(struct zc *z);

/* Copies in to out until in ends. Returns an enum zc_result. */
int zc_copy(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out);

/* Copies in to each of nout sinks that has no error. None waits for another:
 * what one is behind with is queued. Returns an enum zc_result: ZC_FAILED as
 * soon as one has failed. Then call again, with those that are left, until it
 * is ZC_ENDED or in has failed. Where in or every sink has an error already,
 * ZC_FAILED is all. Sets the error of in to EINVAL if nout is not 1 to
 * ZC_SINKS_MAX. */
int zc_fan(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out,
	   int nout);

/* Gives up a sink: drops the bytes that it has yet to get, and closes its
 * queue. */
void zc_release(struct zc_endpoint *out);

/* Closes all descriptors of a context and frees its memory. It is zeroed. */
void zc_close(struct zc *z);

/* A caller's own loop ----------------------------------------------------- */

/* Returns milliseconds (clock_gettime(2), CLOCK_MONOTONIC), not 0. */
uint64_t zc_clock(void);

/* After ZC_STEPPED: returns what to ask poll(2) of *n descriptors, of which
 * some are -1, before the next call, and sets *ms to the most milliseconds to
 * wait, -1 for ever. They stay there until that call. */
const struct pollfd *zc_polls(struct zc *z, int *n, int *ms);

/* Late sinks -------------------------------------------------------------- */

/* What becomes of a sink that is late: the others wait for it, or what it
 * misses is left out in whole lines, or it ends with ETIME. */
enum zc_late { ZC_WAIT, ZC_SKIP, ZC_DROP };

enum { ZC_GAP_TEXT = 128 }; /* bytes */

/* How late one of several sinks may be, and has been. The caller sets the first
 * group, and the rest to 0. It is not to be moved. */
struct zc_lag {
	size_t max; /* bytes, PIPE_BUF to zc_lag_max(); 0: no limit */
	enum zc_late late;
	bool nonblock; /* it is a terminal whose open file is O_NONBLOCK */
	/* NULL, or what to say in a terminal where bytes are missing: writes a
	 * line of at most ZC_GAP_TEXT - 1 bytes to text. Returns how many. */
	size_t (*tell)(char *text, uint64_t missing);

	/* The caller's to read. */
	uint64_t bytes;	   /* that were moved while it was alive; of these */
	uint64_t left_out; /* for it alone */
	size_t lacks;	   /* bytes of max: its queue could not be as large */
	uint64_t waited;   /* milliseconds that others have waited for it */

	ZC_ROOM(10, struct zc_lag_own);
};

/* Returns the largest max of a zc_lag, 1 GiB: of a larger pipe fcntl(2) could
 * not tell. */
size_t zc_lag_max(void);

#ifdef __cplusplus
}
#endif

#endif
