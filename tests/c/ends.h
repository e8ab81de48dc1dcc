/* SPDX-License-Identifier: 0BSD */
/* Real sources and sinks, each with a thread at its far end where it needs one.
 * What goes in is a stretch of data[]; what came out is in got. */
#pragma once

#include "test.h"

#include <netinet/in.h>
#include <sys/syscall.h>

enum { DATA_MAX = 12 << 20 };

struct end {
	union {
		struct zc_source source;
		struct zc_sink sink;
	};
	unsigned kind;
	int far; /* the descriptor of the far end, or -1 */
	pthread_t thread;
	char *got;  /* of a sink; a source's are in data[] */
	size_t len; /* bytes: to give, or that have come out */
	size_t max; /* a reader leaves after so many */
};

static char data[DATA_MAX];

__attribute__((constructor)) static void fill_data(void)
{
	uint64_t x = 88172645463325252u;

	for (size_t i = 0; i < sizeof(data); i += sizeof(x)) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(data + i, &x, sizeof(x));
	}
}

/* A file without a name. */
static int new_file(const void *bytes, size_t len)
{
	int fd = open(".", O_TMPFILE | O_RDWR, 0600);

	NEED(fd >= 0);
	NEED(pwrite(fd, bytes, len, 0) == (ssize_t)len);
	return fd;
}

/* near is what libcore gets, a source or a sink. */
static int new_channel(struct end *e, bool source)
{
	int fd[2];

	if (e->kind == ZC_PIPE)
		NEED(!pipe2(fd, O_CLOEXEC));
	else
		NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd));
	e->far = fd[source];
	return fd[!source];
}

static void *give(void *arg)
{
	struct end *e = arg;
	size_t at = 0;
	ssize_t n = 0;

	while (at < e->len && n >= 0) {
		n = write(e->far, data + at, e->len - at);
		at += n > 0 ? n : 0;
	}
	close(e->far);
	return NULL;
}

static void *take(void *arg)
{
	struct end *e = arg;
	ssize_t n = 1;

	while (e->len < e->max && n > 0) {
		n = read(e->far, e->got + e->len, e->max - e->len);
		e->len += n > 0 ? n : 0;
	}
	close(e->far);
	return NULL;
}

/* Gives a socket of AF_INET an address, and returns another that is connected
 * to it. One of TCP listens. */
static int connect_to(int to, int type)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, type, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	NEED(!bind(to, (struct sockaddr *)&at, len));
	NEED(type != SOCK_STREAM || !listen(to, 1));
	NEED(!getsockname(to, (struct sockaddr *)&at, &len));
	NEED(!connect(fd, (struct sockaddr *)&at, len));
	return fd;
}

/* Two connected sockets of TCP: fd[0] is read. */
static void connect_pair(int fd[2])
{
	int door = socket(AF_INET, SOCK_STREAM, 0);

	fd[1] = connect_to(door, SOCK_STREAM);
	fd[0] = accept(door, NULL, NULL);
	NEED(fd[0] >= 0);
	close(door);
}

/* A source with the first len bytes of data[]. */
static void open_source(struct end *e, unsigned kind, size_t len)
{
	*e = (struct end){ .kind = kind, .len = len, .far = -1 };
	if (kind & ZC_REGULAR) {
		e->source.fd = new_file(data, len);
	} else {
		e->source.fd = new_channel(e, true);
		NEED(!pthread_create(&e->thread, NULL, give, e));
	}
}

static void close_source(struct end *e)
{
	close(e->source.fd);
	if (e->far >= 0)
		NEED(!pthread_join(e->thread, NULL));
}

/* A sink whose reader, if it has one, leaves after max bytes. */
static void open_sink(struct end *e, unsigned kind, size_t max)
{
	*e = (struct end){ .kind = kind, .max = max, .far = -1 };
	e->got = malloc(max);
	NEED(e->got);
	if (kind & (ZC_FILE | ZC_SOLE)) {
		e->sink.fd = new_file("", 0);
		e->sink.sole = kind == ZC_SOLE;
	} else if (kind == ZC_NULL) {
		e->sink.fd = open("/dev/null", O_WRONLY);
		NEED(e->sink.fd >= 0);
	} else {
		e->sink.fd = new_channel(e, false);
		NEED(!pthread_create(&e->thread, NULL, take, e));
	}
}

/* What has come out of it is in got then. */
static void close_sink(struct end *e)
{
	if (e->kind & (ZC_FILE | ZC_SOLE)) {
		ssize_t n = pread(e->sink.fd, e->got, e->max, 0);

		NEED(n >= 0);
		e->len = n;
	}
	close(e->sink.fd);
	if (e->far >= 0)
		NEED(!pthread_join(e->thread, NULL));
}

/* What has come out of a sink is the first bytes of data[]. */
static bool is_prefix(const struct end *e)
{
	return e->kind == ZC_NULL || !memcmp(e->got, data, e->len);
}

static bool is_all(const struct end *e, size_t len)
{
	return e->kind == ZC_NULL ||
	       (e->len == len && !memcmp(e->got, data, len));
}

/* What a caller's own loop does after a step. */
static inline void wait_for_step(struct zc *z)
{
	int n, ms;
	struct pollfd *p = zc_polls(z, &n, &ms);

	NEED(poll(p, n, ms < 0 ? 20000 : ms) >= 0);
}

static const char *kind_name(unsigned kind)
{
	return kind == ZC_FILE	 ? "file" :
	       kind == ZC_SMALL	 ? "small file" :
	       kind == ZC_SOLE	 ? "sole file" :
	       kind == ZC_PIPE	 ? "pipe" :
	       kind == ZC_SOCKET ? "socket" :
	       kind == ZC_NULL	 ? "/dev/null" :
				   "line";
}

/* A new one is the lowest that is free: open(2). */
static int count_descriptors(void)
{
	struct pollfd all[128];
	int n = 0;

	for (int fd = 0; fd < 128; fd++)
		all[fd] = (struct pollfd){ .fd = fd };
	NEED(poll(all, 128, 0) >= 0);
	for (int fd = 0; fd < 128; fd++)
		n += all[fd].revents != POLLNVAL;
	return n;
}

/* A method with its name, or NULL where it has not been built in. */
static const struct zc_method *method(const char *name)
{
	for (int i = 0; zc_methods[i]; i++)
		if (!strcmp(zc_methods[i]->name, name))
			return zc_methods[i];
	return NULL;
}

/* Has a context use the method with this name, and rw behind it. */
static void use(struct zc *z, const char *name)
{
	const struct zc_method **list = calloc(3, sizeof(*list));

	NEED(list);
	list[0] = method(name);
	list[1] = list[0] == method("rw") ? NULL : method("rw");
	z->methods = list;
}

/* n sinks of a kind, and what libcore gets of them. */
static void open_row(struct end *sink, struct zc_sink *row, int n,
		     unsigned kind, size_t max)
{
	for (int i = 0; i < n; i++) {
		open_sink(&sink[i], kind, max);
		row[i] = sink[i].sink;
	}
}

/* All of them have come out of a sink. */
static void check_all(struct end *e, size_t len)
{
	close_sink(e);
	CHECK(is_all(e, len));
	free(e->got);
}

/* Copies so many bytes to n sinks of a kind: all of them come out of each. */
static void copy_all(struct zc *z, unsigned from, unsigned to, int n,
		     size_t len)
{
	struct zc_sink out[3];
	struct end in, sink[3];

	open_source(&in, from, len);
	open_row(sink, out, n, to, len + 1);
	CHECK_EQ(fan(z, &in.source, out, n), ZC_ENDED);
	/* Of a socket such a box learns nothing. */
	if (from != ZC_SOCKET || !HAS(SAFE_CALLS))
		CHECK_EQ(in.source.kind, from);
	CHECK_EQ(in.source.error, 0);
	CHECK_EQ(in.source.bytes, len);
	if (from & ZC_REGULAR)
		CHECK_EQ(lseek(in.source.fd, 0, SEEK_CUR), len);
	close_source(&in);
	for (int i = 0; i < n; i++) {
		CHECK_EQ(out[i].error, 0);
		check_all(&sink[i], len);
	}
}

/* Docker and sysctl(8) turn io_uring off. */
static bool rings_are_allowed(void)
{
	return !syscall(SYS_io_uring_setup, 0, NULL) || errno == EFAULT ||
	       errno == EINVAL;
}
