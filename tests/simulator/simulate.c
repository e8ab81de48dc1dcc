/* SPDX-License-Identifier: 0BSD */
/* Walks histories: all of those with at most so many choices that are out of
 * the ordinary, and random ones.
 *
 *     simulate [SECONDS=n] [DEPTH=n] [SEED=n] [SCENARIO=text]
 *     simulate DEPTH=all [SCENARIO=text]
 *     simulate REPLAY='SCENARIO / POSITION=CHOICE ...'
 *
 * DEPTH is the number of such choices, SECONDS how long to walk at random after
 * that. DEPTH=all has no such number: a history ends where a state recurs. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "simulate.h"

enum {
	MOST_CHOICES = 1 << 16,
	STATES = 1 << 20,
	ALL_STATES = 1 << 25,
	MOST_FAILURES = 5,
	DEPTH_MAX = 14, /* four bits of a state */
	MOST_TURNS = 100000,
	MOST_WAITS = 400, /* a terminal is looked at 250 times in 5 s */
	MANY_BYTES = 100000,
};

struct history history;
static jmp_buf leave;
static struct scenario scenario;

/* What is asked for. */
static int most = 1;
static uint64_t seconds = 5;
static bool every_state; /* DEPTH=all */
static bool quiet;
static char *only, *replayed; /* a scenario */

/* And what was walked. */
static int walked;
static double walking; /* seconds */

/* Choices ----------------------------------------------------------------- */

/* Those of this history: the first ones are given, the others are made. */
static struct step {
	uint16_t choice, of;
	uint8_t kind;
} step[MOST_CHOICES];
static int steps, given, deviations;
static enum { WALK, RANDOM, REPLAY } mode;
static int depth;
static int turns;
static int waits;  /* until a time, since the last turn */
static bool tells; /* each call, and each choice in words */

static uint64_t seed = 88172645463325252u;
static uint32_t odds[CHOICES]; /* of 256, for a choice out of the ordinary */

static uint32_t below(uint32_t n)
{
	return random_below(&seed, n);
}

/* Those of DEPTH=all, of which none is forgotten. */
static uint64_t *all_states;

/* States that were met: the key, and in its lowest bits how many choices out of
 * the ordinary were still to be made. */
static uint64_t states[STATES];
static uint64_t salt = 1, states_met, histories, pruned;
static int longest;
static uint64_t in_call; /* what was chosen since the last answer */

/* The program does what the answers it has had make it do, and so do the
 * others: where all these are the same, and each object has been through the
 * same in the same order, all that follows is the same. */
static uint64_t state(void)
{
	uint64_t h = mix(mix(salt, world.sum), world.heard);

	if (every_state)
		return mix(mix(salt, state_now()), in_call);
	for (int i = 0; i < history.actors; i++)
		h = mix(h, history.actor[i].h);
	return mix(mix(h, history.last), in_call);
}

__attribute__((noreturn)) static void finish(enum outcome outcome)
{
	history.outcome = outcome;
	longjmp(leave, 1);
}

static bool is_one_of_all(uint64_t key)
{
	uint64_t *s = &all_states[key >> 24 & (ALL_STATES - 1)];

	while (*s && *s != key)
		s = s + 1 < all_states + ALL_STATES ? s + 1 : all_states;
	if (*s)
		return true;
	*s = key;
	if (++states_met > ALL_STATES / 2) {
		printf("more than %d states: they do not end\n",
		       ALL_STATES / 2);
		exit(1);
	}
	return false;
}

/* Whether all that can follow has been walked. */
static bool is_known(int left)
{
	uint64_t key = state() & ~15ull, *s = &states[key >> 32 & (STATES - 1)];

	if (every_state)
		return is_one_of_all(key | 1);

	if ((*s & ~15ull) == key && (*s & 15) >= (unsigned)left + 1)
		return true;
	states_met += (*s & ~15ull) != key;
	*s = key | (left + 1);
	return false;
}

static const char *const choice_names[CHOICES] = {
	[ANSWER] = "answers otherwise", [TURN] = "another's turn",
	[WHO] = "another goes on",	[AMOUNT] = "so many",
	[LASTS] = "only once",
};

int choose(enum choice kind, int n)
{
	struct step *s = &step[steps];

	if (n < 2)
		return 0;
	if (steps == MOST_CHOICES)
		broken("more than %d choices: it does not end", MOST_CHOICES);
	s->kind = kind;
	/* Others' turns before a call are in the state. */
	if (!every_state || kind != TURN)
		in_call = mix(in_call, kind);
	if (steps >= given) {
		bool detail = kind == AMOUNT || (kind == LASTS && !every_state);

		s->choice = 0;
		s->of = mode == WALK && detail ? 1 : n;
		if (mode == RANDOM && below(256) < odds[kind])
			s->choice = 1 + below(n - 1);
		else if (mode == WALK && !detail &&
			 is_known(depth - deviations))
			finish(PRUNED);
	}
	if (s->choice >= n)
		s->choice = n - 1;
	if (!every_state || kind != TURN)
		in_call = mix(in_call, s->choice);
	deviations += s->choice != 0;
	steps++;
	if (tells && s->choice)
		printf("        (choice %d of %d at %d: %s)\n", s->choice,
		       n - 1, steps - 1, choice_names[kind]);
	return s->choice;
}

/* The scheduler ----------------------------------------------------------- */

static const char *whose(int role, char *text)
{
	if (role >= FAR)
		return "far";
	sprintf(text, "%s%d", role >= SINK0 ? "out" : "in",
		role >= SINK0 ? role - SINK0 : role);
	return text;
}

static void turn_of(int i)
{
	static const char *const names[] = {
		"writer",	 "typist",
		"reader",	 "alternating reader",
		"second writer", "second reader",
		"second writer", "toggler",
		"command's end", "sender of SIGTERM",
	};
	struct actor *a = &history.actor[i];
	uint32_t before = a->done_bytes;
	char text[16];

	waits = 0;
	if (++turns > MOST_TURNS)
		broken("the others' turns do not end");
	actor_step(a);
	if (tells)
		printf("    %s of %s: %u bytes%s\n", names[a->kind],
		       whose(a->role, text), a->done_bytes - before,
		       a->stopped ? ", stops" :
		       a->left	  ? ", leaves" :
		       a->done	  ? ", ends" :
				    "");
}

void entered(const char *frame, const long *args, int n)
{
	if (every_state)
		state_of_program(frame, args, n);
}

/* Whether the program cannot sleep: the others go on nevertheless. */
static bool spins(void)
{
	return world.call == CALL_poll && world.refused[CALL_poll];
}

void others(void)
{
	int list[MOST_ACTORS], n;

	if (!history.running)
		return;
	if (history.s->eager)
		while ((n = actors_ready(list)))
			turn_of(list[0]);
	for (;;) {
		n = actors_ready(list);
		if (!n && spins() && waits++ > MOST_WAITS)
			finish(STUCK);
		if (!n)
			return;
		if (world.call == CALL_sched_yield || spins()) {
			turn_of(list[choose(WHO, n)]);
			return;
		}
		n = choose(TURN, n + 1);
		if (!n)
			return;
		turn_of(list[n - 1]);
	}
}

static bool any_ready(const struct want *want, int n)
{
	for (int i = 0; i < n; i++)
		if (ready(&want[i]))
			return true;
	return false;
}

int sleep_on(const struct want *want, int n, int ms)
{
	int list[MOST_ACTORS];

	while (!any_ready(want, n)) {
		int m = actors_ready(list), c;

		if (signal_comes())
			return -EINTR;
		if (!n)
			judge_nap();
		/* Where only time is waited for, it passes first. */
		if (!n && (!m || !(c = choose(WHO, m + 1))))
			return 1;
		if (!m && ms >= 0 && waits++ < MOST_WAITS)
			return 1;
		if (!m) {
			history.waits = want;
			history.nwaits = n;
			judge_stuck();
			finish(STUCK);
		}
		if (!n) {
			turn_of(list[c - 1]);
			return 1;
		}
		c = choose(WHO, m + (ms >= 0));
		if (c == m)
			return 1;
		turn_of(list[c]);
	}
	return 0;
}

/* What happens ------------------------------------------------------------ */

void broken(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(history.why, sizeof(history.why), format, args);
	va_end(args);
	finish(BROKEN);
}

void killed(int signal)
{
	history.signal = signal;
	if (tells)
		printf("%4d %s(%s) is a signal, %s\n", world.calls,
		       call_facts[world.call].name, world.about,
		       strsignal(signal));
	finish(KILLED);
}

void answered(long n)
{
	in_call = 0;
	if (every_state)
		state_forget_stack(STACK_OF_CALL);
	if (!tells)
		return;
	printf("%4d %s(%s) = %ld%s%s\n", world.calls,
	       call_facts[world.call].name, world.about, n < 0 ? -1 : n,
	       n < 0 ? " " : "", n < 0 ? strerrorname_np(-n) : "");
	*world.about = 0;
}

void failed(struct object *from, struct object *to, int error, bool alone)
{
	struct fault *f = &history.fault[history.faults++];

	if (history.faults > MOST_FAULTS)
		broken("the model: too many failures");
	*f = (struct fault){
		.from = from ? from->role : -1,
		.to = to ? to->role : -1,
		.error = error,
		.alone = alone,
		.call = world.call,
	};
}

/* One history. Returns whether it keeps every promise. */
static bool run(void)
{
	int list[MOST_ACTORS];

	steps = deviations = turns = waits = 0;
	in_call = 0;
	histories++;
	if (!setjmp(leave)) {
		history_new(&scenario);
		world.wants_words = tells;
		world.coarse = every_state;
		program_reset();
		program_run(&scenario);
		history.outcome = ENDED;
	}
	history.running = false;
	if (history.outcome != BROKEN && history.outcome != PRUNED &&
	    !setjmp(leave)) {
		enum outcome outcome = history.outcome;

		for (int fd = 0; fd < MOST_FDS; fd++)
			if (world.fd[fd])
				open_drop(world.fd[fd]);
		while (actors_ready(list))
			turn_of(list[0]);
		history.outcome = outcome;
		judge();
	}
	pruned += history.outcome == PRUNED;
	if (steps > longest)
		longest = steps;
	if (tells)
		printf("    %s%s%.*s",
		       history.outcome == ENDED	 ? "it ends" :
		       history.outcome == KILLED ? "it is killed" :
		       history.outcome == STUCK	 ? "it waits, as it may" :
						   "",
		       history.outcome == BROKEN ? "" : "\n",
		       (int)world.said_len, world.said);
	return history.outcome != BROKEN;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Failures ---------------------------------------------------------------- */

/* Runs it without the choice at i, or with the later ones so many places
 * earlier, for they follow fewer calls. Returns whether it still fails. */
static bool fails_without(int i, int places)
{
	static struct step before[MOST_CHOICES];
	int given_before = given;

	memcpy(before, step, given * sizeof(*step));
	step[i].choice = 0;
	for (int k = i + 1; places && k < given; k++)
		step[k] = k + places < given_before ? before[k + places] :
						      (struct step){ 0 };
	if (!run()) {
		given = steps;
		return true;
	}
	given = given_before;
	memcpy(step, before, given * sizeof(*step));
	return false;
}

/* Fewer choices out of the ordinary, if it fails with those too. */
static void shrink(void)
{
	enum { PLACES = 8, ENOUGH = 2 }; /* seconds */
	double until = now() + ENOUGH;
	bool fewer = true;

	mode = REPLAY;
	given = steps;
	while (fewer && now() < until) {
		int had = deviations;

		fewer = false;
		for (int i = 0; i < given && !fewer; i++)
			for (int k = 0;
			     step[i].choice && k < PLACES && now() < until;
			     k++) {
				fewer = fails_without(i, k) && deviations < had;
				if (fewer)
					break;
			}
	}
	run();
}

static void print_choices(void)
{
	printf("    %s\n    %sREPLAY='%s /", history.why,
	       every_state ? "DEPTH=all " : "", scenario.text);
	for (int i = 0; i < steps; i++)
		if (step[i].choice)
			printf(" %d=%d", i, step[i].choice);
	printf("'\n\n");
	fflush(stdout);
}

static void report(void)
{
	printf("FAILED: %s\n    %s\n", scenario.text, history.why);
	fflush(stdout);
	shrink();
	given = steps;
	tells = true;
	run();
	tells = false;
	print_choices();
}

/* The program has left its memory, and who knows what is left of ours: this
 * failure is not made shorter, and is the last. */
static void crashed(int signal)
{
	printf("FAILED: %s\n", scenario.text);
	snprintf(history.why, sizeof(history.why), "%s", strsignal(signal));
	print_choices();
	_exit(1);
}

/* A history takes some milliseconds: one that makes no calls has no end. */
static void watch_for_loops(int signal)
{
	static uint64_t before;

	if (histories == before)
		crashed(signal);
	before = histories;
}

static void watch_for_crashes(void)
{
	static char stack[64 << 10];
	const struct sigaction action = { .sa_handler = crashed,
					  .sa_flags = SA_ONSTACK };
	const struct sigaction loops = { .sa_handler = watch_for_loops,
					 .sa_flags = SA_ONSTACK | SA_RESTART };
	const struct itimerval often = { { 20, 0 }, { 20, 0 } };

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) },
		    NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGABRT, &action, NULL);
	sigaction(SIGVTALRM, &loops, NULL);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
}

static int failures;

static void note_failure(void)
{
	report();
	if (++failures >= MOST_FAILURES) {
		printf("%d failures: no more of them\n", failures);
		exit(1);
	}
}

/* Walking ----------------------------------------------------------------- */

/* Returns whether this configuration has all that it asks for. */
static bool set_scenario(const char *text)
{
	const char *wrong = scenario_parse(&scenario, text);

	if (wrong) {
		fprintf(stderr, "simulate: \"%s\": %s\n", text, wrong);
		exit(2);
	}
	salt = mix(salt, 1);
	return !scenario_lacks(&scenario);
}

static void need_scenario(const char *text)
{
	if (set_scenario(text))
		return;
	fprintf(stderr, "simulate: \"%s\": this configuration lacks %s\n", text,
		scenario_lacks(&scenario));
	exit(2);
}

/* The next history in order: the last choice that can be another one is. */
static bool next(void)
{
	int n = deviations;

	for (int i = steps - 1; i >= 0; i--) {
		bool was = step[i].choice != 0;

		n -= was;
		if (step[i].choice + 1 < step[i].of && n < depth) {
			step[i].choice++;
			given = i + 1;
			return true;
		}
	}
	return false;
}

/* Walks the scenario that is set. */
static void walk(void)
{
	double began = now();
	/* yes makes hundreds of calls before the first byte, and many bytes
	 * take long to compare. */
	bool slow = scenario.program == YES_PROGRAM ||
		    (scenario.bytes && scenario.source[0].size > MANY_BYTES);

	depth = slow && most > 1 && !every_state ? 1 : most;
	mode = WALK;
	do
		if (!run()) {
			note_failure();
			break;
		}
	while (next());
	given = 0;
	walked++;
	walking += now() - began;
}

static void walk_listed(const char *text)
{
	uint64_t before = histories;
	double began = walking;

	if (!set_scenario(text))
		return;
	walk();
	if (!quiet)
		printf("%8lu in %6.2f s  %s\n",
		       (unsigned long)(histories - before), walking - began,
		       text);
}

static void walk_at_random(void)
{
	static const uint32_t some[] = { 0, 2, 8, 32, 100 };
	uint64_t before = histories;
	double began = now();

	while (now() < began + seconds) {
		if (!set_scenario(scenario_random(below)))
			continue;
		for (int i = 0; i < 400; i++) {
			for (int k = 0; k < CHOICES; k++)
				odds[k] = some[below(5)];
			mode = RANDOM;
			given = 0;
			if (!run()) {
				note_failure();
				break;
			}
		}
	}
	printf("%lu random histories in %.1f s\n",
	       (unsigned long)(histories - before), now() - began);
}

__attribute__((noreturn)) static void wrong_argument(const char *arg)
{
	fprintf(stderr, "simulate: \"%s\"?\n", arg);
	exit(2);
}

static void replay(char *text)
{
	char *choices = strstr(text, " /"), *save;

	if (choices) {
		*choices = 0;
		choices += 2;
	}
	need_scenario(text);
	mode = REPLAY;
	given = MOST_CHOICES;
	for (char *w = choices ? strtok_r(choices, " ", &save) : NULL; w;
	     w = strtok_r(NULL, " ", &save)) {
		int at, choice;

		if (sscanf(w, "%d=%d", &at, &choice) != 2 || at < 0 ||
		    at >= MOST_CHOICES || choice < 0)
			wrong_argument(w);
		step[at].choice = choice;
	}
	tells = true;
	if (!run()) {
		printf("FAILED: %s\n", history.why);
		exit(1);
	}
	printf("every promise was kept\n");
}

/* The N of "NAME=N". */
static uint64_t number(const char *arg, const char *value, uint64_t greatest)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || n > greatest)
		wrong_argument(arg);
	return n;
}

static void take_argument(char *arg)
{
	char *value = strchr(arg, '=');

	if (!value)
		wrong_argument(arg);
	/* A variable of make that is not set. */
	if (!*++value)
		return;
	if (!strncmp(arg, "SECONDS=", 8))
		seconds = number(arg, value, UINT32_MAX);
	else if (!strcmp(arg, "DEPTH=all")) {
		most = MOST_CHOICES;
		every_state = true;
		all_states = calloc(ALL_STATES, sizeof(*all_states));
	} else if (!strncmp(arg, "DEPTH=", 6))
		most = number(arg, value, DEPTH_MAX);
	else if (!strncmp(arg, "SEED=", 5))
		seed = mix(seed, number(arg, value, UINT64_MAX)) | 1;
	else if (!strncmp(arg, "SCENARIO=", 9))
		only = value;
	else if (!strncmp(arg, "QUIET=", 6))
		quiet = true;
	else if (!strncmp(arg, "REPLAY=", 7))
		replayed = value;
	else
		wrong_argument(arg);
}

int main(int argc, char **argv)
{
	watch_for_crashes();
	for (int i = 1; i < argc; i++)
		take_argument(argv[i]);
	if (replayed) {
		replay(replayed);
		return 0;
	}
	if (only) {
		need_scenario(only);
		walk();
	} else {
		scenarios_each(every_state, walk_listed);
	}
	printf("%lu histories ", (unsigned long)histories);
	if (every_state)
		printf("up to states that recur, ");
	else
		printf("with at most %d choices out of the ordinary, ", most);
	printf("%d scenarios, %lu states, up to %d choices, in %.1f s; %lu "
	       "ended where a known state was met\n",
	       walked, (unsigned long)states_met, longest, walking,
	       (unsigned long)pruned);
	if (seconds > 0 && !only && !every_state)
		walk_at_random();
	return failures != 0;
}
