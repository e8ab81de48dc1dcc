/* SPDX-License-Identifier: 0BSD */
/* Runs box between random ends, with others at them, while a tracer meddles
 * with its calls.
 *
 * adversary BOX SEED RUNS: so many times. The first run is SEED's, the next
 * that of the seed after it. BOX_CONFIG names the file of the box's
 * configuration. What that lacks is not asked for. */
#include "adversary.h"

/* Runs box at random ends, once. Returns whether nothing was wrong. */
static bool one_run(const char *box, uint64_t seed)
{
	static struct run r;

	memset(&r, 0, sizeof(r));
	r.seed = chance_state = seed;
	choose(&r);
	run_all(&r, box);
	judge(&r);
	for (int i = 0; i < r.ends; i++)
		close_end(&r.end[i]);
	return !r.failed;
}

int main(int argc, char **argv)
{
	uint64_t seed, runs, failed = 0, began = now_ns();

	if (argc != 4) {
		fprintf(stderr, "usage: adversary BOX SEED RUNS\n");
		return 2;
	}
	seed = strtoull(argv[2], NULL, 0);
	runs = strtoull(argv[3], NULL, 0);
	setenv("LC_ALL", "C", 1);
	fill_tables();
	read_configuration();
	catch_children();
	for (int n = 0; n < PROCESSES; n++) {
		error_files[n] = memfd_create("messages", MFD_CLOEXEC);
		NEED(error_files[n] >= 0);
	}
	for (uint64_t i = 0; i < runs; i++)
		failed += !one_run(argv[1], seed + i);
	printf("%llu runs from seed %llu in %.0f seconds, failed: %llu\n",
	       (unsigned long long)runs, (unsigned long long)seed,
	       (now_ns() - began) / 1e9, (unsigned long long)failed);
	return failed > 0;
}
