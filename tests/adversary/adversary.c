/* SPDX-License-Identifier: 0BSD */
/* Runs box between random ends, with others at them.
 *
 * adversary BOX SEED RUNS: so many times, while a tracer meddles with its
 * calls. The first run is SEED's, the next that of the seed after it. adversary
 * BOX SEED RUNS soak SECONDS: pipelines with long streams, untraced, as many as
 * there is time for. BOX_CONFIG names the file of the box's configuration. What
 * that lacks is not asked for. */
#include "adversary.h"

/* Runs box at random ends, once. Returns whether nothing was wrong. */
static bool one_run(const char *box, uint64_t seed, bool soaks)
{
	static struct run r;

	memset(&r, 0, sizeof(r));
	r.seed = chance_state = seed;
	if (soaks) {
		start_soak(&r);
		run_all(&r, box, send_signals);
		judge_soak(&r);
	} else {
		choose(&r);
		run_all(&r, box, NULL);
		judge(&r);
	}
	if (r.formats)
		free((void *)sink(&r, 0)->text.part[0].p);
	for (int i = 0; i < r.ends; i++)
		close_end(&r.end[i]);
	return !r.failed;
}

int main(int argc, char **argv)
{
	uint64_t seed, runs, i, failed = 0, began = now_ns(), end = UINT64_MAX;
	bool soaks = argc == 6 && !strcmp(argv[4], "soak");

	if (argc != (soaks ? 6 : 4)) {
		fprintf(stderr,
			"usage: adversary BOX SEED RUNS [soak SECONDS]\n");
		return 2;
	}
	seed = strtoull(argv[2], NULL, 0);
	runs = strtoull(argv[3], NULL, 0);
	if (soaks)
		end = began + strtoull(argv[5], NULL, 0) * 1000000000;
	setenv("LC_ALL", "C", 1);
	fill_tables();
	read_configuration();
	catch_children();
	for (int n = 0; n < PROCESSES; n++) {
		error_files[n] = memfd_create("messages", MFD_CLOEXEC);
		NEED(error_files[n] >= 0);
	}
	if (soaks && !pipes_can_grow()) {
		printf("no pipe can be enlarged here, before box has run\n");
		return 2;
	}
	for (i = 0; i < runs && now_ns() < end; i++)
		failed += !one_run(argv[1], seed + i, soaks);
	if (soaks && !pipes_can_grow()) {
		printf("a pipe can no longer be enlarged\n");
		failed++;
	}
	printf("%llu runs from seed %llu in %.0f seconds, ",
	       (unsigned long long)i, (unsigned long long)seed,
	       (now_ns() - began) / 1e9);
	if (soaks)
		printf("%.1f GB compared, ", soaked / 1e9);
	printf("failed: %llu\n", (unsigned long long)failed);
	return failed > 0;
}
