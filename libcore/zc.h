/* SPDX-License-Identifier: 0BSD */
/* libcore: moves bytes the cheapest way there is and never loses one. */
#ifndef ZC_H
#define ZC_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "number/ZC_BUFFER_KB.h"

/* What an end is. The values are bits, so that a method can name several. */
enum zc_kind {
	ZC_FILE = 1 << 0,	/* regular file or block device */
	ZC_SMALL = 1 << 1,	/* regular file of at most ZC_SMALL_MAX bytes */
	ZC_PIPE = 1 << 2,
	ZC_SOCKET = 1 << 3,	/* of a stream */
	ZC_TTY = 1 << 4,
	ZC_DEVICE = 1 << 5,	/* any other character device */
	ZC_LINE = 1 << 6,	/* a line in memory, repeated for ever */
	ZC_DATAGRAM = 1 << 7,	/* any other socket: a write is a message */
	ZC_NULL = 1 << 8,	/* /dev/null, which keeps nothing */
	ZC_ANY = (1 << 9) - 1,
};

enum {
	ZC_SMALL_MAX = 32 << 10, /* bytes; above, splicing beats reading */
	ZC_RUN_MAX = 8 << 20,	/* bytes a call: a larger one makes ^C slow */
	ZC_BUFFER = CONFIG_ZC_BUFFER_KB << 10,
};

/* The kernel's struct statx, which has no other layout on any machine, and
 * which musl does not declare before 1.2.5. */
struct zc_stat {
	uint32_t mask, block;
	uint64_t attributes;
	uint32_t links, uid, gid;
	uint16_t mode, unused;
	uint64_t ino, size, blocks, attributes_mask;
	uint64_t times[8];
	uint32_t rdev_major, rdev_minor;
	uint64_t dev;		/* the same two */
	uint64_t rest[14];
};

/* What rw reads into; between two calls of zc_copy() it is the caller's. */
extern char zc_buffer[ZC_BUFFER];

/* A source or a sink. Name and descriptor are the caller's; an end that could
 * not be opened is one whose error is set. */
struct zc_end {
	const char *name;
	int fd;
	int error;		/* the errno that retired it, 0 while alive */
	enum zc_kind kind;	/* 0: zc_copy() looks before it starts */
	bool watched;		/* a sink to retire when its reader is gone */
	bool no_splice;		/* a sink that has refused splice(2) */
	bool no_grow;		/* a pipe that is as large as it may be */
	size_t pipe_size;	/* bytes; 0 until asked for */
	off_t range_at, range_end; /* in a file, ours alone: zc_reserve() */
	uint64_t dev;		/* as zc_stat() says, */
	uint64_t ino;
	off_t size;		/* in bytes; a hint, for sizes lie */
	const char *line;	/* ZC_LINE: copies of the line end to end, */
	size_t len;		/* the bytes of one, */
	size_t copies;		/* of all of them, */
	size_t at;		/* where in them to go on, */
	size_t held;		/* and bytes of them that tee(2) has in a pipe */
};

/* One way of moving bytes. run() moves some from in to every live sink and
 * returns how many, 0 at the end of input, or -1 with errno having moved
 * nothing. A failure that has one possible culprit it records in that end. */
struct zc_method {
	const char *name;
	unsigned from, to;	/* the kinds worth trying, of enum zc_kind */
	bool many;		/* serves several sinks */
	ssize_t (*run)(struct zc_end *in, struct zc_end *out, int nout);
};

/* In order of preference, rw last, then NULL. */
extern const struct zc_method *const *zc_methods;

/* Called, where set, for each attempt of a method: with what run() returned
 * (and errno, which it must preserve), or with n == -1 and errno == 0 where the
 * kinds rule it out. An applet may report ways of its own. */
extern void (*zc_trace)(const struct zc_method *m, struct zc_end *in,
			struct zc_end *out, int nout, ssize_t n);

/* System calls that have moved bytes, or tried to. */
extern unsigned long zc_calls;

/* Moves in to every live sink until the end of input: 0. Returns -1 as soon as
 * an end fails, with its error set, every other sink having all that was moved;
 * call again to go on without that end. */
int zc_copy(struct zc_end *in, struct zc_end *out, int nout);

/* Writes the len bytes at line to out again and again until it fails: -1, with
 * out->error set. */
int zc_repeat(const char *line, size_t len, struct zc_end *out);

/* Finds the kind of an end (zc_stat(), once). Returns 0, or -1 with end->error
 * set. */
int zc_look(struct zc_end *end);

/* read(2) that waits where the descriptor does not block. Returns bytes, 0 at
 * the end, or -1 with in->error set. */
ssize_t zc_read(struct zc_end *in, void *buf, size_t size);

/* Writes all len bytes. Returns 0, or -1 with out->error set; a sink that has
 * failed before takes nothing and returns -1. */
int zc_write(struct zc_end *out, const void *buf, size_t len);

/* Descriptors 0 to 2 are never ours, though a caller that closed them has the
 * kernel hand them out: moves fd, unless it is -1, above them. Returns the new
 * descriptor, or -1 with errno. */
int zc_above_stdio(int fd);

/* open(2) with the mode 0666, above those. Returns the descriptor, or -1 with
 * errno. */
int zc_open(const char *name, int flags);

/* fcntl(2), for commands that take a number or nothing. */
int zc_fcntl(int fd, int command, long arg);

/* pipe2(2), non-blocking, for what fits into a pipe is never certain. */
int zc_pipe(int fd[2]);

/* statx(2) of name, which a folder's descriptor may precede, or of fd where the
 * name is empty: then fstat(2) on some machines, whose dev is not to be
 * compared with that of a name. Returns 0, or -1 with errno. */
int zc_stat(int fd, const char *name, struct zc_stat *st);

/* Whether this socket has no bounds between messages. */
bool zc_is_stream(int fd);

/* Whether this is a terminal. */
bool zc_is_tty(int fd);

#endif
