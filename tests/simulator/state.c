/* SPDX-License-Identifier: 0BSD */
/* The state of a history as a number that forgets how it came about: what is in
 * the program's memory and on its stack, in each object, and with the others.
 * Only so does a state recur, for example after EINTR.
 *
 * All of the program is built so that no register but the stack's outlasts a
 * call: scripts/simulate. */
#include <string.h>

#include "simulate.h"

static const char *stack_base;

/* The present call: its frame, its arguments, and their hash once it is known.
 */
static const char *call_frame;
static const long *call_args;
static int call_nargs;
static uint64_t program;

/* A time is known by how far it lies ahead: those that have passed are alike.
 * So are the seconds and nanoseconds that clock_gettime(2) has told, of which
 * something is left on the stack. */
static uint64_t word(uint64_t w)
{
	enum { MILLION = 1000000 };

	if (w - EPOCH / 1000 < MILLION || w % MILLION == 0)
		return 0;
	if (w < EPOCH || w - EPOCH > UINT32_MAX)
		return w;
	return w > world.now ? w - world.now + EPOCH : EPOCH;
}

/* Most of it is zeros. */
uint64_t mix_memory(uint64_t h, const void *memory, size_t size)
{
	const uint64_t *p = memory;

	for (size_t i = 0; i < size / sizeof(*p); i++)
		if (p[i])
			h = mix(mix(h, i), word(p[i]));
	return h;
}

/* What was on the stack in a call, or in another history, is nobody's. Of that
 * memset(3) uses no more than its return address. */
__attribute__((noinline)) void state_forget_stack(size_t deep)
{
	enum { RETURN = 16 };
	char *here = __builtin_frame_address(0);

	memset(here - deep, 0, deep - RETURN);
}

void state_begin(const void *base)
{
	stack_base = base;
	call_frame = NULL;
	state_forget_stack(STACK_OF_HISTORY);
}

void state_of_program(const char *frame, const long *args, int n)
{
	call_frame = frame;
	call_args = args;
	call_nargs = n;
	program = 0;
}

static uint64_t mix_program(void)
{
	if (program || !call_frame)
		return program;
	program = mix_memory(world.call, call_frame, stack_base - call_frame);
	program = mix_memory(program, call_args,
			     call_nargs * sizeof(*call_args));
	return program = program_memory(program);
}

static uint64_t mix_seg(uint64_t h, const struct seg *s)
{
	h = mix(mix(h, s->origin), s->len);
	if (s->origin != COPIED)
		return mix(h, s->at);
	for (uint32_t i = 0; i < s->len; i++)
		h = mix(h, byte_of(s, i));
	return h;
}

static uint64_t mix_tape(uint64_t h, const struct tape *t)
{
	h = mix(h, t->n);
	for (int i = 0; i < t->n; i++)
		h = mix_seg(h, &t->seg[i]);
	return h;
}

static uint64_t mix_queue(uint64_t h, const struct object *o)
{
	h = mix(mix(h, o->entries), o->nslots);
	for (int i = 0; i < o->entries; i++) {
		const struct entry *e =
			&o->entry[(o->first + i) & (MOST_ENTRIES - 1)];

		h = mix(mix_seg(h, &e->seg), e->off);
		h = mix(h, e->joined | e->mergeable << 1 | e->packet << 2 |
				   e->urgent << 3);
	}
	return h;
}

static uint64_t mix_object(uint64_t h, const struct object *o)
{
	h = mix(mix(mix(h, o->type), o->role + 1), o->taken);
	h = mix(mix(mix(h, o->whole), o->lost), o->balks);
	h = mix(mix(mix(h, o->readers), o->writers), o->nskipped);
	h = mix(h, o->cut | o->reset << 1 | o->shut << 2 | o->deaf << 3 |
			   o->failed << 4 | o->begun << 5);
	h = mix(mix(mix(h, o->error_in), o->error_out), o->refused_as);
	for (int i = 0; i < CALL_COUNT; i++)
		h = o->refused[i] ? mix(h, i) : h;
	return mix_queue(mix_tape(h, &o->data), o);
}

/* Objects of the program's own are known by its descriptors. */
static uint64_t mix_descriptors(uint64_t h)
{
	for (int fd = 0; fd < MOST_FDS; fd++) {
		const struct open *o = world.fd[fd];
		int first = 0;

		if (!o)
			continue;
		while (world.fd[first] != o)
			first++;
		h = mix(mix(mix(mix(h, fd), first), o->flags), o->pos);
		h = o->object->role == OWN ? mix_object(h, o->object) : h;
	}
	for (int i = 0; i < world.objects; i++)
		h = objects[i].role == OWN ? h : mix_object(h, &objects[i]);
	return h;
}

static uint64_t mix_actor(uint64_t h, const struct actor *a)
{
	h = mix(mix(mix(h, a->at), a->done_bytes), a->part);
	h = mix(mix(mix(h, a->pieces), a->end), a->overwritten);
	h = mix(h, a->crossed | a->done << 1 | a->stopped << 2 | a->left << 3);
	for (int i = 0; i < a->opens; i++)
		h = mix_tape(mix(h, a->open[i]->pos), a->got[i]);
	return h;
}

/* The same failure twice is no other state. */
static uint64_t failures(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < history.faults; i++) {
		const struct fault *f = &history.fault[i];
		int k = 0;

		while (memcmp(&history.fault[k], f, sizeof(*f)))
			k++;
		sum += k < i ? 0 :
			       mix(mix(mix(mix(f->from, f->to), f->error),
				       f->alone),
				   f->call);
	}
	return sum;
}

static uint64_t mix_world(uint64_t h)
{
	uint64_t memory = 0;

	for (int i = 0; i < world.shadows; i++)
		memory += mix_seg((uintptr_t)world.shadow[i].memory,
				  &world.shadow[i].seg);
	for (int i = 0; i < world.lents; i++)
		memory += mix_seg((uintptr_t)world.lent[i].memory,
				  &world.lent[i].seg);
	for (int i = 0; i < world.maps; i++)
		memory += mix(world.map[i].gone,
			      (uintptr_t)world.map[i].memory);
	h = mix(mix(h, memory), world.refused_as);
	for (int i = 0; i < CALL_COUNT; i++)
		h = world.refused[i] ? mix(h, i) : h;
	h = mix(mix(mix(h, world.hindered != 0), world.blocked), world.pending);
	h = mix(mix(mix(h, world.command), world.noted), world.killed_by);
	h = mix(h, world.looked | world.asked << 1 | world.shares << 2 |
			   world.cuts << 3 | world.blind << 4);
	h = mix(mix(h, world.hides), world.said_len);
	return mix_memory(h, world.said, (world.said_len + 7) & -8ul);
}

uint64_t state_now(void)
{
	uint64_t h = mix_world(mix_descriptors(mix(mix_program(), failures())));

	for (int i = 0; i < history.actors; i++)
		h = mix_actor(h, &history.actor[i]);
	return h;
}
