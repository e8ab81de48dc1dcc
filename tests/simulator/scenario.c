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
 * shuts=N (after so many bytes; the last is shutdown(SHUT_RD) of a socket),
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
 * runs end), ignore (SIGPIPE), eager (the others are quick), bytes (memory is
 * looked at), stdin, line=WORD (of yes). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
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
	OF_ALL(alternate), OF_ALL(cancel), OF_ALL(idle),
	OF_ALL(term),	   OF_ALL(limit),  OF_ALL(open),
	OF_ALL(ignore),	   OF_ALL(steps),  OF_ALL(blocks),
	OF_ALL(eager),	   OF_ALL(bytes),  WORD("stdin", scenario, stdin_),
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

const char *scenario_lacks(const struct scenario *s)
{
	static const bool programs[] = {
		[COPY_PROGRAM] = true,
		[CAT_PROGRAM] = IS_ENABLED(CONFIG_CAT),
		[TEE_PROGRAM] = IS_ENABLED(CONFIG_TEE),
		[YES_PROGRAM] = IS_ENABLED(CONFIG_YES),
	};
	static const struct {
		const char *word;
		bool has;
	} words[] = {
		{ " -p", IS_ENABLED(CONFIG_TEE_ERROR) },
		{ " --output-error", IS_ENABLED(CONFIG_TEE_ERROR) &&
					     IS_ENABLED(CONFIG_LONG_OPTS) },
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
		{ " idle=", IS_ENABLED(CONFIG_ZC_LIBRARY) },
	};

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
	world.cuts = IS_ENABLED(CONFIG_SAFE_CALLS);
	/* How much is on the way to a sink with a limit, the user says. */
	world.pipe_max = s->lag ? 0 : CONFIG_ZC_PIPE_KB << 10;
	if (s->alternate)
		actor_new(ALTERNATING, SINK0, NULL)->by = s->alternate;
	new_canceler(s->cancel);
	for (int i = 0; i < s->sources; i++)
		new_source(&s->source[i], i, true);
	if (s->runs)
		new_command(s->term);
	for (int i = 0; i < s->sinks; i++)
		new_sink(&s->sink[i], i, !s->alternate);
}

/* What is walked, all of it. ---------------------------------------------- */

/* For every history: DEPTH=all. */
const char *const small_scenarios[] = {
	"copy in=pipe:3:by=1 out=pipe",
	"copy in=pipe:3:by=1 out=file",
	"copy in=file:3 out=pipe",
	"copy in=file:3 out=file",
	"copy in=file:3 out=socket",
	"copy in=socket:2:by=1 out=pipe",
	"cat in=pipe:3:by=1 out=file",
	"tee in=pipe:3:by=1 out=pipe out=pipe:by=1",
	"tee in=pipe:2:by=1 out=pipe out=socket:room=1",
	"tee --lag=1 in=pipe:2:by=1 out=pipe:by=1 out=file",
	"tee --lag=1,skip in=pipe:2:by=1 out=pipe:by=1 out=file",
	"tee --lag=1,drop in=pipe:2:by=1 out=pipe:by=1 out=file",
	NULL,
};

const char *const scenarios[] = {
	/* One source, one sink, every method. */
	"copy in=file:5000 out=file", "copy in=file:40000 out=file",
	"copy in=file:70001 out=pipe", "copy in=file:70001 out=pipe:by=5000",
	"copy in=file:40000 out=socket", "copy in=file:40000 out=inet",
	"copy in=file:40000 out=device", "copy in=file:40000 out=null",
	"copy in=file:5000 out=tty", "copy in=pipe:5000 out=file",
	"copy in=pipe:9000:by=3000 out=pipe:by=4000",
	"copy in=pipe:70001 out=file", "copy in=pipe:70001 out=pipe",
	"copy in=pipe:70001:nonblock out=pipe:nonblock",
	"copy in=pipe:9000 out=socket", "copy in=pipe:9000 out=inet:nonblock",
	"copy in=pipe:9000 out=null", "copy in=socket:9000 out=file",
	"copy in=socket:70001 out=pipe",
	"copy in=socket:9000:nonblock out=socket:nonblock",
	"copy in=tty:20:by=5 out=pipe", "copy in=tty:20:by=5 out=file",
	"copy in=packets:600:by=200 out=packets",
	"copy in=packets:600:by=200 out=pipe:by=50",
	"tee in=packets:600:by=200 out=pipe:by=50 out=file",
	"copy in=messages:600:by=200 out=messages",
	"copy in=file:40000 out=messages", "copy in=device:0 out=file",
	/* Messages that fit, and that do not. */
	"copy in=messages:250000:by=250000:room=600000 out=file",
	"copy in=messages:400000:by=200000:room=600000 out=pipe out=file",
	"copy in=messages:900000:by=300000:room=600000 out=file",
	"copy cancel=1 in=messages:900000:by=300000:room=600000 out=pipe "
	"out=file",
	"copy steps in=messages:400000:by=200000:room=600000 out=pipe",
	"copy in=messages:600:by=200:most=500 out=file",
	"cat in=messages:300000:by=300000:room=600000 out=pipe",
	"cat -n in=messages:200000:by=100000:room=600000 out=file",
	"cat -n in=messages:140000:by=140000:room=600000 out=file",
	"tee --lag=5000 in=messages:200000:by=200000:room=600000 out=pipe "
	"out=file",
	"tee in=messages:300000:by=300000:room=600000 out=pipe out=file",
	"cat in=file:200000 out=udp", "cat in=file:200000 out=messages",
	"tee in=file:200000 out=udp out=file",
	"copy steps in=file:200000 out=udp",
	"cat in=messages:400000:by=200000 out=messages",
	"tee in=messages:400000:by=200000 out=messages out=pipe",
	/* Pipes that are larger than box would make them. */
	"cat in=file:600000 out=pipe:slots=32:by=50000",
	"cat in=file:600000 out=pipe:slots=64:by=50000",
	"cat in=pipe:600000 out=pipe:slots=64:by=50000",
	"tee in=file:300000 out=pipe:slots=32 out=file",
	"copy method=rw in=file:300000 out=pipe",
	"copy method=rw in=pipe:9000 out=file",
	"copy method=splice in=file:40000 out=file",
	"copy method=splice in=pipe:9000:by=3000 out=socket:by=2000",
	"copy method=sendfile in=file:40000 out=socket",
	"copy method=sendfile in=file:40000 out=device",
	"copy method=mmap in=file:70001 out=pipe",
	"copy method=mmap in=file:70001 out=file",
	"copy method=tee in=pipe:9000 out=file out=pipe",
	"copy method=copy_file_range in=file:70001 out=file",
	/* Files that are not as they should be. */
	"copy in=file:70001:says=0 out=pipe",
	"copy in=file:70001:says=40000 out=pipe",
	"copy in=file:70001:says=40000 out=file",
	"copy in=file:40000:says=70001 out=file",
	"copy in=file:40000 out=file:room=20000",
	"copy in=pipe:9000 out=file:room=5000",
	"copy in=pipe:9000 out=file:append:before=100",
	"copy in=file:40000 out=file:append:before=100",
	"copy in=pipe:9000 out=file limit=5000",
	"copy in=pipe:9000 out=socket:limit=50",
	"copy in=socket:9000:by=3000:limit=50 out=file",
	/* Urgent bytes: the first, the last, all, and one like another. */
	"copy in=inet:9000:by=3000:urgent=2 out=file",
	"copy in=inet:9000:by=3000:urgent=2 out=pipe:by=4000",
	"copy in=inet:9000:by=3000:urgent=2:inline out=socket",
	"copy in=inet:9000:by=3000:urgent=2:nonblock out=file",
	"copy in=inet:9000:by=3000:urgent=2:nonblock:idle out=file",
	"copy in=inet:9000:by=3000:urgent=2:nonblock:inline out=pipe",
	"tee in=inet:9000:by=3000:urgent=2:nonblock:idle out=pipe out=file",
	"copy in=inet:3:by=1:urgent=1 out=file",
	"copy in=inet:6:by=1:urgent=6 out=null",
	"copy in=inet:9000:by=3000:urgent=1:idle out=file out=pipe",
	"cat in=inet:9000:by=3000:urgent=2 out=file",
	"tee in=inet:9000:by=3000:urgent=2:inline out=pipe out=file",
	/* Files without calls at an offset. */
	"copy in=file:40000 out=file:plain", "copy in=pipe:9000 out=file:plain",
	"copy in=pipe:70001 out=file:plain:others=50",
	"copy in=file:70001 out=file:plain:room=50000",
	"copy in=file:40000:plain out=file",
	"copy in=file:40000:plain:others=3000 out=pipe",
	"copy in=file:40000:plain out=pipe out=file:plain",
	"copy method=mmap in=file:40000 out=file:plain",
	"copy method=sendfile in=file:40000:plain out=socket",
	"copy method=copy_file_range in=file:40000 out=file:plain:others=50",
	"cat in=file:40000 in=file:100 out=file:plain",
	"tee in=pipe:9000 out=file:plain out=file",
	/* Others change O_NONBLOCK. */
	"copy in=pipe:9000:by=3000:toggles=4 out=file",
	"copy in=file:70001 out=pipe:by=5000:toggles=4",
	"copy in=socket:9000:by=3000:toggles=3 out=socket:by=2000:toggles=3",
	"copy in=tty:20:by=5:toggles=4 out=pipe",
	"copy method=rw in=pipe:9000:by=3000:toggles=3 "
	"out=pipe:by=2000:toggles=3",
	"cat in=pipe:9000:by=3000:toggles=4 "
	"out=pipe:by=4000:nonblock:toggles=4",
	"cat -n in=tty:20:by=5:toggles=4 out=pipe:by=50:toggles=4",
	"tee in=pipe:9000:by=3000:toggles=4 out=pipe:by=2000:toggles=4 "
	"out=file",
	/* Others at the same ends. */
	"copy in=file:40000:others=3000 out=pipe",
	"copy in=file:70001:others=3000 out=file",
	"copy in=file:200000:others=10000 out=pipe",
	"copy method=sendfile in=file:70001:others=3000 out=socket",
	"copy method=mmap in=file:70001:others=3000 out=pipe",
	"copy method=splice in=file:70001:others=3000 out=socket",
	"copy method=rw in=file:70001:others=3000 out=pipe",
	"copy in=pipe:9000 out=file:others=50",
	"copy in=pipe:9000:by=3000 out=file:others=50:before=100",
	"copy in=file:70001 out=file:others=50",
	"copy method=splice in=file:40000 out=file:others=50",
	"copy method=mmap in=file:40000 out=file:others=50",
	"copy method=rw in=file:40000 out=file:others=50",
	"copy in=pipe:9000 out=file:append:others=50",
	"copy in=pipe:9000:by=500 out=pipe:others=300",
	"copy in=file:40000 out=pipe:others=300",
	/* Readers that leave, stop, or have small pipes. */
	"copy in=pipe:9000 out=pipe:leaves=2000 ignore",
	"copy in=file:70001 out=pipe:leaves=5000 ignore",
	"copy in=file:70001 out=pipe:leaves=5000",
	"copy in=file:70001 out=socket:leaves=5000 ignore",
	"copy in=file:300000 out=inet:leaves=5000 ignore",
	"copy in=file:300000 out=pipe:stops=5000",
	/* Readers that shut down, of which poll(2) tells nothing. */
	"copy in=file:40000 out=socket:room=9000:shuts=5000 ignore",
	"copy in=pipe:40000 out=socket:room=9000:shuts=5000:nonblock ignore",
	"copy in=pipe:30000:by=5000 out=messages:room=12000:shuts=1 "
	"out=messages:room=12000:shuts=1 ignore",
	"copy in=pipe:40000 out=socket:room=9000:shuts=5000 "
	"out=socket:room=9000:shuts=9000 ignore",
	"copy steps in=pipe:40000 out=socket:room=9000:shuts=5000 ignore",
	"copy cancel=1 in=pipe:40000 out=socket:room=9000:shuts=5000 "
	"out=pipe ignore",
	"cat in=file:40000 out=socket:room=9000:shuts=5000",
	"cat -n in=pipe:9000 out=socket:room=5000:shuts=1000:nonblock",
	"tee -p in=pipe:40000 out=socket:room=9000:shuts=5000 out=file",
	"tee -p in=pipe:9000 out=socket:room=5000:shuts=1 "
	"out=socket:room=5000:shuts=1 out=file",
	"tee -p --lag=5000 in=pipe:40000 out=socket:room=9000:shuts=5000 "
	"out=file",
	"copy in=file:70001 out=pipe:slots=2",
	"copy in=pipe:9000:idle out=pipe", "copy in=pipe:9000:idle out=file",
	"copy in=socket:9000:idle out=socket",
	/* One source, several sinks. */
	"copy in=pipe:9000 out=file out=pipe",
	"copy in=pipe:9000:by=3000 out=pipe:by=2000 out=socket:by=3000",
	"copy in=pipe:9000 out=pipe:leaves=2000 out=pipe ignore",
	"copy in=file:40000 out=file out=pipe",
	"copy in=file:70001 out=pipe out=socket",
	"copy in=socket:9000 out=file out=file out=pipe",
	"copy in=pipe:9000 out=file:room=5000 out=file out=pipe",
	"copy in=pipe:9000 out=pipe:slots=2 out=file",
	"copy in=pipe:300000:by=70000 out=pipe",
	"copy in=pipe:9000 out=messages out=file",
	"copy in=pipe:9000:idle out=pipe out=file",
	"copy in=file:70001:others=3000 out=pipe out=file",
	/* Calls that are cancelled. */
	"copy cancel=2 in=pipe:9000:by=3000 out=pipe:by=2000",
	"copy cancel=2 in=pipe:9000:by=3000:idle out=file",
	"copy cancel=2 in=file:70001 out=pipe:by=5000",
	"copy cancel=2 in=file:40000:others=3000 out=pipe",
	"copy cancel=2 in=file:40000 out=socket:nonblock",
	"copy cancel=2 in=socket:9000:by=3000:nonblock out=file",
	"copy cancel=2 in=pipe:9000:by=3000:toggles=3 out=socket:by=2000",
	"copy cancel=2 in=inet:9000:by=3000:urgent=2:nonblock out=pipe",
	"copy cancel=2 in=messages:600:by=200 out=messages",
	"copy cancel=2 in=tty:20:by=5 out=tty",
	"copy cancel=1 in=pipe:300000 out=pipe:stops=5000",
	"copy cancel=1 in=file:300000 out=pipe:stops=5000 out=file",
	"copy cancel=2 in=pipe:9000:by=3000 out=pipe:by=2000 "
	"out=socket:by=3000",
	"copy cancel=2 in=pipe:9000 out=pipe:leaves=2000 out=file ignore",
	"copy cancel=2 in=file:70001 out=pipe:slots=2 out=file:room=50000",
	/* Steps, with a time, at most so many bytes, and at offsets. */
	"copy steps in=pipe:9000:by=3000 out=pipe:by=2000",
	"copy steps in=file:70001 out=socket:by=20000:nonblock",
	"copy steps in=file:70001 out=inet",
	"copy steps in=socket:9000:by=3000:nonblock out=file",
	"copy steps in=inet:9000:by=3000:urgent=2:nonblock out=pipe",
	"copy steps in=tty:20:by=5 out=tty",
	"copy steps in=messages:600:by=200 out=messages",
	"copy steps in=pipe:9000:by=3000:toggles=3 out=socket:by=2000",
	"copy steps cancel=1 in=pipe:9000:by=3000 out=pipe:by=2000",
	"copy steps in=pipe:9000:by=3000 out=pipe:by=2000 out=file",
	"copy steps in=pipe:9000 out=pipe:leaves=2000 out=file ignore",
	"copy steps in=file:70001 out=pipe:slots=2 out=socket:by=9000",
	"copy steps in=file:70001:from=5000:most=40000 out=socket:by=9000",
	"copy idle=50 in=pipe:9000:by=3000 out=pipe:by=2000",
	"copy idle=50 in=pipe:9000:by=3000:idle out=file",
	"copy idle=50 in=file:70001 out=inet:by=9000 out=pipe:slots=2",
	"copy steps in=socket:9000:by=3000 out=pipe out=file",
	"copy in=file:70001:from=5000 out=pipe",
	"copy in=file:70001:most=40000 out=file",
	"copy in=pipe:9000:by=3000:most=4000 out=pipe",
	"copy in=pipe:70001:most=50000 out=pipe",
	"copy in=socket:9000:by=3000:most=4000:idle out=file out=pipe",
	"copy in=file:40000:from=100:says=0:most=9000 out=pipe",
	"copy in=file:9000:from=100:most=70001 out=file:own:before=50",
	"copy in=pipe:9000:most=9000 out=file:own:before=50 out=pipe",
	/* Functions of the caller's, some without a descriptor. */
	"copy in=pipe:9000:by=3000:function out=file",
	"copy in=file:70001:function:bare out=pipe:by=5000",
	"copy in=pipe:9000:by=3000:function:bare:most=5000 out=file out=pipe",
	"copy in=pipe:9000:by=3000 out=pipe:by=2000:function",
	"copy in=file:40000 out=socket:function:leaves=5000 out=pipe ignore",
	"copy in=pipe:9000 out=file:function:bare:room=5000 out=file",
	"copy in=pipe:9000:by=3000:nonblock:function "
	"out=pipe:by=2000:nonblock:function out=file",
	"copy steps in=pipe:9000:by=3000:nonblock:function "
	"out=pipe:by=2000:nonblock:function out=file",
	"copy cancel=2 in=pipe:9000:by=3000:nonblock:function "
	"out=pipe:by=2000:nonblock:function",
	"copy cancel=1 in=file:40000:function:bare out=pipe:stops=5000 "
	"out=file:function:bare",
	"copy cancel=1 in=file:300000 out=pipe:stops=5000:nonblock:function",
	"copy cancel=1 in=file:300000 out=pipe:stops=5000:nonblock:function "
	"out=file",
	"copy idle=50 in=pipe:9000:by=3000:nonblock:function:idle "
	"out=pipe:by=2000:nonblock:function",
	/* Files that nobody else has are spliced to. */
	"copy in=pipe:70001 out=file:sole",
	"copy in=pipe:9000:by=3000 out=file:sole",
	"copy in=file:70001 out=file:sole:before=100",
	"copy in=socket:70001:by=20000 out=file:sole:room=40000",
	"copy in=pipe:70001 out=file:sole:append:before=100",
	"copy in=pipe:70001 out=file:sole limit=50000",
	"copy steps in=pipe:70001 out=file:sole out=pipe:by=9000",
	"copy in=pipe:70001 out=file:sole out=file:sole:room=40000",
	"copy in=pipe:70001 out=file:sole out=file:others=50",
	"copy in=file:70001 out=file:sole:append out=pipe:by=9000",
	"copy in=file:70001:most=40000 out=file:sole:own:before=50",
	"tee in=pipe:200000 out=null out=file",
	"tee in=pipe:200000 out=null out=file out=file:room=90000",
	"tee in=file:200000 out=pipe:by=9000 out=file limit=150000",
	/* One reader that takes from several sinks in turn. */
	"copy in=pipe:200000 out=pipe out=pipe alternate=10000",
	"copy in=pipe:9000:by=3000 out=pipe:slots=1 out=pipe alternate=1000",
	"copy in=file:200000 out=pipe out=socket alternate=5000",
	"copy in=messages:12000:by=6000 out=socket:room=5000 out=pipe "
	"alternate=1000",
	"tee in=pipe:200000 out=pipe out=pipe alternate=10000",
	"tee in=pipe:200000 out=pipe out=pipe out=pipe alternate=5000",
	/* The applets. */
	"cat in=file:40000 out=pipe", "cat in=file:100 in=file:50 out=file",
	/* Files that say EAGAIN for less than a second, and for longer. */
	"cat in=file:40000:balks=9 out=pipe",
	"cat in=file:40000:balks=99 out=pipe",
	"cat in=file:40000 in=file:40000 out=file:others=50",
	"cat in=file:40000 in=file:40000 out=file:others=30000",
	"cat in=pipe:9000 in=file:100 out=pipe:leaves=2000 ignore",
	"cat in=pipe:9000 out=file:room=5000", "cat in=tty:20:by=5 out=tty",
	"cat -n in=file:300 in=file:100 out=pipe",
	"cat -A in=pipe:300:by=100 out=file",
	"cat -sE in=file:300 in=file:100 out=pipe:by=50",
	"cat -v in=file:40000 out=file:room=20000",
	"tee in=pipe:9000 out=pipe out=file",
	"tee in=pipe:9000 out=pipe out=file:room=5000 out=file",
	"tee in=file:40000 out=null out=file",
	"tee in=tty:20:by=5 out=tty out=file",
	/* A reader that stops keeps no other from what was read. */
	"tee in=pipe:200000 out=pipe:stops=5000 out=pipe:by=9000",
	"tee in=pipe:200000 out=pipe:stops=5000 out=pipe:stops=9000",
	"tee --reopen cancel=1 in=pipe:200000 out=null out=pipe:stops=5000",
	"tee --run in=pipe:100000:ends=100000 out=pipe:stops=5000",
	"tee in=pipe:20000 out=pipe:slots=2:stops=5000 out=pipe:by=3000",
	"tee in=pipe:20000:by=1000 out=pipe:slots=1:stops=2000 out=pipe",
	"tee in=file:40000 out=messages:stops=5000 out=pipe:by=3000",
	"tee -a in=pipe:9000 out=pipe out=file:before=100",
	"tee -p in=pipe:9000:by=3000 out=pipe:leaves=2000 out=file",
	"tee -p in=pipe:9000:idle out=pipe:leaves=2000",
	"tee -p in=pipe:70001 out=socket:leaves=2000 out=pipe:leaves=5000",
	"tee --output-error=exit in=pipe:9000 out=pipe:leaves=2000 out=file",
	/* SIGHUP comes, in the place of what cancels. */
	"tee --reopen cancel=2 in=pipe:9000:by=3000 out=pipe:by=2000 out=file",
	"tee --reopen cancel=2 in=file:40000 out=null out=file",
	"tee --reopen -a cancel=2 in=pipe:9000 out=file out=file:before=100",
	"tee --reopen cancel=2 in=pipe:9000 out=pipe out=pipe:slots=1 out=file",
	"tee --reopen cancel=1 in=socket:9000 out=pipe out=file",
	"tee --reopen -p cancel=1 in=pipe:9000 out=pipe:leaves=2000 out=file",
	"tee --reopen --lag=5000 cancel=1 in=file:12000 out=pipe:slots=1 "
	"out=file",
	/* A file that stays full. */
	"tee --rotate=4K,9 in=pipe:14000:by=3000 out=pipe out=file",
	"tee --rotate=4K,9 in=file:20000 out=null out=file",
	"tee --rotate=4K,9 in=pipe:9000:by=700 out=file out=file",
	/* Far from its size a file is spliced to. */
	"tee --rotate=64K,9 in=pipe:140000:by=30000 out=pipe out=file",
	"tee --rotate=64K,9 in=file:140000 out=pipe:by=9000 out=file out=file",
	"tee --rotate=64K,9 --lag=9000,skip in=pipe:140000:by=30000 "
	"out=pipe:by=4000 out=pipe:slots=1 out=file",
	"tee --rotate=64K,9 -p in=socket:140000 out=pipe:leaves=50000 "
	"out=file",
	"tee --rotate=8K,9 --retry in=pipe:20000:by=3000 out=pipe "
	"out=file:room=5000",
	"tee --rotate=4K,9 -a in=pipe:9000:by=3000 out=pipe "
	"out=file:before=100",
	"tee --rotate=4K,9 --reopen cancel=1 in=pipe:9000:by=3000 out=pipe "
	"out=file",
	"tee --retry in=pipe:9000:by=3000 out=pipe:by=2000 out=file:room=5000",
	"tee --retry in=file:40000 out=null out=file:room=20000",
	"tee --retry in=socket:9000:by=3000 out=file out=file:room=5000 "
	"out=file",
	"tee --retry in=pipe:9000 out=pipe:slots=1 out=file",
	"tee --retry -a in=pipe:9000 out=pipe out=file:before=100:room=5000",
	"tee --retry --lag=5000 in=file:12000 out=pipe:slots=1 "
	"out=file:room=5000",
	"tee --reopen --retry cancel=1 in=pipe:9000:by=3000 out=pipe:by=2000 "
	"out=file",
	"tee --reopen --retry cancel=2 in=pipe:9000:by=3000 out=pipe:by=2000 "
	"out=file:room=5000",
	"tee --retry -p in=pipe:9000:by=3000 out=pipe:leaves=2000 "
	"out=file:room=5000",
	/* A file that has room again once time has passed. */
	"tee --retry in=pipe:9000:by=1000:pause=600 out=null out=file",
	/* Stamps before lines. */
	"tee --stamp in=pipe:900:by=200:pause=300 out=pipe out=file",
	"tee --stamp in=file:9000 out=null out=file out=device",
	"tee --stamp -a in=pipe:900:by=200 out=file out=file:before=100",
	"tee --stamp=tai64n in=socket:900:by=200 out=file out=file:room=2000",
	"tee --stamp --rotate=4K,9 in=pipe:900:by=200 out=pipe out=file",
	"tee --stamp --reopen cancel=2 in=pipe:900:by=200:pause=300 "
	"out=pipe:by=200 out=file",
	"tee --stamp --lag=1,skip in=pipe:900:by=200 out=pipe:slots=1 out=file",
	"tee --stamp --retry in=pipe:900:by=100:pause=600 out=pipe out=file",
	"tee --stamp --retry in=pipe:900:by=300:pause=600 out=pipe "
	"out=file:room=2000",
	"tee --stamp --retry --rotate=4K,9 --reopen cancel=1 "
	"in=pipe:900:by=200:pause=600 out=pipe out=file",
	/* A command: its output, its end, and SIGTERM, which is for it. */
	"tee --run in=pipe:9000:by=3000:ends=6000 out=pipe:by=2000 out=file",
	"tee --run in=pipe:9000:by=3000:idle out=pipe:leaves=2000",
	"tee --run in=pipe:9000:by=3000:idle:ends=9001 out=pipe:leaves=9000",
	"tee --run term=2 in=pipe:9000:by=3000:idle out=pipe out=file",
	"tee --run term=1 blocks in=pipe:9000:by=3000:idle out=pipe out=file",
	"tee --run --reopen cancel=1 term=1 in=pipe:9000:by=3000 out=pipe "
	"out=file",
	"tee --run --retry in=pipe:9000:by=3000:idle out=pipe "
	"out=file:room=5000",
	"tee --run --lag=5000 in=pipe:15000:by=9000:ends=15000:idle "
	"out=pipe:slots=1:by=2000 out=file",
	"tee --run --lag=5000,skip in=pipe:18000:by=9000:idle "
	"out=pipe:slots=1:stops=2000 out=file",
	"tee --run in=pipe:9000:idle out=pipe:balks=8 out=file",
	/* A pipe that has been full, whose sink may be late. */
	"tee --lag=100000 in=file:300000 out=pipe",
	"tee --lag=100000 in=file:300000 out=pipe out=file",
	/* Sinks that may be late. */
	"tee --lag=5000 in=file:12000 out=pipe:slots=1 out=file",
	"tee --lag=5000,skip in=file:20000 out=pipe:slots=1 out=file",
	"tee --lag=1,skip in=pipe:18000:by=9000 out=pipe:slots=1:stops=2000 "
	"out=file",
	"tee --lag=5000,skip in=pipe:36000:by=18000 "
	"out=pipe:slots=1:stops=2000 out=pipe:slots=8",
	"tee --lag=1,skip in=pipe:12000:by=3000 "
	"out=pipe:slots=1:stops=2000:others=3000 out=file",
	"tee --lag=5000,drop in=pipe:18000:by=9000 "
	"out=pipe:slots=1:stops=2000 out=file",
	"tee --lag=5000,drop in=file:20000 out=pipe:slots=1 out=file",
	"tee --lag=8000,skip in=pipe:9000 out=pipe:slots=1:stops=2000 out=file",
	"tee --lag=8000,drop in=pipe:9000 out=pipe:slots=1:stops=2000 out=file",
	/* Descriptors that are nobody's. */
	"cat open=3 in=pipe:9000 in=file:40000 out=pipe",
	"tee open=3 --lag=5000 in=pipe:9000 out=pipe out=file",
	"tee open=2 --run in=pipe:9000 out=pipe out=file",
	"yes out=pipe:leaves=10", "yes line=abc out=pipe:leaves=10 ignore",
	"yes line=abc out=file:room=2000",
	"yes line=abc out=socket:leaves=2000 ignore",
	"yes line=abc out=pipe:slots=2:leaves=30000", NULL
};

/* A scenario by chance, as far as it is written. */
static struct {
	char *text;
	size_t size;
	int len;
	uint32_t (*random)(uint32_t n);
	bool cat, tee, copy, formats, runs; /* the program */
	bool stamps; /* or retries: each byte is compared */
} draft;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	draft.len += vsnprintf(draft.text + draft.len, draft.size - draft.len,
			       format, args);
	va_end(args);
}

/* Adds a text once in k times, and asks for its numbers only then. */
#define RARELY(k, ...)                    \
	do {                              \
		if (!draft.random(k))     \
			add(__VA_ARGS__); \
	} while (0)
#define ONE_OF(texts) (texts)[draft.random(sizeof(texts) / sizeof(*(texts)))]

static bool says(const char *word)
{
	return strstr(draft.text, word);
}

static bool is(const char *type, const char *name)
{
	return !strcmp(type, name);
}

static const int sizes[] = {
	0, 1, 100, 5000, 32768, 32769, 65536, 70001, 140000, 300000,
};

static void random_program(void)
{
	static const char *const programs[] = {
		"copy",
		"copy",
		"copy",
		"cat",
		"tee",
		"tee -p",
		"tee -a",
		"cat -n",
		"cat -A",
		"cat -sE",
		"tee --output-error",
		"tee --output-error=exit",
		"tee --lag=1",
		"tee --lag=5000,skip",
		"tee -p --lag=20000,skip",
		"tee --lag=9000,drop",
		"tee --stamp",
		"tee --stamp --rotate=4K,9",
		"tee --rotate=64K,9",
		"tee --retry",
		"tee --stamp --retry",
		"tee --stamp --retry --lag=9000,skip",
		"tee --stamp --retry --reopen cancel=2",
		"tee --run",
		"tee --run term=1",
		"tee --run term=1 blocks",
		"tee --run --lag=5000",
	};
	const char *program = ONE_OF(programs);

	draft.cat = !strncmp(program, "cat", 3);
	draft.tee = !strncmp(program, "tee", 3);
	draft.copy = !draft.cat && !draft.tee;
	draft.formats = draft.cat && program[3];
	draft.stamps = strstr(program, "--stamp") || strstr(program, "--retry");
	draft.runs = strstr(program, "--run");
	add("%s", program);
}

/* What a caller of zc_run() chooses. */
static void random_call(void)
{
	static const char *const methods[] = {
		"rw", "splice", "sendfile", "mmap", "tee", "copy_file_range",
	};

	RARELY(2, " method=%s", ONE_OF(methods));
	RARELY(3, " cancel=%u", 1 + draft.random(4));
	RARELY(3, " steps");
	RARELY(6, " idle=%u", 1 + draft.random(200));
}

/* A source of a stream: a pipe or a connection. */
static void random_stream(const char *type, int bytes)
{
	if (draft.copy)
		RARELY(6, ":function");
	RARELY(2, ":by=%u", bytes / 20 + 1 + draft.random(9000));
	if (draft.tee)
		RARELY(4, ":pause=%u", 1 + draft.random(2000));
	RARELY(4, ":nonblock");
	/* A command's pipe is tee's alone. */
	if (draft.runs) {
		RARELY(2, ":idle");
		add(":ends=%u", draft.random(bytes + 1));
	} else {
		RARELY(4, ":toggles=%u", 1 + draft.random(8));
	}
	if (is(type, "inet")) {
		RARELY(2, ":urgent=%u", 1 + draft.random(4));
		RARELY(3, ":inline");
	}
}

static void random_source(bool first)
{
	static const char *const from[] = {
		"file",	  "file", "file", "pipe",    "pipe",	 "pipe",
		"socket", "inet", "tty",  "packets", "messages",
	};
	const char *type = draft.cat && !first ? "file" :
			   draft.runs	       ? "pipe" :
						 ONE_OF(from);
	int bytes = draft.formats ? (int)draft.random(2000) : ONE_OF(sizes);
	bool pieces = is(type, "packets") || is(type, "tty");

	/* As much as --rotate keeps, with a stamp before every third byte. */
	if (draft.stamps)
		bytes = draft.random(says("--rotate") ? 3000 : 9000);
	else if (is(type, "messages"))
		bytes = draft.random(30000);
	else if (pieces)
		bytes = draft.random(3000);
	add(" in=%s:%d", type, bytes);
	if (is(type, "file")) {
		if (!draft.cat && !draft.stamps)
			RARELY(4, ":others=%u", 1 + draft.random(6000));
		if (draft.copy && !says("others"))
			RARELY(4, ":from=%u", 1 + draft.random(9000));
		if (draft.copy && !says(":from"))
			RARELY(8, ":function:bare");
		RARELY(8, ":says=%d", ONE_OF(sizes));
		RARELY(16, ":plain");
	} else if (is(type, "messages")) {
		add(":by=%u", 200 + draft.random(9000));
	} else if (pieces) {
		add(":by=%u", 200 + draft.random(2000));
	} else {
		random_stream(type, bytes);
	}
	if (draft.copy && !says("others") && !says("messages") &&
	    !says("packets"))
		RARELY(4, ":most=%u", 1 + draft.random(90000));
}

static void random_sink(bool first)
{
	static const char *const to[] = {
		"file",	  "file", "file", "pipe",   "pipe", "pipe",
		"socket", "inet", "tty",  "device", "null", "messages",
	};
	const char *type = ONE_OF(to);
	bool named = draft.tee && !first;

	/* By name tee opens no sockets. */
	while (named &&
	       (is(type, "socket") || is(type, "inet") || is(type, "messages")))
		type = ONE_OF(to);
	add(" out=%s", type);
	if (is(type, "file")) {
		if (!named)
			RARELY(4, ":others=%u", 1 + draft.random(300));
		if (draft.copy && !says(":others"))
			RARELY(6, ":own");
		else
			RARELY(4, ":append");
		if (draft.copy && !says(":others"))
			RARELY(3, ":sole");
		RARELY(4, ":before=%u", draft.random(5000));
		RARELY(4, ":room=%u", 5000 + draft.random(100000));
		RARELY(8, ":plain");
	} else if (is(type, "pipe") || is(type, "socket") || is(type, "inet")) {
		RARELY(2, ":by=%u", 500 + draft.random(9000));
		if (draft.copy)
			RARELY(6, ":function");
		RARELY(4, ":leaves=%u", draft.random(50000));
		RARELY(4, ":nonblock");
		if (is(type, "pipe"))
			RARELY(6, ":slots=%u", 1u << draft.random(4));
		if (!named)
			RARELY(4, ":toggles=%u", 1 + draft.random(8));
		if (!named && !is(type, "pipe"))
			RARELY(4, ":room=%u", 4608 + draft.random(12000));
		/* They may take the room that a function was promised. */
		if (is(type, "pipe") && !says(":function"))
			RARELY(6, ":others=%u", 1 + draft.random(4096));
	}
}

void scenario_random(char *text, size_t size, uint32_t (*random)(uint32_t n))
{
	int sources, sinks;

	draft.text = text;
	draft.size = size;
	draft.len = 0;
	draft.random = random;
	random_program();
	sources = draft.cat ? 1 + random(3) : 1;
	sinks = draft.cat ? 1 : 1 + random(draft.tee ? 3 : 2);
	/* These options are about FILEs. */
	if (sinks == 1 && (says("--rotate") || says("--reopen")))
		sinks = 2;
	if (draft.copy)
		random_call();
	for (int i = 0; i < sources; i++)
		random_source(!i);
	for (int i = 0; i < sinks; i++)
		random_sink(!i);
	RARELY(2, " ignore");
	RARELY(4, " open=%u", 1 + random(5));
	RARELY(4, " eager");
	RARELY(32, " bytes");
	if (!says("others"))
		RARELY(16, " limit=%u", 1000 + random(100000));
}
