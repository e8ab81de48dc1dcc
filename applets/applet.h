/* SPDX-License-Identifier: 0BSD */
/* What an applet is, and what the applets share. */
#ifndef APPLET_H
#define APPLET_H

#include <stdbool.h>

#include "kconfig.h"
#include "zc.h"

/* Traits: what an applet does. A group of options names those that it applies
 * to. */
enum {
	ANY_APPLET = 1 << 0,	  /* each does, without saying so */
	READS_OPERANDS = 1 << 1,  /* opens them to read; without any, "-" */
	FORMATS = 1 << 2,	  /* does as cat_format says */
	WRITES_OPERANDS = 1 << 3, /* by tee_mode and tee_lag */
	COPIES = 1 << 4,	  /* calls zc_copy() */
	MOVES = 1 << 5,		  /* calls zc_copy() or zc_repeat() */
};

/* All that there is to say of an option: --help prints it, and shells complete
 * what that says. A value follows the name behind a NUL, as "lag\0=SIZE"; one
 * that may be left out is in brackets, as "output-error\0[=MODE]". */
struct option {
	char letter;	    /* 0: long form only */
	unsigned char asks; /* for what: set()'s own */
	char name[22];	    /* long form, and its value; empty: letter only */
	const char *help;   /* HELP(); lines after the first are indented */
};

/* A text for --help, which a box without HELP leaves out. */
#define HELP(text) (IS_ENABLED(CONFIG_HELP) ? (text) : NULL)

/* Options, and what to do with each. set() gets the option and its value or
 * NULL, and returns 0, STOP (what follows are operands), or 1 having said what
 * is wrong. */
enum { STOP = -1 };

struct option_group {
	unsigned applies_to; /* applets with one of these traits */
	unsigned count;	     /* of options */
	const struct option *options;
	int (*set)(const struct option *opt, const char *value);
};

/* .options and .count of a group. */
#define OPTION_LIST(...)                                          \
	.options = (const struct option[]){ __VA_ARGS__ },        \
	.count = sizeof((const struct option[]){ __VA_ARGS__ }) / \
		 sizeof(struct option)

/* What box itself does: box --NAME [ARG]... run() gets the arguments, ended by
 * NULL, and returns the exit status. */
struct command {
	const char *name;
	const char *args; /* as the usage shows them, after a space; or "" */
	int (*run)(char *const *args);
};

/* run() gets the operands, ended by NULL, and returns the exit status. */
struct applet {
	const char *name;
	const char *directory; /* where it is installed, below / */
	unsigned traits;
	const struct option_group *own; /* always there, or NULL */
	int (*run)(char *const *operands);
	const char *help;		       /* how --help begins: usage */
	const struct command *const *commands; /* box's own, then NULL */
};

/* What was chosen. */
#define APPLET(name) extern const struct applet name##_applet;
#include "applets.h"
#undef APPLET
#define OPTIONS(name) extern const struct option_group name##_options;
#include "options.h"
#undef OPTIONS

/* All groups of options that were chosen. */
extern const struct option_group *const all_option_groups[];

/* The one context of libcore's that there is. */
extern struct zc zc;

/* The applet that runs, and what it does: an option may replace that. */
extern const struct applet *applet;
extern int (*applet_run)(char *const *operands);

/* The groups of options that there are beside the applet's own: main() sets
 * this to all_option_groups. */
extern const struct option_group *const *option_groups;

/* The operands of cat where there are none. */
extern char *const standard_input[];

/* Returns zeroed memory for any type, which stays until exit; or NULL, having
 * said that there is none. */
void *allocate(size_t size);

/* Whether there is --debug. */
extern bool debug;

/* Duplicates the descriptor that an operand such as /dev/stdin names, once
 * open(2) has failed with `failed', -errno. Returns a descriptor above 2, or
 * that. If CONFIG_DESCRIPTOR. */
int descriptor_open(const char *name, int failed);

/* Sets what a signal calls, with flags of sigaction(2). */
void handle_signal(int sig, void (*handler)(int sig), int flags);

/* Returns whether a signal is ignored. */
bool signal_is_ignored(int sig);

/* Keeps a signal from being delivered. To a program that never takes it up
 * again, blocked is as good as ignored. */
void block_signal(int sig);

/* From here on ends box at any system call that moving bytes between open
 * descriptors does not take, except openat(2) where `opens' says so; may be
 * called again with less. Does nothing where the kernel cannot. If
 * CONFIG_CONFINE. */
enum opens { OPENS_NOTHING, OPENS_TO_READ, OPENS_TO_WRITE };
void confine(enum opens opens);

/* Runs an applet with the arguments after argv[0]. Returns its status. */
int applet_start(const struct applet *a, char **argv);

/* Returns what follows the prefix in s, or NULL if s does not begin with it. */
const char *skip_prefix(const char *s, const char *prefix);

/* Writes n in decimal, at most DIGITS bytes and no NUL. Returns where it ends.
 */
enum { DIGITS = 20 };
char *decimal(char *to, uintmax_t n);

/* Returns the i-th group of options that the running applet has, or NULL. */
const struct option_group *option_group_at(int i);

/* Returns what --help shows of an option's value: "" if it takes none. */
const char *option_value(const struct option *o);

/* Returns the option of that letter and its group, or NULL. */
const struct option *option_by_letter(char letter,
				      const struct option_group **group);

/* Answers a long option: arg is what follows its dashes, *next the argument
 * after it, which is skipped if it is the option's value. Returns as set(). If
 * if CONFIG_LONG_OPTS. */
int long_opts(const char *arg, char ***next);

/* What --help and --version do: run() of the applet. If if CONFIG_HELP and
 * if CONFIG_VERSION. */
int help_run(char *const *operands);
int version_run(char *const *operands);

/* Sets a hook that is called when the applet ends, by itself or by a signal, in
 * the order of the enum. It may do no more than a signal handler may. If
 * if CONFIG_EXIT_HOOKS, as the next. */
enum exit_hook { PROGRESS_HOOK, TRACE_HOOK, HOOKS };
void exit_hooks_set(enum exit_hook which, void (*hook)(void));

/* Calls the hooks. */
void exit_hooks_run(void);

/* Prints "APPLET: ", a text and a newline to standard error. Returns 1, the
 * exit status of a failure. */
int message(const char *what);

/* The same in pieces: message_begin() puts "APPLET: ", message_end() a newline,
 * and writes the message. */
void message_begin(void);
void put_byte(char c);
void put_string(const char *s);
void put_decimal(uintmax_t n);
void put_name(const char *name);
void message_end(void);

/* Empties the buffer that the four above fill; writes it to standard error;
 * returns what is in it as a string, the last thing to be put. */
void put_begin(void);
void put_end(void);
const char *put_text(void);

/* Puts spaces up to a column of the line, and two at least. */
void put_to_column(unsigned column);

/* Puts a name as a shell would read it, if CONFIG_QUOTE. */
void quote_put_name(const char *name);

/* Puts what a shell would read as the name within '', if CONFIG_QUOTE. */
void quote_put_inner(const char *name);

/* Returns what err (an errno) means. */
const char *error_text(int err);

/* A message of "WHAT: " and what err (an errno) means. */
int message_error(const char *what, int err);

/* A message of a name, ": " and what there is to say of it. A name is what
 * somebody has chosen, as for a file: it may hold anything, and is quoted. */
int message_path(const char *name, const char *what);

/* A message of three strings, and of where help is to be found: or where there
 * is none, of the options that there are. */
int usage_error(const char *what, const char *arg, const char *end);

/* The same in pieces for the value of an option, which is "invalid" or
 * "ambiguous": the beginning, each value that there is, and the end. */
void usage_wrong_value(const char *what, const char *value, const char *option);
void usage_put_value(const char *value);
int usage_end(void);

/* Prints a text to standard output. Returns 0, or 1 once it has said why it
 * cannot: the last of several calls thus tells of all. */
int print(const char *text);

#endif
