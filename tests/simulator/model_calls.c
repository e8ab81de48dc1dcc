/* SPDX-License-Identifier: 0BSD */
/* The calls of the program under test, in place of libc's (ld(1), --wrap): each
 * gives one of the answers that it lawfully may. A call that is not here is no
 * symbol that --wrap finds: tests/box/simulate.bats looks for such. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model.h"

enum { MOST_CALLS = 20000, ARGUMENTS = 6 };

/* Memory ------------------------------------------------------------------ */

/* Of what has been read it is remembered where it lies, so that what is written
 * from there is known. */
static void forget(const char *p, size_t len)
{
	const char *end = p + len;

	for (int i = 0; i < world.shadows; i++) {
		struct shadow *s = &world.shadow[i], rest = *s;
		const char *stop = s->memory + s->seg.len;

		if (stop <= p || s->memory >= end)
			continue;
		if (stop > end) {
			uint32_t cut = end - s->memory;

			rest.memory = end;
			rest.seg.at += cut;
			rest.seg.len -= cut;
			if (s->memory >= p) {
				*s = rest;
				continue;
			}
			if (world.shadows == MOST_SHADOWS)
				broken("the model: too many shadows");
			world.shadow[world.shadows++] = rest;
		}
		if (s->memory < p) {
			s->seg.len = p - s->memory;
			continue;
		}
		*s = world.shadow[--world.shadows];
		i--;
	}
}

static void remember(char *p, const struct tape *t)
{
	forget(p, t->len);
	for (int i = 0; i < t->n; i++) {
		const struct seg *s = &t->seg[i];

		if (world.shadows == MOST_SHADOWS)
			broken("the model: too many shadows");
		world.heard = mix(mix(world.heard, s->origin), s->at);
		world.shadow[world.shadows++] = (struct shadow){ p, *s };
		if (world.real_bytes)
			memcpy(p, bytes_of(s), s->len);
		p += s->len;
	}
}

static bool still(const char *p, const struct seg *s)
{
	return !world.real_bytes || !memcmp(p, bytes_of(s), s->len);
}

/* The map that holds an address, or NULL. */
static struct map *map_of(const char *p)
{
	for (int i = world.maps - 1; i >= 0; i--) {
		struct map *m = &world.map[i];

		if (p >= m->memory && p < m->memory + m->len)
			return m;
	}
	return NULL;
}

/* Beyond the last page of a file there is nothing to read: fewer bytes. */
static void from_map(const struct map *m, const char *p, size_t len,
		     struct tape *t)
{
	off_t at = m->at + (p - m->memory), size = m->file->data.len;
	off_t pages = (size + PAGE - 1) / PAGE * PAGE;

	if (m->gone)
		broken("memory is used that has been unmapped");
	m->file->begun = true;
	if (at < size)
		tape_cut(&m->file->data, at, len, t);
	at += t->len;
	len -= t->len;
	if (at < pages && len)
		tape_add(t,
			 (struct seg){ HOLE, 0,
				       (off_t)len < pages - at ? (off_t)len :
								 pages - at });
}

static void from_memory(const char *p, size_t len, struct tape *t)
{
	const struct map *m = map_of(p);

	if (m && m->file) {
		from_map(m, p, len, t);
		return;
	}
	while (len) {
		const struct shadow *found = NULL;
		size_t part = len;

		for (int i = 0; i < world.shadows; i++) {
			const struct shadow *s = &world.shadow[i];

			if (p >= s->memory && p < s->memory + s->seg.len)
				found = s;
			else if (s->memory > p && s->memory < p + part)
				part = s->memory - p;
		}
		if (found) {
			uint32_t skip = p - found->memory;
			struct seg s = found->seg;

			s.at += s.origin == HOLE ? 0 : skip;
			s.len -= skip;
			if (s.len > len)
				s.len = len;
			part = s.len;
			if (still(p, &s))
				tape_add(t, s);
			else
				tape_add(t, copy_memory(p, part));
		} else {
			tape_add(t, copy_memory(p, part));
		}
		p += part;
		len -= part;
	}
}

/* What somebody takes from a pipe is as it was when it was lent. */
void check_lent(const struct tape *t)
{
	for (int i = 0; i < t->n; i++)
		for (int j = 0; j < world.lents; j++) {
			const struct seg *s = &t->seg[i];
			const struct lent *l = &world.lent[j];
			uint32_t at = s->at > l->seg.at ? s->at : l->seg.at;
			uint32_t end = s->at + s->len;

			if (end > l->seg.at + l->seg.len)
				end = l->seg.at + l->seg.len;
			if (s->origin == COPIED && at < end &&
			    memcmp(copied + at, l->memory + (at - l->seg.at),
				   end - at))
				broken("memory that was lent has been written");
		}
}

/* Answers ----------------------------------------------------------------- */

enum {
	/* Beside those of calls.h: */
	REFUSE = 1 << 4,  /* not in this way */
	STRANGE = 1 << 5, /* an errno that nobody expects of such a call */
	FAIL = 1 << 6,	  /* for good */
	ALL = (1 << 7) - 1,
};

__attribute__((format(printf, 1, 2))) static void note_(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(world.about, sizeof(world.about), format, args);
	va_end(args);
}

#define note(...)                           \
	do {                                \
		if (world.wants_words)      \
			note_(__VA_ARGS__); \
	} while (0)

/* The ends of the present call, or NULL. */
static struct open *asked_of[2];

bool signal_comes(void)
{
	return world.pending && !(world.blocked & 1ul << world.pending);
}

/* A signal is handled as a call begins or ends. */
static void handle(void)
{
	while (signal_comes() && !world.handling) {
		siginfo_t info = { .si_signo = world.pending };
		void (*handler)(int, siginfo_t *,
				void *) = world.handler[world.pending];

		world.pending = 0;
		world.heard = mix(world.heard, info.si_signo);
		if (!handler)
			killed(info.si_signo);
		world.handling = true;
		handler(info.si_signo, &info, NULL);
		world.handling = false;
	}
}

/* Of a call that a function with this frame has been called for. */
static void begin(enum call call, const char *frame, const long *args, int n)
{
	if (++world.calls > MOST_CALLS)
		broken("more than %d calls: it does not end", MOST_CALLS);
	world.call = call;
	entered(frame, args, n);
	others();
	handle();
	/* A handler may have made others. */
	world.call = call;
	entered(frame, args, n);
	asked_of[0] = asked_of[1] = NULL;
}

/* Returns n as a call does: -1 with errno. */
static long end(long n)
{
	for (int i = 0; i < 2 && n > 0; i++)
		if (asked_of[i])
			asked_of[i]->object->begun = true;
	world.heard = mix(world.heard, mix(world.call, n));
	answered(n);
	if (n < 0)
		errno = -n;
	handle();
	return n < 0 ? -1 : n;
}

static struct open *open_at(int fd)
{
	if (fd >= 0 && fd < MOST_FDS && world.fd[fd]) {
		if (world.fd[fd]->object->type == STRANGER)
			broken("a call on descriptor %d, which is nobody's",
			       fd);
		return world.fd[fd];
	}
	if (fd >= 0 && fd < MOST_FDS && world.was_open[fd])
		broken("a call on descriptor %d, which has been closed", fd);
	return NULL;
}

static bool foreign(const struct open *o)
{
	return o && o->object->role != OWN;
}

/* Of a pipe that box alone has, nobody else takes the bytes or the room: it
 * says EAGAIN only where it is empty or full. */
static unsigned never_again(const struct open *o)
{
	return !foreign(o) && o->object->type == PIPE ? AGAIN : 0;
}

static bool can_fail(const struct open *o)
{
	return foreign(o) && o->object->type != PIPE &&
	       o->object->type != NULL_ && o->object->type != MESSAGES;
}

static int one_of(const int *list)
{
	return list[choose(AMOUNT, errnos_in(list))];
}

/* Returns the errno with which the call is refused for good, or 0. */
static int is_refused(const struct open *from, const struct open *to)
{
	if (from && from->object->refused[world.call])
		return from->object->refused_as;
	if (to && to->object->refused[world.call])
		return to->object->refused_as;
	return world.refused[world.call] ? world.refused_as : 0;
}

static bool has_begun(const struct open *o)
{
	return foreign(o) && o->object->begun;
}

/* Where read(2) and write(2) work. */
static int strange_error(const struct open *from, const struct open *to)
{
	bool first = !has_begun(from) && !has_begun(to);
	int before = first ? errnos_in(errnos_at_first) : 0;
	int i = choose(AMOUNT, before + errnos_in(errnos_strange));

	return i < before ? errnos_at_first[i] : errnos_strange[i - before];
}

/* Whether the present call tells what no other does, or never sleeps. */
static bool blinds(void)
{
	return world.call == CALL_getsockopt || world.call == CALL_poll ||
	       world.call == CALL_recvfrom || world.call == CALL_sendto;
}

/* Whether it means a failure once bytes have moved. */
static bool is_at_first(int error)
{
	for (const int *e = errnos_at_first; *e; e++)
		if (*e == error)
			return true;
	return false;
}

/* poll(2) lacks memory for a moment, or, in a random history, for good. */
static bool lasts(void)
{
	if (world.call != CALL_poll)
		return !choose(LASTS, 2);
	return !world.coarse && choose(LASTS, 2);
}

/* A refusal may be told: read(2) and write(2) may not know the offset of the
 * caller's, or may not give a range back. */
static void may_be_told(struct open *from, struct open *to, int error)
{
	if (world.call == CALL_pread64 || world.call == CALL_pwrite64)
		failed(from ? from->object : NULL, to ? to->object : NULL,
		       error, false);
}

/* For good, or this once: whoever asks again is told the same, but where it
 * would mean a failure then. */
static long refuse(struct open *from, struct open *to, int error)
{
	int later = is_at_first(error) ? EINVAL : error;
	struct object *o = foreign(to)	 ? to->object :
			   foreign(from) ? from->object :
					   NULL;

	world.blind |= blinds();
	world.polls_refused += world.call == CALL_poll;
	may_be_told(from, to, error);
	if (lasts()) {
		(o ? o->refused : world.refused)[world.call] = true;
		*(o ? &o->refused_as : &world.refused_as) = later;
		touch(o ? o : &objects[0], world.call);
	}
	return -error;
}

/* Whether a failure that does not last is to be told. Of a call that reads or
 * writes it is, and so is a connection's error. Of any other read(2) or
 * write(2) is asked, but not where bytes have moved and it is one of those that
 * may be told once. */
static bool is_to_be_told(const struct object *o, int error)
{
	switch (world.call) {
	case CALL_read:
	case CALL_write:
	case CALL_writev:
	case CALL_sendto:
	case CALL_close:
		return true;
	default:
		if (o->type == SOCKET && error != EIO)
			return true;
		return o->begun && (error == EIO || error == ENOSPC ||
				    error == EDQUOT || error == EPIPE);
	}
}

/* For good, or once. */
static long fail(struct open *from, struct open *to, bool sink, bool once)
{
	struct object *o = sink ? to->object : from->object;
	int error = one_of(o->type == SOCKET ? errnos_cut_off :
			   sink		     ? errnos_unwritten :
					       errnos_unread);
	bool alone = !foreign(sink ? from : to);

	if (!once) {
		*(sink ? &o->error_out : &o->error_in) = error;
		touch(o, mix(13, error));
	}
	if (sink) {
		o->failed = true;
		touch(o, mix(14, error));
	}
	failed(foreign(from) ? from->object : NULL,
	       foreign(to) ? to->object : NULL, error,
	       alone && is_to_be_told(o, error));
	return -error;
}

static size_t cut(size_t base)
{
	size_t most[] = {
		base > PAGE + 1 ? PAGE + 1 : (base + 1) / 2,
		base - 1,
		2,
		base > PAGE ? PAGE : base - 1,
		base > 65536 ? 65536 : base - 1,
		base / 3 + 1,
	};

	return most[choose(AMOUNT, 6)];
}

/* What calls.def says of the present call. */
static unsigned lawful_answers(void)
{
	const struct call_facts *facts = &call_facts[world.call];

	return facts->answers | (*facts->refusals ? REFUSE : 0) |
	       (facts->end == END_BOTH ? STRANGE : 0) |
	       (*facts->failures ? FAIL : 0);
}

/* Chooses among what is lawful, but for those of `never'. `base' is how many
 * bytes the call would move now, or 0. Returns 0 if it is made, with *len cut
 * or not, 1 if it answers 0, or a negative errno. */
static long answer(struct open *from, struct open *to, size_t *len, size_t base,
		   unsigned never)
{
	enum { ONE = 1 << 7, SOURCE = 1 << 8, SINK = 1 << 9, ONCE = 1 << 10 };
	enum { FEW = 3, MANY = 2000 };
	unsigned lawful = lawful_answers() & ~never;
	unsigned list[13], n = 0, one;

	asked_of[0] = from;
	asked_of[1] = to;
	if (from && from->object->error_in)
		return -from->object->error_in;
	if (to && to->object->error_out)
		return -to->object->error_out;
	if (lawful & REFUSE && is_refused(from, to)) {
		may_be_told(from, to, is_refused(from, to));
		return -is_refused(from, to);
	}
	if (to && to->object->balks && lawful & AGAIN) {
		to->object->balks--;
		return -EAGAIN;
	}
	/* That of a file may say so to whoever would wait, too. */
	if (from && from->object->balks) {
		from->object->balks--;
		return -EAGAIN;
	}
	if (base > *len)
		base = *len;
	list[n++] = 0;
	if (lawful & SHORT && base > 1 && (!world.coarse || base <= FEW))
		list[n++] = ONE;
	if (lawful & SHORT && base > 2 &&
	    (!world.coarse || base <= FEW || base >= MANY))
		list[n++] = SHORT;
	for (one = ZERO; one <= REFUSE; one <<= 1)
		if (lawful & one)
			list[n++] = one;
	if (lawful & FAIL && can_fail(from)) {
		list[n++] = SOURCE;
		list[n++] = SOURCE | ONCE;
	}
	if (lawful & FAIL && can_fail(to)) {
		list[n++] = SINK;
		list[n++] = SINK | ONCE;
	}
	if (lawful & STRANGE && (foreign(from) || foreign(to)))
		list[n++] = STRANGE;
	one = list[choose(ANSWER, n)];
	switch (one) {
	case 0:
		return 0;
	case ONE:
		*len = 1;
		return 0;
	case SHORT:
		*len = cut(base);
		return 0;
	case ZERO:
		return 1;
	case INTR:
		return -EINTR;
	case AGAIN:
		world.hindered++;
		return -EAGAIN;
	case REFUSE:
		world.hindered++;
		return refuse(from, to,
			      one_of(call_facts[world.call].refusals));
	case STRANGE:
		world.hindered++;
		return refuse(from, to, strange_error(from, to));
	default:
		return fail(from, to, one & SINK, one & ONCE);
	}
}

/* Of a call that moves no bytes. */
static long answer_alone(struct open *to)
{
	size_t none = 0;

	return answer(NULL, to, &none, 0, 0);
}

/* A message that is read in part is lost in part: there is no such answer. */
static bool reads_whole(const struct open *o)
{
	const struct object *b = o->object;
	const struct entry *e = &b->entry[b->first & (MOST_ENTRIES - 1)];

	return b->type != FILE_ && b->entries && e->packet;
}

/* How many bytes could move at once. */
static size_t holds(const struct open *o)
{
	const struct object *b = o->object;

	if (b->type == FILE_)
		return b->data.len;
	return b->entries ? b->queued : 0;
}

static bool nonblocking(const struct open *o)
{
	return o && o->flags & O_NONBLOCK &&
	       (o->object->type == PIPE || o->object->type == SOCKET ||
		o->object->type == TTY);
}

/* Waits for what the last do_X() was stuck on. Returns 0, or what the call is
 * to answer. */
static long wait_for_it(void)
{
	struct want want = stuck;
	int ms = want.open->object->limit_ms;
	int r = sleep_on(&want, 1, ms ? ms : -1);

	return r == 1 ? -EAGAIN : r;
}

/* Whether a call that has said n is made once more, after a sleep; what it
 * answers otherwise is in *n. */
static bool again(long *n, bool waits)
{
	if (*n != -EAGAIN || !waits)
		return false;
	*n = wait_for_it();
	return !*n;
}

static void check_pipe_signal(long n)
{
	if (n == -EPIPE && !world.ignores_sigpipe &&
	    !(world.blocked & 1u << SIGPIPE))
		killed(SIGPIPE);
	if (n == -EFBIG && world.file_limit)
		killed(SIGXFSZ);
}

/* read(2) and its kin ----------------------------------------------------- */

static long read_at(int fd, void *buf, size_t len, off_t at)
{
	struct open *o = open_at(fd);
	static struct tape t;
	long n;

	tape_empty(&t);
	note("%d, %zu, at %ld", fd, len, (long)at);
	if (!o)
		return -EBADF;
	n = answer(o, NULL, &len, holds(o),
		   (world.call == CALL_read ? REFUSE : 0) |
			   (reads_whole(o) ? SHORT : 0) |
			   (nonblocking(o) ? never_again(o) : AGAIN));
	if (!n)
		do
			n = do_read(o, len, at, &t);
		while (again(&n, !nonblocking(o)));
	if (n > 0) {
		check_lent(&t);
		remember(buf, &t);
		o->object->taken += n;
	}
	return n;
}

/* Fewer bytes than asked for: only where a signal comes, if it may sleep. */
static bool writes_whole(const struct open *o, size_t len)
{
	if (o->object->type == PIPE && len <= ATOMIC)
		return true;
	return o->object->type == SOCKET && o->object->sotype != SOCK_STREAM;
}

static long write_tape(struct open *o, const struct tape *t, size_t len,
		       off_t at, bool waits)
{
	size_t total = 0;
	long n = 0;

	while (total < len) {
		static struct tape rest;

		tape_empty(&rest);
		tape_cut(t, total, len - total, &rest);
		n = do_write(o, &rest, rest.len,
			     at < 0 ? at : at + (off_t)total);
		check_pipe_signal(n);
		if (n == -EAGAIN && waits)
			n = wait_for_it();
		if (n < 0)
			break;
		total += n;
		/* What is short on a file is so for a reason. */
		if (n && o->object->type == FILE_)
			break;
	}
	return total ? (long)total : n;
}

static long write_at(int fd, const void *buf, size_t len, off_t at, bool waits)
{
	struct open *o = open_at(fd);
	static struct tape t;
	long n;

	tape_empty(&t);
	note("%d, %zu, at %ld", fd, len, (long)at);
	if (!o)
		return -EBADF;
	if (o->object->type == MESSAGES) {
		if (len > sizeof(world.said) - world.said_len)
			broken("too much is said");
		memcpy(world.said + world.said_len, buf, len);
		world.said_len += len;
		return len;
	}
	/* A socket whose reader has gone may say that it was reset. */
	if (!len && o->object->type == SOCKET) {
		n = is_deaf(o->object) ? -EPIPE : 0;
		check_pipe_signal(n);
		return n;
	}
	if (!len && at >= 0)
		return o->object->no_offsets ? -ESPIPE : -is_refused(NULL, o);
	waits &= !nonblocking(o);
	n = answer(NULL, o, &len, len,
		   (writes_whole(o, len) ? SHORT : 0) |
			   (waits ? AGAIN : never_again(o)) |
			   (o->object->type == DEVICE ? 0 : ZERO));
	if (n == 1) {
		failed(NULL, o->object, ENOSPC, true);
		return 0;
	}
	if (n)
		return n;
	from_memory(buf, len, &t);
	if (len && !t.len)
		return -EFAULT;
	return write_tape(o, &t, t.len, at, waits);
}

/* Of a signalfd(2): a byte is a signal. */
static long read_signal(int fd, struct signalfd_siginfo *info)
{
	static struct tape t;
	long n = read_at(fd, info, 1, -1);

	tape_empty(&t);
	if (n <= 0)
		return n;
	from_memory((char *)info, 1, &t);
	*info = (struct signalfd_siginfo){
		.ssi_signo = t.seg[0].origin == CHILD_ENDS ? SIGCHLD : SIGHUP,
	};
	return sizeof(*info);
}

static bool has_cut(const struct object *o, long n)
{
	return o->type == SOCKET && o->sotype != SOCK_STREAM && o->whole != n;
}

static long read_(int fd, void *buf, size_t len)
{
	const struct open *o = open_at(fd);
	long n;

	if (o && o->object == world.signals &&
	    len == sizeof(struct signalfd_siginfo))
		return read_signal(fd, buf);
	n = read_at(fd, buf, len, -1);
	if (n > 0 && has_cut(o->object, n)) {
		if (!unknown() && !world.cuts)
			broken("a message of %u bytes is cut in silence",
			       o->object->whole);
		o->object->cut = true;
	}
	return n;
}

/* recv(2) of a message, MSG_TRUNC: a source that has given a part of one has
 * failed.
 */
static long receive_(int fd, void *buf, size_t len, int flags)
{
	struct open *o = open_at(fd);
	long n;

	if (!o || o->object->type != SOCKET)
		return o ? -ENOTSOCK : -EBADF;
	if (o->object->sotype == SOCK_STREAM || flags != MSG_TRUNC)
		broken("recv(2) with MSG_TRUNC drops bytes of a stream");
	if (!len)
		broken("recv(2) of nothing takes a message");
	n = read_at(fd, buf, len, -1);
	if (n <= 0 || !has_cut(o->object, n))
		return n;
	o->object->taken -= n;
	o->object->lost += o->object->whole;
	failed(o->object, NULL, EMSGSIZE, true);
	return o->object->whole;
}

static long send_(int fd, const void *buf, size_t len, int flags)
{
	const struct open *o = open_at(fd);

	if (!o || o->object->type != SOCKET)
		return o ? -ENOTSOCK : -EBADF;
	return write_at(fd, buf, len, -1, !(flags & MSG_DONTWAIT));
}

static off_t seek(int fd, off_t by, int whence)
{
	struct open *o = open_at(fd);
	off_t from;

	note("%d, %ld, %d", fd, (long)by, whence);
	if (!o)
		return -EBADF;
	if (o->object->type != FILE_)
		return -ESPIPE;
	from = whence == SEEK_CUR ? o->pos :
	       whence == SEEK_END ? (off_t)o->object->data.len :
				    0;
	if (from + by < 0)
		return -EINVAL;
	if (o->pos != from + by)
		touch(o->object, mix(14, mix(by, o - opens)));
	o->pos = from + by;
	return o->pos;
}

static long close_fd(int fd)
{
	struct open *o = open_at(fd);
	size_t len = 0;
	long n = 0;

	note("%d", fd);
	if (!o)
		return -EBADF;
	/* A lost write is told here. */
	if (foreign(o) && o->object->type == FILE_ &&
	    (o->flags & O_ACCMODE) != O_RDONLY)
		n = answer(NULL, o, &len, 0, INTR);
	world.fd[fd] = NULL;
	world.was_open[fd] = true;
	open_drop(o);
	return n;
}

/* splice(2) and its kin --------------------------------------------------- */

/* Only pipes know SPLICE_F_NONBLOCK; a socket sleeps if it is not O_NONBLOCK,
 * and whoever is at the pipe's far end waits with us. */
static long splice_out(struct open *from, struct open *to, off_t at, size_t len,
		       bool waits)
{
	struct object *pipe = from->object;
	size_t total = 0;
	long n = 0;

	if (to->flags & O_APPEND || to->object->type == DEVICE ||
	    to->object->type == PIPE)
		return -EINVAL;
	while (total < len) {
		static struct tape t;

		tape_empty(&t);
		if (!pipe->entries) {
			if (total || !pipe->writers)
				break;
			stuck = (struct want){ from, POLLIN };
			n = waits ? wait_for_it() : -EAGAIN;
			if (n)
				return n;
			continue;
		}
		do_peek(from, len - total, &t);
		n = do_write(to, &t, t.len, at < 0 ? at : at + (off_t)total);
		check_pipe_signal(n);
		if (n == -EAGAIN && !nonblocking(to)) {
			if (pipe->role != OWN)
				broken("it sleeps with another's pipe locked");
			n = wait_for_it();
		}
		if (n < 0)
			break;
		if (n)
			do_drop(from, n);
		total += n;
	}
	return total ? (long)total : n;
}

static bool is_pipe(const struct open *o)
{
	return o->object->type == PIPE;
}

static long splice_once(struct open *from, off_t from_at, struct open *to,
			off_t to_at, size_t len, bool waits)
{
	if (is_pipe(from) && is_pipe(to))
		return do_pipe_to_pipe(from, to, len, false);
	if (is_pipe(from))
		return splice_out(from, to, to_at, len, waits);
	return do_into_pipe(from, from_at, to, len);
}

/* Where a call between two ends reads or writes. Without an offset the position
 * of a file is looked up before, and stored after: others come in between. */
struct place {
	struct open *open;
	off_t *at, pos;
	bool shared;
};

static struct place place_of(struct open *o, off_t *at)
{
	return (struct place){ o, at, at ? *at : o->pos,
			       !at && o->object->type == FILE_ };
}

static off_t offset_of(const struct place *p)
{
	return p->at || p->shared ? p->pos : -1;
}

/* After n bytes, or a failure. */
static void leave(struct place *p, long n)
{
	if (n > 0)
		p->pos += n;
	if (p->at)
		*p->at = p->pos;
	if (!p->shared)
		return;
	touch(p->open->object, mix(15, mix(p->pos, p->open - opens)));
	p->open->pos = p->pos;
}

static long splice_(int from_fd, off_t *from_at, int to_fd, off_t *to_at,
		    size_t len, unsigned flags)
{
	struct open *from = open_at(from_fd), *to = open_at(to_fd);
	bool waits = !(flags & SPLICE_F_NONBLOCK);
	struct place in, out;
	long n;

	note("%d, %ld, %d, %ld, %zu", from_fd, from_at ? (long)*from_at : -1,
	     to_fd, to_at ? (long)*to_at : -1, len);
	if (!from || !to)
		return -EBADF;
	if (!is_pipe(from) && !is_pipe(to))
		return -EINVAL;
	if ((is_pipe(from) && from_at) || (is_pipe(to) && to_at))
		return -ESPIPE;
	if ((from_at && from->object->no_offsets) ||
	    (to_at && to->object->no_offsets))
		return -EINVAL;
	waits &= !nonblocking(from) && !nonblocking(to);
	n = answer(from, to, &len, holds(from),
		   (waits ? AGAIN : 0) |
			   (from->object->type == FILE_ ||
					    to->object->type == FILE_ ?
				    0 :
				    ZERO));
	if (n)
		return n == 1 ? 0 : n;
	in = place_of(from, from_at);
	out = place_of(to, to_at);
	if (in.shared || out.shared)
		others();
	do
		n = splice_once(from, offset_of(&in), to, offset_of(&out), len,
				waits);
	while (again(&n, waits));
	check_pipe_signal(n);
	leave(&in, n);
	leave(&out, n);
	return n;
}

static long tee_(int from_fd, int to_fd, size_t len, unsigned flags)
{
	struct open *from = open_at(from_fd), *to = open_at(to_fd);
	bool waits = !(flags & SPLICE_F_NONBLOCK);
	long n;

	note("%d, %d, %zu", from_fd, to_fd, len);
	if (!from || !to)
		return -EBADF;
	if (!is_pipe(from) || !is_pipe(to))
		return -EINVAL;
	waits &= !nonblocking(from) && !nonblocking(to);
	n = answer(from, to, &len, holds(from), waits ? AGAIN : 0);
	if (n)
		return n;
	do
		n = do_pipe_to_pipe(from, to, len, true);
	while (again(&n, waits));
	check_pipe_signal(n);
	return n;
}

static long vmsplice_(int fd, const struct iovec *v, unsigned flags)
{
	struct open *to = open_at(fd);
	size_t len = v->iov_len;
	bool waits = !(flags & SPLICE_F_NONBLOCK);
	static struct tape t;
	uint32_t before = world.copied_len;
	long n;

	tape_empty(&t);
	note("%d, %zu", fd, len);
	if (!to || !is_pipe(to))
		return -EBADF;
	n = answer(NULL, to, &len, len, waits ? AGAIN : 0);
	if (n)
		return n;
	if (len > (size_t)to->object->nslots * PAGE)
		len = (size_t)to->object->nslots * PAGE;
	tape_add(&t, copy_memory(v->iov_base, len));
	do
		n = do_lend(to, v->iov_base, &t, len);
	while (again(&n, waits));
	check_pipe_signal(n);
	if (n <= 0)
		world.copied_len = before;
	else if (world.lents < MOST_LENT)
		world.lent[world.lents++] =
			(struct lent){ v->iov_base, { COPIED, before, n } };
	return n;
}

static long sendfile_(int to_fd, int from_fd, off_t *at, size_t len)
{
	struct open *from = open_at(from_fd), *to = open_at(to_fd);
	static struct tape t;
	struct place in;
	long n;

	tape_empty(&t);
	note("%d, %d, %ld, %zu", to_fd, from_fd, at ? (long)*at : -1, len);
	if (!from || !to)
		return -EBADF;
	if (from->object->type != FILE_ || to->flags & O_APPEND ||
	    to->object->type == DEVICE)
		return -EINVAL;
	if (at && from->object->no_offsets)
		return -ESPIPE;
	n = answer(from, to, &len, holds(from), nonblocking(to) ? 0 : AGAIN);
	if (n)
		return n == 1 ? 0 : n;
	in = place_of(from, at);
	if (in.shared)
		others();
	n = do_read(from, len, in.pos, &t);
	if (n > 0)
		n = write_tape(to, &t, t.len, -1, !nonblocking(to));
	leave(&in, n);
	return n;
}

static long copy_file_range_(int from_fd, off_t *from_at, int to_fd,
			     off_t *to_at, size_t len)
{
	struct open *from = open_at(from_fd), *to = open_at(to_fd);
	static struct tape t;
	struct place in, out;
	long n;

	tape_empty(&t);
	note("%d, %ld, %d, %ld, %zu", from_fd, from_at ? (long)*from_at : -1,
	     to_fd, to_at ? (long)*to_at : -1, len);
	if (!from || !to || to->flags & O_APPEND)
		return -EBADF;
	if (from->object->type != FILE_ || to->object->type != FILE_)
		return -EINVAL;
	if (len && (from->object->no_offsets || to->object->no_offsets))
		return -EINVAL;
	n = answer(from, to, &len, holds(from), len ? 0 : ALL & ~REFUSE);
	if (n || !len)
		return n == 1 ? 0 : n;
	in = place_of(from, from_at);
	out = place_of(to, to_at);
	if (in.shared || out.shared)
		others();
	n = do_read(from, len, in.pos, &t);
	if (n > 0)
		n = write_tape(to, &t, t.len, out.pos, false);
	leave(&in, n);
	leave(&out, n);
	return n;
}

/* FICLONERANGE from beyond any end, which only asks. */
static long shares_extents(int to_fd, const struct file_clone_range *r)
{
	struct open *from = open_at(r->src_fd), *to = open_at(to_fd);

	note("%ld, %d", (long)r->src_fd, to_fd);
	if (r->src_offset != INT64_MAX)
		broken("FICLONERANGE is to ask, and to share nothing");
	if (!from || !to)
		return -EBADF;
	if (from->object->type != FILE_ || to->object->type != FILE_ ||
	    from->object->no_offsets || to->object->no_offsets)
		return -EXDEV;
	if (to->flags & O_APPEND)
		return -EBADF;
	if (!world.asked)
		world.shares = !choose(ANSWER, 2);
	world.asked = true;
	return world.shares ? -EINVAL : -EOPNOTSUPP;
}

/* Descriptors ------------------------------------------------------------- */

static long fcntl_(int fd, int command, long arg)
{
	struct open *o = open_at(fd);
	long n = 0;

	note("%d, %d, %ld", fd, command, arg);
	if (!o)
		return -EBADF;
	switch (command) {
	case F_GETFL:
		return o->flags;
	case F_DUPFD_CLOEXEC:
		n = answer_alone(NULL);
		return n ? -EMFILE : fd_new(o, arg);
	case F_GETPIPE_SZ:
		return is_pipe(o) ? o->object->nslots * PAGE : -EBADF;
	case F_SETPIPE_SZ:
		if (!is_pipe(o))
			return -EBADF;
		if (arg < (long)o->object->nslots * PAGE)
			broken("a pipe is made smaller");
		if (world.pipe_max && arg > world.pipe_max)
			broken("a pipe grows beyond the budget");
		n = answer_alone(o);
		return n ? n : do_resize(o, arg);
	case F_SETFL:
		if (!o->ours)
			break;
		n = answer_alone(NULL);
		o->flags |= n ? 0 : arg;
		return n;
	}
	broken("fcntl(%d, %d): somebody's flags are changed", fd, command);
}

static long stat_of(const struct object *b, struct stat *st)
{
	/* A sandbox refuses it from the first, or never. */
	if (!world.looked)
		world.hides = answer_alone(NULL);
	world.looked = true;
	if (world.hides)
		return world.hides;
	*st = (struct stat){ .st_ino = b - objects + 1, .st_dev = 1 };
	switch (b->type) {
	case FILE_:
		st->st_mode = S_IFREG;
		st->st_size = b->says < 0 ? (off_t)b->data.len : b->says;
		break;
	case PIPE:
		st->st_mode = S_IFIFO;
		break;
	case SOCKET:
		st->st_mode = S_IFSOCK;
		break;
	default:
		st->st_mode = S_IFCHR;
		st->st_rdev = b->type == NULL_ ? makedev(1, 3) : makedev(4, 64);
	}
	world.heard = mix(world.heard, st->st_size);
	return 0;
}

static long fstat_(int fd, struct stat *st)
{
	struct open *o = open_at(fd);

	note("%d", fd);
	return o ? stat_of(o->object, st) : -EBADF;
}

static long fstatat_(const char *name, struct stat *st)
{
	int role;
	struct object **o = named(name, &role);

	note("\"%s\"", name);
	return o && *o ? stat_of(*o, st) : -ENOENT;
}

/* Whoever kills the program does so between two calls. */
static void may_be_killed(void)
{
	if (choose(ANSWER, 2))
		killed(SIGKILL);
}

static long renameat_(const char *from, const char *to)
{
	int role;
	struct object **old = named(from, &role), **new = named(to, &role);
	long n;

	note("\"%s\", \"%s\"", from, to);
	if (!old || !*old || !new)
		return -ENOENT;
	n = answer_alone(NULL);
	world.hindered += n != 0;
	if (n)
		return n;
	*new = *old;
	*old = NULL;
	touch(*new, 17);
	may_be_killed();
	return 0;
}

/* A file that is not there yet. */
static long create(struct object **file, int role)
{
	long n = answer_alone(NULL);

	world.hindered += n != 0;
	if (n)
		return n;
	*file = object_new(FILE_, role);
	may_be_killed();
	return 0;
}

static long openat_(const char *name, int flags)
{
	int role, fd;
	struct object **file = named(name, &role), *o;
	struct open *open;
	long n;

	note("\"%s\", %#o", name, (unsigned)flags);
	if (!file || (!*file && !(flags & O_CREAT)))
		return -ENOENT;
	if (*file && flags & O_EXCL)
		return -EEXIST;
	n = *file ? 0 : create(file, role);
	if (n)
		return n;
	o = *file;
	open = open_new(o, flags & (O_ACCMODE | O_APPEND | O_NONBLOCK));
	open->ours = true;
	fd = fd_new(open, 0);
	if (fd >= 0 && flags & O_TRUNC && o->type == FILE_) {
		o->data.n = 0;
		o->data.len = 0;
		touch(o, 16);
	}
	return fd;
}

static long pipe_(int *fd, int flags)
{
	struct open *in = world.output;
	struct object *o;
	long n = answer_alone(NULL);

	note("%#o", (unsigned)flags);
	if (n)
		return n;
	o = in ? in->object : object_new(PIPE, OWN);
	world.output = NULL;
	flags &= O_NONBLOCK | O_DIRECT;
	if (!in)
		in = open_new(o, O_RDONLY | (flags & O_NONBLOCK));
	fd[0] = fd_new(in, 0);
	fd[1] = fd_new(open_new(o, O_WRONLY | flags), 0);
	note("[%d, %d]", fd[0], fd[1]);
	return 0;
}

static long socketpair_(int domain, int sotype, int *fd)
{
	int flags = O_RDWR | (sotype & SOCK_NONBLOCK ? O_NONBLOCK : 0);
	struct object *a, *b;
	long n = answer_alone(NULL);

	note("%d, %#x", domain, (unsigned)sotype);
	if (n)
		return n;
	a = object_new(SOCKET, OWN);
	b = object_new(SOCKET, OWN);
	pair(a, b, domain, sotype & 0xf);
	fd[0] = fd_new(open_new(a, flags), 0);
	fd[1] = fd_new(open_new(b, flags), 0);
	note("[%d, %d]", fd[0], fd[1]);
	return 0;
}

static long getsockopt_(int fd, int level, int option, void *value)
{
	const struct open *o = open_at(fd);
	const struct object *b = o ? o->object : NULL;
	struct timeval *limit = value;
	int *number = value;
	long n;

	note("%d, %d", fd, option);
	if (!o)
		return -EBADF;
	if (b->type != SOCKET || level != SOL_SOCKET)
		return -ENOTSOCK;
	n = answer_alone(NULL);
	if (n)
		return n;
	if (option == SO_RCVTIMEO || option == SO_SNDTIMEO) {
		limit->tv_sec = b->limit_ms / 1000;
		limit->tv_usec = b->limit_ms % 1000 * 1000;
		return 0;
	}
	*number = option == SO_TYPE   ? b->sotype :
		  option == SO_DOMAIN ? b->domain :
		  option == SO_SNDBUF ? (int)b->room :
					0;
	return 0;
}

static long poll_once(struct pollfd *p, int n, int ms)
{
	struct want want[MOST_FDS];
	bool asks = !world.coarse;
	long found = 0;

	note("%d of %d, %#x, %d ms", n ? p->fd : -1, n,
	     n ? (unsigned)p->events : 0, ms);
	for (int i = 0; i < n; i++)
		asks |= p[i].fd >= 0;
	if (ms && asks)
		found = answer_alone(NULL);
	if (found)
		return found;
	for (;;) {
		int wants = 0, r;

		for (int i = 0; i < n; i++) {
			struct open *o = p[i].fd < 0 ? NULL : open_at(p[i].fd);

			p[i].revents = 0;
			if (p[i].fd >= 0 && !o)
				p[i].revents = POLLNVAL;
			if (o) {
				want[wants] = (struct want){ o, p[i].events };
				p[i].revents = ready(&want[wants++]);
			}
			found += p[i].revents != 0;
		}
		if (found || !ms)
			return found;
		if (world.awake && n && asks && !world.hindered)
			broken("a step sleeps");
		r = sleep_on(want, wants, ms);
		if (r == 1)
			world.now += world.coarse ? (ms + 999) / 1000 * 1000 :
						    ms;
		if (r)
			return r == 1 ? 0 : r;
	}
}

static long poll_(struct pollfd *p, int n, int ms)
{
	long found = poll_once(p, n, ms);

	for (long i = 0; i < found; i++)
		world.heard = mix(world.heard, p[i].revents);
	return found;
}

/* Two, or one. */
static long processors(unsigned long *mask, size_t size)
{
	*mask = choose(ANSWER, 2) ? 1 : 3;
	world.heard = mix(world.heard, *mask);
	return size;
}

/* Memory that is mapped: what is of a file is never there, for only the kernel
 * is to look at it. */
static char *nowhere;
static _Alignas(PAGE) char anonymous[4 << 20];
enum { MAP_ROOM = 16 << 20 };

static long mmap_(size_t len, int fd, off_t at)
{
	struct open *o = fd < 0 ? NULL : open_at(fd);
	struct map m = { .len = len, .at = at };
	size_t used = 0;
	int many = 0;
	long n = answer_alone(NULL);

	note("%zu, %d, %ld", len, fd, (long)at);
	if (n)
		return n;
	/* What lies about its size is of a file system that maps nothing. */
	if (fd >= 0 && (!o || o->object->type != FILE_ ||
			o->object->says >= 0 || o->object->no_offsets))
		return o ? -ENODEV : -EBADF;
	if (world.maps == MOST_MAPS)
		broken("the model: too many maps");
	for (int i = 0; i < world.maps; i++) {
		used += world.map[i].file ? 0 : world.map[i].len;
		many += !world.map[i].file;
	}
	/* A large buffer, and a line that is lent. */
	if (!o && many == 2)
		broken("memory is mapped again and again");
	if (!nowhere)
		nowhere = (char *)0x100000000000;
	m.file = o ? o->object : NULL;
	m.memory = o ? nowhere + (size_t)world.maps * MAP_ROOM :
		       anonymous + used;
	if (!o && (used + len > sizeof(anonymous) || len % PAGE))
		broken("the model: too large a map");
	world.map[world.maps++] = m;
	return (long)m.memory;
}

static long munmap_(char *p, size_t len)
{
	struct map *m = map_of(p);

	note("%zu", len);
	if (!m || m->memory != p || m->len != len || m->gone)
		broken("what is unmapped is no map");
	m->gone = true;
	/* What was lent stays as it is. */
	for (int i = 0; i < world.lents; i++)
		if (world.lent[i].memory >= p && world.lent[i].memory < p + len)
			world.lent[i--] = world.lent[--world.lents];
	return 0;
}

/* Of a terminal that it is one; and what the far end of a pipe or a socket has
 * not read. */
static long ioctl_(int fd, unsigned long request, void *to)
{
	int *value = to;
	const struct open *o = open_at(fd);
	const struct object *b = o ? o->object : NULL;

	if (request == FICLONERANGE)
		return shares_extents(fd, to);
	note("%d, %#lx", fd, request);
	if (!o)
		return -EBADF;
	if (request == TIOCGWINSZ)
		return b->type == TTY ? 0 : -ENOTTY;
	if (request == FIONREAD && b->type == PIPE)
		*value = b->queued;
	else if (request == TIOCOUTQ && b->type == SOCKET)
		*value = b->peer->queued;
	else
		return -ENOTTY;
	world.heard = mix(world.heard, *value);
	return 0;
}

/* Processes and signals --------------------------------------------------- */

enum { SELF = 100, CHILD };

static long sigprocmask_(int how, const unsigned long *set, unsigned long *old)
{
	note("%d", how);
	if (old)
		*old = world.blocked >> 1;
	if (how == SIG_BLOCK)
		world.blocked |= *set << 1;
	if (how == SIG_UNBLOCK)
		world.blocked &= ~(*set << 1);
	if (how == SIG_SETMASK)
		world.blocked = *set << 1;
	return 0;
}

/* The kernel's structures begin with the handler. */
static long sigaction_(int sig, void *const *action, void **old)
{
	note("%d", sig);
	if (old)
		*old = world.handler[sig];
	if (action)
		world.handler[sig] = *action;
	return 0;
}

static long kill_(pid_t pid, int sig)
{
	note("%d, %d", pid, sig);
	if (pid == SELF)
		killed(sig);
	if (pid != CHILD || world.command == COMING || world.command == REAPED)
		broken("a signal to process %d, which is not there", pid);
	if (world.command == RUNS)
		world.killed_by = sig;
	return 0;
}

/* Of one child alone. */
static long waitid_(siginfo_t *info, int options)
{
	long n;

	note("%d", options);
	if (world.command == COMING || world.command == REAPED)
		return -ECHILD;
	if (world.command == RUNS && options & WNOHANG)
		return 0;
	stuck = (struct want){ world.child, POLLIN };
	n = wait_for_it();
	if (n)
		return n;
	world.noted = true;
	info->si_pid = CHILD;
	info->si_code = world.killed_by ? CLD_KILLED : CLD_EXITED;
	info->si_status = world.killed_by ? world.killed_by :
					    3 * choose(ANSWER, 2);
	world.heard = mix(world.heard, info->si_status);
	world.status = info->si_status + (world.killed_by ? 128 : 0);
	return 0;
}

/* A signal may come before it returns, and is for nobody then. */
static long waitpid_(pid_t pid)
{
	note("%d", pid);
	if (pid != CHILD || world.command != ZOMBIE)
		broken("waitpid(2) of process %d, which has not ended", pid);
	world.command = REAPED;
	others();
	return CHILD;
}

/* The child does what it does in actors.c. A signal may come before this
 * returns. */
static long vfork_(void)
{
	world.command = RUNS;
	others();
	return CHILD;
}

/* By numbers, and by functions of libc's --------------------------------- */

static long writev_(int fd, const struct iovec *v, int n)
{
	long total = 0;

	for (int i = 0; i < n; i++) {
		long m = write_at(fd, v[i].iov_base, v[i].iov_len, -1, true);

		if (m < 0)
			return total ? total : m;
		total += m;
		if ((size_t)m < v[i].iov_len)
			break;
	}
	return total;
}

static long prlimit_(uint64_t *limit)
{
	*limit = world.file_limit ? (uint64_t)world.file_limit : RLIM_INFINITY;
	return 0;
}

static long fstatfs_(int fd, struct statfs *st)
{
	note("%d", fd);
	st->f_type = EXT4_SUPER_MAGIC;
	return 0;
}

static long change(int fd)
{
	note("%d", fd);
	return fd % 2 ? -EPERM : 0;
}

static long signalfd_(int fd)
{
	note("%d", fd);
	return fd >= 0 ? fd :
			 fd_new(open_new(world.signals, O_RDONLY | O_NONBLOCK),
				0);
}

static long clock_(int clock, int64_t *t)
{
	uint64_t now = world.now;

	note("%d", clock);
	if (clock == CLOCK_REALTIME)
		now += REAL_EPOCH * 1000ull - EPOCH;
	t[0] = now / 1000;
	t[1] = now % 1000 * 1000000;
	return 0;
}

/* A call by its number, how many arguments it has, and what makes it with
 * these: a, or p, memory. */
#define MADE_BY(name, arguments, made)                   \
	case SYS_##name:                                 \
		begin(CALL_##name, frame, a, arguments); \
		return end(made);

/* A call that a function with this frame has been called for. */
static long call(const char *frame, long number, const long *a)
{
	void *const *p = (void *const *)a;

	switch (number) {
	/* Nobody else could tell when: no turn of others. */
	case SYS_rt_sigaction:
		return sigaction_(a[0], p[1], p[2]);
		MADE_BY(read, 3, read_(a[0], p[1], a[2]))
		MADE_BY(pread64, 4, read_at(a[0], p[1], a[2], a[3]))
		MADE_BY(recvfrom, 6, receive_(a[0], p[1], a[2], a[3]))
		MADE_BY(write, 3, write_at(a[0], p[1], a[2], -1, true))
		MADE_BY(pwrite64, 4, write_at(a[0], p[1], a[2], a[3], true))
		MADE_BY(writev, 3, writev_(a[0], p[1], a[2]))
		MADE_BY(sendto, 6, send_(a[0], p[1], a[2], a[3]))
		MADE_BY(lseek, 3, seek(a[0], a[1], a[2]))
		MADE_BY(close, 1, close_fd(a[0]))
		MADE_BY(splice, 6, splice_(a[0], p[1], a[2], p[3], a[4], a[5]))
		MADE_BY(tee, 4, tee_(a[0], a[1], a[2], a[3]))
		MADE_BY(vmsplice, 4, vmsplice_(a[0], p[1], a[3]))
		MADE_BY(sendfile, 4, sendfile_(a[0], a[1], p[2], a[3]))
		MADE_BY(copy_file_range, 6,
			copy_file_range_(a[0], p[1], a[2], p[3], a[4]))
		MADE_BY(openat, 4, openat_(p[1], a[2]))
		MADE_BY(fstat, 2, fstat_(a[0], p[1]))
		MADE_BY(newfstatat, 4, fstatat_(p[1], p[2]))
		MADE_BY(fstatfs, 2, fstatfs_(a[0], p[1]))
		MADE_BY(renameat, 4, renameat_(p[1], p[3]))
		MADE_BY(fchown, 3, change(a[0]))
		MADE_BY(fchmod, 2, change(a[0]))
		MADE_BY(fcntl, 3, fcntl_(a[0], a[1], a[2]))
		MADE_BY(ioctl, 3, ioctl_(a[0], a[1], p[2]))
		MADE_BY(getsockopt, 5, getsockopt_(a[0], a[1], a[2], p[3]))
		MADE_BY(pipe2, 2, pipe_(p[0], a[1]))
		MADE_BY(socketpair, 4, socketpair_(a[0], a[1], p[3]))
		MADE_BY(signalfd4, 4, signalfd_(a[0]))
		MADE_BY(mmap, 6, mmap_(a[1], a[4], a[5]))
		MADE_BY(munmap, 2, munmap_(p[0], a[1]))
		MADE_BY(prlimit64, 4, prlimit_(p[3]))
		MADE_BY(poll, 3, poll_(p[0], a[1], a[2]))
		MADE_BY(clock_gettime, 2, clock_(a[0], p[1]))
		MADE_BY(rt_sigprocmask, 4, sigprocmask_(a[0], p[1], p[2]))
		MADE_BY(vfork, 0, vfork_())
		MADE_BY(waitid, 5, waitid_(p[2], a[3]))
		MADE_BY(wait4, 3, waitpid_(a[0]))
		MADE_BY(kill, 2, kill_(a[0], a[1]))
		MADE_BY(sched_yield, 0, 0)
		MADE_BY(sched_getaffinity, 3, processors(p[2], a[1]))
		MADE_BY(io_uring_setup, 2, -ENOSYS)
	}
	broken("the model has no system call %ld", number);
}

long __wrap_syscall(long number, ...)
{
	long a[ARGUMENTS];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < ARGUMENTS; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return call(__builtin_frame_address(0), number, a);
}

/* A function of libc's, which makes such a call with these arguments. */
#define CALLS(type, name, number, declared, ...)                      \
	type __wrap_##name declared                                   \
	{                                                             \
		return call(__builtin_frame_address(0), SYS_##number, \
			    (const long[ARGUMENTS]){ __VA_ARGS__ });  \
	}

CALLS(ssize_t, read, read, (int fd, void *p, size_t n), fd, (long)p, n)
CALLS(ssize_t, write, write, (int fd, const void *p, size_t n), fd, (long)p, n)
CALLS(ssize_t, pread64, pread64, (int fd, void *p, size_t n, off_t at), fd,
      (long)p, n, at)
CALLS(ssize_t, pwrite64, pwrite64, (int fd, const void *p, size_t n, off_t at),
      fd, (long)p, n, at)
CALLS(off_t, lseek64, lseek, (int fd, off_t by, int whence), fd, by, whence)
CALLS(int, close, close, (int fd), fd)
CALLS(ssize_t, sendfile64, sendfile, (int to, int from, off_t *at, size_t n),
      to, from, (long)at, n)
CALLS(int, getsockopt, getsockopt, (int fd, int level, int option, void *value),
      fd, level, option, (long)value)
CALLS(int, fstatfs64, fstatfs, (int fd, struct statfs *st), fd, (long)st)
CALLS(int, poll, poll, (struct pollfd * p, nfds_t n, int ms), (long)p, n, ms)
CALLS(int, sched_yield, sched_yield, (void), 0)
CALLS(pid_t, vfork, vfork, (void), 0)
CALLS(int, waitid, waitid,
      (idtype_t type, id_t id, siginfo_t *info, int options), type, id,
      (long)info, options)
CALLS(pid_t, waitpid, wait4, (pid_t pid, int *status, int options), pid,
      (long)status, options)
CALLS(int, kill, kill, (pid_t pid, int sig), pid, sig)

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	long value;

	va_start(args, request);
	value = va_arg(args, long);
	va_end(args);
	return call(__builtin_frame_address(0), SYS_ioctl,
		    (const long[ARGUMENTS]){ fd, request, value });
}

/* Those that nobody else could tell. Only dontcache gives hints, and that is
 * not modelled; the command stays in the group of tee. */
#define ANSWERS(name, n)        \
	int __wrap_##name(void) \
	{                       \
		return n;       \
	}

ANSWERS(getpid, SELF)
ANSWERS(getpgrp, SELF)
ANSWERS(getpgid, SELF)
ANSWERS(posix_fadvise64, 0)
ANSWERS(sync_file_range, 0)
