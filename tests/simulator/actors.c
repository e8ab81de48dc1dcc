/* SPDX-License-Identifier: 0BSD */
/* Other processes at the same ends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "simulate.h"

enum { TAPES = 24 };

static struct tape tapes[TAPES];
static int tapes_used;

struct tape *tape_new(void)
{
	struct tape *t = &tapes[tapes_used++];

	if (tapes_used > TAPES)
		broken("the model: too many tapes");
	tape_empty(t);
	return t;
}

void actors_reset(void)
{
	tapes_used = 0;
	history.actors = 0;
	history.last = 0;
}

struct actor *actor_new(enum kind kind, int role, struct open *open)
{
	struct actor *a = &history.actor[history.actors++];

	*a = (struct actor){ .kind = kind, .role = role, .h = 1 };
	if (open) {
		a->open[a->opens++] = open;
		a->got[0] = tape_new();
		open->refs++;
	}
	return a;
}

struct actor *actor_of(int role, enum kind kind)
{
	for (int i = 0; i < history.actors; i++)
		if (history.actor[i].role == role &&
		    history.actor[i].kind == kind)
			return &history.actor[i];
	return NULL;
}

static bool open_ready(struct open *o, short events)
{
	return ready(&(struct want){ o, events });
}

/* What is behind a sink that has failed, such as a network, has gone: nobody
 * waits for more of it. */
static bool has_failed(const struct object *o)
{
	return o->failed || (o->peer && o->peer->failed);
}

/* A command to which SIGTERM comes ends by that alone. One that is to write
 * more than it has stays, if its writer does. */
static bool may_end(const struct actor *writer)
{
	const struct end *s = &history.s->source[0];

	if (history.s->term)
		return world.killed_by;
	return writer->done_bytes >= s->ends ||
	       (writer->done && (!s->idle || s->ends <= s->size));
}

static bool actor_ready(const struct actor *a)
{
	struct open *o = a->open[a->at];

	/* A command that has not been started does nothing. */
	if (a->done || (history.s->runs && !a->role && world.command == COMING))
		return false;
	switch (a->kind) {
	case WRITER:
		return a->done_bytes == a->size || open_ready(o, POLLOUT);
	case READER:
		return open_ready(o, POLLIN) ||
		       (a->most && a->done_bytes >= a->most && !a->stopped);
	case ALTERNATING:
		return open_ready(o, POLLIN) || has_failed(o->object);
	case PIPE_WRITER:
		return open_ready(o, POLLOUT);
	case DEATH:
		return may_end(actor_of(0, WRITER));
	default:
		return true;
	}
}

int actors_ready(int *list)
{
	int n = 0;

	/* Whoever has waited longest comes first. */
	for (int i = 1; i <= history.actors; i++) {
		int which = (history.last + i) % history.actors;

		if (actor_ready(&history.actor[which]))
			list[n++] = which;
	}
	return n;
}

static void go(struct actor *a)
{
	a->done = true;
	for (int i = 0; i < a->opens; i++)
		open_drop(a->open[i]);
}

static uint32_t amount(uint32_t by, uint32_t left)
{
	uint32_t n = by && by < left ? by : left;
	int c = choose(AMOUNT, 4);
	uint32_t other = c == 1 ? 1 : c == 2 ? PAGE : n / 2;

	return c && other && other < n ? other : n;
}

static long put(struct actor *a, uint32_t n)
{
	static struct tape t;
	long put;

	tape_empty(&t);
	tape_add(&t, (struct seg){ a->origin, a->done_bytes, n });
	put = a->urgent && a->pieces % a->urgent == 0 ?
		      do_send_urgent(a->open[0], &t, n) :
		      do_write(a->open[0], &t, n, -1);
	a->pieces += put > 0;
	if (put > 0) {
		a->done_bytes += put;
		a->messages = mix(a->messages, put);
	}
	return put;
}

/* Reads from one of its ends. */
static long take(struct actor *a, int i, size_t len)
{
	static struct tape t;
	long n;

	tape_empty(&t);
	n = do_read(a->open[i], len, -1, &t);
	check_lent(&t);
	tape_cut(&t, 0, t.len, a->got[i]);
	return n;
}

static long step_writer(struct actor *a)
{
	long n;

	world.now += a->pause;
	if (a->done_bytes == a->size) {
		if (a->idle)
			a->done = true;
		else
			go(a);
		return 0;
	}
	n = put(a, amount(a->by, a->size - a->done_bytes));
	if (n < 0 && n != -EAGAIN)
		go(a);
	return n;
}

/* A line of the terminal, and ^D at the end. */
static long step_typist(struct actor *a)
{
	uint32_t n = a->size - a->done_bytes;

	if (a->by && a->by < n)
		n = a->by;
	do_type(a->open[0]->object,
		(struct seg){ a->origin, a->done_bytes, n });
	a->done_bytes += n;
	a->done = !n;
	return n;
}

static void stop(struct actor *a)
{
	if (a->leaving == STOPS) {
		a->done = a->stopped = true;
		return;
	}
	a->left = true;
	if (a->leaving == SHUTS) {
		do_shut(a->open[0]);
		a->done = true;
		return;
	}
	go(a);
}

static long step_reader(struct actor *a)
{
	uint32_t left = a->most ? a->most - a->done_bytes : STREAM_MAX;
	long n;

	if (!left) {
		stop(a);
		return 0;
	}
	/* Of a message it reads all. */
	n = take(a, 0,
		 history.s->sink[a->role - SINK0].messages ?
			 left :
			 amount(a->by, left));
	if (n > 0) {
		a->done_bytes += n;
		a->messages = mix(a->messages, n);
	} else if (n != -EAGAIN) {
		go(a);
	}
	return n;
}

/* So many bytes of one, then of the next: as paste(1) does with lines. */
static long step_alternating(struct actor *a)
{
	long n = take(a, a->at, a->by - a->part);

	if (n == -EAGAIN && has_failed(a->open[a->at]->object))
		n = 0;
	if (n > 0)
		a->part += n;
	if (n == -EAGAIN || (n > 0 && a->part < a->by))
		return n;
	a->part = 0;
	a->done_bytes = n > 0 ? 0 : a->done_bytes + 1;
	a->at = (a->at + 1) % a->opens;
	/* All have ended. */
	if (a->done_bytes == (uint32_t)a->opens)
		go(a);
	return n;
}

/* Whether the position is before what it has read or written last. It goes back
 * only while lseek(2) gives back and takes again, and that is when the program
 * is about to call it. */
static bool goes_back(const struct actor *a)
{
	const struct open *o = a->open[0];

	if (o->flags & O_APPEND || o->pos >= a->end)
		return false;
	if (!history.running || world.call != CALL_lseek)
		broken("the position is before another's bytes");
	return true;
}

static long step_file_reader(struct actor *a)
{
	bool again = goes_back(a);
	long n = take(a, 0, amount(a->by, a->by));

	a->crossed |= again;
	if (n > 0)
		a->end = a->open[0]->pos;
	a->done_bytes += n > 0 ? n : 0;
	a->done = n <= 0 || a->done_bytes >= a->most;
	return n;
}

/* How much of what it writes now is over bytes of its own. */
static uint32_t overwritten(struct actor *a)
{
	const struct open *o = a->open[0];
	static struct tape there;
	uint32_t n = 0;

	if (!goes_back(a))
		return 0;
	a->crossed = true;
	tape_empty(&there);
	tape_cut(&o->object->data, o->pos, a->by, &there);
	for (int i = 0; i < there.n; i++)
		n += there.seg[i].origin == a->origin ? there.seg[i].len : 0;
	return n;
}

static long step_file_writer(struct actor *a)
{
	uint32_t over = overwritten(a);
	long n = put(a, a->by);

	if (n > 0) {
		a->overwritten += over;
		a->end = a->open[0]->pos;
	}
	a->done = n < 0 || a->done_bytes >= a->most;
	return n;
}

static long step_pipe_writer(struct actor *a)
{
	long n = put(a, a->by);

	/* At most PIPE_BUF bytes are never torn. */
	if (n > 0 && n < (long)a->by)
		broken("the model: a torn write");
	if ((n < 0 && n != -EAGAIN) || a->done_bytes >= a->most)
		go(a);
	return n;
}

/* Another process that has the same open file. */
static long step_toggler(struct actor *a)
{
	struct open *o = a->open[0];

	o->flags ^= O_NONBLOCK;
	touch(o->object, mix(20, o->flags));
	a->done = ++a->done_bytes == a->most;
	return o->flags;
}

/* The command ends; another process may go on with its output. */
static long step_death(struct actor *a)
{
	world.command = ZOMBIE;
	a->most = actor_of(0, WRITER)->done_bytes;
	a->done = true;
	return put(a, 1);
}

static long step_terminator(struct actor *a)
{
	world.pending = SIGTERM;
	a->done = ++a->done_bytes == a->most;
	return SIGTERM;
}

void actor_step(struct actor *a)
{
	static long (*const steps[])(struct actor * a) = {
		[WRITER] = step_writer,
		[TYPIST] = step_typist,
		[READER] = step_reader,
		[ALTERNATING] = step_alternating,
		[FILE_WRITER] = step_file_writer,
		[FILE_READER] = step_file_reader,
		[PIPE_WRITER] = step_pipe_writer,
		[TOGGLER] = step_toggler,
		[DEATH] = step_death,
		[TERMINATOR] = step_terminator,
	};
	long n = steps[a->kind](a);

	history.last = a - history.actor;
	a->h = mix(a->h, mix(n, a->done_bytes));
	for (int i = 0; i < a->opens; i++)
		a->h = mix(a->h, a->got[i]->len);
}
