/* SPDX-License-Identifier: 0BSD */
/* Each call that libcore makes, failed or cut short: the first, the second and
 * so on. Then either all has come out, or an endpoint has the error that the
 * call has had, and what has come out is a prefix. Each source meets one triple
 * of sinks, and each pair of ends half of the faults, or all of them with WHOLE
 * in the environment. */
#include "kernel.h"

enum { SIZE = 100001, SMALL = 20001, MOST_SINKS = 3 };

static struct {
	const struct zc_method *list[3];
	unsigned from, to[MOST_SINKS];
	int nout;
	size_t len;
} run;

/* What is done to a call, or to all: see kernel.h. */
struct fault {
	int error;
	size_t most;
	bool from_there_on;
	int only;
};

enum blame { NOBODY = 0, SOURCE = 1, SINK = 2, SHARED = 4 };

static struct end in, sink[MOST_SINKS];
static struct zc_endpoint out[MOST_SINKS];

static bool is_sink(int fd)
{
	for (int i = 0; i < run.nout; i++)
		if (fd == sink[i].end.fd)
			return true;
	return false;
}

/* Whose failure the call's is, a bit each. With SHARED it may be nobody's. */
static unsigned blamed(void)
{
	bool from_in = was.from == in.end.fd;
	bool to_sink = was.to >= 0 && is_sink(was.to);

	switch (was.call) {
	case CALL_lseek:
		/* There is no such failure of lseek(2). */
		return SOURCE | SINK | SHARED;
	case CALL_fcntl:
	case CALL_pipe2:
	case CALL_socketpair:
	case CALL_mmap:
	case CALL_io_uring_setup:
	case CALL_io_uring_register:
	case CALL_io_uring_enter:
		return NOBODY;
	case CALL_tee:
		return to_sink ? SINK | SHARED : NOBODY;
	case CALL_read:
	case CALL_pread64:
		/* What is in a relay has left the source for good. It is asked
		 * for again. */
		return from_in ? SOURCE : SINK | SHARED;
	case CALL_write:
	case CALL_pwrite64:
		return to_sink ? SINK : NOBODY;
	case CALL_copy_file_range:
	case CALL_sendfile:
		return SOURCE | SINK | SHARED;
	default:
		if (from_in && to_sink)
			return SOURCE | SINK | SHARED;
		/* Of several sinks write(2) has the last word, and of an end
		 * that nothing has moved from or to; and of a socket whose
		 * reader has gone, for it raises SIGPIPE. */
		return (from_in	 ? SOURCE :
			!to_sink ? NOBODY :
				   SINK) |
		       (run.nout > 1 || !was.begun ||
					(to_sink && ask.error == EPIPE &&
					 *run.to == ZC_SOCKET) ?
				SHARED :
				NOBODY);
	}
}

/* Whether the kernel means "not in this way", or "again". */
static bool harmless(int error)
{
	enum call_end end = call_facts[was.call].end;
	bool by_hand = end == END_SOURCE || end == END_SINK;

	switch (error) {
	case 0:
	case EAGAIN:
		return true;
	case EINTR:
		return was.call != CALL_lseek;
	case EINVAL:
	case ENOSYS:
	case EPERM:
	case EOPNOTSUPP:
	case EBADF:
	case EXDEV:
	case ESPIPE:
	case ENOMEM:
	case EFAULT:
		return !by_hand;
	}
	return false;
}

static void open_all(void)
{
	open_source(&in, run.from, run.len);
	zc_identify(&in.end);
	for (int i = 0; i < run.nout; i++) {
		open_sink(&sink[i], run.to[i], run.len + 1);
		zc_identify(&sink[i].end);
		out[i] = sink[i].end;
	}
}

static void close_all(void)
{
	close_source(&in);
	for (int i = 0; i < run.nout; i++) {
		close_sink(&sink[i]);
		CHECK(is_prefix(&sink[i]));
		if (!out[i].error && !in.end.error)
			CHECK(is_all(&sink[i], run.len));
		free(sink[i].got);
	}
}

/* Copies all, with the fault in the call of that number. Returns whether it was
 * met. */
static bool copy_all(int at, const struct fault *fault)
{
	static struct zc z;

	kernel_new();
	ask.at = at;
	ask.error = fault->error;
	ask.most = fault->most;
	ask.from_there_on = fault->from_there_on;
	ask.only = fault->only;
	z.methods = run.list;
	checking("%s from %s to %d of %s: call %d", run.list[0]->name,
		 kind_name(run.from), run.nout, kind_name(*run.to), at);
	for (int tries = 0; tries <= run.nout; tries++)
		if (!fan(&z, &in.end, out, run.nout) || in.end.error)
			break;
	ask.at = -1;
	zc_close(&z);
	checking("%s from %s to %d of %s: call %d, %s from %d to %d, %s%s",
		 run.list[0]->name, kind_name(run.from), run.nout,
		 kind_name(*run.to), at, call_facts[was.call].name, was.from,
		 was.to, fault->error ? strerrorname_np(fault->error) : "short",
		 fault->from_there_on ? " from there on" : "");
	return was.hit;
}

/* Looks at the errors, and at the positions of files. */
static void judge(unsigned whose, int error)
{
	int failed = in.end.error != 0;

	if (in.end.error) {
		CHECK(whose & SOURCE);
		CHECK_EQ(in.end.error, error);
	} else if (run.from & ZC_REGULAR && whose == NOBODY &&
		   was.call != CALL_lseek) {
		CHECK_EQ(lseek(in.end.fd, 0, SEEK_CUR), run.len);
	}
	for (int i = 0; i < run.nout; i++) {
		struct stat st;

		failed += out[i].error != 0;
		if (out[i].error) {
			CHECK(whose & SINK);
			/* EIO: what is stuck in a relay. */
			if (was.call != CALL_read || out[i].error != EIO)
				CHECK_EQ(out[i].error, error);
		}
		if (run.to[i] != ZC_FILE || was.call == CALL_lseek)
			continue;
		NEED(!fstat(sink[i].end.fd, &st));
		CHECK_EQ(lseek(sink[i].end.fd, 0, SEEK_CUR), st.st_size);
	}
	if (whose && !(whose & SHARED))
		CHECK(failed);
}

/* One run with one fault. Returns whether the fault was met. */
static bool inject(int at, const struct fault *fault)
{
	int before = count_descriptors();
	bool met;

	open_all();
	met = copy_all(at, fault);
	judge(met && !harmless(fault->error) ? blamed() : NOBODY, fault->error);
	close_all();
	CHECK_EQ(count_descriptors(), before);
	CHECK_EQ(was.maps, 0);
	return met;
}

static const struct fault faults[] = {
	{ .most = 1 },
	{ .most = 4097 },
	{ .most = 4097, .from_there_on = true },
	{ .error = EINTR },
	{ .error = EAGAIN },
	{ .error = EINVAL },
	{ .error = EINVAL, .from_there_on = true },
	{ .error = ENOMEM },
	{ .error = EIO },
	{ .error = ENOSPC },
	{ .error = EPIPE },
	/* Another call is waited for. */
	{ .error = EAGAIN,
	  .from_there_on = true,
	  .only = CALL_io_uring_enter + 1 },
	/* To libcore both are EINVAL. */
	{ .error = ENOSYS },
	{ .error = EPERM },
};

/* Every second one, or all. */
static void each_fault(int turn)
{
	size_t step = getenv("WHOLE") ? 1 : 2;

	for (size_t i = turn % step; i < sizeof(faults) / sizeof(*faults);
	     i += step)
		for (int at = 1; inject(at, &faults[i]); at++)
			;
}

static void each_pair(const char *name)
{
	static const unsigned from[] = {
		ZC_FILE,
		ZC_SMALL,
		ZC_PIPE,
		ZC_SOCKET,
	};
	static const unsigned to[] = { ZC_FILE, ZC_PIPE, ZC_SOCKET, ZC_NULL };
	const struct zc_method *m = method(name);

	NEED(m);
	run.list[0] = m;
	run.list[1] = strcmp(name, "rw") ? method("rw") : NULL;
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			if (!(m->from & from[i] && m->to & to[j]))
				continue;
			run.from = from[i];
			run.len = from[i] == ZC_SMALL ? SMALL : SIZE;
			run.nout = 1;
			run.to[0] = to[j];
			each_fault(i + j);
			if (!m->fan || (i + j != 3 && !getenv("WHOLE")))
				continue;
			run.nout = 3;
			run.to[1] = to[(j + 1) % 4];
			run.to[2] = to[(j + 2) % 4];
			each_fault(i);
		}
}

TEST_EACH_METHOD(under_faults, each_pair)

static int read_error;

static void then_read_fails(enum call call, int fd)
{
	(void)fd;
	if (call != CALL_tee || ask.error)
		return;
	was.hit = false;
	was.calls = 0;
	ask.only = CALL_read + 1;
	ask.error = read_error;
}

static void is_open(enum call call, int fd)
{
	CHECK(call != CALL_read || fd > STDERR_FILENO);
}

/* What a short tee(2) leaves in the relay is read. That fails once. */
static void read_from_relay_fails(int error)
{
	static struct zc z;

	read_error = error;
	run.from = ZC_PIPE;
	run.len = SIZE;
	run.nout = MOST_SINKS;
	for (int i = 0; i < run.nout; i++)
		run.to[i] = ZC_PIPE;
	open_all();
	kernel_new();
	ask.at = 1;
	ask.only = CALL_tee + 1;
	ask.most = 4097;
	ask.before = is_open;
	ask.after = then_read_fails;
	while (fan(&z, &in.end, out, run.nout) && !in.end.error &&
	       !(out[0].error && out[1].error && out[2].error))
		;
	zc_close(&z);
	CHECK(was.hit);
	ask.before = NULL;
	close_all();
}

TEST_IF(HAS(ZC_TEE), behind_what_is_stuck_in_a_relay_nothing_follows)
{
	read_from_relay_fails(EIO);
	for (int i = 0; i < run.nout; i++)
		CHECK_EQ(out[i].error, EIO);
}

TEST_IF(HAS(ZC_TEE), a_relay_that_is_not_ready_is_asked_again)
{
	read_from_relay_fails(EAGAIN);
	for (int i = 0; i < run.nout; i++)
		CHECK_EQ(out[i].error, 0);
	CHECK_EQ(in.end.error, 0);
}
