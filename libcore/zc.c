/* SPDX-License-Identifier: 0BSD */
/* The engine: which method moves the next run, and whose fault a failure is. */
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "method.h"

#pragma weak zc_abandoned

static const struct zc_method *const preference[] = {
#define METHOD(name) &method_##name,
#include "methods.h"
#undef METHOD
	NULL
};

const struct zc_method *const *zc_methods = preference;
void (*zc_trace)(const struct zc_method *, struct zc_end *, struct zc_end *,
		 int, ssize_t);

/* One call of zc_copy(). */
struct copy {
	struct zc_end *in, *out;
	int nout;
	unsigned refused;	/* methods not to try again, a bit each */
	bool doubt;		/* the next run is rw's: it knows the end */
	int fault;		/* this run's failure, maybe either end's */
	uintmax_t moved;
};

bool zc_refusal(int err)
{
	switch (err) {
	case EINVAL: case ENOSYS: case EPERM: case EOPNOTSUPP: case EBADF:
	case EXDEV: case ESPIPE: case ETXTBSY: case EACCES: case ENOMEM:
	case EMFILE: case ENFILE: case EFBIG: case EISDIR: case ENODEV:
	case EBUSY: case EFAULT: case ENOTSOCK: case EOVERFLOW:
		return true;
	}
	return false;
}

int zc_look(struct zc_end *end)
{
	struct zc_stat st;

	if (zc_stat(end->fd, "", &st)) {
		/* What nothing can be learned of is read and written, like a
		 * terminal: it may be anything. */
		if (errno == ENOSYS || errno == EPERM)
			end->kind = ZC_TTY;
		else
			end->error = errno;
		return end->error ? -1 : 0;
	}
	end->dev = st.dev;
	end->ino = st.ino;
	/* A block device has no size here, and lseek(2) knows where it ends. */
	end->size = S_ISBLK(st.mode) ? INT64_MAX : st.size;
	if (S_ISFIFO(st.mode))
		end->kind = ZC_PIPE;
	else if (S_ISSOCK(st.mode))
		end->kind = zc_is_stream(end->fd) ? ZC_SOCKET : ZC_DATAGRAM;
	else if (S_ISCHR(st.mode))
		end->kind = st.rdev_major == 1 && st.rdev_minor == 3 ? ZC_NULL :
			    zc_is_tty(end->fd) ? ZC_TTY : ZC_DEVICE;
	else if (end->size > ZC_SMALL_MAX)
		end->kind = ZC_FILE;
	else
		end->kind = ZC_SMALL;
	return 0;
}

static bool worth(const struct zc_method *m, const struct copy *c)
{
	if (!(m->from & c->in->kind) || (c->nout > 1 && !m->many))
		return false;
	for (int i = 0; i < c->nout; i++)
		if (!c->out[i].error && !(m->to & c->out[i].kind))
			return false;
	return true;
}

static int live(const struct copy *c)
{
	int n = 0;

	for (int i = 0; i < c->nout; i++)
		n += !c->out[i].error;
	return n;
}

/* Tries the methods in turn until one has moved a run. Returns as they do. */
static ssize_t run(struct copy *c, int alive)
{
	c->fault = 0;
	for (int i = 0; ; i++) {
		const struct zc_method *m = zc_methods[i];
		bool last = !zc_methods[i + 1];
		ssize_t n;

		if (!last && (c->doubt || c->refused & 1u << i))
			continue;
		if (!worth(m, c)) {
			c->refused |= 1u << i;
			errno = 0;
			n = -1;
		} else {
			n = m->run(c->in, c->out, c->nout);
		}
		if (zc_trace)
			zc_trace(m, c->in, c->out, c->nout, n);
		if (last || n > 0 || c->in->error || live(c) < alive) {
			c->doubt = false;
			return n;
		}
		/* Only read(2) ends a regular file, for sizes lie. */
		if (n == 0 && !(c->in->kind & (ZC_FILE | ZC_SMALL)))
			return 0;
		if (n == 0) {
			c->doubt = true;
			continue;
		}
		c->refused |= 1u << i;
		if (errno && !zc_refusal(errno)) {
			c->fault = errno;
			c->doubt = true;
		}
	}
}

/* A failure that rw could not repeat, after bytes had moved: it is final all
 * the same, and the errno is all there is to tell whose it is. */
static void blame(struct copy *c)
{
	switch (c->fault) {
	case EPIPE: case ENOSPC: case EDQUOT: case EROFS: case ECONNRESET:
		c->out->error = c->fault;
		break;
	default:
		c->in->error = c->fault;
	}
}

/* Moves run after run. Returns as zc_copy(). */
static int copy(struct copy *c)
{
	int alive = live(c);

	while (alive && !c->in->error) {
		if (zc_abandoned && zc_abandoned(c->in, c->out, c->nout))
			return -1;

		ssize_t n = run(c, alive);

		if (n > 0 && c->fault && c->moved)
			blame(c);
		if (c->in->error || live(c) < alive)
			return -1;
		if (n <= 0)
			return 0;
		c->moved += n;
	}
	return -1;
}

int zc_copy(struct zc_end *in, struct zc_end *out, int nout)
{
	struct copy c = { .in = in, .out = out, .nout = nout };
	int status;

	if (!in->kind)
		zc_look(in);
	status = copy(&c);
	if (zc_has_range(in))
		zc_give_back(in);
	for (int i = 0; i < nout; i++)
		if (zc_has_range(&out[i]))
			zc_give_back(&out[i]);
	return status;
}

int zc_repeat(const char *line, size_t len, struct zc_end *out)
{
	struct zc_end in = {
		.kind = ZC_LINE, .line = line, .len = len, .copies = len,
	};

	if (len <= sizeof(zc_buffer) / 2) {
		in.line = zc_buffer;
		in.copies = sizeof(zc_buffer) / len * len;
		for (size_t i = 0; i < in.copies; i += len)
			memcpy(zc_buffer + i, line, len);
	}
	return zc_copy(&in, out, 1);
}
