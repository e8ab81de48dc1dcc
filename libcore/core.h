/* SPDX-License-Identifier: 0BSD */
/* zc.h for libcore itself, and the functions that box's applets may call. */
#pragma once

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/types.h>
#include <unistd.h>

/* Where the kernel decides. Behind CONFIG_START musl's getpagesize(3) knows
 * nothing. */
#ifndef PAGESIZE
#define PAGESIZE ((int)getauxval(AT_PAGESZ))
#endif

static_assert(sizeof(off_t) == 8, "compile with -D_FILE_OFFSET_BITS=64");

struct zc;
struct zc_source;
struct zc_sink;
struct zc_job;
struct zc_method;

/* The kinds of endpoints. The values are bits: a method can name several. */
enum zc_kind {
	ZC_UNIDENTIFIED = 0,  /* until zc_identify() has looked */
	ZC_FILE = 1 << 0,     /* regular file or block device */
	ZC_SMALL = 1 << 1,    /* regular file of at most ZC_SMALL_MAX bytes */
	ZC_PIPE = 1 << 2,     /* a pipe that is not O_DIRECT */
	ZC_SOCKET = 1 << 3,   /* SOCK_STREAM */
	ZC_DATAGRAM = 1 << 4, /* a pipe or socket that keeps messages apart */
	ZC_TTY = 1 << 5,
	ZC_DEVICE = 1 << 6,  /* any other character device */
	ZC_NULL = 1 << 7,    /* /dev/null, which keeps nothing */
	ZC_REPEAT = 1 << 8,  /* a line in memory, repeated for ever */
	ZC_UNKNOWN = 1 << 9, /* only rw serves it: fstat(2) does not tell the
			      * kind, or poll(2) tells nothing of use */
	ZC_OWN = 1 << 10,    /* its `read' or `write' moves the bytes */
	ZC_SOLE = 1 << 11,   /* of a sink: a regular file that is `sole' */
	ZC_REGULAR = ZC_FILE | ZC_SMALL | ZC_SOLE,
	ZC_ANY = ZC_REGULAR | ZC_PIPE | ZC_SOCKET | ZC_DATAGRAM | ZC_TTY |
		 ZC_DEVICE | ZC_NULL | ZC_REPEAT, /* not ZC_UNKNOWN, ZC_OWN */
};

enum {
	ZC_SMALL_MAX = 32 << 10, /* bytes: for larger ones splice is faster */
	ZC_RUN_MAX = 8 << 20,	 /* bytes of a call, so that ^C is quick */
	ZC_BUFFER = 128 << 10,	 /* bytes to read at once */
	/* Bytes of a message to several sinks: a Unix socket takes no longer
	 * one by default. */
	ZC_MESSAGE = 208 << 10,
	ZC_PIECE = 16 << 10, /* bytes that are copied out of a queue at once */
	ZC_ALIGN = 4 << 10,  /* bytes: a block of O_DIRECT (open(2)) */
};

/* The size of a pipe. */
struct zc_pipe_size {
	int bytes; /* 0 until known; -errno where the kernel does not tell */
	int most;  /* bytes to which it may grow; 0: it may not, as after it
		    * has been filled once */
};

/* A pipe of libcore's own, or a pair of sockets. */
struct zc_relay {
	int fd;	     /* the end to read; 0 until opened */
	int to;	     /* the end to write */
	size_t held; /* bytes in it */
	struct zc_pipe_size size;
};

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

/* One way of moving bytes. run() moves some from in to out. It returns how
 * many, 0 at the end of input, or, if it moved nothing, -errno, ZC_PASSED_OVER
 * or ZC_CUT_SHORT. After the first two it is not tried again before the next
 * zc_run(). If the failure is final, run() sets the error of the endpoint that
 * has failed. The endpoints record where to go on. Bytes that it leaves in
 * z->relay have moved, and the loop gives them to the sink.
 * fan() takes bytes from the source of a job for all its live sinks, and
 * returns the same. The loop then gives the bytes to them.
 * close() frees what the method keeps in the context. */
struct zc_method {
	const char *name;
	unsigned from, to; /* the kinds worth trying, of enum zc_kind */
	bool uncached;	   /* it leaves no file in the page cache, and is tried
			    * for little runs, too */
	ssize_t (*run)(struct zc *z, struct zc_source *in, struct zc_sink *out);
	ssize_t (*fan)(struct zc_job *j); /* or NULL */
	void (*close)(struct zc *z);	  /* or NULL */
};

/* read(2) and write(2), which serve every endpoint: the last of each list of
 * methods. */
extern const struct zc_method zc_method_rw;

/* The methods that were built in, best first, then NULL. */
extern const struct zc_method *const zc_methods[];

/* These differ from every -errno. A method was passed over by a decision of
 * ours: no call was refused. A wait that was cut short, because the call may be
 * to end, has moved nothing. */
enum { ZC_PASSED_OVER = -4096, ZC_CUT_SHORT = -4097 };

/* A hook that is called for each attempt of a method to move bytes from in to
 * out, the first sink, and its peers. n is the result of run() or fan(), or
 * ZC_PASSED_OVER if the method does not serve these kinds. */
typedef void zc_trace(const struct zc_source *in, const struct zc_sink *out,
		      const struct zc_method *m, ssize_t n);

/* The numbers of a file: 0 where fstat(2) was refused. */
struct zc_file_id {
	uint64_t dev, ino;
};

/* Returns whether both are the same file, and known. */
static inline bool zc_is_same_file(const struct zc_file_id *a,
				   const struct zc_file_id *b)
{
	return a->ino && a->ino == b->ino && a->dev == b->dev;
}

/* libcore's parts of the types in zc.h, which reserves only room for them. */

/* engine/lag.c writes these, and the fields of struct zc_lag that the caller
 * reads. More write these: engine/sink.c sets `lacks', zc_uncount() subtracts
 * from `bytes', box's tee_reopen.c clears a struct zc_lag, and lib/library.c
 * clears the room of one, `gap', `until' and `lacks'. */
struct zc_lag_room {
	uint64_t gap;	   /* bytes left out since it fell behind */
	bool cut;	   /* the gap begins within a line */
	bool line_start;   /* the latest run ends with a whole line */
	unsigned char nap; /* milliseconds to wait for it next */
	size_t told;	   /* bytes of the latest tell() that were queued */
	uint64_t told_end; /* their end, counted as the sink's `bytes' is */
	uint64_t taken;	   /* bytes that its reader had, when last asked */
	uint64_t until;	   /* zc_clock() up to which it may take nothing; 0: it
			    * was not asked */
};

/* Bytes of a file that are ours alone: engine/range.h. */
struct zc_range {
	off_t at, end; /* the next one, and the one behind the last */
};

/* A line that is repeated for ever. The caller of a method sets the first
 * group. */
struct zc_line {
	const char *pattern; /* the line, a number of times. methods/vmsplice.c
			      * puts a copy in its place */
	size_t pattern_len;  /* bytes of the pattern */
	size_t line_len;     /* bytes of one line */

	size_t pos; /* of the next byte */
	bool lent;  /* the kernel may hold pages of the pattern */
};

/* Each group, or else each field, names the files that write it. box's applets
 * read kind, message_max, no_write, size and id, and the trace hook reads peer.
 * The rest is for libcore alone. */
struct zc_endpoint_room {
	/* The kind of the descriptor: engine/endpoint.c finds it out. */
	enum zc_kind kind; /* engine/job.c: ZC_OWN, and ZC_UNKNOWN, a sink
			    * that is left to write(2). engine/io.c: ZC_OWN or
			    * none. engine/repeat.c: ZC_REPEAT.
			    * zc_take_for(): any. engine/range.c: ZC_FILE, a
			    * file that is sole no more */
	bool no_read;	   /* a pipe, terminal or /dev/null, not for reading */
	bool no_write;	   /* a pipe, terminal or /dev/null, not for writing */
	bool read_limit;   /* a socket with a limit of time: SO_RCVTIMEO */
	bool write_limit;  /* likewise SO_SNDTIMEO */
	bool little_room;  /* ready for fewer bytes than PIPE_BUF */

	/* How it may be served. */
	bool socket;	   /* send(2) and recv(2) serve it: engine/endpoint.c,
			    * until engine/io.c or engine/sink.c is refused */
	bool no_dontcache; /* a file that refuses RWF_DONTCACHE:
			    * methods/dontcache.c */

	/* engine/endpoint.c. */
	unsigned message_max; /* most bytes a message; 0: no bound */
	unsigned run_max;     /* bytes to send to a socket at once; 0: any */

	/* Of a pipe: engine/pipe.c. `most': also engine/endpoint.c,
	 * engine/job.c, and the methods splice and tee. */
	struct zc_pipe_size size_of_pipe;

	/* Of a file: engine/endpoint.c. */
	off_t size; /* bytes: a hint, because files change */
	struct zc_file_id id;
};

struct zc_source_room {
	struct zc_range range; /* of a file: engine/range.c. A method that has
				* read in it moves `at' on */
	bool may_copy; /* a file for copy_file_range(2), whose method sets it;
			* engine/job.c clears it */
	bool by_read;  /* read(2) alone serves it: engine/job.c, a limit of
			* time, or a sink that is the source;
			* engine/choose.c and methods/copy_file_range.c, a
			* call has failed */
	bool pauses;   /* zc_pause_at() */
	struct zc_line *line; /* of ZC_REPEAT: engine/repeat.c, and box's
			       * probe.c */
};

/* engine/job.c and engine/sink.c write these, and others where they are named.
 */
struct zc_sink_room {
	/* Of a run in memory: the bytes that it lacks, and how many:
	 * engine/lag.c leaves some out. How many of the bytes of a run in a
	 * relay it has, or its queue: methods/tee.c. methods/dontcache.c: how
	 * many of a run in memory. */
	const char *next;
	size_t lack, had;
	struct zc_relay queue; /* bytes to get first; methods/tee.c adds some */
	struct zc_sink *peer;  /* the next sink of the job, or NULL */
	/* Bytes that may be copied to its queue. Three things go beyond: the
	 * end of a line, by PIPE_BUF at most; a line about a gap; and the pages
	 * of tee(2) where the sink has no limit. */
	size_t queue_max;
	uint64_t rest_until; /* zc_clock() until which it is left alone, or 0 */
	unsigned char rest;  /* milliseconds: it was ready and took nothing:
			      * engine/sink.c */
	bool added;	     /* it is in a job */
	bool limited;	     /* it has a limit in this call of zc_run() */
	bool no_splice;	     /* splice(2) to it was refused: also
			      * engine/pipe.c */
	bool prompt;	     /* of ZC_OWN: its function waits no longer than a
			      * file does, and poll(2) is not asked:
			      * engine/io.c */
	bool nonblock;	     /* it is O_NONBLOCK: lib/library.c */
	/* `bytes' of the source less its own, when it was added; less the
	 * lines of tell() since: lib/library.c. */
	uint64_t before;
};

/* A job: one source, and sinks that come and go. engine/job.c writes these, and
 * others where they are named. */
struct zc_job {
	struct zc *z;
	struct zc_source *in;  /* of the latest job, or NULL */
	struct zc_sink *out;   /* the first sink, or NULL */
	struct zc_sink **tail; /* the place of the next one */
	int nout;	       /* sinks */
	int last;	       /* bytes of the run before this one:
				* engine/choose.c */

	/* Of the latest zc_run(). */
	const struct zc_method *const *methods;
	unsigned refused; /* a bit for each of these that has refused:
			   * engine/choose.c */
	unsigned kinds;	  /* of the sinks, of enum zc_kind */
	bool lags;	  /* a sink has a struct zc_lag */
	bool fan;	  /* runs are for all sinks, in turns */
	bool no_queue;	  /* no sink gets a queue: the kernel refused one,
			   * engine/sink.c, or tee(2), methods/tee.c, which
			   * also fails where a sink has; or the only sink
			   * needs none, lib/library.c */
	bool no_socket;	  /* the kernel refused one for large pipe buffers:
			   * engine/pipe.c */
	bool message;	  /* the bytes have come as one message */
	const char *span; /* a run in memory that a method has read, or NULL */
	size_t run;	  /* bytes of the run that is offered */

	/* engine/wait.c alone writes these. */
	uint64_t until; /* as in zc_run() */
	int cancel_fd;
	bool stops;	      /* one of these may end it */
	bool steps;	      /* it does not sleep */
	unsigned turns;	      /* these two: for zc_step() */
	bool had_no_queue;    /* no_queue of the turn before */
	struct pollfd *polls; /* these three: for zc_polls() */
	int polls_n, polls_ms;
};

struct zc_context_room {
	/* The caller sets these. */
	const struct zc_method *const *methods; /* NULL: all but dontcache */
	zc_trace *trace;			/* or NULL */

	/* The caller reads this: system calls that moved bytes, or tried to,
	 * except writes to queues. */
	unsigned long calls;

	/* libcore alone sets the rest. */
	/* engine/wait.c. */
	bool asked_alone; /* zc_sys_is_alone() */
	bool alone;	  /* its answer: a peer has no other processor */
	int yields;	  /* before a sleep, in this wait */
	struct zc_job job;
	struct zc_relay relay;	 /* bytes on their way to the sinks */
	struct zc_relay pattern; /* a repeated line */
	struct zc_relay socket;	 /* bytes for large pipe buffers */
	struct zc_ring ring;
	char *large; /* a buffer for pieces of a file, or NULL */
};

/* A member that is declared by its tag alone has its fields in the outer
 * structure (-fms-extensions). */
#define ZC_ROOM(words, part)                 \
	union {                              \
		struct zc_##part##_room;     \
		uint64_t part##_room[words]; \
	}
#define ZC_END                          \
	union {                         \
		struct zc_endpoint end; \
		struct zc_endpoint;     \
	}
#define ZC_INTERNAL

#include "zc.h"

#define ZC_FITS(part)                                                       \
	static_assert(sizeof(struct zc_##part##_room) <=                    \
			      sizeof(((struct zc_##part *)0)->part##_room), \
		      "there is room in zc.h")
ZC_FITS(endpoint);
ZC_FITS(source);
ZC_FITS(sink);
ZC_FITS(lag);
static_assert(sizeof(struct zc_context_room) <=
		      sizeof(((struct zc *)0)->context_room),
	      "there is room in zc.h");
static_assert(sizeof(((struct zc *)0)->memory) >= 2 * ZC_BUFFER + ZC_ALIGN,
	      "there is room in zc.h");

/* Returns the lesser of two numbers. */
static inline uint64_t zc_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the greater of two numbers. */
static inline uint64_t zc_most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns by how much a number is above another, or 0. */
static inline uint64_t zc_excess(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Writes the len bytes at line, at least 1, to out again and again, until a
 * write fails. They must not change meanwhile. They may be the first ZC_BUFFER
 * bytes of zc_buffer(). Sets out->error. */
void zc_repeat(struct zc *z, const char *line, size_t len, struct zc_sink *out);

/* Returns 2 * ZC_BUFFER bytes, aligned to ZC_ALIGN. The caller may use them
 * between two calls of zc_copy() or zc_repeat(), and between two of zc_run() if
 * no sink lacks bytes. */
static inline char *zc_buffer(struct zc *z)
{
	return (char *)(((uintptr_t)z->memory + ZC_ALIGN - 1) &
			-(uintptr_t)ZC_ALIGN);
}

/* Sets the kind of an endpoint by fstat(2): that of a regular file that is
 * `sole', as a sink may be, is ZC_SOLE. Returns 0, or -1 with the error EBADF
 * set. If the caller clears that, the next read(2) or write(2) has it. */
int zc_identify(struct zc_endpoint *end, bool sole);

/* Takes an endpoint for one of a kind, without fstat(2). Once a source of the
 * kind ZC_SMALL gives more than ZC_SMALL_MAX bytes at once, zc_identify() has
 * to look. */
static inline void zc_take_for(struct zc_endpoint *end, enum zc_kind kind)
{
	end->kind = kind;
}

/* Counts n bytes as not moved to a sink: its function of box's own has let them
 * go. */
static inline void zc_uncount(struct zc_sink *out, size_t n)
{
	if (out->lag)
		out->lag->bytes -= n;
}

/* Returns a power of two: more bytes than a source gives behind n before it
 * pauses there, and as many as a page at least. */
static inline size_t zc_pause_late(void)
{
	enum { LATE = 8 << 10 };

	return zc_most(LATE, PAGESIZE);
}

/* Has zc_run() return ZC_AGAIN once a source has given bytes up to n, ZC_EVER
 * for none, and no run of them is in memory or in a relay. One that keeps
 * messages or records apart may lose some, or fail. */
static inline void zc_pause_at(struct zc_source *in, uint64_t n)
{
	in->pauses = n != ZC_EVER;
	in->max = n;
}

/* Has a sink written by a function of box's own, which waits no longer than a
 * file does, or, if that is NULL, by libcore again: engine/io.c. */
void zc_write_by(struct zc_sink *out,
		 ssize_t (*write)(struct zc_sink *out, const void *buf,
				  size_t len));

/* Returns whether a file is one of the pipes between the source of a job and
 * its sinks. */
bool zc_is_pipe_of(const struct zc *z, const struct zc_file_id *file);

/* read(2) that waits as zc_copy() does, even if in->error is set. It enlarges
 * the pipe of a job's source if that was full. Returns bytes, 0 at the end of
 * input, ZC_CUT_SHORT, or -errno, and sets in->error to the errno. The rest of
 * a message longer than size is lost: from a socket that is the error EMSGSIZE.
 */
ssize_t zc_read(struct zc *z, struct zc_source *in, void *buf, size_t size);

/* Writes all len bytes. Returns 0, or -1 with out->error set. If out->error is
 * set before, writes nothing and returns -1. Keeps to message_max only if
 * zc_identify() has set it. Ignores the queue of a job, which must be empty. */
int zc_write(struct zc *z, struct zc_sink *out, const void *buf, size_t len);

/* Descriptors 0 to 2 are never ours, though a caller that closed them has the
 * kernel hand them out: moves fd, unless it is negative, above them. Returns
 * the new descriptor, or -errno. */
int zc_above_stdio(int fd);

/* open(2) with the mode 0666 and O_CLOEXEC, made again while a signal
 * interrupts it, as on a network file system. Returns -errno, or a descriptor
 * above 2, even if 0 to 2 are closed. */
int zc_open(const char *name, int flags);

/* close(2). EINTR is no failure, because the descriptor is closed then. Returns
 * 0, or -errno. */
int zc_close_fd(int fd);

/* Closes the relay of a context, which is open only with CONFIG_ZC_RANGE. */
void zc_close_relay_of(struct zc *z);

/* The result of fstat(2), the same on every machine. */
struct zc_stat {
	unsigned mode;
	dev_t rdev;
	struct zc_file_id id;
	off_t size; /* bytes */
};

/* fstatat(2) of a name in the directory fd, or, if name is NULL, fstat(2) of
 * fd. Returns 0, or -errno. */
int zc_stat(int fd, const char *name, struct zc_stat *st);

/* fstatat(2) with flags, likewise. */
int zc_stat_at(int fd, const char *name, struct zc_stat *st, int flags);

/* Sets the owner of an open file. Returns 0, or -errno. */
int zc_owner(int fd, unsigned *user, unsigned *group);

/* mmap(2) of len bytes of zeroed memory. Returns NULL if it fails. */
void *zc_map(size_t len);

/* fcntl(2), for commands that take a number or nothing. Returns its value, or
 * -errno. */
int zc_fcntl(int fd, int command, long arg);

/* pipe2(2), and socketpair(2) of Unix streams, close-on-exec. The flags are
 * O_NONBLOCK or 0. Return 0, or -errno. */
int zc_pipe(int fd[2], int flags);
int zc_socketpair(int fd[2], int flags);

/* Returns whether a descriptor may have the flag O_APPEND or the like: `flags'
 * is the result of F_GETFL. If that was refused, it may. */
static inline bool zc_may_have(int flags, int flag)
{
	return flags < 0 || flags & flag;
}

/* Returns whether a descriptor may be open for `access', O_RDONLY or O_WRONLY:
 * `flags' is the result of F_GETFL. If that was refused, it may be. */
bool zc_may_access(int flags, int access);

/* Returns how many bytes the reader of a pipe, or the far end of a socket or
 * terminal, has not yet taken, as far as the kernel says so. */
size_t zc_unread(int fd);

/* Returns whether a descriptor is a terminal. */
bool zc_is_tty(int fd);
