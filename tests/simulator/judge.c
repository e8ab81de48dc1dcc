/* SPDX-License-Identifier: 0BSD */
/* What every history has to keep: the invariants of docs/DESIGN.md, seen from
 * outside. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../fuzz/format.h"
#include "../judge/judge.h"
#include "simulate.h"

enum { MOST_ERRNO = 134, BYTES = 2 << 20 };

/* What the program has told: an errno, and how often, of each end. */
static struct told {
	int error, times;
	bool ended; /* one that --retry does not wait for */
} told_in[MOST_SOURCES], told_out[MOST_SINKS];

/* Of our own bytes, what each sink has. */
static struct tape ours[MOST_SINKS];
static uint32_t from_source[MOST_SINKS][MOST_SOURCES];

/* tee --lag: what has been left out, and how much of it is told. */
static uint32_t left_out[MOST_SINKS], told_left_out[MOST_SINKS];
static bool too_late[MOST_SINKS];

/* tee --rotate: how often it is told that it was refused. */
static int told_refusal[MOST_SINKS];

static const struct scenario *s;
static struct judged facts;

static uint32_t bit_of(int role)
{
	if (role < 0 || role >= FAR)
		return 0;
	return 1u << (role < SINK0 ? role : s->sources + role - SINK0);
}

static struct judged_end *end_of(int role)
{
	return &facts.end[role < SINK0 ? role : s->sources + role - SINK0];
}

static bool gone(int j)
{
	const struct actor *a = actor_of(SINK0 + j, READER);

	return a && a->left;
}

static bool formats(void)
{
	return s->program == CAT_PROGRAM && s->text_bytes;
}

/* What was told --------------------------------------------------------- */

static struct told *told(int role)
{
	return role >= SINK0 ? &told_out[role - SINK0] : &told_in[role];
}

static void name_of(int role, char *name)
{
	int i = role >= SINK0 ? role - SINK0 : role;

	if (s->program == CAT_PROGRAM && role >= SINK0)
		strcpy(name, "write error");
	else if (s->program == CAT_PROGRAM &&
		 (s->source[i].type != FILE_ || s->source[i].others ||
		  s->stdin_))
		strcpy(name, "-");
	else if (s->program == CAT_PROGRAM)
		sprintf(name, "in%d", i);
	else if (s->program == YES_PROGRAM)
		strcpy(name, "standard output");
	else if (role < SINK0)
		strcpy(name, "read error");
	else if (i)
		sprintf(name, "out%d", i);
	else
		strcpy(name,
		       parts.quotes ? "'standard output'" : "standard output");
}

/* What --lag has said of a sink: notes it. */
static bool take_late(const char *line, size_t len, int j)
{
	char text[64];
	uint32_t n;
	int end = 0;

	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	if (!strcmp(text, "too late") && !too_late[j])
		return too_late[j] = true;
	if (sscanf(text, "late, %u bytes left out%n", &n, &end) != 1 ||
	    end != (int)len || told_left_out[j])
		return false;
	told_left_out[j] = n;
	return true;
}

/* What --retry has said of a file, beside the error: notes it. */
static bool take_missing(const char *line, size_t len, int j)
{
	static const char again[] = "works again, ";
	char text[64], *p = text;
	uint32_t n;
	int end = 0;

	if (s->sink[j].type != FILE_ && s->sink[j].type != DEVICE)
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	if (!strncmp(p, again, sizeof(again) - 1))
		p += sizeof(again) - 1;
	if (sscanf(p, "%u bytes left out%n", &n, &end) != 1 || p[end])
		return false;
	told_left_out[j] += n;
	return true;
}

/* How often a file has been rotated: so many old ones are there. */
static int rotations(int j)
{
	int times = 0;

	for (int n = 1; n <= OLD_FILES; n++)
		times += history.file[j][n] != NULL;
	return times;
}

/* What --rotate has said of a file: a refusal, and no errno of the file's. It
 * is told again where the file was rotated in between. */
static bool take_refusal(const char *line, size_t len, int j)
{
	static const char said[] = "not rotated: ";

	if (len < sizeof(said) || memcmp(line, said, sizeof(said) - 1))
		return false;
	if (told_refusal[j]++ > rotations(j))
		broken("two messages of one refusal");
	if (!world.hindered && !world.hides)
		broken("a refusal is told, and was not so");
	return true;
}

/* Whether --retry waits for the end of such a failure. */
static bool is_of_space(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EROFS;
}

/* "NAME: WHY" of one end: notes it. */
static bool take_message(const char *line, size_t len, int role)
{
	char name[32];
	size_t n;

	name_of(role, name);
	n = strlen(name);
	if (len < n + 2 || memcmp(line, name, n) || memcmp(line + n, ": ", 2))
		return false;
	line += n + 2;
	len -= n + 2;
	if (role >= SINK0 && s->lag && take_late(line, len, role - SINK0))
		return true;
	if (role > SINK0 && s->retries && take_missing(line, len, role - SINK0))
		return true;
	if (role > SINK0 && s->rotates && take_refusal(line, len, role - SINK0))
		return true;
	for (int e = 1; e < MOST_ERRNO; e++) {
		const char *text = error_text(e);

		if (strlen(text) == len && !memcmp(text, line, len)) {
			told(role)->error = e;
			told(role)->times++;
			told(role)->ended |= !s->retries || !is_of_space(e);
			return true;
		}
	}
	return false;
}

static void take_messages(void)
{
	static const char *const names[] = { "copy", "cat", "tee", "yes" };
	const char *p = world.said, *end = p + world.said_len;
	size_t n = strlen(names[s->program]);

	while (p < end) {
		const char *stop = memchr(p, '\n', end - p);
		bool known = false;

		if (!stop || stop - p < (long)n + 2 ||
		    memcmp(p, names[s->program], n) || memcmp(p + n, ": ", 2))
			broken("a message of another form: %.*s",
			       (int)(end - p), p);
		for (int i = 0; i < s->sources && !known; i++)
			known = take_message(p + n + 2, stop - p - n - 2, i);
		for (int j = 0; j < s->sinks && !known; j++)
			known = take_message(p + n + 2, stop - p - n - 2,
					     SINK0 + j);
		if (!known)
			broken("a message of no end: %.*s", (int)(stop - p), p);
		p = stop + 1;
	}
}

static void find_told(void)
{
	memset(told_in, 0, sizeof(told_in));
	memset(told_out, 0, sizeof(told_out));
	memset(told_left_out, 0, sizeof(told_left_out));
	memset(too_late, 0, sizeof(too_late));
	memset(told_refusal, 0, sizeof(told_refusal));
	if (s->program != COPY_PROGRAM) {
		take_messages();
		return;
	}
	for (int i = 0; i < s->sources; i++) {
		told_in[i].error = history.in[i].error;
		told_in[i].times = history.in[i].error != 0;
	}
	for (int j = 0; j < s->sinks; j++) {
		too_late[j] = s->drop && history.out[j].error == ETIME;
		if (too_late[j])
			continue;
		told_out[j].error = history.out[j].error;
		told_out[j].times = history.out[j].error != 0;
	}
}

/* A file that says EAGAIN is asked so often, and for so many milliseconds: a
 * signal makes a pause half as long, and a poll(2) that fails makes it none.
 * LATE_MS is three times what makes a sink that takes nothing late. */
enum { PAUSES = 10, LEAST_MS = 100, MOST_MS = 2000, LATE_MS = 15000 };

/* Whether there may be such a failure, though no call was answered so. */
static bool may_come(int role, int error)
{
	const struct end *k = &s->sink[role - SINK0];

	if (role < SINK0)
		return (error == EAGAIN && (s->source[role].limit ||
					    s->source[role].balks > PAUSES)) ||
		       /* No offsets, or nothing can be learned of it. */
		       (error == ESPIPE && s->source[role].from &&
			(world.hides || s->source[role].plain)) ||
		       /* What is reserved can be neither read nor given back,
			* once another reader has moved on. */
		       (error == ESPIPE && s->source[role].plain &&
			s->source[role].others);
	switch (error) {
	case EPIPE:
		return gone(role - SINK0);
	case ECONNRESET:
		return gone(role - SINK0) && k->type == SOCKET;
	case ENOSPC:
		return k->room && k->type == FILE_;
	case EFBIG:
		return s->limit && k->type == FILE_;
	case EAGAIN:
		return k->limit;
	case EMSGSIZE:
		return k->messages && unknown();
	case ESPIPE:
		return k->own && (world.hides || k->plain);
	}
	return false;
}

enum { MESSAGE_MAX = 208 << 10 }; /* bytes: wmem_max (socket(7)) */

/* How many messages there may be of an end: a file that --retry has tried again
 * may fail again, and so may one that is opened again, and close(2) after a
 * write that --retry has told, or of each file that was rotated. */
static int most_told(int role)
{
	int n = 1 + s->retries + (s->rotates ? OLD_FILES : 0);

	if (s->program == TEE_PROGRAM)
		n += s->cancel;
	for (int i = 0; i < history.faults; i++)
		n += s->retries && history.fault[i].to == role;
	return n;
}

static void add_end(int role)
{
	static char names[MOST_SOURCES + MOST_SINKS][16];
	const struct told *t = told(role);
	char *name = names[facts.ends];
	struct judged_end *e;

	sprintf(name, "%s %d", role < SINK0 ? "source" : "sink",
		role < SINK0 ? role : role - SINK0);
	e = judged_end(&facts, name, role >= SINK0);
	e->told = t->times;
	e->most_told = most_told(role);
	e->error = t->error;
	if (role < SINK0 && t->error == EMSGSIZE && !s->text_bytes &&
	    !s->source[role].most && s->source[role].by <= MESSAGE_MAX)
		broken("a message is refused that every socket takes");
	if (may_come(role, t->error))
		judged_failure(&facts, bit_of(role), t->error, false);
}

/* tee --output-error=exit leaves at the first failure. */
static bool exits(void)
{
	for (int i = 0; i < s->noptions; i++)
		if (strstr(s->options[i], "exit"))
			return true;
	return false;
}

/* Whether a file is written by the functions of options: lines.c. */
static bool has_lines(int j)
{
	return j && (s->stamps || s->retries) && !world.hides &&
	       (s->sink[j].type == FILE_ || s->sink[j].type == DEVICE);
}

static bool any_told(void)
{
	for (int i = 0; i < s->sources; i++)
		if (told_in[i].times)
			return true;
	for (int j = 0; j < s->sinks; j++)
		if (told_out[j].times)
			return true;
	return false;
}

static bool any_stops(void)
{
	for (int j = 0; j < s->sinks; j++)
		if (s->sink[j].leaving == STOPS && !(!j && history.replaced))
			return true;
	return false;
}

/* Whether nobody tells the writer of a sink about its reader, which has stopped
 * or reads no more: only send(2) tells of the latter. */
static bool is_silent(const struct actor *reader)
{
	return reader->stopped || (reader->left && unknown());
}

/* Whether a sink is a terminal that has stopped: it has no reader. */
static bool is_stopped_tty(int role)
{
	const struct end *k;

	if (role < SINK0 || role >= FAR)
		return false;
	k = &s->sink[role - SINK0];
	return k->type == TTY && k->leaving == STOPS;
}

/* Whether poll(2) does not tell who is ready, however often it is asked. */
static bool poll_is_refused(void)
{
	enum { OFTEN = 8 };

	return world.refused[CALL_poll] || world.polls_refused >= OFTEN;
}

/* Whether a wait without an end may be right: for such a reader, or where
 * poll(2) never tells who is ready. */
static bool may_be_stuck(void)
{
	bool any = any_stops() || poll_is_refused();

	for (int j = 0; j < s->sinks; j++) {
		const struct actor *a = actor_of(SINK0 + j, READER);

		any |= a && is_silent(a);
	}
	return any;
}

/* A failure of a call that only one end can have is told, but for one that is
 * to be told once a sink, which nobody reads from, has got what came before. A
 * sink is only read to see whether its last line has ended. */
static void add_failures(void)
{
	bool waits = history.outcome == STUCK && may_be_stuck();

	for (int i = 0; i < history.faults; i++) {
		const struct fault *f = &history.fault[i];
		uint32_t ends = bit_of(f->from) | bit_of(f->to);

		judged_failure(&facts, ends, f->error,
			       f->alone && ends && f->from < SINK0 && !waits);
		/* EIO counts as the source's, and a sink that has failed for
		 * good then says it again. */
		if (f->error == EIO && bit_of(f->from) && bit_of(f->to))
			judged_failure(&facts, bit_of(f->to), EIO, false);
	}
}

static void add_exit(void)
{
	bool any_gone = false;

	for (int j = 0; j < s->sinks; j++)
		any_gone |= gone(j);
	facts.exits = exits();
	if (history.outcome == KILLED)
		facts.signal = history.signal;
	if (history.signal != SIGPIPE || any_gone)
		facts.may_end_by = history.signal;
	if (s->program == COPY_PROGRAM || history.outcome != ENDED)
		return;
	facts.status = history.status;
	facts.said = world.said_len != 0;
	facts.command = world.status;
}

/* What came out ----------------------------------------------------------- */

/* The bytes of a file behind those of the files that it was before, the oldest
 * first. */
static const struct tape *rotated_tape(int j)
{
	static struct tape all;

	tape_empty(&all);
	for (int n = OLD_FILES; n >= 0; n--) {
		const struct object *o = history.file[j][n];

		if (o)
			tape_cut(&o->data, 0, o->data.len, &all);
	}
	return &all;
}

/* What the first sink has had, read or not, and the file in its place. */
static const struct tape *replaced_tape(const struct actor *reader)
{
	static struct tape all;
	struct object *o = history.sink[0];
	const struct tape *file = &history.spare->object->data;
	const struct tape *had = reader ? reader->got[0] : &o->data;

	tape_empty(&all);
	tape_cut(had, 0, had->len, &all);
	if (o->type == SOCKET)
		o = o->peer;
	for (int i = 0; i < o->entries; i++)
		tape_add(&all, entry_at(o, i)->seg);
	tape_cut(file, 0, file->len, &all);
	return &all;
}

static const struct tape *tape_of(int j)
{
	const struct actor *a = actor_of(SINK0 + j, READER);

	if (!j && history.replaced)
		return replaced_tape(a);
	if (s->rotates && s->sink[j].type == FILE_)
		return rotated_tape(j);
	if (s->sink[j].type != PIPE && s->sink[j].type != SOCKET)
		return &history.sink[j]->data;
	if (s->alternate)
		for (int i = 0; i < history.actor[0].opens; i++)
			if (history.actor[0].open[i]->object ==
				    history.sink[j] ||
			    history.actor[0].open[i]->object->peer ==
				    history.sink[j])
				return history.actor[0].got[i];
	return a ? a->got[0] : NULL;
}

static bool ended_well(void)
{
	return history.outcome == ENDED && !world.said_len;
}

/* Whether a hole may be left: a range of the sink was reserved for
 * copy_file_range(2), and what would fill it was not there. */
static bool may_have_hole(int j)
{
	bool named = s->method && !strcmp(s->method, "copy_file_range");

	if (!s->sink[j].others || !(named || world.shares))
		return false;
	for (int i = 0; i < s->sources; i++)
		if (s->source[i].others || s->source[i].says >= 0 ||
		    told_in[i].times)
			return true;
	return told_out[j].times || history.outcome != ENDED;
}

static bool skips(void)
{
	return !strcmp(s->late, ",skip");
}

/* Copied bytes from the i-th segment on, but for the lines that tee
 * --lag=SIZE,skip writes to a terminal where bytes are missing. Returns the
 * segment after them. */
static int take_copied(const struct tape *t, int i, struct tape *into)
{
	static char text[BYTES];
	static struct tape all;
	size_t len;
	int end;

	tape_empty(&all);
	while (i < t->n && t->seg[i].origin == COPIED)
		tape_add(&all, t->seg[i++]);
	len = tape_copy(&all, 0, text);
	text[len] = 0;
	for (char *p = text; p < text + len; p += end) {
		end = 0;
		sscanf(p, "%*1[\n]tee: %*u bytes left out%*1[\n]%n", &end);
		if (!end)
			sscanf(p, "tee: %*u bytes left out%*1[\n]%n", &end);
		if (end)
			continue;
		end = 1;
		tape_add(into, copy_memory(p, 1));
	}
	return i - 1;
}

/* Takes apart what is ours and what is not. */
static void sort_out(int j)
{
	const struct tape *t = tape_of(j);
	const struct end *k = &s->sink[j];
	uint32_t theirs = 0, before = 0;
	struct actor *a = actor_of(SINK0 + j, k->type == FILE_ ? FILE_WRITER :
								 PIPE_WRITER);

	tape_empty(&ours[j]);
	memset(from_source[j], 0, sizeof(from_source[j]));
	for (int i = 0; t && i < t->n; i++) {
		const struct seg *g = &t->seg[i];

		if (g->origin == BEFORE) {
			if (g->at != before || i)
				broken("what was there before is not any more");
			before += g->len;
		} else if (g->origin == THEIRS + j) {
			if (g->at != theirs && !(a && a->crossed))
				broken("bytes of a second writer are lost");
			if ((g->at % k->others || g->len % k->others) &&
			    !gone(j) && k->leaving != STOPS && !k->room &&
			    !(a && a->overwritten))
				broken("a write of a second writer is torn");
			theirs += g->len;
		} else if (g->origin == COPIED && skips() && k->type == TTY) {
			i = take_copied(t, i, &ours[j]);
		} else if (g->origin == HOLE) {
			if (!may_have_hole(j))
				broken("a hole of %u bytes", g->len);
		} else {
			tape_add(&ours[j], *g);
		}
	}
	if (k->type == FILE_ && before != k->before &&
	    s->program != TEE_PROGRAM)
		broken("%u of %u bytes are left of what was there", before,
		       k->before);
	if (!a || gone(j) || k->leaving == STOPS || history.outcome == STUCK)
		return;
	end_of(SINK0 + j)->theirs = theirs;
	end_of(SINK0 + j)->theirs_due = a->done_bytes - a->overwritten;
}

/* Memory that was copied, byte by byte, as what it should be. */
static void check_bytes(const struct seg *g, int i, uint32_t at)
{
	if (memcmp(bytes_of(g), stream_bytes[STREAM + i] + at, g->len))
		broken("a byte that does not come from the source");
}

/* tee --lag=SIZE,skip: bytes from `at' to `end' were left out. That is whole
 * lines, if nothing was in the way and they are not too long. */
static void check_gap(int j, int i, uint32_t at, uint32_t end)
{
	const unsigned char *bytes = stream_bytes[STREAM + i];
	const struct object *o = history.source[i];

	left_out[j] += end - at;
	for (int n = 0; n < o->nskipped; n++)
		left_out[j] -= o->skipped[n] >= at && o->skipped[n] < end;
	if (world.hindered || world.hides || s->sink[j].messages || o->nskipped)
		return;
	if (s->source[i].size <= s->lag)
		broken("%u bytes are left out, and it is not so late",
		       end - at);
	if ((at && bytes[at - 1] != '\n') ||
	    (end < s->source[i].size && bytes[end - 1] != '\n'))
		broken("what is left out, from %u to %u, is no lines", at, end);
}

/* Returns the first byte from `at' on that read(2) has not left out. */
static uint32_t skip_urgent(int i, uint32_t at)
{
	const struct object *o = history.source[i];

	for (int n = 0; n < o->nskipped; n++)
		at += o->skipped[n] == at;
	return at;
}

/* How many bytes of a source are asked for, without urgent ones. */
static uint32_t asked(int i)
{
	const struct end *c = &s->source[i];
	uint32_t n = c->size > c->from ? c->size - c->from : 0;

	n -= history.source[i]->nskipped;
	return c->most && c->most < n ? c->most : n;
}

/* Whether a sink that failed may have had a new file since, and misses what
 * came in between. */
static bool is_reopened(int j)
{
	return s->program == TEE_PROGRAM && s->cancel && told_out[j].times;
}

/* The sources one after the other, each from its beginning and without a gap.
 */
static void check_order(int j)
{
	uint32_t at = s->source[0].from;
	int i = 0;

	left_out[j] = 0;
	for (int n = 0; n < ours[j].n; n++) {
		const struct seg *g = &ours[j].seg[n];

		if (g->origin == COPIED) {
			if (at + g->len > s->source[i].size)
				broken("bytes from nowhere");
			check_bytes(g, i, at);
		} else {
			while (g->origin != STREAM + i) {
				if (++i >= s->sources)
					broken("sink %d: bytes from elsewhere, "
					       "or in the wrong order",
					       j);
				at = s->source[i].from;
			}
			at = skip_urgent(i, at);
			if (skips() && g->at > at && !s->source[i].others)
				check_gap(j, i, at, g->at);
			else if (s->source[i].others || is_reopened(j) ?
					 g->at < at :
					 g->at != at)
				broken("sink %d: after byte %u of source %d "
				       "comes byte %u",
				       j, at, i, g->at);
			at = g->at;
		}
		at += g->len;
		from_source[j][i] += g->len;
	}
}

/* With a second reader, each byte is somebody's, and one's alone. Returns how
 * many are the other's. */
static uint32_t check_shared(int j, int i)
{
	enum { OURS = 1, OTHERS };
	uint32_t theirs = 0;
	struct actor *a = actor_of(i, FILE_READER);
	static unsigned char seen[STREAM_MAX];
	const struct tape *both[2] = { &ours[j], a->got[0] };

	memset(seen, 0, s->source[i].size);
	for (int k = 0; k < 2; k++)
		for (int n = 0; n < both[k]->n; n++) {
			const struct seg *g = &both[k]->seg[n];
			unsigned char *first = seen + g->at;

			if (g->origin != STREAM + i)
				continue;
			if (memchr(first, OURS, g->len) ||
			    (memchr(first, OTHERS, g->len) && !a->crossed))
				broken("a byte was read twice");
			for (uint32_t b = 0; k && b < g->len; b++)
				theirs += !first[b];
			memset(first, k ? OTHERS : OURS, g->len);
		}
	return theirs;
}

static bool is_live(int j)
{
	return !told_out[j].times && !too_late[j] && !gone(j) &&
	       s->sink[j].type != NULL_;
}

/* How many bytes of a source a sink has had, or has missed. */
static uint32_t had(int j, int i)
{
	return from_source[j][i] + (has_lines(j) ? 0 : told_left_out[j]);
}

/* How many bytes have left the source for us; -1: nobody knows. */
static long consumed(int i)
{
	const struct end *c = &s->source[i];
	struct actor *a = actor_of(i, WRITER);

	if (c->type == PIPE || c->type == SOCKET)
		return a->done_bytes - history.source[i]->queued -
		       history.source[i]->nskipped - history.source[i]->lost;
	if (c->type == TTY)
		return actor_of(i, TYPIST)->done_bytes -
		       history.source[i]->queued;
	if (c->type == FILE_ && !c->others && !c->from &&
	    s->program != CAT_PROGRAM)
		return history.source_open[i]->pos;
	return -1;
}

/* How many bytes a sink has had, of a FILE that functions of options write. */
static void take_lines(int j)
{
	long had = consumed(0);

	memset(from_source[j], 0, sizeof(from_source[j]));
	left_out[j] = 0;
	if (had < 0)
		had = s->source[0].size;
	from_source[j][0] = had;
	/* The size of a device does not tell whether its last line was cut. */
	if (is_reopened(j) && (told_out[j].ended || s->sink[j].type == DEVICE))
		return;
	from_source[j][0] = lines_of(j, tape_of(j), had, told_left_out[j]);
}

/* How many bytes of a source are to arrive: once a command has ended, a process
 * that goes on with its output is left after a while. */
static uint32_t due(int i)
{
	const struct actor *death = actor_of(i, DEATH);
	uint32_t n = death ? consumed(i) : asked(i);

	if (death && n < death->most)
		broken("%u bytes of a command's %u are read", n, death->most);
	return n;
}

/* How many bytes of a source each live sink is to have, as the first one does.
 */
static long due_of(int i, int first)
{
	const struct actor *other = actor_of(i, FILE_READER);
	uint32_t n = had(first, i), all = due(i);
	long left = consumed(i);

	if (other)
		all -= check_shared(first, i);
	/* Where it went on too early, as much is skipped later on. */
	if (other && other->crossed && n < all && all - n <= other->done_bytes)
		return n;
	if (history.outcome == STUCK || told_in[i].times)
		return left < 0 ? n : left;
	return s->source[i].type == DEVICE ? 0 : all;
}

static void add_bytes(void)
{
	int first = -1;
	long all = 0;

	for (int j = s->sinks - 1; j >= 0; j--)
		if (is_live(j))
			first = j;
	if (first < 0)
		return;
	for (int i = 0; i < s->sources; i++)
		all += due_of(i, first);
	for (int j = 0; j < s->sinks; j++) {
		struct judged_end *e = end_of(SINK0 + j);

		if (!is_live(j))
			continue;
		e->due = all;
		e->got = 0;
		for (int i = 0; i < s->sources; i++)
			e->got += had(j, i);
	}
}

/* What is left out at the end begins with a line, too. */
static void check_last_gap(int j)
{
	uint32_t at = from_source[j][0] + left_out[j];

	if (history.outcome == ENDED && is_live(j) && !s->source[0].others &&
	    left_out[j] < told_left_out[j])
		check_gap(j, 0, at, s->source[0].size);
}

/* Whether a sink lacks what nobody has said: it waits, or is no more. */
static bool lost(int j)
{
	return left_out[j] && history.outcome != ENDED;
}

/* tee --lag=SIZE,skip and drop: a reader that has stopped keeps nobody waiting,
 * and at the end of the source not us either. */
static void check_kept_waiting(void)
{
	bool any_goes_on = false;

	if (history.outcome != STUCK || !*s->late || world.hindered ||
	    world.hides)
		return;
	for (int i = 0; i < history.faults; i++)
		if (history.fault[i].from == 0)
			return;
	for (int j = 0; j < s->sinks; j++)
		any_goes_on |= s->sink[j].type == NULL_ ||
			       (s->sink[j].leaving != STOPS && is_live(j) &&
				!history.sink[j]->failed);
	if (any_stops() && any_goes_on)
		broken("%ld bytes are read, and one that has stopped keeps "
		       "others waiting",
		       consumed(0));
}

/* Whether nothing but readers can be why a tee that gives up no sink waits. */
static bool waits_for_readers(void)
{
	return history.outcome == STUCK && !*s->late && !world.hindered &&
	       !unknown() && !history.faults;
}

/* A reader that has stopped keeps no other from what was read, except from what
 * is in a relay that its queue has no room for. */
static void check_others_of_stopped(void)
{
	long relay = parts.queues ? 64 << 10 : 0, n = consumed(0);

	if (!waits_for_readers() || !any_stops())
		return;
	for (int j = 0; j < s->sinks; j++)
		if (is_live(j) && s->sink[j].leaving != STOPS &&
		    n - (long)had(j, 0) > relay)
			broken("%ld bytes are read, and sink %d has %u", n, j,
			       had(j, 0));
}

/* tee --lag=SIZE: no more is read while SIZE bytes are kept for one that has
 * stopped. */
static void check_limit(void)
{
	long most = s->lag < PAGE ? PAGE : s->lag, n = consumed(0);

	if (!waits_for_readers() || !s->lag || s->source[0].messages)
		return;
	for (int j = 0; j < s->sinks; j++) {
		long taken = had(j, 0) + history.sink[j]->queued;

		if (is_live(j) && n - taken >= most + PAGE)
			broken("%ld bytes are read, and sink %d has %ld", n, j,
			       taken);
	}
}

/* tee --lag=SIZE,skip: of a terminal that has stopped all is told that it has
 * not had. */
static void check_stopped_tty(void)
{
	long n = consumed(0);

	if (history.outcome != ENDED || !skips())
		return;
	for (int j = 0; j < s->sinks; j++)
		if (is_stopped_tty(SINK0 + j) && !told_out[j].times &&
		    n != had(j, 0))
			broken("%ld bytes are read, and sink %d has %u", n, j,
			       had(j, 0));
}

/* tee --retry: a file that is full has the beginning, and the rest is told.
 * What nothing can be learned of is not tried again, nor is close(2). */
static void check_missing(void)
{
	uint32_t all;

	if (!s->retries || history.outcome != ENDED || told_in[0].times)
		return;
	all = due(0);
	for (int j = 1; j < s->sinks; j++)
		if ((told_left_out[j] || (s->sink[j].room && !world.hides)) &&
		    !told_out[j].ended && had(j, 0) != all)
			broken("sink %d has %u bytes, and %u are told, of %u",
			       j, from_source[j][0], told_left_out[j], all);
}

static void add_position(int role, off_t position, off_t end)
{
	end_of(role)->position = position;
	end_of(role)->end = end;
}

static void add_positions(void)
{
	for (int j = 0; j < s->sinks; j++) {
		const struct open *o = history.sink_open[j];

		if (s->sink[j].type == FILE_ && !s->sink[j].append &&
		    !s->sink[j].others && (!j || s->program == COPY_PROGRAM))
			add_position(SINK0 + j, o->pos,
				     s->sink[j].own ? s->sink[j].before :
						      o->object->data.len);
	}
	for (int i = 0; i < s->sources; i++)
		if (s->source[i].type == FILE_ && !s->source[i].others &&
		    s->program == COPY_PROGRAM && ended_well() &&
		    !told_in[i].times && is_live(0))
			add_position(i, history.source_open[i]->pos,
				     s->source[i].from ? 0 : asked(i));
}

/* A pipe of somebody else's is enlarged to half of the budget beside another,
 * and not at all where its sink has a limit. */
static void check_sizes(void)
{
	int budget = parts.pipe_max / PAGE;

	for (int i = 0; i < s->sources; i++) {
		const struct object *o = history.source_open[i]->object;

		if (o->type == PIPE && o->nslots > PIPE_SLOTS &&
		    o->nslots > budget / 2)
			broken("the pipe of source %d has %d buffers", i,
			       o->nslots);
	}
	for (int j = 0; j < s->sinks; j++) {
		const struct object *o = history.sink_open[j]->object;

		/* Some were larger before. */
		if (o->type == PIPE && o->nslots > PIPE_SLOTS &&
		    o->nslots > s->sink[j].slots &&
		    (s->lag || o->nslots > budget))
			broken("the pipe of sink %d has %d buffers", j,
			       o->nslots);
	}
}

/* Messages come out as they went in. */
static void check_messages(void)
{
	struct actor *w = actor_of(0, WRITER), *r;

	for (int j = 0; j < s->sinks; j++) {
		if (s->sources != 1 || !s->source[0].messages ||
		    !s->sink[j].messages || !is_live(j) || s->sink[j].most)
			continue;
		r = actor_of(SINK0 + j, READER);
		if (r && w && r->messages != w->messages &&
		    history.outcome == ENDED && !told_in[0].times)
			broken("messages were cut or joined");
	}
}

/* Text -------------------------------------------------------------------- */

size_t text_of(int i, uint32_t n, unsigned char *out)
{
	uint32_t at = skip_urgent(i, 0), len = 0;

	for (; len < n && at < s->source[i].size; at = skip_urgent(i, at + 1))
		out[len++] = stream_bytes[STREAM + i][at];
	return len;
}

static bool any_skipped(void)
{
	for (int i = 0; i < s->sources; i++)
		if (history.source[i]->nskipped)
			return true;
	return false;
}

/* What cat makes of the sources: of all, but of those that have failed of what
 * was read. */
static void add_formatted(struct text *want)
{
	static unsigned char bytes[BYTES];
	struct reference r = { .out = *want };

	for (int i = 0; i < s->noptions; i++)
		for (const char *p = s->options[i] + 1; *p; p++)
			reference_option(&r, *p);
	for (int i = 0; i < s->sources; i++) {
		uint32_t most = told_in[i].times ? history.source[i]->taken :
						   s->source[i].size;
		size_t n = text_of(i, most, bytes);

		for (size_t k = 0; k < n; k++)
			reference_byte(&r, bytes[k]);
	}
	reference_end(&r);
	*want = r.out;
}

static void add_lines(struct text *want)
{
	while (want->len < BYTES) {
		append_string(want, *s->line ? s->line : "y");
		append_string(want, "\n");
	}
}

static void check_text(void)
{
	static struct text want;
	static char have[BYTES], for_whom[sizeof(s->text)];
	bool may_lack = s->program != YES_PROGRAM &&
			(any_told() || any_skipped());
	size_t n = tape_copy(&ours[0], 0, have);

	if (strcmp(for_whom, s->text) || may_lack) {
		want.len = 0;
		if (s->program == YES_PROGRAM)
			add_lines(&want);
		else
			add_formatted(&want);
		strcpy(for_whom, may_lack ? "" : s->text);
	}
	/* A CR at the end of what could be read. */
	if (n && n <= want.len && have[n - 1] == '\r' && want.at[n - 1] == '^')
		have[n - 1] = '^';
	for (size_t i = 0; i < n; i++)
		if (i >= want.len || have[i] != want.at[i])
			broken("byte %zu is \\x%02x", i,
			       (unsigned char)have[i]);
	if (s->program == CAT_PROGRAM && ended_well() && is_live(0) &&
	    n != want.len)
		broken("%zu of %zu bytes, and nobody is told", n, want.len);
}

/* ------------------------------------------------------------------------- */

/* Whether a sink gets what it takes at once, and no more. What may be a message
 * is not cut, nor put off: one reader of several sinks may wait for ever. */
static bool cuts(void)
{
	return !s->alternate || !unknown();
}

/* A command is waited for, and a signal does not end tee before. */
static void check_command(void)
{
	if (history.outcome == ENDED && s->runs && world.command != REAPED)
		broken("the command is not waited for");
	if (history.outcome == KILLED && history.signal == SIGTERM &&
	    (world.command == RUNS || world.command == ZOMBIE) && !world.noted)
		broken("it is killed, and the command is left");
}

/* close(2) may tell of a lost write; and each source but the last is closed
 * before the next is opened. */
static void check_closed(void)
{
	int sources = 0;

	for (int fd = 1; fd < HELD; fd++) {
		int role = fd != 2 && world.fd[fd] ?
				   world.fd[fd]->object->role :
				   OWN;

		if (role >= SINK0 && role < FAR && is_live(role - SINK0))
			broken("descriptor %d, a sink, is not closed", fd);
		sources += role >= 0 && role < SINK0;
	}
	if (sources > !s->runs)
		broken("%d sources are not closed", sources);
}

/* Without a pipe there is no command: tee opens nothing, and blames itself. */
static void check_not_started(void)
{
	static const char said[] = "tee: --run: ";

	if (history.status != 126 || memcmp(world.said, said, sizeof(said) - 1))
		broken("the status is %d without a command: %.*s",
		       history.status, (int)world.said_len, world.said);
}

/* A file that says EAGAIN is asked for about a second. One that may be an end
 * with O_NONBLOCK is asked for ever. A sink is, too, except one that may be
 * late. */
static void check_pauses(void)
{
	uint64_t ms = world.now - EPOCH;

	if (history.outcome != ENDED)
		return;
	for (int i = 0; i < s->sources; i++) {
		if (s->source[i].balks <= PAUSES)
			continue;
		if (ms < LEAST_MS)
			broken("source %d is asked again without a pause", i);
		if (ms > MOST_MS && !unknown())
			broken("source %d is asked again without an end", i);
	}
	if (world.hindered || history.faults)
		return;
	for (int j = 0; j < s->sinks; j++) {
		if (s->sink[j].balks <= PAUSES)
			continue;
		if (ms < LEAST_MS)
			broken("sink %d is asked again without a pause", j);
		if (ms > LATE_MS && *s->late)
			broken("sink %d takes nothing, and others wait", j);
	}
}

/* Says what came of the history, as far as it is known. */
static void look(void)
{
	find_told();
	if (s->program != COPY_PROGRAM && history.outcome == ENDED &&
	    !(exits() && any_told()))
		check_closed();
	check_command();
	check_pauses();
	add_exit();
	for (int i = 0; i < s->sources; i++)
		add_end(i);
	for (int j = 0; j < s->sinks; j++)
		add_end(SINK0 + j);
	add_failures();
	for (int i = 0; i < s->sources; i++) {
		if (history.source[i]->cut && !unknown())
			broken("a message is cut in silence");
		if (history.source[i]->cut)
			return;
	}
	for (int j = 0; j < s->sinks; j++) {
		if (has_lines(j)) {
			take_lines(j);
			continue;
		}
		sort_out(j);
		if (!formats() && s->program != YES_PROGRAM)
			check_order(j);
	}
	if (formats() || s->program == YES_PROGRAM) {
		check_text();
		return;
	}
	if (history.outcome == KILLED)
		return;
	if (exits() && any_told())
		return;
	for (int j = 0; j < s->sinks; j++)
		check_last_gap(j);
	check_messages();
	check_kept_waiting();
	check_others_of_stopped();
	check_limit();
	check_stopped_tty();
	if (any_stops() || (history.outcome == STUCK && may_be_stuck()))
		return;
	for (int j = 0; j < s->sinks; j++)
		if (lost(j))
			return;
	if (history.outcome == STUCK && !cuts())
		return;
	add_bytes();
	check_missing();
	add_positions();
	check_sizes();
}

void judge(void)
{
	const char *wrong;

	s = history.s;
	memset(&facts, 0, offsetof(struct judged, end));
	if (s->runs && history.outcome == ENDED && world.command == COMING) {
		check_not_started();
		return;
	}
	look();
	wrong = judge_run(&facts);
	if (wrong)
		broken("%s", wrong);
}

/* tee -p and --run leave when all readers have gone, though input may come, as
 * far as poll(2) tells. */
static bool should_have_left(void)
{
	bool watches = s->runs && !unknown();

	/* What nothing can be learned of is not watched. */
	for (int i = 0; i < s->noptions && !unknown(); i++)
		watches |= !strcmp(s->options[i], "-p") ||
			   strstr(s->options[i], "nopipe");
	for (int j = 0; j < s->sinks; j++)
		watches &= gone(j) && s->sink[j].leaving != SHUTS;
	return watches;
}

static bool is_cancelled(void)
{
	return history.cancel && history.cancel->object->entries;
}

/* Only time is waited for, before a source is asked again. */
void judge_nap(void)
{
	if (is_cancelled() && history.source[0]->balks)
		broken("it is cancelled, and waits");
}

/* Nobody can go on. That may be so where a reader has stopped, or a writer has,
 * and we wait for just that one. */
void judge_stuck(void)
{
	s = history.s;
	/* What nothing can be learned of is written to. */
	if (is_cancelled() && !unknown())
		broken("it is cancelled, and waits");
	if (s->runs && world.signals->entries && !unknown())
		broken("a signal has come, and nobody hears it");
	/* Its command is waited for, whatever that does. */
	if (history.nwaits == 1 && history.waits->open == world.child)
		return;
	if (should_have_left())
		broken("all readers have gone, and it waits for its input");
	for (int i = 0; i < history.nwaits; i++) {
		int role = history.waits[i].open->object->role;
		const struct actor *a = role >= SINK0 && role < FAR ?
						actor_of(role, READER) :
						NULL;

		if ((a && is_silent(a)) || is_stopped_tty(role))
			return;
		a = role >= 0 && role < SINK0 ? actor_of(role, WRITER) : NULL;
		/* A command's end ends this wait, if it comes. */
		if (a && a->idle && a->done &&
		    (!s->runs || s->source[0].ends > s->source[0].size))
			return;
	}
	if (!cuts() || poll_is_refused())
		return;
	broken("it waits for ever, and so does everybody else");
}
