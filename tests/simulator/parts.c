/* SPDX-License-Identifier: 0BSD */
/* What this configuration has. Of the simulator only this, program.c and
 * caller.c know of it. */
#include <string.h>

#include "kconfig.h"
#include "simulate.h"

const struct parts parts = {
	.quotes = IS_ENABLED(CONFIG_QUOTE),
	.queues = IS_ENABLED(CONFIG_ZC_TEE),
	.safe_calls = IS_ENABLED(CONFIG_SAFE_CALLS),
	.pipe_max = CONFIG_ZC_PIPE_KB << 10,
};

/* Whether a file with a second writer is spliced to, by choice: that call takes
 * no lock on the position, and so the writer loses bytes (docs/METHODS.md). */
static bool gives_up_writers(const struct scenario *s)
{
	if (!s->method || strcmp(s->method, "splice"))
		return false;
	for (int i = 0; i < s->sinks; i++)
		if (s->sink[i].type == FILE_ && s->sink[i].others &&
		    !s->sink[i].append)
			return true;
	return false;
}

static const bool programs[] = {
	[COPY_PROGRAM] = true,
	[CAT_PROGRAM] = IS_ENABLED(CONFIG_CAT),
	[TEE_PROGRAM] = IS_ENABLED(CONFIG_TEE),
	[YES_PROGRAM] = IS_ENABLED(CONFIG_YES),
};
/* A scenario whose text has the word is left out where there is no such part.
 */
static const struct {
	const char *word;
	bool has;
} words[] = {
	{ " -p", IS_ENABLED(CONFIG_TEE_ERROR) },
	{ " --output-error",
	  IS_ENABLED(CONFIG_TEE_ERROR) && IS_ENABLED(CONFIG_LONG_OPTS) },
	{ " --lag=", IS_ENABLED(CONFIG_TEE_LAG) },
	{ " --reopen", IS_ENABLED(CONFIG_TEE_REOPEN) },
	{ " --retry", IS_ENABLED(CONFIG_TEE_RETRY) },
	{ " --stamp", IS_ENABLED(CONFIG_TEE_STAMP) },
	{ " --rotate=", IS_ENABLED(CONFIG_TEE_ROTATE) },
	{ " --run", IS_ENABLED(CONFIG_TEE_RUN) },
	/* Without queues such a reader may wait for ever. */
	{ " alternate=", IS_ENABLED(CONFIG_ZC_TEE) },
	{ ":from=", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ ":most=", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ ":own", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ ":function", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ ":bare", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ " steps", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ " drop=", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ " replaces", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	{ " idle=", IS_ENABLED(CONFIG_ZC_LIBRARY) },
};

const char *scenario_lacks(const struct scenario *s)
{
	if (!programs[s->program])
		return "the applet";
	if (s->lacks_method)
		return "the method";
	if (gives_up_writers(s))
		return "second writers";
	if (s->text_bytes && !IS_ENABLED(CONFIG_CAT_FORMAT))
		return "the options";
	if (s->program == COPY_PROGRAM && s->cancel &&
	    !IS_ENABLED(CONFIG_ZC_LIBRARY))
		return "calls that go on";
	/* Without queues nobody asks sockets of which poll(2) tells nothing. */
	if (s->sinks > 1 && strstr(s->text, ":shuts=") &&
	    !IS_ENABLED(CONFIG_ZC_TEE))
		return "queues";
	if (s->source->messages && s->source->room &&
	    IS_ENABLED(CONFIG_SAFE_CALLS))
		return "a call that tells how long a message is";
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!words[i].has && strstr(s->text, words[i].word))
			return words[i].word;
	return NULL;
}
