/* SPDX-License-Identifier: 0BSD */
/* tee --lag: the limit of a late sink, and the effect beyond it. */
#include <limits.h>
#include <string.h>

#include "applet.h"
#include "tee.h"

static const char words[][5] = {
	[ZC_WAIT] = "wait",
	[ZC_SKIP] = "skip",
	[ZC_DROP] = "drop",
};

enum {
	WORDS = sizeof(words) / sizeof(*words),
	PATIENCE = 200, /* milliseconds, of a message */
};

static int tee_lag_wrong(const char *value)
{
	usage_wrong_value("invalid", value, "lag");
	put_string(
		"\n  - 'SIZE'\n  - 'SIZE,wait'\n  - 'SIZE,skip'\n  - 'SIZE,drop'"
		"\nSIZE is a number of bytes, 1 to 1G");
	return usage_end();
}

static int tee_lag_set(const struct option *opt, const char *value)
{
	uint64_t size;
	const char *rest = bytes_number(value, zc_lag_max(), &size);
	int late = ZC_WAIT;

	if (rest && *rest == ',')
		for (rest++; late < WORDS && strcmp(rest, words[late]);)
			late++;
	else if (rest && *rest)
		rest = NULL;
	if (!rest || !size || late == WORDS)
		return tee_lag_wrong(value);
	tee_lag.max = size > PIPE_BUF ? size : PIPE_BUF;
	tee_lag.late = late;
	tee_lag.tell = tee_tell;
	/* Standard error may be the reader that is late. */
	put_patience = late == ZC_WAIT ? 0 : PATIENCE;
	return 0;
}

const struct option_group tee_lag_options = {
	.applies_to = WRITES_OPERANDS,
	OPTION_LIST({ 0, 0, "lag\0=SIZE[,WHAT]",
		      HELP("keep an output at most SIZE behind, such as 64K\n"
			   "wait  the others wait for it (default)\n"
			   "skip  it misses whole lines\n"
			   "drop  it is given up") }),
	.set = tee_lag_set,
};
