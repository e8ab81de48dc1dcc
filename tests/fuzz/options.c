/* SPDX-License-Identifier: 0BSD */
/* Command lines of an applet with options that the input makes up, against
 * getopt_long(3). */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/uio.h>
#define option option_long /* applet.h has one too */
#include <getopt.h>
#undef option

#include "applet.h"
#include "text.h"

/* An argument of 256 bytes has as many options at most. */
enum { ARGS = 16, FOUND = ARGS * 256, OPTIONS = 10, HELP = 1000, VERSION };

/* The fuzzer's input, a byte at a time: zeros when it is used up. */
struct input {
	const uint8_t *at, *end;
};

static unsigned take(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

/* What the command line calls, of the parts that are not linked. */
static struct text got_out, got_err;

ssize_t sys_write(int fd, const void *buf, size_t len)
{
	CHECK(fd == STDERR_FILENO);
	append(&got_err, buf, len);
	return len;
}

ssize_t sys_writev(int fd, const struct iovec *v, int n)
{
	CHECK(n == 1);
	return sys_write(fd, v->iov_base, v->iov_len);
}

int sys_poll(struct pollfd *p, int n, int ms)
{
	return n;
}

int zc_write(struct zc *z, struct zc_sink *out, const void *buf, size_t len)
{
	CHECK(out->fd == STDOUT_FILENO);
	append(&got_out, buf, len);
	return 0;
}

void exit_hooks_run(void)
{
}

/* What getopt_long(3) is given, and what it has found. */
struct table {
	char letters[32];
	struct option_long words[33];
	int nwords;
};

struct found {
	int options[FOUND], n;
	const char *values[FOUND];
	bool failed;
	char *const *operands;
};

static struct text want_err;

/* Adds an option. Its number is its letter, or the other. */
static void add_option(struct table *t, const struct option *o, int number)
{
	const char *value = o->name + strlen(o->name) + 1;

	CHECK(value < o->name + sizeof(o->name));
	if (o->letter)
		strncat(t->letters, &o->letter, 1);
	if (*o->name)
		t->words[t->nwords++] = (struct option_long){
			.name = o->name,
			.has_arg = !*value	 ? 0 :
				   *value == '=' ? 1 :
						   2,
			.val = o->letter ? o->letter : number,
		};
}

/* Those of every applet. */
static const struct option_group *const groups[32] = {
	&help_options,
	&version_options,
};

static struct option made_up[OPTIONS];
static int answers[OPTIONS]; /* what set() returns: 0, 1 or STOP */
static struct found seen;
static bool ran;

static int made_up_set(const struct option *o, const char *value)
{
	seen.options[seen.n] = o->letter ? o->letter : 256 + o->asks;
	seen.values[seen.n++] = value;
	return answers[o->asks];
}

static int made_up_run(char *const *operands)
{
	seen.operands = operands;
	ran = true;
	return 0;
}

/* What set() returns of an option, which is told by its letter if it has one.
 */
static int answer_to(int option)
{
	for (int i = 0; i < OPTIONS; i++)
		if (made_up[i].letter == option)
			return answers[i];
	return answers[option - 256];
}

static bool ends_options(int option)
{
	return option >= HELP || answer_to(option);
}

/* Reads the command line as the C library does, up to an option that ends
 * them. What is said is added to want_err. */
static void read_by_getopt(const struct table *t, char **argv, bool posix,
			   struct found *found)
{
	static FILE *said;
	static char text[1 << 16];
	static char *copy[ARGS + 2];
	FILE *real = stderr;
	char letters[40];
	int argc = 1, c;

	found->n = 0;
	found->failed = false;
	copy[0] = "applet";
	for (; argv[argc - 1]; argc++)
		copy[argc] = argv[argc - 1];
	copy[argc] = NULL;
	snprintf(letters, sizeof(letters), "%s%s", posix ? "+" : "",
		 t->letters);
	said = said ? said : fmemopen(text, sizeof(text), "w");
	rewind(said);
	optind = 0;
	stderr = said;
	while ((c = getopt_long(argc, copy, letters, t->words, NULL)) != -1) {
		if (c == '?') {
			found->failed = true;
			break;
		}
		found->options[found->n] = c;
		found->values[found->n++] = optarg;
		if (ends_options(c))
			break;
	}
	stderr = real;
	fflush(said);
	append(&want_err, text, ftell(said));
	found->operands = copy + optind;
}

/* Returns how many options there are. */
static int make_up(struct table *t, struct input *in)
{
	int n = take(in) % (OPTIONS + 1);

	memset(made_up, 0, sizeof(made_up));
	for (int i = 0; i < n; i++) {
		struct option *o = made_up + i;
		unsigned what = take(in), len = what / 8 % 6;
		bool taken = false;

		o->asks = i;
		o->help = "";
		for (unsigned j = 0; j < len; j++)
			o->name[j] = "helv-"[take(in) % 5];
		for (int j = 0; j < i; j++)
			taken |= !strcmp(made_up[j].name, o->name);
		if (taken || what & 4 || !len)
			o->letter = "acdfijkmno"[i];
		if (taken)
			o->name[0] = 0;
		else if (!o->letter && what % 4 % 3)
			o->name[len + 1] = "=["[what % 4 - 1];
		/* What ends the options is a word, as --help is. */
		answers[i] = what >> 6 == 3		  ? 1 :
			     what >> 6 == 2 && !o->letter ? STOP :
							    0;
		add_option(t, o, 256 + i);
	}
	add_option(t, help_options.options, HELP);
	add_option(t, version_options.options, VERSION);
	return n;
}

/* Splits what is left of the input into arguments: text of `characters', and
 * of any byte above 127. */
static void put_arguments(char **argv, struct input *in, const char *characters)
{
	static char text[1200];
	size_t most = strlen(characters);
	char *p = text;
	int n = 0;

	while (n < ARGS && in->at < in->end && p < text + 1000) {
		argv[n++] = p;
		for (unsigned c; (c = take(in));)
			*p++ = c < 128 ? characters[c % most] : (int)c;
		*p++ = 0;
	}
	argv[n] = NULL;
}

static void check_made_up(struct input *in)
{
	struct table t = { .nwords = 0 };
	struct option_group own = { .options = made_up, .set = made_up_set };
	struct applet a = {
		.name = "applet",
		.directory = "",
		.own = &own,
		.run = made_up_run,
		.help = "",
	};
	char *argv[ARGS + 1], *copy[ARGS + 1];
	struct found want;
	char **before = environ;
	bool posix = take(in) & 1, ended = false;
	int status, wanted = 0;

	own.count = make_up(&t, in);
	put_arguments(argv, in, "--=helpvacdfijkmnoersin");
	memcpy(copy, argv, sizeof(copy));
	seen.n = 0;
	seen.operands = NULL;
	ran = false;

	option_groups = groups;
	environ = posix ? (char *[]){ "POSIXLY_CORRECT=", NULL } :
			  (char *[]){ "POSIXLY_CORRECTED=1", NULL };
	status = applet_start(&a, argv);
	environ = before;
	read_by_getopt(&t, copy, posix, &want);
	if (want.n)
		ended = ends_options(want.options[want.n - 1]);
	if (ended && want.options[want.n - 1] < HELP)
		wanted = answer_to(want.options[want.n - 1]) == 1;
	if (want.failed) {
		append_string(&want_err, "Try 'applet --help' for more "
					 "information.\n");
		wanted = 1;
	}
	CHECK(got_err.len == want_err.len);
	CHECK(!got_err.len || !memcmp(got_err.at, want_err.at, got_err.len));
	CHECK(status == wanted);
	if (ended && want.options[want.n - 1] >= HELP) {
		CHECK(!ran && got_out.len);
		want.n--;
	} else {
		CHECK(ran == !wanted);
	}
	CHECK(seen.n == want.n);
	for (int i = 0; i < want.n; i++) {
		const char *a = seen.values[i], *b = want.values[i];

		CHECK(seen.options[i] == want.options[i]);
		CHECK(a && b ? !strcmp(a, b) : a == b);
	}
	/* What came before the option that ended them is there too. */
	for (char *const *o = seen.operands; ran && ended && *want.operands &&
					     *o && strcmp(*o, *want.operands);)
		seen.operands = ++o;
	if (!ran)
		return;
	while (*want.operands && *seen.operands && !ended)
		CHECK(!strcmp(*seen.operands++, *want.operands++));
	CHECK(ended || (!*want.operands && !*seen.operands));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	got_out.len = got_err.len = want_err.len = 0;
	check_made_up(&(struct input){ bytes, bytes + len });
	return 0;
}
