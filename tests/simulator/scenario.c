/* SPDX-License-Identifier: 0BSD */
/* Scenarios: a program, its ends, and who else is there, in words:
 *
 *     cat -n in=file:3000 out=pipe:by=1000
 *     tee -p in=pipe:70001:by=5000 out=file out=socket:leaves=4096
 *
 * A program is copy (zc_copy() itself), cat, tee or yes. Kinds of ends are
 * file, pipe, packets (a pipe that is O_DIRECT), socket, inet, messages, udp
 * (sockets), tty, device and null. Of a source: its bytes, by=N (its
 * writer's), others=N (a second reader's), says=N (the size that fstat(2)
 * tells), balks=N (as that of a sink), room=N (SO_SNDBUF of its writer),
 * pause=N (milliseconds that pass before each piece), nonblock, idle (its
 * writer stays, silent), limit=MS, urgent=N (one of N pieces, from the first
 * on, ends with an urgent byte), inline (SO_OOBINLINE), from=N and most=N (the
 * caller's offset and max), ends=N (the command of tee --run ends once it has
 * written so many). Of a sink: by=N (its reader's), leaves=N, stops=N and
 * shuts=N (after so many bytes; a terminal stops by itself; the last is
 * shutdown(SHUT_RD) of a socket),
 * before=N, room=N (bytes of a file, or SO_SNDBUF), slots=N, others=N (a second
 * writer's), append, nonblock, limit=MS, own (a file is written at the caller's
 * offset, after what was there), sole (a file that nobody else has), balks=N
 * (the first N calls that need not sleep say EAGAIN). Of both: toggles=N
 * (another process changes O_NONBLOCK so often), plain (a file that has no
 * calls at an offset), function (the caller's moves its bytes) and bare (that
 * has no descriptor for poll(2)). Of all: method=NAME, alternate=N (one reader
 * takes N bytes of each sink in turn), limit=N (RLIMIT_FSIZE), cancel=N
 * (another process cancels the call so often, by a pipe; of copy; for tee it is
 * SIGHUP), term=N (SIGTERM comes so often, and ends the command of tee --run),
 * blocks (it is blocked at the start), steps and idle=MS (of copy: when its
 * runs end), drop=N (of copy: its first sink fails if it is later, in bytes),
 * replaces (of copy: a file takes the place of the first sink, once a call has
 * ended before the source), ignore (SIGPIPE), eager (the others are quick),
 * bytes (memory is looked at), stdin, line=WORD (of yes). */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "simulate.h"

static void set_type(struct end *e, const char *word)
{
	static const struct {
		const char *word;
		enum type type;
		bool inet, messages;
	} types[] = {
		{ "file", FILE_, false, false },
		{ "pipe", PIPE, false, false },
		{ "packets", PIPE, false, true },
		{ "socket", SOCKET, false, false },
		{ "inet", SOCKET, true, false },
		{ "messages", SOCKET, false, true },
		{ "udp", SOCKET, true, true },
		{ "tty", TTY, false, false },
		{ "device", DEVICE, false, false },
		{ "null", NULL_, false, false },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(word, types[i].word)) {
			e->type = types[i].type;
			e->inet = types[i].inet;
			e->messages = types[i].messages;
		}
}

/* "NAME=N": the N. */
static bool number(const char *word, const char *name, uint32_t *n)
{
	size_t len = strlen(name);

	if (strncmp(word, name, len) || word[len] != '=')
		return false;
	*n = strtoul(word + len + 1, NULL, 10);
	return true;
}

/* A word that sets a field: "NAME" one that is true or false, "NAME=N" a
 * number.
 */
struct word {
	const char *name;
	size_t at, size;
};

#define WORD(name, of, field)                           \
	{                                               \
		name, offsetof(struct of, field),       \
			sizeof(((struct of *)0)->field) \
	}
#define OF_END(field) WORD(#field, end, field)
#define OF_ALL(field) WORD(#field, scenario, field)

static const struct word end_words[] = {
	OF_END(by),	  OF_END(others),
	OF_END(from),	  OF_END(most),
	OF_END(ends),	  OF_END(room),
	OF_END(pause),	  OF_END(balks),
	OF_END(urgent),	  OF_END(toggles),
	OF_END(before),	  OF_END(slots),
	OF_END(limit),	  OF_END(nonblock),
	OF_END(idle),	  OF_END(plain),
	OF_END(append),	  OF_END(own),
	OF_END(function), OF_END(bare),
	OF_END(sole),	  WORD("inline", end, inline_),
	{ NULL, 0, 0 }
};

static const struct word words[] = {
	OF_ALL(alternate), OF_ALL(cancel),
	OF_ALL(idle),	   OF_ALL(term),
	OF_ALL(limit),	   OF_ALL(open),
	OF_ALL(ignore),	   OF_ALL(steps),
	OF_ALL(blocks),	   OF_ALL(eager),
	OF_ALL(bytes),	   OF_ALL(replaces),
	OF_ALL(drop),	   WORD("stdin", scenario, stdin_),
	{ NULL, 0, 0 }
};

/* Returns whether a text is one of these words. */
static bool set(void *into, const struct word *w, const char *text)
{
	for (; w->name; w++) {
		void *field = (char *)into + w->at;

		if (w->size == sizeof(bool) && !strcmp(text, w->name))
			return *(bool *)field = true;
		if (w->size != sizeof(bool) && number(text, w->name, field))
			return true;
	}
	return false;
}

static bool parse_end(struct end *e, char *text)
{
	char *save, *word = strtok_r(text, ":", &save);
	uint32_t n;

	e->says = -1;
	if (word)
		set_type(e, word);
	while ((word = strtok_r(NULL, ":", &save))) {
		if (*word >= '0' && *word <= '9')
			e->size = strtoul(word, NULL, 10);
		else if (number(word, "says", &n))
			e->says = n;
		else if (number(word, "leaves", &e->most))
			e->leaving = LEAVES;
		else if (number(word, "stops", &e->most))
			e->leaving = STOPS;
		else if (number(word, "shuts", &e->most))
			e->leaving = SHUTS;
		else if (!set(e, end_words, word))
			return false;
	}
	return e->type != UNUSED && e->size <= STREAM_MAX;
}

static void add_option(struct scenario *s, const char *word)
{
	strcpy(s->options[s->noptions++], word);
	/* cat's change the text, and that is looked at. */
	if (s->program == CAT_PROGRAM && strcmp(word, "-u"))
		s->text_bytes = s->bytes = true;
	/* Gaps are of lines. */
	if (sscanf(word, "--lag=%u%7s", &s->lag, s->late) > 0)
		s->bytes = true;
	/* Lines are looked for. */
	if (!strcmp(word, "--retry"))
		s->retries = s->bytes = true;
	if (!strncmp(word, "--stamp", 7)) {
		s->stamps = word[7] ? TAI64N : ISO;
		s->bytes = true;
	}
	if (!strncmp(word, "--rotate=", 9))
		s->rotates = s->bytes = true;
}

static void set_method(struct scenario *s, const char *name)
{
	for (int i = 0; zc_methods[i]; i++)
		if (!strcmp(zc_methods[i]->name, name))
			s->method = zc_methods[i]->name;
	s->lacks_method = !s->method;
}

static bool parse_word(struct scenario *s, char *word)
{
	static const char *const programs[] = { "copy", "cat", "tee", "yes" };

	for (int i = 0; i < 4; i++)
		if (!strcmp(word, programs[i])) {
			s->program = i;
			return true;
		}
	/* It comes last. */
	if (!strcmp(word, "--run"))
		return s->runs = true;
	if (*word == '-' && s->noptions < 8 && strlen(word) < 32)
		add_option(s, word);
	else if (!strncmp(word, "in=", 3) && s->sources < MOST_SOURCES)
		return parse_end(&s->source[s->sources++], word + 3);
	else if (!strncmp(word, "out=", 4) && s->sinks < MOST_SINKS)
		return parse_end(&s->sink[s->sinks++], word + 4);
	else if (!strncmp(word, "line=", 5) && strlen(word) < 64)
		strcpy(s->line, word + 5);
	else if (!strncmp(word, "method=", 7))
		set_method(s, word + 7);
	else
		return set(s, words, word);
	return true;
}

const char *scenario_parse(struct scenario *s, const char *text)
{
	static char copy[sizeof(s->text)], wrong[sizeof(s->text) + 32];
	char *save;

	*s = (struct scenario){ .program = COPY_PROGRAM };
	if (strlen(text) >= sizeof(copy))
		return "too long";
	strcpy(s->text, text);
	strcpy(copy, text);
	for (char *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		snprintf(wrong, sizeof(wrong), "what is \"%s\"?", word);
		if (!parse_word(s, word))
			return wrong;
	}
	if (!s->sinks || (!s->sources && s->program != YES_PROGRAM))
		return "a program needs its ends";
	if (s->runs && s->source[0].type != PIPE)
		return "a command writes to a pipe";
	return NULL;
}

/* Ends -------------------------------------------------------------------- */

/* A channel whose far end an actor has. */
static struct open *channel(struct object *near, bool source, int flags,
			    bool inet, bool messages, struct open **far)
{
	if (near->type == PIPE) {
		/* As pipe2(2): the end that is read is not O_DIRECT. */
		*far = open_new(near, source ? O_WRONLY | flags : O_RDONLY);
		return open_new(near, source ? O_RDONLY | (flags & O_NONBLOCK) :
					       O_WRONLY | flags);
	}
	pair(near, object_new(SOCKET, FAR), inet ? AF_INET : AF_UNIX,
	     messages ? SOCK_SEQPACKET : SOCK_STREAM);
	*far = open_new(near->peer, O_RDWR);
	return open_new(near, O_RDWR | flags);
}

static void add_reader(struct open *far, int role, const struct end *s)
{
	struct actor *a = actor_new(FILE_READER, role, far);

	a->by = s->others;
	a->most = 4 * s->others;
}

static void add_toggler(struct open *near, int role, uint32_t times)
{
	if (times)
		actor_new(TOGGLER, role, near)->most = times;
}

static void new_source(const struct end *s, int i, bool shared_open)
{
	struct object *o = object_new(s->type, i);
	int flags = (s->nonblock ? O_NONBLOCK : 0) |
		    (s->messages && s->type == PIPE ? O_DIRECT : 0);
	struct open *far = NULL, *near;
	struct actor *a = NULL;

	o->says = s->says;
	o->balks = s->balks;
	o->inline_ = s->inline_;
	o->no_offsets = s->plain;
	o->limit_ms = s->limit;
	history.source[i] = o;
	if (s->type == FILE_) {
		tape_add(&o->data, (struct seg){ STREAM + i, 0, s->size });
		near = open_new(o, O_RDONLY);
		if (s->others && shared_open)
			add_reader(near, i, s);
	} else if (s->type == PIPE || s->type == SOCKET) {
		near = channel(o, true, flags, s->inet, s->messages, &far);
		if (s->room)
			far->object->room = s->room;
		a = actor_new(WRITER, i, far);
	} else {
		near = open_new(o, O_RDWR | flags);
		if (s->type == TTY)
			a = actor_new(TYPIST, i, near);
	}
	if (a) {
		a->size = s->size;
		a->by = s->by;
		a->origin = STREAM + i;
		a->idle = s->idle;
		a->urgent = s->urgent;
		a->pause = s->pause;
	}
	add_toggler(near, i, s->toggles);
	history.source_open[i] = near;
}

static void new_sink(const struct end *s, int i, bool has_reader)
{
	struct object *o = object_new(s->type, SINK0 + i);
	int flags = (s->nonblock ? O_NONBLOCK : 0) |
		    (s->append ? O_APPEND : 0) |
		    (s->messages && s->type == PIPE ? O_DIRECT : 0);
	struct open *far = NULL, *near;
	struct actor *a;

	history.sink[i] = history.file[i][0] = o;
	o->limit_ms = s->limit;
	o->no_offsets = s->plain;
	o->balks = s->balks;
	if (s->room)
		o->room = s->room;
	if (s->type == TTY && s->leaving == STOPS)
		o->room = s->most;
	if (s->slots)
		o->nslots = s->slots;
	if (s->type == PIPE || s->type == SOCKET)
		near = channel(o, false, flags, s->inet, s->messages, &far);
	else
		near = open_new(o, O_WRONLY | flags);
	if (s->type == FILE_ && s->before) {
		tape_add(&o->data, (struct seg){ BEFORE, 0, s->before });
		near->pos = s->append ? 0 : s->before;
	}
	if (far && has_reader) {
		a = actor_new(READER, SINK0 + i, far);
		a->by = s->by;
		a->most = s->most;
		a->leaving = s->leaving;
	} else if (far) {
		a = &history.actor[0];
		a->role = SINK0;
		a->open[a->opens] = far;
		a->got[a->opens++] = tape_new();
		far->refs++;
	}
	if (s->others && (s->type == FILE_ || s->type == PIPE)) {
		a = actor_new(s->type == FILE_ ? FILE_WRITER : PIPE_WRITER,
			      SINK0 + i,
			      s->type == FILE_ ? near : open_new(o, O_WRONLY));
		a->by = s->others;
		a->most = 3 * s->others;
		a->origin = THEIRS + i;
	}
	add_toggler(near, SINK0 + i, s->toggles);
	history.sink_open[i] = near;
}

/* A pipe, at whose far end somebody is who now and then has us stop. */
static void new_canceler(uint32_t times)
{
	struct object *o = object_new(PIPE, FAR);
	struct actor *a;

	world.signals = o;
	history.cancel = times ? open_new(o, O_RDONLY) : NULL;
	if (!times)
		return;
	a = actor_new(WRITER, FAR, open_new(o, O_WRONLY));
	a->size = times;
	a->by = 1;
	a->origin = THEIRS + MOST_SINKS;
	a->idle = true;
}

/* The writer of the source is a command, which ends at some time. */
static void new_command(uint32_t term)
{
	struct actor *a = actor_new(DEATH, 0,
				    open_new(world.signals, O_WRONLY));

	a->origin = CHILD_ENDS;
	world.output = history.source_open[0];
	world.child = open_new(object_new(PROCESS, FAR), O_RDONLY);
	if (term)
		actor_new(TERMINATOR, FAR, NULL)->most = term;
}

/* What is in the streams: noise, or text for those who look at it. */
static void fill_streams(bool text)
{
	static unsigned char noise[STREAM_MAX + MOST_STREAMS * 977];
	static unsigned char lines[sizeof(noise)];
	static const char some[] = "a b\n\n\n\t\r\r\n\1\x80\xff\xe9 xyz\n";
	uint64_t x = 88172645463325252u;
	static bool filled;

	for (size_t i = 0; !filled && i < sizeof(noise); i++) {
		noise[i] = random_below(&x, 256);
		lines[i] = some[(x >> 30) % (sizeof(some) - 1)];
	}
	filled = true;
	for (int i = STREAM; i < MOST_STREAMS; i++)
		stream_bytes[i] = (text ? lines : noise) + i * 977;
}

void history_new(const struct scenario *s)
{
	fill_streams(s->text_bytes || s->stamps);
	history.s = s;
	history.faults = 0;
	history.status = history.signal = 0;
	history.nwaits = 0;
	history.running = false;
	memset(history.file, 0, sizeof(history.file));
	world_new();
	actors_reset();
	world.file_limit = s->limit;
	world.ignores_sigpipe = s->ignore;
	if (s->blocks)
		world.blocked |= 1ul << SIGTERM;
	world.real_bytes = s->bytes;
	world.cuts = parts.safe_calls;
	/* How much is on the way to a sink with a limit, the user says. */
	world.pipe_max = s->lag || s->drop ? 0 : parts.pipe_max;
	if (s->alternate)
		actor_new(ALTERNATING, SINK0, NULL)->by = s->alternate;
	new_canceler(s->cancel);
	for (int i = 0; i < s->sources; i++)
		new_source(&s->source[i], i, true);
	if (s->runs)
		new_command(s->term);
	for (int i = 0; i < s->sinks; i++)
		new_sink(&s->sink[i], i, !s->alternate);
	history.replaced = false;
	history.spare = NULL;
	if (s->replaces)
		history.spare = open_new(object_new(FILE_, SINK0), O_WRONLY);
}

/* Texts with choices ------------------------------------------------------ */

/* Lines of tests/simulator/scenarios. */
static const char *const usual[] = {
#include "usual.h"
};
static const char *const small[] = {
#include "small.h"
};
static const char *const rules[] = {
#include "random.h"
};

#define LINES(list) (list), sizeof(list) / sizeof(*(list))

/* A text as far as it is written, and who chooses what comes next. */
static struct {
	char text[sizeof(((struct scenario *)0)->text)];
	size_t len;
	uint32_t (*pick)(uint32_t n);
} draft;

/* Returns the end of an alternative: the next | or } that is not of braces in
 * it. */
static const char *end_of_alternative(const char *p)
{
	for (int deep = 0; deep || (*p != '|' && *p != '}'); p++)
		deep += (*p == '{') - (*p == '}');
	return p;
}

static void put(char c)
{
	assert(draft.len < sizeof(draft.text) - 1);
	draft.text[draft.len++] = c;
}

static void spell(const char *p, const char *end);

/* Each of these returns what comes behind the braces, or the brackets. */
static const char *spell_alternative(const char *p)
{
	const char *begin[32];
	uint32_t n = 0, which;

	do {
		assert(n < sizeof(begin) / sizeof(*begin));
		begin[n++] = p + 1;
		p = end_of_alternative(p + 1);
	} while (*p == '|');
	which = draft.pick(n);
	spell(begin[which], end_of_alternative(begin[which]));
	return p + 1;
}

/* Returns what a rule says. */
static const char *rule(const char *name, size_t len)
{
	size_t i = 0;

	while (strncmp(rules[i], name, len) || rules[i][len] != ':') {
		i++;
		assert(i < sizeof(rules) / sizeof(*rules));
	}
	return rules[i] + len + 2;
}

static const char *spell_named(const char *p)
{
	const char *end = strchr(p, '>'), *text;
	unsigned from, to;
	char number[16];

	if (sscanf(++p, "%u-%u", &from, &to) == 2) {
		sprintf(number, "%u", from + draft.pick(to - from + 1));
		text = number;
	} else {
		text = rule(p, end - p);
	}
	spell(text, text + strlen(text));
	return end + 1;
}

static void spell(const char *p, const char *end)
{
	while (p < end)
		if (*p == '{')
			p = spell_alternative(p);
		else if (*p == '<')
			p = spell_named(p);
		else
			put(*p++);
}

static const char *spelled(const char *text, uint32_t (*pick)(uint32_t n))
{
	draft.pick = pick;
	draft.len = 0;
	spell(text, text + strlen(text));
	draft.text[draft.len] = 0;
	return draft.text;
}

const char *scenario_random(uint32_t (*random)(uint32_t n))
{
	return spelled("<scenario>", random);
}

/* The alternatives of a line in order: which one of how many. */
static struct {
	uint32_t which, of;
} turn[8];
static int turns, turns_taken;

static uint32_t next_alternative(uint32_t n)
{
	int i = turns_taken++;

	assert(i < (int)(sizeof(turn) / sizeof(*turn)));
	if (i == turns)
		turn[turns++].which = 0;
	turn[i].of = n;
	return turn[i].which;
}

static bool has_another(void)
{
	while (turns && turn[turns - 1].which + 1 == turn[turns - 1].of)
		turns--;
	if (turns)
		turn[turns - 1].which++;
	return turns;
}

static void each_of(const char *const *list, size_t n,
		    void (*walk)(const char *text))
{
	for (size_t i = 0; i < n; i++)
		do {
			turns_taken = 0;
			walk(spelled(list[i], next_alternative));
		} while (has_another());
}

void scenarios_each(bool small_ones, void (*walk)(const char *text))
{
	if (small_ones)
		each_of(LINES(small), walk);
	else
		each_of(LINES(usual), walk);
}
