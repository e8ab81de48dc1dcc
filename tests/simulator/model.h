/* SPDX-License-Identifier: 0BSD */
/* A small model of the kernel: files, pipes, sockets, terminals, devices, and
 * the descriptors of one process. Bytes are known by where they come from, so
 * that moving a megabyte costs as much as moving one byte. Others share the
 * objects: what they do is for whoever links this to say, and so is which of
 * its lawful answers a call gives. */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../calls.h"

enum {
	PAGE = 4096,
	ATOMIC = 4096, /* PIPE_BUF */
	MOST_OBJECTS = 64,
	MOST_OPENS = 64,
	MOST_FDS = 64,
	MOST_SEGS = 512,
	MOST_ENTRIES = 512,  /* of a queue: a power of two */
	MOST_PIECES = 300,   /* of a socket's queue: then it is full */
	MOST_OF_UDP = 65507, /* bytes of a message: udp(7) */
	MOST_STREAMS = 16,
	MOST_URGENT = 64, /* bytes that read(2) leaves out */
	PIPE_SLOTS = 16,
	MOST_PIPE_SLOTS = 256,	 /* /proc/sys/fs/pipe-max-size */
	SOCKET_PIECE = 32 << 10, /* the largest of a Unix socket's pages */
	STREAM_MAX = 1 << 20,
	CHILD_ENDS = MOST_STREAMS - 1, /* SIGCHLD, in world.signals */
};

/* When a history begins: no other number of a program is as large. */
#define EPOCH 0xabcdef00000000ull

/* And what CLOCK_REALTIME says then, in seconds. */
enum { REAL_EPOCH = 1700000000 };

/* Bytes by where they come from: nowhere, memory of the program's own that has
 * been copied, or a stream, of which each byte is known. */
enum { HOLE, COPIED, STREAM };

struct seg {
	int origin;
	uint32_t at, len;
};

/* Segments, one after the other: a file, or what somebody has read. */
struct tape {
	int n;
	uint32_t len;
	struct seg seg[MOST_SEGS];
};

/* Of a pipe's, each with a page or a part of one; of a socket's, a message; of
 * a terminal's, a line, or ^D: no bytes. */
struct entry {
	struct seg seg;
	uint16_t off;	/* in its page */
	bool joined;	/* to the entry before: in its page */
	bool mergeable; /* write(2) may add to the page */
	bool packet;	/* of a message, which the joined ones belong to */
	bool urgent;	/* one byte, and the mark of a TCP stream */
};

enum type {
	UNUSED,
	FILE_,
	PIPE,
	SOCKET,
	TTY,
	DEVICE,
	NULL_,
	MESSAGES,
	PROCESS,
	STRANGER /* nothing that the program knows of */
};

struct object {
	enum type type;
	int role;   /* whose it is: an index of the caller's, or OWN */
	uint64_t h; /* of all that was done to it, in order */

	uint32_t room;	/* bytes that a file may have, or a socket waiting */
	off_t says;	/* as fstat(2) tells the size; -1: the truth */
	uint32_t whole; /* bytes of the message that was read last */
	uint32_t lost;	/* bytes of messages that were cut, and told so */
	bool cut;	/* read(2) has cut one, which nothing tells */
	uint32_t taken; /* bytes that read(2) has given the program */

	int first, entries, used, nslots; /* a queue */
	uint32_t queued;		  /* bytes */
	int readers, writers; /* opens of a pipe; of a socket, readers */

	int domain, sotype; /* of a socket */
	struct object *peer;
	bool reset;   /* the peer went without reading all */
	bool shut;    /* writes no more: shutdown(2) */
	bool deaf;    /* reads no more: SHUT_RD */
	int limit_ms; /* SO_RCVTIMEO and SO_SNDTIMEO */
	bool inline_; /* SO_OOBINLINE: read(2) gives urgent bytes, too */
	int nskipped; /* that it has not given, and where they come from */
	uint32_t skipped[MOST_URGENT];

	int error_in, error_out;  /* a failure that lasts */
	bool failed;		  /* a call that was to fill it has, for good */
	bool begun;		  /* bytes have come from it, or gone to it */
	bool refused[CALL_COUNT]; /* calls that it does not take, */
	int refused_as;		  /* and the errno */
	bool no_offsets;	  /* lseek(2) answers, pread(2) says ESPIPE */
	uint32_t balks;		  /* calls that are to say EAGAIN first */

	/* What is large comes last: object_new() does not clear it. */
	struct tape data; /* of a file; what a device has been given */
	struct entry entry[MOST_ENTRIES]; /* of a queue */
};

enum { OWN = -1 };

struct open {
	struct object *object;
	int refs;
	int flags; /* O_ACCMODE, O_NONBLOCK, O_APPEND, O_DIRECT */
	bool ours; /* the program has opened it, and nobody else has it */
	off_t pos;
};

/* Who waits, and for what. */
struct want {
	struct open *open;
	short events;
};

enum { WRITES = 1 << 14 }; /* beside POLLOUT: it sleeps in a call that does */

struct shadow {
	const char *memory;
	struct seg seg;
};

struct map {
	char *memory;
	size_t len;
	struct object *file; /* NULL: anonymous */
	off_t at;
	bool gone;
};

enum { MOST_SHADOWS = 256, MOST_MAPS = 128, MOST_LENT = 64, SAID_MAX = 4096 };

/* All that lasts for one history. */
extern struct world {
	struct open *fd[MOST_FDS];
	bool was_open[MOST_FDS];
	int objects, opens;
	uint64_t sum;	/* of the objects' hashes */
	uint64_t heard; /* hash of all answers to the program */
	uint64_t now;	/* milliseconds, which pass where it sleeps */
	bool awake;	/* a step of zc_run() is made, which does not sleep */
	/* A short call moves a half of many bytes, once; nothing interrupts a
	 * sleep until a time; and time passes by whole seconds, so that what is
	 * left of one recurs. */
	bool coarse;
	int calls;
	enum call call;		  /* the present one */
	char about[160];	  /* and its arguments, where they are wanted */
	bool refused[CALL_COUNT]; /* calls that nothing takes, */
	int refused_as;		  /* and the errno */
	int polls_refused;	  /* how often poll(2) was */
	int hindered;	  /* how often one was refused, or was to try again */
	off_t file_limit; /* RLIMIT_FSIZE, or 0 */
	uint64_t blocked; /* signals, to 63 */
	struct object *signals; /* what signalfd(2) reads: a byte for each */
	int pending;		/* a signal that a handler is to get, or 0 */
	bool handling;		/* it does */
	void *handler[65];
	enum { COMING, RUNS, ZOMBIE, REAPED } command; /* of tee --run */
	bool noted;	     /* waitid(2) has told its end */
	struct open *child;  /* what waitid(2) waits for */
	struct open *output; /* what pipe2(2) gives first, or NULL */
	int killed_by;	     /* a signal that was sent to the command, or 0 */
	int status;	     /* as a shell would tell it */
	bool ignores_sigpipe;
	bool real_bytes;  /* memory gets them, and is compared */
	bool cuts;	  /* the program asks for no message as a whole */
	long pipe_max;	  /* bytes to which it may enlarge a pipe, or 0: any */
	bool looked;	  /* fstat(2) was called, */
	long hides;	  /* and answers so, or 0 */
	bool blind;	  /* a call that tells of an end was refused */
	bool asked;	  /* FICLONERANGE was tried, */
	bool shares;	  /* and files share extents */
	bool wants_words; /* fill in about */
	int shadows, maps, lents;
	struct shadow shadow[MOST_SHADOWS];
	struct map map[MOST_MAPS];
	struct lent {
		const char *memory;
		struct seg seg;
	} lent[MOST_LENT];
	char said[SAID_MAX]; /* on standard error */
	size_t said_len;
	uint32_t copied_len;
} world;

/* Bytes that wait in a socket: how many is up to the kernel. */
extern uint32_t socket_most;
extern struct object objects[MOST_OBJECTS];
extern struct open opens[MOST_OPENS];
extern unsigned char copied[32 << 20];
extern const unsigned char *stream_bytes[MOST_STREAMS];

/* What a call may be answered beside what it should: kinds of choices. */
enum choice {
	ANSWER, /* what the call does */
	TURN,	/* who makes a step before it */
	WHO,	/* who does while the program sleeps */
	AMOUNT, /* details: how many bytes, which errno */
	LASTS,	/* whether a refusal or failure is for good */
	CHOICES
};

/* What whoever links the model has to define. */

/* Returns 0, the ordinary one, to n - 1. */
int choose(enum choice kind, int n);
/* The program has made a call with these arguments; what it knows itself is
 * above this frame of the stack. */
void entered(const char *frame, const long *args, int n);
/* Others may make steps now. */
void others(void);
/* Sleeps until one of these is ready, for at most ms milliseconds if that is
 * not -1. Returns 0, 1 if the time is over, or -EINTR. */
int sleep_on(const struct want *want, int n, int ms);
/* The program has broken a rule. */
__attribute__((noreturn, format(printf, 1, 2))) void
broken(const char *format, ...);
/* A signal that ends the program. */
__attribute__((noreturn)) void killed(int signal);
/* A call of the program's has been answered: n, or a negative errno. */
void answered(long n);
/* A failure that is not "not in this way" was given by a call with these
 * foreign ends, one of which may be NULL; `alone' says that the call can only
 * mean this end. */
void failed(struct object *from, struct object *to, int error, bool alone);
/* Returns where the file with a name is kept, or NULL is, and whose it is; or
 * NULL for a name that nobody has. */
struct object **named(const char *name, int *role);

/* The world. */
void world_new(void);
struct object *object_new(enum type type, int role);
struct open *open_new(struct object *object, int flags);
int fd_new(struct open *open, int least);
void fd_set_to(int fd, struct open *open);
void open_drop(struct open *open);
void pair(struct object *a, struct object *b, int domain, int sotype);
short ready(const struct want *want);
/* The reader of a socket has called shutdown(SHUT_RD). poll(2) tells nothing of
 * that: not that the socket is ready, if it is full, nor a hang-up. */
void do_shut(struct open *reader);
bool is_deaf(const struct object *socket);

/* Whether a signal is to be handled that is not blocked. */
bool signal_comes(void);

/* What the program's calls and others' steps stand on: no choices, no sleep.
 * Return bytes or a negative errno, -EAGAIN where they would have to wait for
 * what stuck then says. An offset of -1 is the position. */
extern struct want stuck;
long do_read(struct open *o, size_t len, off_t at, struct tape *into);
long do_write(struct open *o, const struct tape *from, size_t len, off_t at);
/* send(2), MSG_OOB: the last byte that is sent is urgent. */
long do_send_urgent(struct open *o, const struct tape *from, size_t len);
/* Between two pipes: tee(2) where the first is to keep what it holds. */
long do_pipe_to_pipe(struct open *from, struct open *to, size_t len, bool keep);
/* From a file or a socket, and what is in a pipe on its way to those. */
long do_into_pipe(struct open *from, off_t at, struct open *to, size_t len);
void do_peek(struct open *from, size_t len, struct tape *into);
void do_drop(struct open *from, size_t n);
long do_lend(struct open *to, const char *memory, const struct tape *from,
	     size_t len);
void do_type(struct object *tty, struct seg line);
void check_lent(const struct tape *t);
long do_resize(struct open *open, long bytes);

/* The i-th of what is queued, from 0 on. */
struct entry *entry_at(struct object *o, int i);

/* Tapes. They are too large for the stack: DEPTH=all clears what the model has
 * left there. */
void tape_add(struct tape *t, struct seg s);
void tape_cut(const struct tape *t, uint32_t at, uint32_t len,
	      struct tape *into);
/* Copies all from the first segment on, and returns how many bytes. */
size_t tape_copy(const struct tape *t, int first, void *to);
/* Copies memory of the program's. */
struct seg copy_memory(const void *p, uint32_t len);
const unsigned char *bytes_of(const struct seg *s);

static inline unsigned char byte_of(const struct seg *s, uint32_t i)
{
	return bytes_of(s)[i];
}

static inline void tape_empty(struct tape *t)
{
	t->n = 0;
	t->len = 0;
}

static inline uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (*seed >> 20) % n;
}

/* Whether nothing can be learned of some end. */
static inline bool unknown(void)
{
	return world.hides || world.blind;
}

/* Something was done to an object. */
static inline void touch(struct object *o, uint64_t x)
{
	world.sum -= o->h * (2 * (o - objects) + 1);
	o->h = mix(o->h, x);
	world.sum += o->h * (2 * (o - objects) + 1);
}
