/* SPDX-License-Identifier: 0BSD */
/* What the methods are built on. */
#ifndef ENGINE_H
#define ENGINE_H

#include "kconfig.h"
#include "sys.h"
#include "zc.h"

#define METHOD(name) extern const struct zc_method zc_method_##name;
#include "methods.h"
#undef METHOD

/* How many methods there are. */
enum {
	ZC_METHODS = 0
/* NOLINTNEXTLINE(bugprone-macro-parentheses): all are added up. */
#define METHOD(name) +1
#include "methods.h"
#undef METHOD
};

/* Where there is but rw, nothing is left to select, and bytes count for more
 * than speed. */
enum { ZC_SELECT = ZC_METHODS > 1 };

enum {
	ZC_LARGE = 4 << 20, /* bytes of z->large */
	/* Bytes of a repeated line that are written to a pipe at once: it keeps
	 * a page or two for the next write, once its reader has had them. */
	ZC_LINES = 8 << 10,
};

/* What one call has waited so far. But for what it is, it begins as zeros. */
struct zc_wait {
	bool plain;	    /* read(2), write(2) or the like */
	bool nonblock;	    /* O_NONBLOCK was set when the naps began */
	bool slept;	    /* it has been in poll(2), and yields no more */
	unsigned char naps; /* while poll(2) called all ready */
	int yields;	    /* before it slept */
};

/* The value of a system call, made again for as long as it is interrupted or
 * would block. The endpoints are those that may not be ready: a source, a sink,
 * or NULL. */
#define ZC_CALL(z, call, in, out) ZC_REPEAT_CALL(z, call, in, out, false)

/* The same for a call that has the last word on its endpoint. */
#define ZC_PLAIN_CALL(z, call, in, out) ZC_REPEAT_CALL(z, call, in, out, true)

#define ZC_REPEAT_CALL(z, call, in, out, is_plain)                 \
	({                                                         \
		struct zc_wait w_ = { .plain = (is_plain) };       \
		ssize_t n_;                                        \
		do                                                 \
			(z)->calls++, n_ = (call);                 \
		while (n_ < 0 && zc_again((z), &w_, (in), (out))); \
		n_;                                                \
	})

/* After a failed call: returns whether errno says to make it again, having
 * waited where it says EAGAIN. Where in and out are NULL, that is a relay. */
bool zc_again(struct zc *z, struct zc_wait *w, const struct zc_endpoint *in,
	      const struct zc_endpoint *out);

/* Returns whether it is worth to look again rather than to sleep: then it has
 * yielded the processor. */
bool zc_try_soon(struct zc *z, struct zc_wait *w);

/* Sleeps for so many milliseconds. */
void zc_nap(int ms);

/* Whether a sink took any of what it was called ready for: n bytes, or an
 * error. If not it is left alone for a while, longer each time: of a terminal
 * poll(2) does not know that a newline may take two bytes. */
bool zc_took(struct zc_endpoint *out, ssize_t n);

/* Returns whether a socket has a limit of time, SO_RCVTIMEO or SO_SNDTIMEO
 * (socket(7)). */
bool zc_has_limit(int fd, int option);

/* Returns how many of n bytes go to a sink at once: as many as one message may
 * have, where it keeps them apart and they are none themselves. */
static inline size_t zc_one_message(const struct zc *z,
				    const struct zc_endpoint *out, size_t n)
{
	size_t max = out->message_max;

	return max && max < n && !z->message ? max : n;
}

/* Returns how many of n bytes, not 0, a sink that may be late or keeps messages
 * apart takes without sleeping, once poll(2) has said that it takes any. */
size_t zc_promise(struct zc *z, const struct zc_endpoint *out, size_t n);

/* Returns whether err (an errno) is a failure that the next call need not
 * repeat. Once bytes have moved it is final. */
bool zc_is_final(int err);

/* After a failed call: records errno in the endpoint that it must be of, if no
 * other call is to be asked. */
void zc_record(struct zc_endpoint *end);

/* Returns whether err (an errno) is the error of a connection, which is told
 * once (SO_ERROR, socket(7)): a read(2) after that finds the end of input, and
 * a write(2) raises SIGPIPE. */
bool zc_is_told_once(int err);

/* Returns whether it is a socket of a network, which may tell of a reset. Those
 * of the same machine (unix(7)) end like pipes. */
bool zc_is_remote(int fd);

/* Descriptors 0 to 2 are never ours, though a caller that closed them has the
 * kernel hand them out: moves fd, unless it is -1, above them. Returns the new
 * descriptor, or -1 with errno. */
int zc_above_stdio(int fd);

/* Ranges. A source that is a file has a range of its position that is ours
 * alone, from range_at, where to go on, to range_end. What one method leaves of
 * it is the next one's. */

/* Reserves max bytes of a source, unless some are left. Returns how many there
 * are now, max at most; 0 where its size says that it has ended; ZC_RUN_MAX if
 * it is no file; or -1 with errno. */
ssize_t zc_reserve_source(struct zc_endpoint *in, size_t max);

/* Reserves n bytes of a file whose position was just seen at `seen'. Returns 0
 * with all of it in the range, or -1 with errno. */
int zc_reserve(struct zc_endpoint *end, off_t seen, size_t n);

/* Moves the position from the end of the range back to `to', where the range
 * then ends, unless another process has moved it since: then the range stays
 * ours. */
void zc_move_back(struct zc_endpoint *end, off_t to);

/* Where in the range to go on, for a call that moves it; NULL if no file. */
off_t *zc_offset(struct zc_endpoint *end);

/* Whether some of a range is left. No function: what a build without ranges
 * calls then is not there, and any compiler has to see that. */
#define zc_has_range(end) \
	(IS_ENABLED(CONFIG_ZC_RANGE) && (end)->range_at < (end)->range_end)

/* read(2) in the range. Returns 0 where read(2) is to go on: the file has
 * become shorter than the range, or is not read at an offset, and the rest of
 * the range is given back. */
ssize_t zc_read_range(struct zc *z, struct zc_endpoint *in, void *buf,
		      size_t size);

/* zc_move_back() over all that is left of the range of a source. */
void zc_give_back(struct zc_endpoint *end);

/* write(2). Returns bytes, or -1 with errno. */
ssize_t zc_write_once(struct zc *z, struct zc_endpoint *out, const void *buf,
		      size_t len);

/* zc_write() by write(2) alone, which fills a pipe's pages: what it is promised
 * fits. */
void zc_write_pages(struct zc *z, struct zc_endpoint *out, const void *buf,
		    size_t len);

/* Several sinks, of which none waits for another: what one is late with is kept
 * in its slack, if it may have any. */

/* Moves as much as can be moved at once of what the sinks lack, which ends at
 * `end' (out->lack), or else waits and then moves some. Where end is NULL, it
 * moves on what is in slack. Where in is given, it waits for that, too, unless
 * a slack is full, and for sinks to be retired when their reader has gone,
 * whose error is then EPIPE. Returns whether there was nothing to wait for, or
 * in is ready: call again until it does. */
bool zc_fan_out(struct zc *z, const struct zc_endpoint *in,
		struct zc_endpoint *out, int nout, const char *end);

/* Writes to a sink what it lacks before `end' if it is alone, or one that is
 * not waited for by poll(2). */
void zc_write_now(struct zc *z, struct zc_endpoint *o, const char *end,
		  bool alone);

/* Writes len bytes to the sinks from the first-th on, while no other waits. */
void zc_write_all(struct zc *z, struct zc_endpoint *out, int nout, int first,
		  const char *buf, size_t len);

/* The following two are there if CONFIG_ZC_HANGUP. */

/* Returns what to ask poll(2) of a sink that is to be retired when its reader
 * has gone; or else 0. */
int zc_hangup_events(const struct zc_endpoint *out);

/* Whether that is in what poll(2) has said: then it has the error EPIPE, or
 * what a write(2) of nothing to a socket says. */
bool zc_hangup(struct zc_endpoint *out, int events);

/* The following are there if CONFIG_ZC_TEE. */

/* Kinds of sinks that may be late. Any other is just written to. What is
 * ZC_UNKNOWN may keep messages apart, and slack does not, and poll(2) may never
 * call it ready. */
enum { ZC_LATE = ZC_PIPE | ZC_SOCKET | ZC_TTY };

/* Moves what a relay holds to out, or some of it, without sleeping: out is a
 * pipe, or poll(2) has said that it is ready. If out fails, the relay is
 * closed. */
void zc_drain(struct zc *z, struct zc_relay *relay, struct zc_endpoint *out);

/* Opens the slack of a sink. Returns 0, or -1 with errno. */
int zc_slack_open(struct zc_endpoint *out);

/* Puts off what a sink lacks, as far as its slack has room. If an empty one
 * takes nothing, z->no_slack is set. */
void zc_put_off(struct zc *z, struct zc_endpoint *out, const char *end);

/* How late a sink may be. The following are there if CONFIG_ZC_LAG. */

/* Whether a sink has a limit, and is a terminal where no write(2) sleeps; and
 * whether what it misses beyond that limit, or itself, is lost, so that the
 * others do not wait for it. No functions: see zc_has_range(). */
#define zc_limit(out) \
	(IS_ENABLED(CONFIG_ZC_LAG) && (out)->lag && (out)->lag->max)
#define zc_nonblock(out) (zc_limit(out) && (out)->lag->nonblock)
#define zc_may_lose(out) (zc_limit(out) && (out)->lag->late != ZC_WAIT)

/* Whether nothing is to go out to a sink before what comes now. */
#define zc_is_clear(out) \
	(!(out)->slack.held && !(zc_limit(out) && (out)->lag->gap))

/* Bytes: how large a pipe is, fcntl(2) says in an int, and in powers of 2. */
enum { ZC_LAG_MAX = 1 << 30 };

/* Opens the slack of a sink with a limit, as large as it should be. Returns 0,
 * or -1 with errno. */
int zc_lag_open(struct zc_endpoint *out);

/* Returns how many bytes more the slack may hold. */
size_t zc_lag_room(const struct zc_endpoint *out);

/* Puts len bytes into the slack, or as many as it takes. Returns how many, or
 * -1 with errno for none. */
ssize_t zc_lag_put(struct zc_endpoint *out, const char *buf, size_t len);

/* n bytes have gone out of the slack. */
static inline void zc_lag_drained(struct zc_lag *lag, size_t n)
{
	lag->told_end = n < lag->told_end ? lag->told_end - n : 0;
}

/* Returns how many of the len bytes of a run at buf a sink is to get, the last
 * ones: a gap ends at the beginning of a line, once half of the slack is free.
 */
size_t zc_lag_take(struct zc_endpoint *out, const char *buf, size_t len);

/* A sink misses n more bytes: of its gap, and of all. */
void zc_lag_miss(struct zc_lag *lag, size_t n);

/* Returns whether a sink is given nothing: it has a gap, and more than half of
 * its slack is full. */
bool zc_lag_skips(const struct zc_endpoint *out);

/* A run of n bytes is spliced. Returns whether the sink skips it. */
bool zc_lag_spliced(struct zc_endpoint *out, size_t n);

/* Returns how many bytes may be spliced to all at once; 0: none, for a limit is
 * near or a gap may end, and one must see lines, or a slack was filled by small
 * pieces. Where there is a single sink, its limit does not count, but a gap or
 * slack does. */
size_t zc_lag_run(const struct zc_endpoint *out, int nout);

/* Returns whether one of the sinks lacks nothing, and could take a run. */
bool zc_lag_goes_on(const struct zc_endpoint *out, int nout);

/* Returns whether the reader of a sink that lacks something is later than that
 * of another by more than it may be. */
bool zc_lag_too_late(const struct zc_endpoint *late,
		     const struct zc_endpoint *out, int nout);

/* Returns for how many milliseconds to wait for sinks that lack something while
 * others go on: none if one is too late; ms (-1: for ever) if none may lose it.
 * Each time the next wait becomes longer. */
int zc_lag_nap(struct zc_endpoint *out, int nout, int ms);

/* Leaves out what a sink lacks, but for the rest of a line that it has begun;
 * or retires it with the error ETIME. */
void zc_lag_leave_out(struct zc_endpoint *out, const char *end);

/* Returns how many bytes to read at once: whole blocks (ZC_ALIGN), and no more
 * than that beyond what the slacks have room for, but room for any message. */
size_t zc_lag_read(const struct zc_endpoint *in, const struct zc_endpoint *out,
		   int nout);

/* Counts a run of n bytes. */
void zc_lag_count(struct zc_endpoint *out, int nout, size_t n);

/* Returns zc_sys_clock(), or 0 if no sink counts how late it is. */
uint64_t zc_lag_clock(const struct zc_endpoint *out, int nout);

/* Counts the time of a sleep since `begun' (zc_lag_clock()), for what sinks
 * lack, or else for what is in their slack. */
void zc_lag_waited(struct zc_endpoint *out, int nout, uint64_t begun,
		   bool lacking);

/* The end of a source: says where bytes are missing, and begins to look whether
 * sinks that may lose what they are late with take any. */
void zc_lag_end(struct zc_endpoint *out, int nout);

/* Retires those of them that have taken nothing for some seconds, with the
 * error ETIME. Returns for how many milliseconds to wait for the others; -1
 * where none of them is late. */
int zc_lag_last(struct zc_endpoint *out, int nout);

/* Makes a pipe larger, up to CONFIG_ZC_PIPE_KB, after a run of n bytes that
 * filled it. Returns whether it grew; being refused is no error. */
bool zc_grow(struct zc_endpoint *pipe, size_t n);
bool zc_relay_grow(struct zc_relay *relay, size_t n);

/* Relays. What enters one is taken out of it before anyone else sees it, or
 * closed with it. Between two runs z->relay and z->socket are empty; a slack
 * may hold bytes, and z->pattern keeps its own. */

/* Opens a relay that is not yet open. Returns 0, or -1 with errno. */
int zc_relay_open(struct zc_relay *relay);

/* The same for a pair of Unix sockets. */
int zc_socket_open(struct zc_relay *relay);

/* Closes it, with what it holds, if it is open. */
void zc_relay_close(struct zc_relay *relay);

/* A way to splice, as splice(2) has it. */
typedef ssize_t zc_splice(struct zc *z, int from, off_t *from_at, int to,
			  size_t len);
ssize_t zc_splice_call(struct zc *z, int from, off_t *from_at, int to,
		       size_t len);

enum { ZC_LEAST = 16 << 10 }; /* bytes of a run that pays to be spliced on */

/* Returns how many bytes to move at once. What a socket holds is best taken
 * whole, also to send it to another. */
static inline ssize_t zc_run_max(const struct zc_endpoint *in,
				 const struct zc_endpoint *out)
{
	bool bounded = out->run_max && in->kind != ZC_SOCKET;

	return bounded ? out->run_max : ZC_RUN_MAX;
}

/* Splices a run of at most max bytes from in: of a file, as much as the relay
 * may hold or half of that. Returns bytes, 0 at the end of input, or -1 with
 * errno, which zc_record() has seen. */
ssize_t zc_relay_in(struct zc *z, struct zc_relay *relay,
		    struct zc_endpoint *in, bool half, ssize_t max,
		    zc_splice *splice);

/* Splices n bytes to out. Returns how many are left in the relay, where out
 * refuses that or has failed. */
size_t zc_relay_out(struct zc *z, struct zc_relay *relay, size_t n,
		    struct zc_endpoint *out, zc_splice *splice);

/* After a call that moved n bytes to out, of max (n is -1 with errno where it
 * failed): records the error of a connection that was reset meanwhile. */
void zc_check_reset(struct zc_endpoint *out, ssize_t n, ssize_t max);

/* Moves n bytes to out: by splice, by read and write where out is a file or
 * refuses that, and into nothing where out has failed. */
void zc_relay_flush(struct zc *z, struct zc_relay *relay, size_t n,
		    struct zc_endpoint *out, zc_splice *splice);

/* Moves a run from in to out by way of z->relay. Returns as a method does. */
ssize_t zc_relay_run(struct zc *z, struct zc_endpoint *in,
		     struct zc_endpoint *out, zc_splice *splice);

/* zc_relay_flush() by read and write alone, to the sinks from the first-th
 * on. */
void zc_relay_copy_out(struct zc *z, struct zc_relay *relay, size_t n,
		       struct zc_endpoint *out, int nout, int first);

/* Whether it is a pipe, and what is written may go in large pipe buffers. */
#define zc_has_pipe_buffers(out)                                         \
	(IS_ENABLED(CONFIG_ZC_PIPE_BUFFERS) && (out)->kind == ZC_PIPE && \
	 !(out)->no_splice && !(out)->no_socket)

/* Writes to a pipe in large pipe buffers, if CONFIG_ZC_PIPE_BUFFERS. Returns
 * bytes: fewer than len with out->error set, or where write(2) is to do the
 * rest. */
size_t zc_write_pipe_buffers(struct zc *z, struct zc_endpoint *out,
			     const void *buf, size_t len);

/* Closes the ring and frees its memory, if CONFIG_ZC_RING. */
void zc_ring_close(struct zc_ring *ring);

#endif
