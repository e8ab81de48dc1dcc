/* SPDX-License-Identifier: 0BSD */
/* The promises that hold in every run: judge.h. */
#include "judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char why[256];

__attribute__((format(printf, 1, 2))) static const char *
wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return why;
}

struct judged_end *judged_end(struct judged *j, const char *name, bool sink)
{
	struct judged_end *e = &j->end[j->ends++];

	*e = (struct judged_end){
		.name = name,
		.sink = sink,
		.most_told = 1,
		.due = -1,
		.got = -1,
		.position = -1,
	};
	return e;
}

void judged_failure(struct judged *j, uint32_t ends, int error, bool certain)
{
	if (j->failures < JUDGED_FAILURES)
		j->failure[j->failures++] =
			(struct judged_failure){ ends, error, certain };
}

/* It ends by itself, and its status says whether there was a message. */
static const char *judge_exit(const struct judged *j)
{
	int status = j->command ? j->command : j->said > 0;

	if (j->signal && j->signal != j->may_end_by)
		return wrong("signal %d ends it", j->signal);
	if (!j->signal && j->status != status)
		return wrong("the status is %d, with %d messages", j->status,
			     j->said);
	if (j->open > j->most_open)
		return wrong("%d descriptors are open at its end", j->open);
	return NULL;
}

static bool was_so(const struct judged *j, int i)
{
	const struct judged_end *e = &j->end[i];

	for (int k = 0; k < j->failures; k++) {
		const struct judged_failure *f = &j->failure[k];

		if (f->ends & 1u << i &&
		    (!f->error || !e->error || f->error == e->error))
			return true;
	}
	return false;
}

static const char *words(int error)
{
	return error > 0 ? strerror(error) : "a failure";
}

/* No end is blamed for what it did not do, or twice. */
static const char *judge_told(const struct judged *j)
{
	for (int i = 0; i < j->ends; i++) {
		const struct judged_end *e = &j->end[i];

		if (e->told > e->most_told)
			return wrong("%s: %d messages of one failure", e->name,
				     e->told);
		if (e->told && !was_so(j, i))
			return wrong("%s: \"%s\" is told, and was not so",
				     e->name, words(e->error));
	}
	return NULL;
}

/* Nor are both ends of one call. */
static const char *judge_once(const struct judged *j)
{
	for (int k = 0; k < j->failures; k++) {
		uint32_t ends = j->failure[k].ends;
		int told = 0;

		for (int l = 0; l < j->failures; l++)
			if (l != k)
				ends &= ~j->failure[l].ends;
		for (int i = 0; i < j->ends; i++)
			told += ends & 1u << i && j->end[i].told;
		if (told > 1)
			return wrong("%d messages of one failure", told);
	}
	return NULL;
}

static bool is_told(const struct judged *j, uint32_t ends)
{
	for (int i = 0; i < j->ends; i++)
		if ((j->exits || ends & 1u << i) && j->end[i].told)
			return true;
	return false;
}

/* A failure is told, unless a signal ended all. */
static const char *judge_hidden(const struct judged *j)
{
	for (int k = 0; k < j->failures && !j->signal; k++)
		if (j->failure[k].certain && !is_told(j, j->failure[k].ends))
			return wrong("\"%s\" is told nobody",
				     words(j->failure[k].error));
	return NULL;
}

/* Where nobody knows which end a message is about, the number has to do. */
static const char *judge_number(const struct judged *j)
{
	int must = 0, may = 0;
	uint32_t ends = 0;

	for (int k = 0; k < j->failures; k++) {
		must += j->failure[k].certain;
		ends |= j->failure[k].ends;
	}
	for (int i = 0; i < j->ends; i++)
		may += ends >> i & 1;
	if (j->exits && must)
		must = 1;
	if (j->signal)
		must = 0;
	if (j->said < must || j->said > may)
		return wrong("%d messages, of at least %d and at most %d",
			     j->said, must, may);
	return NULL;
}

/* Each byte is at its place, once. */
static const char *judge_sink(const struct judged *j,
			      const struct judged_end *e)
{
	bool spared = e->spared || j->signal || (j->exits && j->said);

	if (e->wrong)
		return wrong("%s: byte %lld is wrong", e->name,
			     (long long)e->got);
	if (e->due >= 0 && e->got >= 0 &&
	    (e->got > e->due || (e->got < e->due && !spared)))
		return wrong("%s has %lld bytes of %lld", e->name,
			     (long long)e->got, (long long)e->due);
	if (e->theirs != e->theirs_due)
		return wrong("%s has %lld bytes of another writer's %lld",
			     e->name, (long long)e->theirs,
			     (long long)e->theirs_due);
	return NULL;
}

static const char *judge_ends(const struct judged *j)
{
	const char *is = NULL;

	for (int i = 0; i < j->ends && !is; i++) {
		const struct judged_end *e = &j->end[i];

		if (e->sink)
			is = judge_sink(j, e);
		if (!is && e->position >= 0 && e->position != e->end)
			is = wrong("%s is left at %lld, and ends at %lld",
				   e->name, (long long)e->position,
				   (long long)e->end);
	}
	return is;
}

const char *judge_run(const struct judged *j)
{
	const char *is = judge_exit(j);

	if (!is && j->unnamed)
		is = judge_number(j);
	if (!is && !j->unnamed)
		is = judge_told(j);
	if (!is && !j->unnamed)
		is = judge_once(j);
	if (!is && !j->unnamed)
		is = judge_hidden(j);
	return is ? is : judge_ends(j);
}
