/* SPDX-License-Identifier: 0BSD */
/* zc.h for libcore itself, with the functions of libcore that only box's
 * applets use. */
#ifndef CORE_H
#define CORE_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

static_assert(sizeof(off_t) == 8, "compile with -D_FILE_OFFSET_BITS=64");

struct zc;
struct zc_endpoint;
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
	ZC_ALIGN = 4 << 10,	 /* bytes: a block for O_DIRECT (open(2)) */
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

/* No errno is as large. */
enum { ZC_PASSED_OVER = -4096 };

/* A hook: called for each attempt of a method, with what run() has returned, or
 * with ZC_PASSED_OVER where the kinds rule the method out. */
typedef void zc_trace(struct zc *z, const struct zc_method *m,
		      const struct zc_endpoint *in,
		      const struct zc_endpoint *out, int nout, ssize_t n);

/* libcore's own part of the types of zc.h, where others have room alone. */

struct zc_lag_own {
	uint64_t gap;	    /* bytes left out since it has been late */
	bool cut;	    /* the gap begins within a line */
	bool line_start;    /* the run before has ended a line */
	unsigned char naps; /* while it lacked something that it may lose */
	size_t told;	    /* bytes that tell() wrote to the queue, */
	uint64_t told_end;  /* and where, in all that goes through it */
	size_t left;	    /* bytes that its reader had not read, and since */
	uint64_t since;	    /* when; 0 until the source has ended */
};

struct zc_endpoint_own {
	enum zc_kind kind;
	unsigned message_max; /* bytes of a stream in a message; 0: any */
	off_t size;	      /* bytes; a hint, for sizes lie */
	bool no_read;	      /* a pipe, terminal or /dev/null, not open for */
	bool no_write;	      /* reading, or for writing */
	bool no_splice;	      /* read(2) or write(2) alone serves it */
	bool no_socket;	      /* a pipe: its writes go through no socket */
	bool asked_limit;     /* of time, of a sink that is a socket */
	bool no_dontcache;    /* a file that refuses RWF_DONTCACHE */
	bool may_copy;	      /* a file for copy_file_range(2) */
	bool lent;	      /* a pattern in pages that the kernel may have */
	bool little_room;     /* a sink that may not take PIPE_BUF when ready */
	unsigned char nap;    /* it was ready, and took nothing: milliseconds */
	bool resting;	      /* for which it is left alone now */
	unsigned run_max;     /* bytes to send to a socket at once; 0: any */
	struct zc_pipe_size size_of_pipe;
	off_t range_at, range_end; /* of a file, ours alone: engine/range.c */
	union {
		/* Of a sink. */
		__extension__ struct {
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
			size_t pos;	     /* its next byte */
			size_t piped_len;    /* bytes of it in a pipe */
		};
	};

	uint64_t dev, ino; /* of a file, as zc_identify() has found them */
};

struct zc_own {
	/* The caller's to set. At most 32 methods, of which the last must be
	 * one that serves all. */
	const struct zc_method *const *methods; /* NULL: all but dontcache */
	zc_trace *trace;			/* or NULL */

	/* The caller's to read: system calls that moved bytes, or tried to. */
	unsigned long calls;

	/* libcore's own. */
	struct zc_relay relay;	 /* bytes on their way to the sinks */
	struct zc_relay pattern; /* a repeated line */
	struct zc_relay socket;	 /* bytes for large pipe buffers */
	bool no_queue; /* relays for sinks, or tee(2), are refused: this call */
	bool message;  /* the bytes have come as one message */
	/* How often: twice the yields before a wait sleeps; 0 until asked. */
	int halved;
	struct zc_ring ring;
	char *large; /* a buffer for pieces of a file, or NULL */
	bool cut;    /* a wait for the source was, by what ends a call */
	int polls_n, polls_ms; /* zc_polls() */
};

/* A structure that is declared by its tag is a part of its own
 * (-fms-extensions). */
#define ZC_ROOM(words, part)         \
	union {                      \
		part;                \
		uint64_t own[words]; \
	}
#define ZC_INTERNAL

#include "zc.h"

static_assert(sizeof(struct zc_lag_own) <= sizeof(((struct zc_lag *)0)->own),
	      "there is room in zc.h");
static_assert(sizeof(struct zc_endpoint_own) <=
		      sizeof(((struct zc_endpoint *)0)->own),
	      "there is room in zc.h");
static_assert(sizeof(struct zc_own) <= sizeof(((struct zc *)0)->own),
	      "there is room in zc.h");
static_assert(sizeof(((struct zc *)0)->memory) >= 2 * ZC_BUFFER + ZC_ALIGN,
	      "there is room in zc.h");

/* Writes the len bytes at line, which do not change meanwhile and may be the
 * first ZC_BUFFER bytes of zc_buffer(), to out again and again until it fails:
 * -1, with out->error set, to EINVAL if there are none. */
int zc_repeat(struct zc *z, const char *line, size_t len,
	      struct zc_endpoint *out);

/* Returns 2 * ZC_BUFFER bytes, aligned to ZC_ALIGN. They are the caller's
 * between two calls of zc_copy(), zc_fan() or zc_repeat(). */
static inline char *zc_buffer(struct zc *z)
{
	return (char *)(((uintptr_t)z->memory + ZC_ALIGN - 1) &
			-(uintptr_t)ZC_ALIGN);
}

/* Finds the kind of an endpoint (fstat(2)). Returns 0, or -1 with its error
 * set. */
int zc_identify(struct zc_endpoint *end);

/* read(2) that waits as zc_copy() does, whatever in->error was. Returns bytes,
 * 0 at the end of input, or -errno, to which in->error is set. The rest of a
 * message longer than size is lost. */
ssize_t zc_read(struct zc *z, struct zc_endpoint *in, void *buf, size_t size);

/* Writes all len bytes. Returns 0, or -1 with out->error set; a sink that has
 * failed before takes nothing and returns -1. A sink that was not identified
 * has no bounds of messages. The queue of zc_fan() comes later: let it end
 * first. */
int zc_write(struct zc *z, struct zc_endpoint *out, const void *buf,
	     size_t len);

/* open(2) with the mode 0666 and O_CLOEXEC. Returns a descriptor above 2,
 * though a caller may have closed these, or -errno. */
int zc_open(const char *name, int flags);

/* close(2), of which an interruption is no failure. Returns 0, or -errno. */
int zc_close_fd(int fd);

/* The result of fstat(2), the same on every machine. */
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

/* Returns whether a descriptor is a terminal. */
bool zc_is_tty(int fd);

#endif
