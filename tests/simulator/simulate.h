/* SPDX-License-Identifier: 0BSD */
/* A history: a program with its ends and those who share them, the choices that
 * were made, and what came of it. */
#pragma once

#include "model.h"
#include "core.h"

enum {
	MOST_SOURCES = 3,
	MOST_SINKS = 3,
	MOST_ACTORS = 10,
	MOST_FAULTS = 64,
	SINK0 = 100, /* the role of the first sink; sources begin at 0 */
	FAR = 1000,  /* and of what the program never sees */
	THEIRS = STREAM + 8, /* streams that others write */
	BEFORE = STREAM + 7, /* and what was there before */
	CANCEL = 9,	     /* the descriptor that cancels */
	LEFT_OPEN = 3,	     /* the first one that nobody has closed */
	HELD = 20,	     /* where sinks are, but for standard output */
	SPARE = 30, /* the file that takes the place of the first one */
};

enum leaving { STAYS, LEAVES, STOPS, SHUTS };

/* A source or a sink, by the words of a scenario: see scenario.c. */
struct end {
	enum type type;
	bool inet, messages;
	uint32_t size; /* bytes of a source */
	uint32_t by; /* bytes that its writer or reader moves at once; 0: all */
	uint32_t most; /* bytes that are asked for, or that its reader takes */
	uint32_t
		others; /* bytes that a second reader or writer moves at once */
	uint32_t ends;	/* a command has written so many, and may end */
	off_t says;	/* the size that fstat(2) tells, or -1 */
	uint32_t from;	/* an offset of the caller's, or 0: the position */
	uint32_t urgent;  /* of so many pieces one ends with an urgent byte */
	uint32_t toggles; /* how often another changes its O_NONBLOCK */
	uint32_t room;	  /* bytes of a file, or SO_SNDBUF; or 0 */
	uint32_t pause;	  /* milliseconds that pass before each of its pieces */
	uint32_t before;  /* bytes of a file that were there */
	int slots;	  /* of a pipe, or 0 */
	uint32_t balks;	  /* calls that say EAGAIN first */
	uint32_t limit;	  /* milliseconds: SO_RCVTIMEO and SO_SNDTIMEO */
	enum leaving leaving; /* what its reader does then */
	bool nonblock, idle, inline_, plain, append;
	bool function; /* the caller's moves its bytes, */
	bool bare;     /* and has no descriptor for poll(2) */
	bool own;      /* a file, written at an offset of the caller's */
	bool sole;     /* a file that the caller calls so */
};

enum program { COPY_PROGRAM, CAT_PROGRAM, TEE_PROGRAM, YES_PROGRAM };

struct scenario {
	char text[512];
	enum program program;
	char options[8][32];
	int noptions;
	const char *method; /* or NULL: all */
	bool lacks_method;
	struct end source[MOST_SOURCES], sink[MOST_SINKS];
	int sources, sinks;
	uint32_t alternate; /* one reader takes so many bytes of each sink
			     * in turn, or 0 */
	uint32_t cancel;    /* how often a call is cancelled */
	bool steps;	    /* of a caller: each run is a step */
	bool replaces;	    /* it gives its first sink a file */
	uint32_t drop;	    /* bytes after which a sink of its fails, or 0 */
	uint32_t idle;	    /* or lasts so long */
	bool text_bytes;    /* the sources are text */
	bool ignore, eager, stdin_;
	bool bytes;	/* of memory are looked at */
	uint32_t limit; /* RLIMIT_FSIZE, or 0 */
	char line[64];	/* of yes */
	uint32_t lag;	/* of tee, in bytes, or 0; and what becomes of whom */
	char late[8];	/* is later: "", ",skip" or ",drop" */
	bool retries;	/* tee --retry */
	enum { NO_STAMP, ISO, TAI64N } stamps; /* tee --stamp */
	bool rotates;			       /* tee --rotate */
	bool runs;			       /* tee --run */
	uint32_t term;			       /* how often SIGTERM comes */
	bool blocks;   /* SIGTERM is blocked at the start */
	uint32_t open; /* descriptors that are none of its ends */
};

enum kind {
	WRITER,
	TYPIST,
	READER,
	ALTERNATING,
	FILE_WRITER,
	FILE_READER,
	PIPE_WRITER,
	TOGGLER,
	DEATH,
	TERMINATOR
};

/* Somebody else, who makes a step at a time. */
struct actor {
	enum kind kind;
	int role; /* of whose end it is */
	struct open *open[MOST_SINKS];
	int opens, at; /* the next one's */
	uint32_t by, most, size, done_bytes, part, urgent, pieces, pause;
	int origin;
	enum leaving leaving;
	off_t end;	      /* of what it wrote last to a file, or read */
	uint32_t overwritten; /* bytes of its own, by itself */
	bool crossed; /* went on where the program gave back and took again
		       */
	bool done, stopped, idle, left;
	uint64_t h;
	uint64_t messages; /* a hash of their lengths */
	struct tape *got[MOST_SINKS];
};

enum { OLD_FILES = 9 };

enum outcome { ENDED, KILLED, STUCK, BROKEN, PRUNED };

extern struct history {
	const struct scenario *s;
	struct actor actor[MOST_ACTORS];
	int actors, last;
	enum outcome outcome;
	int status, signal;
	char why[256];
	struct object *source[MOST_SOURCES], *sink[MOST_SINKS];
	/* What has the name of a sink, and of its old files; or NULL. */
	struct object *file[MOST_SINKS][OLD_FILES + 1];
	struct open *source_open[MOST_SOURCES], *sink_open[MOST_SINKS];
	struct open *cancel; /* the end that we read, or NULL */
	struct open *spare;  /* the file for the first sink, or NULL */
	bool replaced;	     /* it is its descriptor now */
	struct zc_source in[MOST_SOURCES];
	struct zc_sink out[MOST_SINKS];
	struct fault {
		int from, to; /* roles, or -1 */
		int error;
		bool alone;
		enum call call;
	} fault[MOST_FAULTS];
	int faults;
	bool running;		  /* the program does */
	const struct want *waits; /* what it was waiting for when stuck */
	int nwaits;
} history;

/* parts.c */
extern const struct parts {
	bool quotes, queues, safe_calls;
	long pipe_max; /* bytes to which a pipe is enlarged */
} parts;

/* Returns what a scenario asks for and this configuration lacks, or NULL. */
const char *scenario_lacks(const struct scenario *s);

/* scenario.c: returns NULL, or what is wrong with the text. */
const char *scenario_parse(struct scenario *s, const char *text);
/* Calls walk() with the text of each scenario that is walked, or small one. */
void scenarios_each(bool small, void (*walk)(const char *text));
const char *scenario_random(uint32_t (*random)(uint32_t n));
void history_new(const struct scenario *s);

/* applets/common/error_text.c */
const char *error_text(int error);

/* program.c: runs the program of the scenario in the model. */
void program_run(const struct scenario *s);
void program_reset(void);

/* Mixes what the program keeps in memory, which no call tells. */
uint64_t program_memory(uint64_t h);

/* The model uses less of the stack in a call, and between histories. */
enum { STACK_OF_CALL = 6 << 10, STACK_OF_HISTORY = 32 << 10 };

/* state.c: of what is below that on the stack. */
void state_begin(const void *base);
void state_of_program(const char *frame, const long *args, int n);
void state_forget_stack(size_t deep);
uint64_t mix_memory(uint64_t h, const void *memory, size_t size);
uint64_t state_now(void);

/* actors.c */
void actor_step(struct actor *a);
int actors_ready(int *list);
struct actor *actor_new(enum kind kind, int role, struct open *open);
struct actor *actor_of(int role, enum kind kind);
struct tape *tape_new(void);
void actors_reset(void);

/* judge.c: calls broken() where the history breaks a promise. */
void judge(void);
void judge_stuck(void);
void judge_nap(void);

/* What read(2) gives of a source, but no more than n bytes of it. */
size_t text_of(int i, uint32_t n, unsigned char *out);

/* lines.c: returns how many bytes of the source a FILE of --stamp or --retry
 * has, or misses: tee has had so many, and messages have told of missing ones.
 */
uint32_t lines_of(int j, const struct tape *t, uint32_t had, uint32_t told);

/* How the caller of libzc ends its runs early: caller.c. */
void caller_begin(const struct scenario *scenario);
int caller_runs(struct zc *z);
/* Returns whether a call with this result is to be made again. */
bool caller_goes_on(struct zc *z, int status);
