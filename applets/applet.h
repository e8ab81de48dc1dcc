/* SPDX-License-Identifier: 0BSD */
/* What an applet is, and what the applets share. */
#ifndef APPLET_H
#define APPLET_H

#include <stdbool.h>

#include "zc.h"

/* What an applet is and does; a part names those that it adds options to. */
enum {
	ANY_APPLET = 1 << 0,	/* each is one, without saying so */
	IS_CAT = 1 << 1,
	IS_TEE = 1 << 2,
	IS_YES = 1 << 3,
	COPIES = 1 << 4,	/* calls zc_copy() */
	MOVES = 1 << 5,		/* calls zc_copy() or zc_repeat() */
};

enum takes { NO_VALUE, VALUE, OPTIONAL_VALUE };

struct option {
	char letter;		/* 0: long form only */
	char takes;		/* of enum takes */
	char name[18];		/* long form; empty: letter only */
};

/* Options, and what to do with each. set() gets the option and its value or
 * NULL, and returns 0, STOP (what follows are operands), or 1 having said what
 * is wrong. */
enum { STOP = -1 };

struct part {
	unsigned of;		/* the applets that have these options */
	const struct option *options;	/* ended by an empty one */
	int (*set)(const struct option *opt, const char *value);
};

/* run() gets the operands, ended by NULL, and returns the exit status. */
struct applet {
	const char *name;
	const char *folder;	/* where it is installed, below / */
	unsigned is;
	const struct part *const *parts;	/* its own, ended by NULL */
	int (*run)(char **operands);
};

#define APPLET(name) extern const struct applet name##_applet;
#include "applets.h"
#undef APPLET

/* The one context of libcore's that there is. */
extern struct zc zc;

/* The applet that runs, and what it does: an option may replace that. */
extern const struct applet *applet;
extern int (*applet_run)(char **operands);

/* Runs an applet with the arguments after argv[0]. Returns its status. */
int applet_start(const struct applet *a, char **argv);

/* Whether a string begins with another. */
bool begins(const char *s, const char *with);

/* The i-th part whose options the running applet has, or NULL. */
const struct part *part_at(int i);

/* Answers a long option: arg is what follows its dashes, *next the argument
 * after it, which is skipped if it is the option's value. Returns as set(). */
int long_option(const char *arg, char ***next);

/* Calls what --debug and --progress have to say at the end. There only where
 * Kconfig has chosen one of them. */
void end_reports(void);

/* Prints "APPLET: ", a name or nothing where that is NULL, the strings up to a
 * NULL and a newline to standard error. A name is what somebody has chosen, as
 * for a file: it may hold anything, and is quoted. Returns 1, the exit status
 * of a failure. */
int say(const char *name, const char *first, ...);

/* What say() makes its message with. */
void put_byte(char c);
void put_string(const char *s);
void put_name(const char *name);

/* Returns what err (an errno) means. */
const char *error_text(int err);

/* say() of "WHAT: " and what err (an errno) means. */
int say_error(const char *what, int err);

/* say() of a name, ": " and what there is to say of it. */
int say_name(const char *name, const char *what);

/* say() of three strings, and of where help is to be found. */
int say_usage(const char *what, const char *arg, const char *end);

/* Prints strings up to a NULL to standard output. Returns 0, or 1 having said
 * why it could not. */
int print(const char *first, ...);

#endif
