/* SPDX-License-Identifier: 0BSD */
/* What the files of the adversary share: each part is in the file it names. */
#pragma once

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/lib.h"
#include "../calls.h"
#include "../judge/judge.h"

/* --- stream.c --- */

extern uint64_t chance_state;

/* splitmix64 */
uint64_t any(void);
uint64_t below(uint64_t n);
uint64_t between(uint64_t low, uint64_t high);
bool chance(unsigned of_256);

/* One of several of these. */
#define ONE_OF(...)                          \
	((const int[]){ __VA_ARGS__ }[below( \
		sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))])

/* Whose bytes: no two have one in common, and none has 0, which is a hole. */
enum owner { OURS, SECOND, THIRD, OWNERS, TYPED = OWNERS, TABLES };

/* A prime: whoever loses or repeats a round number of bytes is found out. */
enum { TABLE = 1048573 };

extern unsigned char tables[TABLES][TABLE];

void fill_tables(void);

/* Byte i is p[(at + i) % wrap], for i < len. */
struct stream {
	const unsigned char *p;
	size_t wrap, at, len;
};

/* Streams, one after the other. */
struct text {
	struct stream part[12];
	int parts;
};

/* One stream, from any position on. */
struct text new_text(enum owner owner, size_t len);

size_t text_len(const struct text *t);

/* Returns the bytes from position `at' on, and how many there are in one
 * piece: none at the end. */
const unsigned char *piece_at(const struct text *t, size_t at, size_t *n);

/* Returns whether n bytes are those of the text from position `at' on. */
bool is_text(const struct text *t, size_t at, const unsigned char *got,
	     size_t n);

/* The streams that two readers of one source had: returns whether they are all
 * of the source, each byte once and in order. Walks all ways at once to share
 * out the first k bytes, by how many of them the first reader had. */
bool are_shares(const struct text *source, const unsigned char *a, size_t na,
		const unsigned char *b, size_t nb);

/* --- end.c --- */

enum kind {
	FILE_END,
	PIPE_END,
	SOCKET_END,
	MESSAGES_END,
	PTY_END,
	NULL_END,
	FULL_END
};

extern const char *const kind_names[];

/* What is at the far side of an end. */
enum role { NOBODY, GIVES, TAKES, WRITES_TOO, READS_TOO };

struct end {
	enum kind kind;
	enum role role;
	int near;      /* what box gets */
	int far;       /* ours, or -1 once it is closed */
	char name[40]; /* by which box can open it */
	dev_t dev;
	ino_t ino;
	bool nonblock;
	struct text text; /* what it gives, or what must come out of it */
	size_t pos;	  /* how much of it has been given or taken */
	bool wrong;	  /* at pos what was taken is not the text */

	/* The far side's pace. */
	size_t piece;	  /* bytes at once, at most */
	unsigned pause;	  /* microseconds between two turns, at most */
	int slow_turns;	  /* after which there are no more pauses */
	uint64_t next;	  /* when it is its turn again, in ns */
	size_t leaves_at; /* bytes after which it leaves; 0: never */
	bool left;

	/* A file: where box begins, what was there, and who else writes. */
	size_t at, head;
	bool append;
	struct text others[OWNERS]; /* what must be there of others */
	bool shared;
	unsigned char *got; /* what has been taken, where that is kept */
};

enum { GOT_MAX = 4 << 20, CHUNK_MAX = 1 << 20 };

extern unsigned char chunk[CHUNK_MAX];

/* Once the descriptors are there. */
void identify(struct end *e);

void write_text(int fd, const struct text *t, off_t at);

/* A file is opened again, for only so can it be O_APPEND or write-only. */
void open_file(struct end *e, int flags);

void open_pty(struct end *e, bool raw);
void open_channel(struct end *e, bool source);

/* At once, or slow at first, or late. */
void set_pace(struct end *e);

/* What has come out of an end. */
void arrive(struct end *e, const unsigned char *p, size_t n);

void take(struct end *e);

/* Whether its turns come by time. */
bool is_timed(const struct end *e);

/* Returns what to wait for at the far end, or 0. */
short wanted(const struct end *e);

void turn(struct end *e);
void close_end(struct end *e);

/* --- tracer.c --- */

/* What befalls the calls of a process, each so many times of 256. */
struct plan {
	unsigned cut, interrupt, refuse, before, after;
	int cut_kind;
	uint64_t always;     /* calls that are always refused, a bit each */
	unsigned pause;	     /* microseconds, at most */
	int most;	     /* calls to meddle with, after which all is well */
	enum call_end final; /* which calls may fail for good, */
	int final_at;	     /* which of them does, from 1; 0: none, */
	int final_error;     /* and its errno */
	bool first_fails; /* the first call that moves bytes, as if for good */
	bool no_offsets;  /* pread(2) and pwrite(2) say ESPIPE */
};

struct process {
	char *argv[20];
	int stdin_fd, stdout_fd, err;
	struct plan plan;
	/* Of its descriptors 0 and 1: */
	bool messages[2];   /* are read and written whole */
	bool unready[2];    /* may say EAGAIN */
	bool keeps_sigpipe; /* SIGPIPE is ignored */
	uint64_t chance;    /* its own, so that a seed repeats a run */

	pid_t pid; /* 0 once it has ended */
	bool options_set;
	uint64_t held; /* until then it is not let on, in ns */
	int request;   /* how it is let on */
	int signal;
	int status;
	int open_at_exit; /* descriptors */
	bool has_moved;	  /* bytes, maybe */
	/* What has failed for good: the call, and the descriptor and file that
	 * it was about. */
	const struct call_facts *failed;
	int failed_fd;
	dev_t failed_dev;
	ino_t failed_ino;
};

void let_on(struct process *p);

/* Runs box. It gets descriptors 0 to 2 and none else. */
void start(struct process *p, const char *box);

/* At a stop: lets it on, now or later. */
void stopped(struct process *p, int status);

/* --- run.c --- */

enum { ENDS = 24, PROCESSES = 8, HANG = 100 /* seconds */ };

enum applet { CAT, TEE, YES };

struct run {
	uint64_t seed;
	enum applet applet;
	/* The ends: sources and sinks of the first process, then others. */
	struct end end[ENDS];
	int ends, sources, sinks;
	struct process process[PROCESSES];
	int processes;
	const char *mode; /* of tee's --output-error, or NULL */
	bool shared_source;
	bool hung;
	char what[4096]; /* its parameters, for people */
	bool failed;
};

void describe(struct run *r, const char *format, ...);

/* Says what is wrong, and which run it was. */
void wrong(struct run *r, const char *format, ...);

struct end *sink(struct run *r, int i);

void catch_children(void);

/* Runs the processes until all have ended. */
void run_all(struct run *r, const char *box);

/* --- judge.c --- */

void judge(struct run *r);

/* --- scenario.c --- */

/* One for each process at once, and the same from run to run. */
extern int error_files[PROCESSES];

/* Of the box, from the file that BOX_CONFIG names. */
void read_configuration(void);

void choose(struct run *r);
