/* SPDX-License-Identifier: 0BSD */
/* tee --block: signals that do not end it. */
#include <signal.h>

#include "applet.h"
#include "tee.h"

/* Real-time signals, as glibc numbers them for systemd and kill(1). musl's
 * first is 35. */
enum { RT_FIRST = 34, RT_LAST = _NSIG - 1 };

static const struct {
	char name[7];
	unsigned char number;
} signals[] = {
/* clang-format off */
#define SIGNAL(name) { #name, SIG##name }
	/* clang-format on */
	SIGNAL(HUP),	    SIGNAL(INT),	   SIGNAL(QUIT),
	SIGNAL(ILL),	    SIGNAL(TRAP),	   SIGNAL(ABRT),
	SIGNAL(IOT),	    SIGNAL(BUS),	   SIGNAL(FPE),
	SIGNAL(USR1),	    SIGNAL(SEGV),	   SIGNAL(USR2),
	SIGNAL(PIPE),	    SIGNAL(ALRM),	   SIGNAL(TERM),
	SIGNAL(CHLD),	    SIGNAL(CONT),	   SIGNAL(TSTP),
	SIGNAL(TTIN),	    SIGNAL(TTOU),	   SIGNAL(URG),
	SIGNAL(XCPU),	    SIGNAL(XFSZ),	   SIGNAL(VTALRM),
	SIGNAL(PROF),	    SIGNAL(WINCH),	   SIGNAL(IO),
	SIGNAL(POLL),	    SIGNAL(PWR),	   SIGNAL(SYS),
#ifdef SIGSTKFLT
	SIGNAL(STKFLT),
#endif
	{ "CLD", SIGCHLD }, { "RTMIN", RT_FIRST }, { "RTMAX", RT_LAST },
};

enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

/* Returns the part of s after the word, from a comma or the end on, or NULL. */
static const char *tee_block_word(const char *s, const char *word)
{
	s = skip_prefix(s, word);
	return s && (!*s || *s == ',') ? s : NULL;
}

/* Reads a number of at most `max'. Returns the text after it, or NULL. */
static const char *tee_block_number(const char *s, int max, int *number)
{
	const char *first = s;
	int n = 0;

	for (; *s >= '0' && *s <= '9' && n <= max; s++)
		n = n * 10 + (*s - '0');
	*number = n;
	return s > first && n <= max ? tee_block_word(s, "") : NULL;
}

/* Reads the name of a signal, after its SIG. */
static const char *tee_block_name(const char *s, int *sig)
{
	const char *forth = skip_prefix(s, "RTMIN+");
	const char *back = skip_prefix(s, "RTMAX-");
	int n;

	if (forth || back) {
		s = tee_block_number(forth ? forth : back, RT_LAST - RT_FIRST,
				     &n);
		*sig = forth ? RT_FIRST + n : RT_LAST - n;
		return s;
	}
	for (int i = 0; i < SIGNALS; i++) {
		const char *rest = tee_block_word(s, signals[i].name);

		*sig = signals[i].number;
		if (rest)
			return rest;
	}
	return NULL;
}

/* Reads a signal. Returns the text after it, or NULL if it is none or can never
 * be ignored. */
static const char *tee_block_signal(const char *s, int *sig)
{
	const char *name = skip_prefix(s, "SIG");
	const char *rest = tee_block_name(name ? name : s, sig);

	if (!rest)
		rest = tee_block_number(s, RT_LAST, sig);
	return *sig && *sig != SIGKILL && *sig != SIGSTOP ? rest : NULL;
}

static int tee_block_set(const struct option *opt, const char *value)
{
	const char *rest = value;
	int sig;

	while ((rest = tee_block_signal(rest, &sig))) {
		block_signal(sig);
		if (!*rest++)
			return 0;
	}
	usage_wrong_value("invalid", value, "block");
	put_string(
		"\n  - names or numbers of signals, such as 'INT,15,RTMIN+3'");
	return usage_end();
}

const struct option_group tee_block_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, 0, "block\0=SIGNAL,...",
		      HELP("ignore these signals, such as INT,TERM") }),
	.set = tee_block_set,
};
