/* SPDX-License-Identifier: 0BSD */
/* What the methods share: waiting, and pipes of our own. */
#ifndef METHOD_H
#define METHOD_H

#include "have.h"
#include "zc.h"

#define METHOD(name) extern const struct zc_method method_##name;
#include "methods.h"
#undef METHOD

/* A pipe of our own, or a pair of sockets. Whatever enters it is drained before
 * anyone else sees it, or closed with it, so between two runs it is empty. */
struct zc_relay {
	int fd;			/* to take from; 0 until opened */
	struct zc_end end;	/* to put into */
};

/* The value of a system call, made again for as long as it is interrupted or
 * would block. The ends are those that may not be ready: a source, a sink, or
 * NULL. */
#define ZC_CALL(call, in, out) ({					\
	int tries_ = 0;							\
	ssize_t n_;							\
	do								\
		zc_calls++, n_ = (call);				\
	while (n_ < 0 && zc_again((in), (out), &tries_));		\
	n_;								\
})

/* After a failed call: returns whether errno says to make it again, having
 * waited where it says EAGAIN. *tries counts the yields of this call. */
bool zc_again(struct zc_end *in, struct zc_end *out, int *tries);

/* Whether err (an errno) is the kernel saying "not in this way". */
bool zc_refusal(int err);

/* Waits until in can be read or the reader of a watched sink has gone, which
 * retires that sink with EPIPE. Returns whether one has. Returns at once where
 * no sink is watched. There only where Kconfig has chosen it. */
bool zc_abandoned(struct zc_end *in, struct zc_end *out, int nout);

/* A regular file has a range of its position that is ours alone, range_at to
 * range_end: range_at is where to go on. What a method does not fill, the next
 * one or rw does. Reserves n bytes of a sink, unless some are left. Returns how
 * many there are now, n at most (n if it is no file), or -1 with errno. */
ssize_t zc_reserve_sink(struct zc_end *out, size_t n);

/* The same for max bytes of a source. Returns 0 where its size says that it has
 * ended, and ZC_RUN_MAX if it is no file. */
ssize_t zc_reserve_source(struct zc_end *in, size_t max);

/* Where in the range to go on, for a call that moves it: NULL if it is no file. */
off_t *zc_offset(struct zc_end *end);

/* Whether some of a range is left. */
static inline bool zc_has_range(const struct zc_end *end)
{
	return HAVE_ZC_RANGES && end->range_at < end->range_end;
}

/* read(2) and write(2) in the range. A file that has become shorter than the
 * range gives 0, and has none any more. */
ssize_t zc_read_range(struct zc_end *in, void *buf, size_t size);
ssize_t zc_write_range(struct zc_end *out, const void *buf, size_t len);

/* write(2), in the range if there is one. Returns bytes, or -1 with errno. */
ssize_t zc_write_once(struct zc_end *out, const void *buf, size_t len);

/* Moves the position back over what is left of the range, unless somebody else
 * has moved it since. Then the range stays ours, for the next call. */
void zc_give_back(struct zc_end *end);

/* Makes a pipe larger, up to CONFIG_ZC_PIPE_KB, after a run of n bytes that
 * filled it. Returns whether it grew; being refused is no error. */
bool zc_grow(struct zc_end *pipe, size_t n);

/* Opens a relay that is not yet open, on descriptors above 2. Returns 0, or -1
 * with errno. */
int zc_relay_open(struct zc_relay *relay);

/* The same for a pair of Unix sockets. */
int zc_socket_open(struct zc_relay *relay);

/* Closes it, with what it holds. */
void zc_relay_close(struct zc_relay *relay);

/* Returns how many bytes of a file an empty relay holds. */
size_t zc_room(const struct zc_relay *relay);

/* Splices a run from in. Returns bytes, 0 at the end of input, or -1 with
 * errno; what is no refusal is recorded in in->error. */
ssize_t zc_fill(struct zc_relay *relay, struct zc_end *in);

/* Writes to a pipe in large slots. Returns bytes: fewer than len with
 * out->error set, or where write(2) is to do the rest. There only where Kconfig
 * has chosen it. */
size_t zc_write_slots(struct zc_end *out, const void *buf, size_t len);

/* Splices n bytes to out. Returns how many are left in the relay, where out
 * refuses that or has failed. */
size_t zc_pass(struct zc_relay *relay, size_t n, struct zc_end *out);

/* After a call that moved some bytes to out, but fewer than it was to: records
 * the error of a connection that was reset meanwhile. */
void zc_cut_short(struct zc_end *out);

/* Moves n bytes to out: by splice, by read and write where out refuses that,
 * and into nothing where out has failed. */
void zc_drain(struct zc_relay *relay, size_t n, struct zc_end *out);

/* The same by read and write alone, to several sinks of which the first has
 * had the first skip bytes already. */
void zc_spill(struct zc_relay *relay, size_t n, struct zc_end *out, int nout,
	      size_t skip);

#endif
