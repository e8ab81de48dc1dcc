/* SPDX-License-Identifier: 0BSD */
/* The programs under test: zc_copy() in a loop, and the applets themselves. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "applet.h"
#include "engine/sys.h"
#include "simulate.h"

/* All that the applets keep in memory, but for what is large and needs no
 * beginning: tests/box/simulate.bats has them linked so. */
extern char __start_applet_memory[], __stop_applet_memory[];
static char saved[16 << 10], heap[1 << 20];
static size_t heap_used;
static struct zc_lag *lags; /* of all sinks, if they have them */
static int nlags;
static struct zc context;
static struct zc_lag limit; /* of the first sink of a caller */

enum { SOURCE0 = 10, RETIRED = -2 }; /* descriptors */

/* applets/common/allocate.c asks the kernel for memory. */
void *allocate(size_t size)
{
	void *p = heap + heap_used;

	heap_used += (size + 63) & -64ul;
	if (history.s->lag && size == history.s->sinks * sizeof(*lags)) {
		lags = p;
		nlags = history.s->sinks;
	}
	return memset(p, 0, size);
}

void program_reset(void)
{
	static bool have_saved;
	size_t size = __stop_applet_memory - __start_applet_memory;

	if (size > sizeof(saved))
		broken("the applets' memory is too large");
	if (!have_saved)
		memcpy(saved, __start_applet_memory, size);
	else
		memcpy(__start_applet_memory, saved, size);
	have_saved = true;
	heap_used = nlags = 0;
	memset(&limit, 0, sizeof(limit));
	memset(&zc, 0, offsetof(struct zc, memory));
	memset(&context, 0, offsetof(struct zc, memory));
}

uint64_t program_memory(uint64_t h)
{
	/* What is only counted, for people. */
	zc.calls = context.calls = 0;
	for (int i = 0; i < nlags; i++)
		lags[i].waited = 0;
	h = mix_memory(h, __start_applet_memory,
		       __stop_applet_memory - __start_applet_memory);
	h = mix_memory(h, heap, heap_used);
	h = mix_memory(h, &limit, sizeof(limit));
	h = mix_memory(h, &zc, offsetof(struct zc, memory));
	return mix_memory(h, &context, offsetof(struct zc, memory));
}

/* Names: in0, in1 and out1, out2, out2.1. */
struct object **named(const char *name, int *role)
{
	int i, old = 0, end = 0;

	if (sscanf(name, "in%d", &i) == 1 && i >= 0 && i < history.s->sources) {
		*role = i;
		return &history.source[i];
	}
	if (sscanf(name, "out%d%n.%d%n", &i, &end, &old, &end) < 1 ||
	    name[end] || i < 0 || i >= history.s->sinks || old < 0 ||
	    old > OLD_FILES)
		return NULL;
	*role = SINK0 + i;
	return &history.file[i][old];
}

/* Functions of the caller's, which move the bytes of an end by plain calls. One
 * that has a descriptor is called once that is ready, as far as poll(2) tells.
 */
static void check_ready(const struct zc_endpoint *end, short events)
{
	struct want want = { .events = events };

	if (end->fd < 0 || unknown())
		return;
	want.open = world.fd[end->fd];
	if (!ready(&want))
		broken("a function is called before its descriptor is ready");
}

static ssize_t read_by_function(struct zc_source *in, void *buf, size_t size)
{
	check_ready(&in->end, POLLIN);
	return zc_sys_read(SOURCE0 + (in - history.in), buf, size);
}

static ssize_t write_by_function(struct zc_sink *out, const void *buf,
				 size_t len)
{
	check_ready(&out->end, POLLOUT);
	return zc_sys_write(HELD + (out - history.out), buf, len);
}

static int descriptor_of(const struct zc_sink *out)
{
	bool first = out == history.out;

	return first && history.replaced ? SPARE : HELD + (out - history.out);
}

/* Removes the sinks that have failed, and closes them, as a caller does: their
 * readers are not to wait. Returns whether there was one. */
static bool retire(void)
{
	struct zc_sink *out;
	bool any = false;

	while ((out = zc_failed(&context))) {
		zc_close_fd(descriptor_of(out));
		out->fd = RETIRED;
		any = true;
	}
	return any;
}

/* A file takes the place of the first sink, once: it lives, or was too late. A
 * call that has failed may have lost some of its bytes. Returns whether it has
 * done so now. */
static bool replace(struct zc_sink *out)
{
	if (!history.spare || history.replaced ||
	    (out->error && out->error != ETIME))
		return false;
	zc_replace(out, SPARE);
	zc_close_fd(HELD);
	return history.replaced = true;
}

/* A sink has got the bytes that the source has given since it was added, except
 * those that it misses, which are on their way to it. */
static void count(const struct zc_source *in, const struct zc_sink *out,
		  uint64_t before)
{
	uint64_t coming = out->queue.held + out->lack + context.relay.held -
			  out->had;

	if (!IS_ENABLED(CONFIG_ZC_LIBRARY) || !out->added)
		return;
	if (out->bytes + out->missing != before + in->bytes)
		broken("a sink neither gets nor misses a byte");
	if (!out->error && out->missing != coming)
		broken("a byte that a sink misses is not on its way");
}

/* Moves a source to the sinks for as long as the caller of tee -p would: until
 * it ends, or no sink is left. */
static void copy_source(struct zc_source *in, struct zc_sink *out, int nout)
{
	uint64_t before[MOST_SINKS];
	int status;

	zc_begin(&context, in);
	for (int i = 0; i < nout; i++) {
		before[i] = out[i].bytes;
		if (!out[i].error)
			zc_add(&context, &out[i]);
	}
	do {
		status = caller_runs(&context);
		for (int i = 0; i < nout; i++)
			count(in, &out[i], before[i]);
	} while ((status && !in->error && replace(out)) ||
		 caller_goes_on(&context, status) ||
		 (status && !in->error && retire()));
	retire();
	zc_end(&context);
}

static void run_copy(const struct scenario *s)
{
	static const struct zc_method *methods[3];
	struct zc_source *in = history.in;
	struct zc_sink *out = history.out;
	struct open *before[MOST_FDS];

	for (int i = 0; i < s->sources; i++)
		in[i] = (struct zc_source){
			.fd = s->source[i].bare ? -1 : SOURCE0 + i,
			.read = s->source[i].function ? read_by_function : NULL,
			.has_offset = s->source[i].from,
			.offset = s->source[i].from,
			.has_max = s->source[i].most,
			.max = s->source[i].most,
		};
	for (int i = 0; i < s->sinks; i++)
		out[i] = (struct zc_sink){
			.fd = s->sink[i].bare ? -1 : HELD + i,
			.write = s->sink[i].function ? write_by_function : NULL,
			.has_offset = s->sink[i].own,
			.offset = s->sink[i].before,
			.sole = s->sink[i].sole,
			.lag = s->drop && !i ? &limit : NULL,
		};
	if (s->drop) {
		limit.max = s->drop;
		limit.late = ZC_DROP;
		lags = &limit;
		nlags = 1;
	}
	memcpy(before, world.fd, sizeof(before));
	if (s->method) {
		for (int i = 0; zc_methods[i]; i++) {
			if (zc_methods[i]->name == s->method)
				methods[0] = zc_methods[i];
			methods[1] = zc_methods[i];
		}
		context.methods = methods;
	}
	caller_begin(s);
	for (int i = 0; i < s->sources; i++)
		copy_source(&in[i], out, s->sinks);
	for (int i = 0; i < s->sinks; i++)
		if (out[i].fd == RETIRED)
			before[descriptor_of(&out[i])] = NULL;
	if (history.replaced)
		before[HELD] = NULL;
	zc_close(&context);
	if (memcmp(before, world.fd, sizeof(before)))
		broken("descriptors are left open, or were closed");
	for (int i = 0; i < world.maps; i++)
		if (!world.map[i].gone)
			broken("a map is left");
}

static void run_applet(const struct scenario *s, const struct applet *a)
{
	static char text[32][64];
	char *argv[32];
	int n = 0;

	for (; n < s->noptions; n++)
		argv[n] = strcpy(text[n], s->options[n]);
	for (int i = 0; a == &cat_applet && i < s->sources; i++) {
		argv[n] = text[n];
		if (s->source[i].type != FILE_ || s->source[i].others ||
		    s->stdin_)
			strcpy(text[n++], "-");
		else
			sprintf(text[n++], "in%d", i);
	}
	for (int i = 1; a == &tee_applet && i < s->sinks; i++) {
		argv[n] = text[n];
		sprintf(text[n++], "out%d", i);
	}
	if (a == &yes_applet && *s->line) {
		argv[n] = strcpy(text[n], s->line);
		n++;
	}
	if (s->runs) {
		argv[n++] = "--run";
		argv[n++] = "command";
	}
	argv[n] = NULL;
	option_groups = all_option_groups;
	history.status = applet_start(a, argv);
}

/* Descriptors 0 to 2 of an applet; a sink that it opens by its name is held
 * open by whoever has started it, as a shell does. */
static void give_descriptors(const struct scenario *s)
{
	struct object *messages = object_new(MESSAGES, OWN);

	fd_set_to(2, open_new(messages, O_WRONLY));
	for (uint32_t i = 0; i < s->open; i++)
		fd_set_to(LEFT_OPEN + i,
			  open_new(object_new(STRANGER, FAR), O_RDWR));
	if (s->program == COPY_PROGRAM) {
		if (history.cancel)
			fd_set_to(CANCEL, history.cancel);
		for (int i = 0; i < s->sources; i++)
			fd_set_to(SOURCE0 + i, history.source_open[i]);
		for (int i = 0; i < s->sinks; i++)
			fd_set_to(HELD + i, history.sink_open[i]);
		if (history.spare)
			fd_set_to(SPARE, history.spare);
		return;
	}
	if (s->sources && !s->runs)
		fd_set_to(0, history.source_open[0]);
	else
		fd_set_to(0, open_new(messages, O_WRONLY));
	fd_set_to(1, history.sink_open[0]);
	for (int i = 1; i < s->sinks; i++)
		fd_set_to(HELD + i, history.sink_open[i]);
}

void program_run(const struct scenario *s)
{
	give_descriptors(s);
	state_begin(__builtin_frame_address(0));
	history.running = true;
	switch (s->program) {
	case COPY_PROGRAM:
		run_copy(s);
		break;
	case CAT_PROGRAM:
		run_applet(s, &cat_applet);
		break;
	case TEE_PROGRAM:
		run_applet(s, &tee_applet);
		break;
	case YES_PROGRAM:
		run_applet(s, &yes_applet);
		break;
	}
	history.running = false;
}
