/* SPDX-License-Identifier: 0BSD */
/* What the objects of the model do: see model.h. No choices are made here. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "model.h"

struct world world;
struct object objects[MOST_OBJECTS];
struct open opens[MOST_OPENS];
unsigned char copied[32 << 20];
const unsigned char *stream_bytes[MOST_STREAMS];
struct want stuck;
uint32_t socket_most = 200 << 10;

/* Tapes ------------------------------------------------------------------- */

/* Holes have no place where they come from. */
static bool follows(const struct seg *a, const struct seg *b)
{
	return a->origin == b->origin &&
	       (a->origin == HOLE || a->at + a->len == b->at);
}

struct seg copy_memory(const void *p, uint32_t len)
{
	struct seg s = { COPIED, world.copied_len, len };

	if (world.copied_len + len > sizeof(copied))
		broken("the model: too many bytes of its own");
	memcpy(copied + world.copied_len, p, len);
	world.copied_len += len;
	return s;
}

/* Joins what has been copied from memory, by copying it once more. */
static void join(struct tape *t)
{
	int n = 0;

	for (int i = 0; i < t->n; i++) {
		struct seg *to = n ? &t->seg[n - 1] : NULL, s = t->seg[i];

		if (!to || to->origin != COPIED || s.origin != COPIED) {
			t->seg[n++] = s;
			continue;
		}
		if (to->at + to->len != world.copied_len)
			*to = copy_memory(bytes_of(to), to->len);
		to->len += copy_memory(bytes_of(&s), s.len).len;
	}
	t->n = n;
}

void tape_add(struct tape *t, struct seg s)
{
	struct seg *last = t->n ? &t->seg[t->n - 1] : NULL;

	if (!s.len)
		return;
	t->len += s.len;
	if (last && follows(last, &s)) {
		last->len += s.len;
		return;
	}
	if (t->n == MOST_SEGS)
		join(t);
	if (t->n == MOST_SEGS)
		broken("the model: a tape of too many pieces");
	t->seg[t->n++] = s;
}

void tape_cut(const struct tape *t, uint32_t at, uint32_t len,
	      struct tape *into)
{
	for (int i = 0; i < t->n && len; i++) {
		struct seg s = t->seg[i];

		if (at >= s.len) {
			at -= s.len;
			continue;
		}
		s.len -= at;
		if (s.origin != HOLE)
			s.at += at;
		at = 0;
		if (s.len > len)
			s.len = len;
		len -= s.len;
		tape_add(into, s);
	}
}

static void tape_put(struct tape *t, uint32_t at, const struct tape *from,
		     uint32_t len)
{
	static struct tape old;

	if (at > t->len)
		tape_add(t, (struct seg){ HOLE, 0, at - t->len });
	if (at == t->len) {
		tape_cut(from, 0, len, t);
		return;
	}
	old.n = t->n;
	old.len = t->len;
	memcpy(old.seg, t->seg, t->n * sizeof(*t->seg));
	tape_empty(t);
	tape_cut(&old, 0, at, t);
	tape_cut(from, 0, len, t);
	if (old.len > at + len)
		tape_cut(&old, at + len, old.len - at - len, t);
}

size_t tape_copy(const struct tape *t, int first, void *to)
{
	unsigned char *p = to;

	for (int i = first; i < t->n; p += t->seg[i++].len)
		memcpy(p, bytes_of(&t->seg[i]), t->seg[i].len);
	return p - (unsigned char *)to;
}

const unsigned char *bytes_of(const struct seg *s)
{
	static const unsigned char hole[STREAM_MAX];

	if (s->origin == HOLE)
		return hole;
	if (s->origin == COPIED)
		return copied + s->at;
	return stream_bytes[s->origin] + s->at;
}

/* Objects ----------------------------------------------------------------- */

void world_new(void)
{
	world = (struct world){ .now = EPOCH };
	stuck = (struct want){ .events = 0 };
}

struct object *object_new(enum type type, int role)
{
	struct object *o = &objects[world.objects++];

	if (world.objects > MOST_OBJECTS)
		broken("the model: too many objects");
	memset(o, 0, offsetof(struct object, data));
	tape_empty(&o->data);
	o->type = type;
	o->role = role;
	o->h = type;
	o->room = type == SOCKET ? socket_most : STREAM_MAX;
	o->says = -1;
	o->nslots = PIPE_SLOTS;
	touch(o, 0);
	return o;
}

static bool reads(const struct open *o)
{
	return (o->flags & O_ACCMODE) != O_WRONLY;
}

static bool writes(const struct open *o)
{
	return (o->flags & O_ACCMODE) != O_RDONLY;
}

struct open *open_new(struct object *object, int flags)
{
	struct open *o = &opens[world.opens++];

	if (world.opens > MOST_OPENS)
		broken("the model: too many opens");
	*o = (struct open){ .object = object, .flags = flags };
	object->readers += reads(o);
	object->writers += writes(o);
	return o;
}

int fd_new(struct open *open, int least)
{
	for (int fd = least; fd < MOST_FDS; fd++)
		if (!world.fd[fd]) {
			fd_set_to(fd, open);
			return fd;
		}
	return -EMFILE;
}

void fd_set_to(int fd, struct open *open)
{
	world.fd[fd] = open;
	open->refs++;
}

/* The program's own pipes that are closed leave their places to the next ones.
 */
static void leave_places(void)
{
	struct open *last;

	while (world.opens && (last = &opens[world.opens - 1]) && !last->refs &&
	       last->object->role == OWN) {
		struct object *o = last->object;

		world.opens--;
		if (o == &objects[world.objects - 1] && !o->readers &&
		    !o->writers)
			world.objects--;
	}
}

void open_drop(struct open *open)
{
	struct object *o = open->object;

	if (--open->refs)
		return;
	touch(o, 1);
	o->readers -= reads(open);
	o->writers -= writes(open);
	/* Whoever goes without having read all resets the connection. */
	if (o->type == SOCKET && !o->readers && o->entries && o->peer) {
		o->peer->reset = true;
		touch(o->peer, 2);
	}
	leave_places();
}

void pair(struct object *a, struct object *b, int domain, int sotype)
{
	a->peer = b;
	b->peer = a;
	a->domain = b->domain = domain;
	a->sotype = b->sotype = sotype;
}

/* Queues ------------------------------------------------------------------ */

struct entry *entry_at(struct object *o, int i)
{
	return &o->entry[(o->first + i) & (MOST_ENTRIES - 1)];
}

static void enqueue(struct object *o, struct entry e)
{
	if (o->entries == MOST_ENTRIES)
		broken("the model: a queue of too many pieces");
	*entry_at(o, o->entries++) = e;
	o->queued += e.seg.len;
	o->used += !e.joined;
}

/* A part of a tape, as one page or message, each of whose pieces is like
 * `like'. Returns how many bytes it has. */
static uint32_t enqueue_page(struct object *o, const struct tape *t,
			     uint32_t at, uint32_t len, struct entry like)
{
	static struct tape page;

	tape_empty(&page);
	tape_cut(t, at, len, &page);
	for (int i = 0; i < page.n; i++) {
		like.seg = page.seg[i];
		like.joined = i > 0;
		enqueue(o, like);
		like.off += like.seg.len;
	}
	return page.len;
}

/* Returns the first bytes of a segment, n at most. */
static struct seg first_of(struct seg s, size_t n)
{
	s.len = s.len < n ? s.len : n;
	return s;
}

/* Takes n bytes off the first entry. */
static void dequeue(struct object *o, uint32_t n)
{
	struct entry *e = entry_at(o, 0);

	o->queued -= n;
	e->seg.len -= n;
	e->off += n;
	if (e->seg.origin != HOLE)
		e->seg.at += n;
	if (e->seg.len)
		return;
	o->first = (o->first + 1) & (MOST_ENTRIES - 1);
	o->entries--;
	if (o->entries && entry_at(o, 0)->joined)
		entry_at(o, 0)->joined = false;
	else
		o->used--;
}

static bool full(const struct object *pipe)
{
	return pipe->used >= pipe->nslots;
}

static bool stream(const struct object *o)
{
	return o->sotype == SOCK_STREAM;
}

static bool peer_gone(const struct object *o)
{
	return !o->peer || (!o->peer->readers && !o->peer->writers);
}

static uint32_t socket_room(const struct object *o)
{
	uint32_t queued = o->peer ? o->peer->queued : 0;

	/* Each piece takes memory beside its bytes. */
	if (o->peer && o->peer->entries >= MOST_PIECES)
		return 0;
	/* A message goes in as a whole, as long as there are not too many. */
	if (!stream(o))
		return queued < o->room / 2 ? o->room : 0;
	return queued < o->room ? o->room - queued : 0;
}

/* Whether the next byte is urgent, and not to be read with the others. */
static bool at_mark(struct object *o)
{
	return o->entries && entry_at(o, 0)->urgent && !o->inline_;
}

/* As TCP says it: once a third is free. */
static bool takes(const struct object *o)
{
	return peer_gone(o) || socket_room(o) > o->room / 3;
}

bool is_deaf(const struct object *o)
{
	return o->peer && o->peer->deaf;
}

short ready(const struct want *want)
{
	struct object *o = want->open->object;
	short r = 0;

	switch (o->type) {
	case PIPE:
		if (reads(want->open)) {
			r |= o->entries ? POLLIN : 0;
			r |= !o->writers ? POLLHUP : 0;
		} else {
			r |= !full(o) ? POLLOUT : 0;
			r |= !o->readers ? POLLERR : 0;
		}
		break;
	case SOCKET:
		r |= o->entries > at_mark(o) || peer_gone(o) || o->peer->shut ?
			     POLLIN :
			     0;
		r |= peer_gone(o) ? POLLHUP : 0;
		r |= o->reset ? POLLERR : 0;
		r |= takes(o) ? POLLOUT : 0;
		r |= is_deaf(o) ? WRITES : 0;
		break;
	case TTY:
		/* Once it has stopped (^S). What it is given all the same it
		 * has room for. */
		r |= o->data.len < o->room ? POLLOUT : 0;
		r |= o->entries ? POLLIN : 0;
		break;
	case PROCESS:
		r |= world.command == ZOMBIE ? POLLIN : 0;
		break;
	default:
		r |= POLLIN | POLLOUT;
	}
	return r & (want->events | POLLERR | POLLHUP);
}

static long would_block(struct open *o, short events)
{
	stuck = (struct want){ o, events };
	return -EAGAIN;
}

/* read(2) ----------------------------------------------------------------- */

/* Of one message: what does not fit is lost. */
static long take_message(struct object *o, size_t len, struct tape *into)
{
	int entries = 1;
	size_t n = 0;

	o->whole = 0;
	while (entries < o->entries && entry_at(o, entries)->joined)
		entries++;
	for (; entries; entries--) {
		struct seg s = entry_at(o, 0)->seg;

		o->whole += s.len;
		dequeue(o, s.len);
		s = first_of(s, len - n);
		tape_add(into, s);
		n += s.len;
	}
	return n;
}

static long take_queue(struct object *o, size_t len, struct tape *into)
{
	size_t n = 0;

	if (entry_at(o, 0)->packet)
		return take_message(o, len, into);
	while (n < len && o->entries && !entry_at(o, 0)->packet) {
		struct seg s = first_of(entry_at(o, 0)->seg, len - n);

		/* A read ends before the mark. */
		if (n && entry_at(o, 0)->urgent)
			break;
		tape_add(into, s);
		n += s.len;
		dequeue(o, s.len);
		if (o->type == TTY)
			break;
	}
	return n;
}

/* The urgent byte is left out. */
static void skip_mark(struct object *o)
{
	if (o->nskipped == MOST_URGENT)
		broken("the model: too many urgent bytes");
	o->skipped[o->nskipped++] = entry_at(o, 0)->seg.at;
	dequeue(o, 1);
	touch(o, 18);
}

static long read_socket(struct open *open, size_t len, struct tape *into)
{
	struct object *o = open->object;

	if (at_mark(o))
		skip_mark(o);
	if (o->entries)
		return take_queue(o, len, into);
	if (o->reset) {
		o->reset = false;
		touch(o, 3);
		return -ECONNRESET;
	}
	if (peer_gone(o) || o->peer->shut)
		return 0;
	return would_block(open, POLLIN);
}

static long read_file(struct open *open, size_t len, off_t at,
		      struct tape *into)
{
	struct object *o = open->object;
	off_t pos = at < 0 ? open->pos : at;

	if (pos >= o->data.len)
		return 0;
	if ((off_t)len > o->data.len - pos)
		len = o->data.len - pos;
	tape_cut(&o->data, pos, len, into);
	if (at < 0)
		open->pos += len;
	return len;
}

static long read_any(struct open *open, size_t len, off_t at, struct tape *into)
{
	struct object *o = open->object;

	if (at >= 0 && (o->type != FILE_ || o->no_offsets))
		return -ESPIPE;
	if (!reads(open))
		return -EBADF;
	if (o->type == FILE_)
		return read_file(open, len, at, into);
	switch (o->type) {
	case PIPE:
		if (!o->entries)
			return o->writers ? would_block(open, POLLIN) : 0;
		return take_queue(o, len, into);
	case SOCKET:
		return read_socket(open, len, into);
	case TTY:
		if (!o->entries)
			return would_block(open, POLLIN);
		if (entry_at(o, 0)->seg.len)
			return take_queue(o, len, into);
		dequeue(o, 0);
		return 0;
	default:
		return 0;
	}
}

long do_read(struct open *open, size_t len, off_t at, struct tape *into)
{
	long n = len ? read_any(open, len, at, into) : 0;

	if (n != -EAGAIN && (n || open->object->type == TTY))
		touch(open->object, mix(mix(4, n), open - opens));
	return n;
}

/* Somebody types a line, or ^D where there is none. */
void do_type(struct object *tty, struct seg line)
{
	enqueue(tty, (struct entry){ .seg = line });
	touch(tty, mix(17, line.len));
}

/* write(2) ---------------------------------------------------------------- */

/* A position beyond the end leaves a hole. */
static long write_file(struct open *open, const struct tape *from, size_t len,
		       off_t at)
{
	struct object *o = open->object;
	off_t pos = open->flags & O_APPEND ? o->data.len :
		    at < 0		   ? open->pos :
					     at;
	off_t limit = o->room;
	bool limited = world.file_limit && world.file_limit < limit;

	if (limited)
		limit = world.file_limit;
	if (pos >= limit)
		return limited ? -EFBIG : -ENOSPC;
	if ((off_t)len > limit - pos)
		len = limit - pos;
	tape_put(&o->data, pos, from, len);
	if (at < 0)
		open->pos = pos + len;
	return len;
}

/* What does not fill pages goes into the last one, if there is room. */
static size_t merge(struct object *o, const struct tape *from, size_t len)
{
	size_t n = len % PAGE;
	struct entry *last = o->entries ? entry_at(o, o->entries - 1) : NULL;
	static struct tape t;

	if (!n || !last || !last->mergeable ||
	    last->off + last->seg.len + n > PAGE)
		return 0;
	tape_empty(&t);
	tape_cut(from, 0, n, &t);
	for (int i = 0; i < t.n; i++) {
		last = entry_at(o, o->entries - 1);
		if (follows(&last->seg, &t.seg[i])) {
			last->seg.len += t.seg[i].len;
			o->queued += t.seg[i].len;
			continue;
		}
		enqueue(o, (struct entry){
				   .seg = t.seg[i],
				   .off = last->off + last->seg.len,
				   .joined = true,
				   .mergeable = true,
			   });
	}
	return n;
}

static long write_pipe(struct open *open, const struct tape *from, size_t len)
{
	struct object *o = open->object;
	bool packet = open->flags & O_DIRECT;
	size_t n = 0;

	if (!o->readers)
		return -EPIPE;
	if (!packet)
		n = merge(o, from, len);
	while (n < len && !full(o))
		n += enqueue_page(o, from, n, len - n < PAGE ? len - n : PAGE,
				  (struct entry){ .mergeable = !packet,
						  .packet = packet });
	return n ? (long)n : would_block(open, POLLOUT);
}

void do_shut(struct open *reader)
{
	reader->object->deaf = true;
	touch(reader->object, 21);
}

static long write_socket(struct open *open, const struct tape *from, size_t len)
{
	struct object *o = open->object;
	uint32_t room = socket_room(o);

	if (peer_gone(o) || o->shut || is_deaf(o))
		return -EPIPE;
	if (!stream(o) && len > (o->domain == AF_INET ? MOST_OF_UDP : o->room))
		return -EMSGSIZE;
	if (!room)
		return would_block(open, POLLOUT | WRITES);
	if (len > room)
		len = room;
	for (size_t n = 0; n < len;) {
		size_t part = len - n < SOCKET_PIECE ? len - n : SOCKET_PIECE;

		if (!stream(o))
			part = len;
		n += enqueue_page(o->peer, from, n, part,
				  (struct entry){ .packet = !stream(o) });
	}
	touch(o->peer, mix(5, len));
	return len;
}

/* The mark of a stream is the newest: what was urgent before is a byte like
 * others then, or is left out if it is the next one to be read (tcp(7)). */
static void move_mark(struct object *o)
{
	struct entry *last;

	if (at_mark(o))
		skip_mark(o);
	for (int i = 0; i < o->entries; i++)
		entry_at(o, i)->urgent = false;
	last = entry_at(o, o->entries - 1);
	if (last->seg.len > 1) {
		struct entry mark = *last;

		o->queued -= mark.seg.len;
		o->entries--;
		o->used -= !mark.joined;
		mark.seg.len--;
		enqueue(o, mark);
		mark.seg.at += mark.seg.len;
		mark.seg.len = 1;
		enqueue(o, mark);
		last = entry_at(o, o->entries - 1);
	}
	last->urgent = true;
}

long do_send_urgent(struct open *open, const struct tape *from, size_t len)
{
	struct object *peer = open->object->peer;
	long n = do_write(open, from, len, -1);

	if (n > 0) {
		move_mark(peer);
		touch(peer, 19);
	}
	return n;
}

static long write_any(struct open *open, const struct tape *from, size_t len,
		      off_t at)
{
	struct object *o = open->object;

	if (at >= 0 && (o->type != FILE_ || o->no_offsets))
		return -ESPIPE;
	if (!writes(open))
		return -EBADF;
	if (o->type == FILE_)
		return write_file(open, from, len, at);
	switch (o->type) {
	case PIPE:
		return write_pipe(open, from, len);
	case SOCKET:
		return write_socket(open, from, len);
	case NULL_:
		return len;
	default:
		tape_cut(from, 0, len, &o->data);
		return len;
	}
}

long do_write(struct open *open, const struct tape *from, size_t len, off_t at)
{
	long n = len ? write_any(open, from, len, at) : 0;
	uint64_t what = mix(6, mix(n, at));

	if (n <= 0)
		return n;
	for (int i = 0; i < from->n; i++)
		what = mix(mix(what, from->seg[i].origin), from->seg[i].at);
	touch(open->object, mix(what, open - opens));
	return n;
}

/* splice(2) and tee(2) ---------------------------------------------------- */

static uint32_t group(struct object *o, int i)
{
	uint32_t len = entry_at(o, i)->seg.len;

	while (++i < o->entries && entry_at(o, i)->joined)
		len += entry_at(o, i)->seg.len;
	return len;
}

/* Puts one page's entries from `at' on into another pipe, or n bytes of them.
 */
static void put_group(struct object *in, int at, uint32_t n, struct object *out,
		      bool whole)
{
	for (bool first = true; n; at++, first = false) {
		struct entry e = *entry_at(in, at);

		e.seg = first_of(e.seg, n);
		n -= e.seg.len;
		e.joined = !first;
		e.mergeable &= whole;
		enqueue(out, e);
	}
}

long do_pipe_to_pipe(struct open *from, struct open *to, size_t len, bool keep)
{
	struct object *in = from->object, *out = to->object;
	size_t n = 0;

	if (in == out)
		return -EINVAL;
	if (!in->entries && in->writers)
		return would_block(from, POLLIN);
	if (!out->readers)
		return -EPIPE;
	if (full(out))
		return would_block(to, POLLOUT);
	if (!in->entries || !len)
		return 0;
	for (int i = 0; n < len && !full(out) && i < in->entries;) {
		uint32_t page = group(in, i);
		uint32_t part = len - n < page ? len - n : page;

		put_group(in, i, part, out, !keep && part == page);
		n += part;
		if (keep)
			do
				i++;
			while (i < in->entries && entry_at(in, i)->joined);
		else
			do_drop(from, part);
	}
	touch(out, mix(in->h, n));
	if (!keep)
		touch(in, mix(8, n));
	return n;
}

void do_drop(struct open *from, size_t n)
{
	struct object *o = from->object;

	while (n) {
		uint32_t part = first_of(entry_at(o, 0)->seg, n).len;

		dequeue(o, part);
		n -= part;
	}
	touch(o, 9);
}

void do_peek(struct open *from, size_t len, struct tape *into)
{
	struct object *o = from->object;

	for (int i = 0; len && i < o->entries; i++) {
		struct seg s = first_of(entry_at(o, i)->seg, len);

		len -= s.len;
		tape_add(into, s);
	}
}

/* A slot for each page of a file, */
static long file_to_pipe(struct open *from, off_t at, struct object *out,
			 size_t len)
{
	struct object *in = from->object;
	off_t pos = at < 0 ? from->pos : at;
	size_t n = 0;

	while (n < len && pos < in->data.len && !full(out)) {
		size_t part = PAGE - pos % PAGE;

		if (part > len - n)
			part = len - n;
		part = enqueue_page(out, &in->data, pos, part,
				    (struct entry){ .off = 0 });
		n += part;
		pos += part;
	}
	if (at < 0)
		from->pos = pos;
	return n;
}

/* and for each piece of a socket's. */
static long socket_to_pipe(struct open *from, struct object *out, size_t len)
{
	struct object *in = from->object;
	size_t n = 0;

	if (!in->entries)
		return read_socket(from, len, NULL);
	/* It does not pass the mark, and waits for nothing there. */
	if (entry_at(in, 0)->urgent)
		return from->flags & O_NONBLOCK && !peer_gone(in) &&
				       !in->peer->shut ?
			       would_block(from, POLLIN) :
			       0;
	while (n < len && in->entries && !full(out) &&
	       !entry_at(in, 0)->urgent) {
		struct seg s = first_of(entry_at(in, 0)->seg, len - n);

		enqueue(out, (struct entry){ .seg = s });
		dequeue(in, s.len);
		n += s.len;
	}
	return n;
}

long do_into_pipe(struct open *from, off_t at, struct open *to, size_t len)
{
	struct object *in = from->object, *out = to->object;
	long n;

	if (in->type != FILE_ && (in->type != SOCKET || !stream(in)))
		return -EINVAL;
	if (!out->readers)
		return -EPIPE;
	if (full(out))
		return would_block(to, POLLOUT);
	n = in->type == FILE_ ? file_to_pipe(from, at, out, len) :
				socket_to_pipe(from, out, len);
	if (n > 0) {
		touch(out, mix(mix(in->h, n), at < 0 ? from->pos : at));
		touch(in, mix(mix(10, n), from - opens));
	}
	return n;
}

/* Lent pages go into a pipe, a slot each: memory has been copied already, and
 * is compared when it is read. */
long do_lend(struct open *to, const char *memory, const struct tape *from,
	     size_t len)
{
	struct object *o = to->object;
	size_t n = 0;

	if (!o->readers)
		return -EPIPE;
	if (full(o))
		return would_block(to, POLLOUT);
	while (n < len && !full(o)) {
		size_t part = PAGE - ((uintptr_t)memory + n) % PAGE;

		if (part > len - n)
			part = len - n;
		n += enqueue_page(o, from, n, part, (struct entry){ .off = 0 });
	}
	touch(o, mix(11, n));
	return n;
}

/* fcntl(2), F_SETPIPE_SZ. */
long do_resize(struct open *open, long bytes)
{
	struct object *o = open->object;
	int slots = 1;

	while ((long)slots * PAGE < bytes)
		slots *= 2;
	if (slots > MOST_PIPE_SLOTS)
		return -EPERM;
	if (slots < o->used)
		return -EBUSY;
	o->nslots = slots;
	touch(o, mix(12, slots));
	return (long)slots * PAGE;
}
