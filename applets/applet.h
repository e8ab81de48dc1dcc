/* SPDX-License-Identifier: 0BSD */
/* Applets, and the functions that they share. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "kconfig.h"
#include "core.h"

/* Traits: properties of an applet. A group of options names those that it
 * applies to. */
enum {
	ANY_APPLET = 1 << 0,	  /* every applet has it without naming it */
	READS_OPERANDS = 1 << 1,  /* opens them to read; without any, "-" */
	FORMATS = 1 << 2,	  /* does as cat_format says */
	WRITES_OPERANDS = 1 << 3, /* by tee_mode and tee_lag */
	COPIES = 1 << 4,	  /* calls zc_copy() or zc_run() */
	MOVES = 1 << 5,		  /* so, or calls zc_repeat() */
};

/* The description of an option: --help prints it, and shells complete from
 * --help. A value follows the name behind a NUL, as in "lag\0=SIZE"; an
 * optional one is in brackets, as in "output-error\0[=MODE]". */
struct option {
	char letter;	    /* 0: long form only */
	unsigned char asks; /* for set()'s own use */
	char name[22];	    /* long form, and its value; empty: letter only */
	const char *help;   /* HELP(); lines after the first are indented */
};

/* A text for --help, which a box without HELP leaves out. */
#define HELP(text) (IS_ENABLED(CONFIG_HELP) ? (text) : NULL)

/* Options, and the function that sets them. set() gets an option and its value
 * or NULL. It returns 0, STOP (all the rest are operands), COMMAND (all the
 * rest are the arguments of one), or 1 after a message about an error. */
enum { STOP = -1, COMMAND = -2 };

struct option_group {
	unsigned applies_to; /* applets with one of these traits */
	int count;	     /* of options */
	const struct option *options;
	int (*set)(const struct option *opt, const char *value);
};

/* .options and .count of a group. */
#define OPTION_LIST(...)                                          \
	.options = (const struct option[]){ __VA_ARGS__ },        \
	.count = sizeof((const struct option[]){ __VA_ARGS__ }) / \
		 sizeof(struct option)

/* A command of box itself: box --NAME [ARG]... Behind the name and a NUL are
 * the arguments as --help shows them, after a space, or nothing. run() gets the
 * arguments, ended by NULL, and returns the exit status. */
struct command {
	const char *name;
	const char *help; /* HELP() */
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

/* The applets and groups of this build. */
#define APPLET(name) extern const struct applet name##_applet;
#include "applets.h"
#undef APPLET
#define OPTIONS(name) extern const struct option_group name##_options;
#include "options.h"
#undef OPTIONS

/* All groups of options of this build. */
extern const struct option_group *const all_option_groups[];

/* The only context of libcore. */
extern struct zc zc;

/* The applet that runs, and its run(), which an option may replace. */
extern const struct applet *applet;
extern int (*applet_run)(char *const *operands);

/* The groups of options beside the applet's own: main() sets this to
 * all_option_groups. */
extern const struct option_group *const *option_groups;

/* NULL, or the arguments of a command whose output is copied. If
 * CONFIG_TEE_RUN. */
extern char *const *command;

/* The operands of cat if the command line has none. */
extern char *const standard_input[];

/* Returns zeroed memory for any type, which stays until exit; or NULL, after a
 * message. */
void *allocate(size_t size);

/* Whether --debug was given. */
extern bool debug;

/* Opens an operand as zc_open() does. One that names a descriptor, such as
 * /dev/stdin, finds none of box's own. If open(2) refuses a descriptor that
 * serves the flags, that is duplicated: then *sole is false. If
 * CONFIG_DESCRIPTOR. */
int descriptor_open(const char *name, int flags, bool *sole);

/* Opens an operand. Sets *sole to whether no other process shares the open
 * file. Returns a descriptor above 2, or -errno. */
int operand_open(const char *name, int flags, bool *sole);

/* Sets the handler of a signal, with flags of sigaction(2). */
void handle_signal(int sig, void (*handler)(int sig), int flags);

/* Returns whether a signal is ignored. */
bool signal_is_ignored(int sig);

/* A set of signals as the kernel has it; adds one to it; returns whether it has
 * one. */
enum { SIGNAL_BITS = 8 * sizeof(long) };
typedef unsigned long signal_set[_NSIG / SIGNAL_BITS];
void signal_set_add(signal_set set, int sig);
bool signal_set_has(const signal_set set, int sig);

/* The bit in the first element of such a set, of a signal up to 32. */
#define SIGNAL_BIT(sig) (1ul << ((sig)-1))

/* System calls for which libc's functions are larger: common/sys.c. All take
 * and return the same as in section 2 of the manual, unless said otherwise: -1
 * if they fail, with errno set. */
struct iovec;
struct pollfd;
ssize_t sys_read(int fd, void *buf, size_t size);
ssize_t sys_write(int fd, const void *buf, size_t len);
ssize_t sys_writev(int fd, const struct iovec *v, int n);
int sys_ioctl(int fd, unsigned long request, void *value);
int sys_poll(struct pollfd *p, int n, int ms);
int sys_kill(pid_t pid, int sig);
int sys_symlink(const char *target, const char *path);
int sys_chdir(const char *path);
int sys_fchdir(int fd);
int sys_seccomp(unsigned operation, const void *value);
int sys_sigprocmask(int how, const signal_set set, signal_set before);
int sys_signalfd(int fd, const signal_set set, int flags);

/* tcflush(3). */
int sys_tcflush(int fd, int queue);

/* memfd_create(2). */
int sys_memfd(void);

/* The value of a call that is made again while a signal interrupts it. */
#define UNINTERRUPTED(call)                       \
	({                                        \
		ssize_t n_;                       \
		do                                \
			n_ = (call);              \
		while (n_ < 0 && errno == EINTR); \
		n_;                               \
	})

/* The time since 1970 of CLOCK_REALTIME. */
void sys_now(struct timespec *t);

/* openat(2) of a file that does not exist yet, to write, with these flags as
 * well. Like the next two, it is called again if a signal interrupts it. */
int sys_create(const char *name, int flags, unsigned mode);

/* rename(2), and unlinkat(2) of a file. */
int sys_rename(const char *from, const char *to);
int sys_unlink(const char *name);

int sys_fchmod(int fd, unsigned mode);
int sys_fchown(int fd, unsigned user, unsigned group);

/* linkat(2), which follows symbolic links to the target. */
int sys_link(const char *target, const char *path);

/* Returns the bytes of the path with its NUL. */
int sys_getcwd(char *path, size_t size);

/* prctl(2), PR_SET_NAME: the name that ps(1) shows. */
int sys_set_name(const char *name);

/* Blocks a signal: for a program that never unblocks it, that equals ignoring
 * it. */
void block_signal(int sig);

/* The signals that block_signal() has blocked, and those that were blocked when
 * box began, which the first call of block_signal() finds out. If
 * CONFIG_TEE_BLOCK or CONFIG_TEE_RUN. */
extern signal_set blocked_here, blocked_before;

/* The cancel_fd of zc_run(), or -1. If CONFIG_LISTEN, as the next two. */
extern int listen_fd;

/* Blocks a signal, which from then on makes listen_fd ready. Returns 0, or
 * -errno. */
int listen_to(int sig);

/* Returns the next of those signals that has come, or 0. */
int listen_heard(void);

/* From here on, ends box at any system call beyond those that move bytes
 * between open descriptors, and those that `opens' names. May be called again
 * with less. Without the kernel's support it does nothing. If CONFIG_CONFINE.
 */
enum opens {
	OPENS_NOTHING,
	OPENS_TO_READ,
	OPENS_TO_WRITE,
	OPENS_AND_RENAMES, /* and gives the new file mode and owner */
};
void confine(enum opens opens);

/* Runs an applet with the arguments after argv[0]. Returns its status. */
int applet_start(const struct applet *a, char **argv);

/* Returns the part of s after the prefix, or NULL if s does not begin with it.
 */
const char *skip_prefix(const char *s, const char *prefix);

/* Writes n in decimal, at most DIGITS bytes, without a NUL. Returns its end. */
enum { DIGITS = 20 };
char *decimal(char *to, uintmax_t n);

/* Reads a number of bytes of at most max, with a unit of GNU's: max * 1024 must
 * fit. Returns the text after it, or NULL if there is no such number. */
const char *bytes_number(const char *s, uint64_t max, uint64_t *bytes);

/* Returns whether the running applet has one of the traits. */
bool option_applies(unsigned traits);

/* Returns the i-th option that the running applet has, and its group, or NULL.
 */
const struct option *option_at(int i, const struct option_group **group);

/* Returns the value of an option as --help shows it: "" if it takes none. */
const char *option_value(const struct option *o);

/* Returns the option of that letter and its group, or NULL. */
const struct option *option_by_letter(char letter,
				      const struct option_group **group);

/* Sets a long option: arg begins with its two dashes, *next is the argument
 * after it, which is skipped if it is the option's value. Returns as set(). If
 * CONFIG_LONG_OPTS. */
int long_opts(const char *arg, char ***next);

/* Puts the text of an option or a command into its column, and a newline. If
 * CONFIG_HELP. */
void help_put_text(const char *text);

/* The run() of --help, if CONFIG_HELP, and of --version, if CONFIG_VERSION. */
int help_run(char *const *operands);
int version_run(char *const *operands);

/* Sets a hook that is called when the applet ends, by itself or by a signal, in
 * the order of the enum. A hook may do as much as a signal handler. If
 * CONFIG_EXIT_HOOKS, as the next two. */
enum exit_hook { PROGRESS_HOOK, TRACE_HOOK, HOOKS };
void exit_hooks_set(enum exit_hook which, void (*hook)(void));

/* Calls the hooks. */
void exit_hooks_run(void);

/* Calls the hooks, and ends by a signal whose action is the default
 * (SA_RESETHAND); as PID 1, for which that is none, with 128 and its number. */
void exit_hooks_end_by(int sig);

/* Prints "APPLET: ", a text and a newline to standard error. Returns 1, the
 * exit status of a failure. */
int message(const char *what);

/* A message in pieces: message_begin() puts "APPLET: ", message_end() a
 * newline, and writes the message. */
void message_begin(void);
void put_byte(char c);
void put_string(const char *s);
void put_decimal(uintmax_t n);
void put_name(const char *name);
void message_end(void);

/* Empties the buffer that the four above fill, which is empty at first. */
void put_begin(void);

/* Writes that buffer to standard error, and empties it. */
void put_end(void);

/* Writes it to standard output, and empties it. Returns 0, or the errno. */
int put_write(void);

/* put_write() and, if it fails, a message. Returns 0, or 1 if it failed. */
int put_print(void);

/* Waits until standard error takes bytes, or for so many milliseconds. Returns
 * as poll(2) does, but goes on after a signal. */
int put_poll(int ms);

/* Milliseconds that a message waits for standard error, and is then left out;
 * 0: for ever. */
extern int put_patience;

/* Puts spaces up to a column of the line, and two at least. */
void put_to_column(unsigned column);

/* Puts a name as a shell would read it, if CONFIG_QUOTE. */
void quote_put_name(const char *name);

/* Puts the name as a shell would read it within '', if CONFIG_QUOTE. */
void quote_put_inner(const char *name);

/* Returns the text of err, an errno. */
const char *error_text(int err);

/* A message of "WHAT: " and the text of err, an errno. */
int message_error(const char *what, int err);

/* A message of a name, ": " and a text. A name, as of a file, may hold any
 * byte, and is quoted. */
int message_path(const char *name, const char *what);

/* A message of three strings, and of the way to --help, or, without that, of
 * the valid options. */
int usage_error(const char *what, const char *arg, const char *end);

/* A message of an option that another build has: its dashes and its name. */
int usage_left_out(const char *dashes, const char *name);

/* A message in pieces about the value of an option, which is "invalid" or
 * "ambiguous": the beginning, each valid value, and the end. */
void usage_wrong_value(const char *what, const char *value, const char *option);
void usage_put_value(const char *value);
int usage_end(void);
