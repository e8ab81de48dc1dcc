/* SPDX-License-Identifier: 0BSD */
/* libcore: moves bytes between descriptors, the cheapest way there is. */
#ifndef ZC_H
#define ZC_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

static_assert(sizeof(off_t) == 8, "compile with -D_FILE_OFFSET_BITS=64");

struct pollfd;
struct zc;

/* What an endpoint is. The values are bits: a method can name several. */
enum zc_kind {
	ZC_UNIDENTIFIED = 0,  /* until zc_identify() has looked */
	ZC_FILE = 1 << 0,     /* regular file or block device */
	ZC_SMALL = 1 << 1,    /* regular file of at most ZC_SMALL_MAX bytes */
	ZC_PIPE = 1 << 2,     /* a pipe that is not O_DIRECT */
	ZC_SOCKET = 1 << 3,   /* SOCK_STREAM */
	ZC_DATAGRAM = 1 << 4, /* a pipe or socket that keeps messages apart */
	ZC_TTY = 1 << 5,
	ZC_DEVICE = 1 << 6, /* any other character device */
	ZC_NULL = 1 << 7,   /* /dev/null, which keeps nothing */
	ZC_REPEAT = 1 << 8, /* a line in memory, repeated for ever */
	ZC_ANY = (1 << 9) - 1,
	ZC_UNKNOWN = 1 << 9, /* fstat(2) says nothing of it: rw alone serves */
	ZC_OWN = 1 << 10,    /* a sink that is written to by its `writer' */
};

enum {
	ZC_SMALL_MAX = 32 << 10, /* bytes; above, splicing beats reading */
	ZC_RUN_MAX = 8 << 20,	 /* bytes a call: a larger one makes ^C slow */
	ZC_BUFFER = 128 << 10,	 /* bytes to read at once */
	ZC_ALIGN = 4 << 10,	 /* bytes: what O_DIRECT asks for (open(2)) */
	ZC_SINKS_MAX = ZC_BUFFER / 16 - 2, /* of a zc_fan(): 8,190 */
};

/* What zc_copy() and zc_fan() return. */
enum zc_result {
	ZC_FAILED = -1,	  /* an endpoint has: its error says why */
	ZC_ENDED = 0,	  /* the source has, and every sink has all of it */
	ZC_CANCELED = 1,  /* the cancel_fd of the context is ready */
	ZC_TIMED_OUT = 2, /* its deadline has passed */
	ZC_STEPPED = 3,	  /* zc_polls() says what to wait for now */
};

/* How large a pipe is. */
struct zc_pipe_size {
	int bytes;    /* 0 until asked for */
	bool settled; /* as large as it may be */
};

/* A pipe of libcore's own, or a pair of sockets. */
struct zc_relay {
	int fd;	     /* to take from; 0 until opened */
	int sink;    /* to put into */
	size_t held; /* bytes in it */
	struct zc_pipe_size size;
	uint64_t passed; /* of a queue: bytes that have gone out of it */
};

/* What becomes of a sink that is late: the others wait for it, or what it
 * misses is left out, or it is retired. */
enum zc_late { ZC_WAIT, ZC_SKIP, ZC_DROP };

enum { ZC_GAP_TEXT = 128 }; /* bytes */

/* How late a sink may be, and has been. The caller sets the first group, and
 * the rest to 0. It is not to be moved. Ignored if libcore was built without.
 */
struct zc_lag {
	size_t max; /* bytes, PIPE_BUF to zc_lag_max(); 0: no limit */
	enum zc_late late;
	bool nonblock; /* it is a terminal whose open file is O_NONBLOCK */
	/* NULL, or what to say in a terminal where bytes are missing: writes a
	 * line of at most ZC_GAP_TEXT - 1 bytes to text. Returns how many.
	 */
	size_t (*tell)(char *text, uint64_t missing);

	/* The caller's to read. */
	uint64_t bytes;	   /* that were moved while it was alive; of these */
	uint64_t left_out; /* for it alone */
	size_t lacks;	   /* bytes of max: its queue could not be as large */
	uint64_t waited;   /* milliseconds that others have waited for it */

	/* libcore's own. */
	uint64_t gap;	    /* bytes left out since it has been late */
	bool cut;	    /* the gap begins within a line */
	bool line_start;    /* the run before has ended a line */
	unsigned char naps; /* while it lacked something that it may lose */
	size_t told;	    /* bytes that tell() wrote to the queue, */
	uint64_t told_end;  /* and where, in all that goes through it */
	size_t left;	    /* bytes that its reader had not read, and since */
	uint64_t since;	    /* when; 0 until the source has ended */
};

struct zc_endpoint;

/* A source's read(2), of the kind ZC_OWN: fd is what poll(2) is to be asked of
 * before it, or -1 if it is as if always ready. */
struct zc_reader {
	/* Returns bytes, 0 at the end, or -errno; called again after -EINTR. */
	ssize_t (*read)(struct zc_endpoint *in, void *buf, size_t size);
};

/* A sink's write(2), of the kind ZC_OWN: it is as if always ready, and fd may
 * be -1. Ignored if libcore was built without. */
struct zc_writer {
	/* Returns bytes, not 0, or -errno; called again after -EINTR. */
	ssize_t (*write)(struct zc_endpoint *out, const void *buf, size_t len);
};

/* A source or a sink. The caller sets the first group, `lag' of a sink if
 * it has one, and `writer' of one of the kind ZC_OWN, and leaves the rest 0;
 * who knows better than fstat(2) sets `kind'. It may be moved in memory between
 * two calls; a descriptor has but one. */
struct zc_endpoint {
	int fd;		       /* stays the caller's, who closes it */
	int error;	       /* the errno that retired it, 0 while alive */
	uint64_t bytes;	       /* that have come from it, or gone to it */
	bool retire_on_hangup; /* of zc_fan(): to give up if its reader goes */
	bool ended; /* zc_fan() reads no more of it; set by the caller, too */

	/* What zc_identify() has found. */
	bool no_read;  /* a pipe, terminal or /dev/null, not open for */
	bool no_write; /* reading, or for writing */
	enum zc_kind kind;
	off_t size; /* bytes; a hint, for sizes lie */

	/* libcore's own. */
	bool no_splice;	      /* read(2) or write(2) alone serves it */
	bool no_socket;	      /* a pipe: its writes go through no socket */
	bool asked_limit;     /* of time, of a sink that is a socket */
	bool no_dontcache;    /* a file that refuses RWF_DONTCACHE */
	bool may_copy;	      /* a file for copy_file_range(2) */
	bool lent;	      /* a pattern in pages that the kernel may have */
	bool little_room;     /* a sink that may not take PIPE_BUF when ready */
	unsigned char nap;    /* it was ready, and took nothing: milliseconds */
	bool resting;	      /* for which it is left alone now */
	unsigned message_max; /* bytes of a stream in a message; 0: any */
	unsigned run_max;     /* bytes to send to a socket at once; 0: any */
	struct zc_pipe_size size_of_pipe;
	off_t range_at, range_end; /* of a file, ours alone: engine/range.c */
	union {
		/* Of a sink. */
		__extension__ struct {
			struct zc_lag *lag; /* the caller's, or NULL */
			/* Where what it lacks of a run in memory begins, in
			 * bytes how long that is, and how much it has had of a
			 * run in a relay. */
			const char *next;
			size_t lack, had;
			struct zc_relay queue; /* what it is to get before */
		};
		/* Of a line, ZC_REPEAT. Who runs a method on one sets the
		 * first three, and kind. */
		__extension__ struct {
			const char *pattern; /* the line, end to end */
			size_t pattern_len;  /* bytes of all of it, */
			size_t line_len;     /* and of one line */
			size_t pos;	     /* where in it to go on */
			size_t piped_len;    /* bytes of it in a pipe */
		};
	};

	uint64_t dev, ino; /* of a file, as zc_identify() has found them */

	const char *name;	  /* for messages: libcore never reads it */
	void *user;		  /* the caller's: libcore never reads it */
	struct zc_writer *writer; /* the caller's: of ZC_OWN */
	struct zc_reader *reader; /* and of a source */
	/* Of a source: as many bytes as `bytes' may become, if has_max. */
	bool has_max;
	/* Where to read or write, if has_offset, and then where to go on. The
	 * position of the file stays as it is. */
	bool has_offset;
	uint64_t max;
	int64_t offset;
};

/* One way of moving bytes. run() moves some from in to out. Returns how many; 0
 * at the end of input; or -errno, having moved nothing. A failure that can only
 * be one endpoint's it records there. What is left to do stands in the
 * endpoints. fan() takes some from in for all live sinks, which zc_fan() then
 * gives them, and returns the same. */
struct zc_method {
	const char *name;
	unsigned from, to; /* the kinds worth trying, of enum zc_kind */
	bool uncached;	   /* leaves no file in the page cache */
	ssize_t (*run)(struct zc *z, struct zc_endpoint *in,
		       struct zc_endpoint *out);
	ssize_t (*fan)(struct zc *z, struct zc_endpoint *in,
		       struct zc_endpoint *out, int nout); /* or NULL */
};

/* All that were built in, best first, then NULL. The last is rw: read(2) and
 * write(2), which serves everything. */
extern const struct zc_method *const zc_methods[];

/* A ring of io_uring(7). */
struct zc_ring {
	int fd;				     /* 0 until opened */
	unsigned added;			     /* requests since the last batch */
	unsigned *head, *tail, *slots, mask; /* submission queue */
	unsigned *done_head, *done_tail, done_mask; /* completion queue */
	struct io_uring_sqe *requests;
	struct io_uring_cqe *answers;
	void *maps[2];
	size_t map_sizes[2]; /* bytes */
	char *buffers;	     /* registered */
	size_t buffers_size; /* bytes */
};

/* No errno is as large. */
enum { ZC_PASSED_OVER = -4096 };

/* A hook: called for each attempt of a method, with what run() has returned, or
 * with ZC_PASSED_OVER where the kinds rule the method out. */
typedef void zc_trace(struct zc *z, const struct zc_method *m,
		      const struct zc_endpoint *in,
		      const struct zc_endpoint *out, int nout, ssize_t n);

/* All that lasts from one call to the next, but for what is in endpoints.
 * Zeroed memory is a context ready for use. Two contexts know nothing of each
 * other; one serves one thread at a time, and after a fork(2) one process. It
 * holds at most seven descriptors, and each of several sinks two more until
 * zc_fan() has moved all that is in its queue or zc_release() has closed that,
 * all close-on-exec. */
struct zc {
	/* The caller's to set. At most 32 methods, of which the last must be
	 * one that serves all. */
	const struct zc_method *const *methods; /* NULL: all but dontcache */
	zc_trace *trace;			/* or NULL */

	/* The caller's to read: system calls that moved bytes, or tried to. */
	unsigned long calls;

	/* libcore's own. */
	struct zc_relay relay;	 /* what is on its way to the sinks */
	struct zc_relay pattern; /* a repeated line */
	struct zc_relay socket;	 /* what is to be in large pipe buffers */
	bool no_queue; /* relays for sinks, or tee(2), are refused: this call */
	bool message;  /* what is written has come as one */
	/* How often: twice the yields before a wait sleeps; 0 until asked. */
	int halved;
	struct zc_ring ring;
	char *large; /* a buffer for pieces of a file, or NULL */
	bool cut;    /* a wait for the source was, by what ends a call */

	/* What ends a call before the source does, if libcore was built with
	 * that (ZC_CANCEL). Then no bytes are lost: the next call goes on with
	 * the same endpoints. A time is in milliseconds of zc_clock(). */
	bool cancels;	   /* cancel_fd is set: */
	int cancel_fd;	   /* the call ends once poll(2) says POLLIN of it */
	uint64_t deadline; /* when the call ends; 0: no time */
	unsigned idle;	   /* 0, or milliseconds: each call, and each run that
			    * is read, puts the deadline so far off */
	bool steps;	   /* the call moves a run, or what sinks take now, and
			    * sleeps for nobody */
	/* NULL, or called before each run: false cancels the call. */
	bool (*progress)(struct zc *z, const struct zc_endpoint *in);
	void *user; /* the caller's: libcore never reads it */

	/* libcore's own. */
	int polls_n, polls_ms; /* zc_polls() */

	char memory[2 * ZC_BUFFER + ZC_ALIGN];
};

/* Moves in to out until the end of input: 0. Returns -1 as soon as one of them
 * fails, with its error set, or where one has an error already; or what else
 * has ended the call. Identifies what has not been. */
int zc_copy(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out);

/* Moves in to every live sink of nout until the end of input: 0. No sink waits
 * for another: what one is behind with is queued for it. Returns -1 as soon as
 * an endpoint fails, with its error set. What is in the queues of the others is
 * moved by the next call: call again, with the same endpoints except those that
 * have failed, until it is 0 or none is left; or give sinks up by zc_release().
 * Where in or every sink has an error already, -1 is all. Sets the error of in
 * to EINVAL if nout is not 1 to ZC_SINKS_MAX. Returns ZC_CANCELED or
 * ZC_TIMED_OUT where that has ended the call: the next one goes on there.
 * Identifies what has not been. */
int zc_fan(struct zc *z, struct zc_endpoint *in, struct zc_endpoint *out,
	   int nout);

/* After ZC_STEPPED: returns what to ask poll(2) of *n descriptors, of which
 * some are -1, before the next call, and in *ms for how many milliseconds at
 * most; -1: for ever. They stay there until that call. */
const struct pollfd *zc_polls(struct zc *z, int *n, int *ms);

/* Closes the queue of a sink that the caller gives up, with the bytes in it. */
void zc_release(struct zc_endpoint *out);

/* Writes the len bytes at line, which do not change meanwhile and may be the
 * first ZC_BUFFER bytes of zc_buffer(), to out again and again until it fails:
 * -1, with out->error set, to EINVAL if there are none. */
int zc_repeat(struct zc *z, const char *line, size_t len,
	      struct zc_endpoint *out);

/* Closes the descriptors and frees the memory of a context, and zeroes it: the
 * caller's methods, trace and calls too. */
void zc_close(struct zc *z);

/* Returns 2 * ZC_BUFFER bytes, aligned to ZC_ALIGN. They are the caller's
 * between two calls of zc_copy(), zc_fan() or zc_repeat(). */
static inline char *zc_buffer(struct zc *z)
{
	return (char *)(((uintptr_t)z->memory + ZC_ALIGN - 1) &
			-(uintptr_t)ZC_ALIGN);
}

/* Finds what an endpoint is (fstat(2)). Returns 0, or -1 with its error set. */
int zc_identify(struct zc_endpoint *end);

/* Returns the largest max of a zc_lag, 1 GiB: of a larger pipe fcntl(2) could
 * not tell; or 0 where libcore was built without lag, and heeds none. */
size_t zc_lag_max(void);

/* read(2) that waits as zc_copy() does, whatever in->error was. Returns bytes,
 * 0 at the end of input, or -errno, to which in->error is set. The rest of a
 * message longer than size is lost. */
ssize_t zc_read(struct zc *z, struct zc_endpoint *in, void *buf, size_t size);

/* Writes all len bytes. Returns 0, or -1 with out->error set; a sink that has
 * failed before takes nothing and returns -1. A sink that was not identified
 * has no bounds of messages. What zc_fan() has left in a queue comes later: let
 * it end first. */
int zc_write(struct zc *z, struct zc_endpoint *out, const void *buf,
	     size_t len);

/* open(2) with the mode 0666 and O_CLOEXEC. Returns a descriptor above 2,
 * though a caller may have closed these, or -errno. */
int zc_open(const char *name, int flags);

/* close(2), of which an interruption is no failure. Returns 0, or -errno. */
int zc_close_fd(int fd);

/* What fstat(2) tells, the same on every machine. */
struct zc_stat {
	unsigned mode, rdev_major, rdev_minor;
	uint64_t dev, ino;
	off_t size; /* bytes */
};

/* fstat(2), or fstatat(2) of a name in the directory fd: where name is NULL, of
 * fd itself. Returns 0, or -errno. */
int zc_stat(int fd, const char *name, struct zc_stat *st);

/* mmap(2) of len bytes of zeroed memory. Returns NULL where it fails. */
void *zc_map(size_t len);

/* fcntl(2), for commands that take a number or nothing. Returns its value, or
 * -errno. */
int zc_fcntl(int fd, int command, long arg);

/* Returns the milliseconds since some point in time (clock_gettime(2),
 * CLOCK_MONOTONIC), not 0. */
uint64_t zc_clock(void);

/* Returns whether a descriptor is a terminal. */
bool zc_is_tty(int fd);

#ifdef __cplusplus
}
#endif

#endif
