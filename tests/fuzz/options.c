/* SPDX-License-Identifier: 0BSD */
/* Command lines: of an applet with options that the input makes up, against
 * getopt_long(3); and of box as it is, from argv[0] to what the applet does,
 * against getopt_long(3) with the options that the applets' own tables have. */
#define _GNU_SOURCE
#define option option_long /* applet.h has one too */
#include <getopt.h>
#undef option

#include "box/box.h"
#include "reference.h"
#include "version.h"

/* An argument of 256 bytes has as many options at most. */
enum { ARGS = 16, FOUND = ARGS * 256, OPTIONS = 10, HELP = 1000, VERSION };

int box_main(int argc, char **argv);

/* What getopt_long(3) is given, and what it has found. */
struct table {
	const char *name; /* of the applet */
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

static struct text want_out, want_err;

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

/* Reads the command line as the C library does, until `ends' says of an option
 * that nothing comes after it. What is said is added to want_err. */
static void read_by_getopt(const struct table *t, char **argv, bool posix,
			   bool (*ends)(int option, const char *value),
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
	copy[0] = (char *)t->name;
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
		if (ends(c, optarg))
			break;
	}
	stderr = real;
	fflush(said);
	append(&want_err, text, ftell(said));
	found->operands = copy + optind;
}

/* Where usage_error() ends. */
static void say_where_help_is(const char *name)
{
	append_string(&want_err, "Try '");
	append_string(&want_err, name);
	append_string(&want_err, " --help' for more information.\n");
}

/* An applet that is made up. -------------------------------------------------
 */

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

static bool made_up_ends(int option, const char *value)
{
	return option >= HELP || answer_to(option);
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
	struct table t = { .name = "applet" };
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
	bool posix = take(in) & 1, ended = false;
	int status, wanted = 0;

	own.count = make_up(&t, in);
	put_arguments(argv, in, "--=helpvacdfijkmnoersin");
	memcpy(copy, argv, sizeof(copy));
	set_environment(posix ? "POSIXLY_CORRECT=" : NULL);
	seen.n = 0;
	seen.operands = NULL;
	ran = false;

	option_groups = all_option_groups;
	status = applet_start(&a, argv);
	read_by_getopt(&t, copy, posix, made_up_ends, &want);
	if (want.n)
		ended = made_up_ends(want.options[want.n - 1],
				     want.values[want.n - 1]);
	if (ended && want.options[want.n - 1] < HELP)
		wanted = answer_to(want.options[want.n - 1]) == 1;
	if (want.failed) {
		say_where_help_is("applet");
		wanted = 1;
	}
	check_same(&kernel.err, &want_err);
	CHECK(status == wanted);
	if (ended && want.options[want.n - 1] >= HELP) {
		CHECK(!ran && kernel.out.len);
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

/* box as it is. -------------------------------------------------------------
 */

enum { METHOD = 500, OUTPUT_ERROR, DEBUG, OTHER };

static const struct applet *find_applet(const char *name)
{
	for (const struct applet *const *a = box_applets; *a; a++)
		if (!strcmp((*a)->name, name))
			return *a;
	return NULL;
}

static int number_of(const struct option *o)
{
	return !strcmp(o->name, "method")	? METHOD :
	       !strcmp(o->name, "output-error") ? OUTPUT_ERROR :
	       !strcmp(o->name, "debug")	? DEBUG :
	       !strcmp(o->name, "help")		? HELP :
	       !strcmp(o->name, "version")	? VERSION :
						  OTHER;
}

/* The options of an applet, in the order in which they are named. */
static void describe(struct table *t, const struct applet *a)
{
	const struct option_group *group;
	const struct option *o;

	applet = a;
	t->name = a->name;
	for (int i = 0; (o = option_at(i, &group)); i++)
		add_option(t, o, number_of(o));
}

static bool is_method(const char *name, size_t len)
{
	for (const struct zc_method *const *m = zc_methods; *m; m++)
		if (strlen((*m)->name) == len && !memcmp((*m)->name, name, len))
			return true;
	return false;
}

static bool are_methods(const char *names)
{
	const char *end = strchrnul(names, ',');

	return is_method(names, end - names) && (!*end || are_methods(end + 1));
}

static const char *const modes[] = {
	"warn",
	"warn-nopipe",
	"exit",
	"exit-nopipe",
};

/* Returns NULL where the value is one of the modes, or begins one. */
static const char *wrong_mode(const char *value)
{
	int begun = 0;

	for (int i = 0; i < 4; i++) {
		if (!strcmp(modes[i], value))
			return NULL;
		begun += !strncmp(modes[i], value, strlen(value));
	}
	return begun == 1 ? NULL : begun ? "ambiguous" : "invalid";
}

static const char *wrong(int option, const char *value)
{
	if (option == METHOD)
		return are_methods(value) ? NULL : "invalid";
	return option == OUTPUT_ERROR && value ? wrong_mode(value) : NULL;
}

static bool real_ends(int option, const char *value)
{
	return option >= HELP || wrong(option, value);
}

/* The names of those that were left out. */
static const char methods_off[] = ""
#define METHOD(name) " " #name
#include "methods_off.h"
#undef METHOD
	;

static void want_wrong_value(const char *name, int option, const char *value)
{
	append_string(&want_err, name);
	append_string(&want_err, ": ");
	append_string(&want_err, wrong(option, value));
	append_string(&want_err, " argument '");
	reference_quote_inner(&want_err, value);
	append_string(&want_err, option == METHOD ? "' for '--method'" :
						    "' for '--output-error'");
	append_string(&want_err, "\nValid arguments are:");
	for (int i = 0; option == METHOD ? !!zc_methods[i] : i < 4; i++) {
		append_string(&want_err, "\n  - '");
		append_string(&want_err,
			      option == METHOD ? zc_methods[i]->name :
						 modes[i]);
		append_string(&want_err, "'");
	}
	if (option == METHOD && *methods_off) {
		append_string(&want_err, "\nNot built in:");
		append_string(&want_err, methods_off);
	}
	append_string(&want_err, "\n");
	say_where_help_is(name);
}

static void want_help_of(const struct option *o)
{
	const char *value = o->name + strlen(o->name) + 1;
	char line[1000], *p = line;

	p += sprintf(p, o->letter ? "  -%c" : "    ", o->letter);
	if (*o->name)
		p += sprintf(p, "%s--%s%s", o->letter ? ", " : "  ", o->name,
			     value);
	sprintf(p, "%*s", (int)(p - line < 25 ? line + 27 - p : 2), "");
	append_string(&want_out, line);
	for (p = strcpy(line, o->help); strchr(p, '\n'); p = line) {
		*strchr(p, '\n') = 0;
		append_string(&want_out, p);
		append_string(&want_out, "\n        ");
		p = line + strlen(line) + 1;
		memmove(line, p, strlen(p) + 1);
	}
	append_string(&want_out, line);
	append_string(&want_out, "\n");
}

static void want_help(const struct applet *a)
{
	const struct option_group *group;
	const struct option *o;

	applet = a;
	append_string(&want_out, a->help);
	for (int i = 0; (o = option_at(i, &group)); i++)
		want_help_of(o);
}

static void want_version(const char *name)
{
	append_string(&want_out, name);
	append_string(&want_out, " (box) " BOX_VERSION "\n");
}

static int want_cat(const struct found *found)
{
	static struct reference r;
	struct text out = r.out;
	static char *input[] = { "-", NULL };
	char *const *operands = *found->operands ? found->operands : input;
	bool used = false;
	int status = 0;

	r = (struct reference){ .out = out };
	r.out.len = 0;
	for (int i = 0; i < found->n; i++)
		if (found->options[i] < 256)
			reference_option(&r, found->options[i]);
	for (; *operands; operands++) {
		bool input = !strcmp(*operands, "-");
		unsigned i = input ? 0 : **operands - 'a';

		if (!input && (i >= SOURCES || (*operands)[1])) {
			append_string(&want_err, "cat: ");
			reference_quote(&want_err, *operands);
			append_string(&want_err,
				      ": No such file or directory\n");
			status = 1;
			continue;
		}
		/* Standard input and "a" are one open file here, and each is
		 * read to its end. */
		i = input ? 0 : i;
		if (i || !used)
			for (size_t n = 0; n < kernel.sources[i].len; n++)
				reference_byte(&r, kernel.sources[i].bytes[n]);
		used |= !i;
		kernel.sources[i].len = 0;
	}
	reference_end(&r);
	append(&want_out, r.out.at, r.out.len);
	return status;
}

static int want_tee(const struct found *found)
{
	bool appends = false;
	int n = 0;

	for (int i = 0; i < found->n; i++)
		appends |= found->options[i] == 'a';
	for (; found->operands[n]; n++) {
		struct text name = { .at = found->operands[n],
				     .len = strlen(found->operands[n]) };

		check_same(&kernel.opened[n], &name);
		check_same(&kernel.sinks[n], &kernel.out);
	}
	CHECK(kernel.nsinks == n);
	CHECK(!n || kernel.append == appends);
	append(&want_out, kernel.sources[0].bytes, kernel.sources[0].len);
	return 0;
}

static int want_yes(const struct found *found)
{
	struct text line = { .at = NULL };

	append_string(&line, *found->operands ? *found->operands : "y");
	for (int i = 1; *found->operands && found->operands[i]; i++) {
		append_string(&line, " ");
		append_string(&line, found->operands[i]);
	}
	append_string(&line, "\n");
	while (want_out.len < kernel.limit)
		append(&want_out, line.at, line.len);
	want_out.len = kernel.limit;
	append_string(&want_err,
		      "yes: standard output: No space left on device\n");
	free(line.at);
	return 1;
}

/* A message of an option that another build has, in place of getopt_long(3)'s.
 */
static void want_left_out(const struct applet *a, const char *dashes,
			  const char *name)
{
	want_err.len = 0;
	append_string(&want_err, a->name);
	append_string(&want_err, ": ");
	append_string(&want_err, dashes);
	append_string(&want_err, name);
	append_string(&want_err, " is not in this build");
	if (IS_ENABLED(CONFIG_SHOW_CONFIG))
		append_string(&want_err, " (see box --config)");
	append_string(&want_err, "\n");
}

/* Returns the text of want_err after "APPLET: " and the other, or NULL. */
static const char *said_after(const struct applet *a, const char *what)
{
	char begin[64];
	size_t len = snprintf(begin, sizeof(begin), "%s: %s", a->name, what);

	if (want_err.len < len || memcmp(want_err.at, begin, len))
		return NULL;
	return want_err.at + len;
}

static void look_for_left_out(const struct applet *a)
{
	static const struct {
		unsigned applies_to;
		char letter;
		const char *name;
	} off[] = {
#define OPTION(applies_to, letter, name) { applies_to, letter, #name },
#include "options_off.h"
#undef OPTION
		{ 0, 0, "" }
	};
	const char *letter = said_after(a, "invalid option -- '");
	const char *name = said_after(a, "unrecognized option '--");
	/* Behind the name are a quote and a newline. */
	size_t len = name ? want_err.at + want_err.len - 2 - name : 0;

	if (name && memchr(name, '=', len))
		len = (const char *)memchr(name, '=', len) - name;
	for (int i = 0; off[i].applies_to; i++) {
		char text[] = { off[i].letter, 0 };

		if (!(off[i].applies_to & (a->traits | ANY_APPLET)))
			continue;
		if (letter && *letter == *text) {
			want_left_out(a, "-", text);
			return;
		}
		if (name && *off[i].name && len <= strlen(off[i].name) &&
		    !memcmp(off[i].name, name, len)) {
			want_left_out(a, "--", off[i].name);
			return;
		}
	}
}

static int want_applet(const struct applet *a, char **argv, bool posix,
		       bool *debug)
{
	struct table t = { .name = NULL };
	const char *name = a->name;
	struct found found;
	int last = 0;

	describe(&t, a);
	read_by_getopt(&t, argv, posix, real_ends, &found);
	if (found.failed) {
		look_for_left_out(a);
		say_where_help_is(name);
		return 1;
	}
	for (int i = 0; i < found.n; i++)
		*debug |= found.options[i] == DEBUG;
	if (found.n)
		last = found.options[found.n - 1];
	if (last && wrong(last, found.values[found.n - 1])) {
		want_wrong_value(name, last, found.values[found.n - 1]);
		return 1;
	}
	if (last == HELP)
		want_help(a);
	if (last == VERSION)
		want_version(name);
	if (last >= HELP)
		return 0;
	return !strcmp(name, "cat") ? want_cat(&found) :
	       !strcmp(name, "tee") ? want_tee(&found) :
				      want_yes(&found);
}

static int want_not_found(const char *name)
{
	reference_quote(&want_err, name);
	append_string(&want_err, ": applet not found\n");
	return 127;
}

/* Returns the status, or -1 where only box's own tests know what to expect. */
static int want_box(char **argv, bool posix, bool *debug)
{
	static const char *const others[] = {
		"--install",
		"--config",
		"--probe",
	};
	static const char *const takes_none[] = {
		"--list", "--list-full", "--version", "--help", /* takes one */
	};
	const char *extra;

	if (!*argv)
		return -1;
	extra = argv[1] && !strcmp(*argv, "--help") ? argv[2] : argv[1];
	for (int i = 0; extra && i < 4; i++)
		if (!strcmp(*argv, takes_none[i])) {
			append_string(&want_err, "box: extra operand '");
			append_string(&want_err, extra);
			append_string(&want_err, "'\n");
			say_where_help_is("box");
			return 1;
		}
	if (!strcmp(*argv, "--list")) {
		append_string(&want_out, "cat\ntee\nyes\n");
		return 0;
	}
	if (!strcmp(*argv, "--list-full")) {
		append_string(&want_out, "bin/cat\nusr/bin/tee\nusr/bin/yes\n");
		return 0;
	}
	if (!strcmp(*argv, "--version")) {
		want_version("box");
		return 0;
	}
	if (!strcmp(*argv, "--help")) {
		if (!argv[1])
			return -1;
		if (!find_applet(argv[1]))
			return want_not_found(argv[1]);
		want_help(find_applet(argv[1]));
		return 0;
	}
	for (int i = 0; i < 3; i++)
		if (!strcmp(*argv, others[i]))
			return -1;
	if (**argv == '-') {
		append_string(&want_err, "box: unrecognized option '");
		append_string(&want_err, *argv);
		append_string(&want_err, "'\n");
		say_where_help_is("box");
		return 1;
	}
	if (find_applet(*argv))
		return want_applet(find_applet(*argv), argv + 1, posix, debug);
	return want_not_found(*argv);
}

/* Words that are near to what is known, and bytes. */
static void put_words(char **argv, struct input *in)
{
	static const char *const words[] = {
		"--method=",
		"--output-error=",
		"--output-error",
		"--method",
		"--debug",
		"--progress",
		"--help",
		"--version",
		"--append",
		"--ignore-interrupts",
		"--number-nonblank",
		"--number",
		"--squeeze-blank",
		"--show-nonprinting",
		"--show-ends",
		"--show-tabs",
		"--show-all",
		"--list-full",
		"--config",
		"--",
		"-",
		"cat",
		"tee",
		"yes",
		"warn-nopipe",
		"exit-nopipe",
		"rw",
		"splice",
		"copy_file_range",
		",",
		"a",
		"b",
		"-AbeEnstTuv",
		"-aipg",
		"--list",
		"--probe",
		"=",
		"'",
		" ",
		"\n",
		"--reopen",
		"--run",
	};
	enum { WORDS = sizeof(words) / sizeof(*words) };
	static char text[ARGS * 256];
	char *p = text;
	int n = 0;

	while (n < ARGS && in->at < in->end) {
		argv[n++] = p;
		for (unsigned c; (c = take(in)) && p < text + n * 256 - 40;) {
			size_t most = c & 128 ? 32 : take(in) % 24;
			const char *word = words[c % 128 % WORDS];

			if (c % 128 == 127) {
				*p++ = (char)most + 'a';
				continue;
			}
			/* Of an option its dashes too. */
			p = stpncpy(p, word, most);
			*p = 0;
		}
		*p++ = 0;
	}
	argv[n] = NULL;
}

static void check_real(struct input *in)
{
	static char *const names[] = {
		"box", "cat", "tee", "yes", "/usr/bin/tee", "-cat",  "./box-2",
		"bo",  "-",   "",    "a b", "x/",	    "//yes",
	};
	static const char *const texts[SOURCES] = {
		"\n\n\nx\ty\r\n",
		"\1\177\200\377",
		"no end",
		"",
	};
	char *argv[ARGS + 2] = { names[take(in) % 13] }, *copy[ARGS + 1];
	bool posix = take(in) & 1, debug = false;
	const char *name = strrchr(argv[0], '/');
	int argc = 1, status, want;

	name = name ? name + 1 : argv[0];
	name += *name == '-';
	put_words(argv + 1, in);
	while (argv[argc])
		argc++;
	/* yes joins its operands where they stand. */
	for (int i = 0; i < argc; i++)
		copy[i] = argv[i + 1] ? strdup(argv[i + 1]) : NULL;
	set_environment(posix ? "POSIXLY_CORRECT=1" : NULL);
	kernel.limit = 32 << 10;
	for (int i = 0; i < SOURCES; i++) {
		kernel.sources[i].bytes = texts[i];
		kernel.sources[i].len = strlen(texts[i]);
	}

	if (find_applet(name))
		want = -2;
	else if (!*name || !strncmp(name, "box", 3))
		want = -3;
	else
		want = want_not_found(name);
	status = box_main(argc, argv);
	if (want == -2)
		want = want_applet(find_applet(name), copy, posix, &debug);
	else if (want == -3)
		want = want_box(copy, posix, &debug);
	for (int i = 0; copy[i]; i++)
		free(copy[i]);
	if (want < 0)
		return;
	check_same(&kernel.out, &want_out);
	if (!debug)
		check_same(&kernel.err, &want_err);
	CHECK(status == want);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct input in = { bytes, bytes + len };

	kernel_new();
	want_out.len = want_err.len = 0;
	if (take(&in) & 1)
		check_real(&in);
	else
		check_made_up(&in);
	return 0;
}
