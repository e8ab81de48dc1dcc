/* SPDX-License-Identifier: 0BSD */
/* A daemon that fans a log out to files, pipes and sockets:
 *
 *     logs FILE...
 *
 * No output keeps the others waiting: lines are left out for an output that
 * falls behind by 64 KiB. At SIGTERM the daemon writes the bytes that it has
 * read and exits. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zc.h>

static int wake[2];

static void on_term(int number)
{
	ssize_t n = write(wake[1], "", 1);

	(void)number, (void)n;
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_term };
	struct zc_source in = { .end.fd = 0 };
	struct zc_sink *sinks = calloc(argc, sizeof(*sinks)), *bad;
	struct zc_lag *lag = calloc(argc, sizeof(*lag));
	struct zc *z = zc_new();
	int nout = argc - 1, status;

	if (!sinks || !lag || !z || pipe(wake))
		return 1;
	zc_begin(z, &in);
	for (int i = 0; i < nout; i++) {
		lag[i].max = 64 << 10;
		lag[i].late = ZC_SKIP;
		sinks[i].lag = &lag[i];
		sinks[i].end.name = argv[i + 1];
		sinks[i].end.fd = open(argv[i + 1],
				       O_WRONLY | O_CREAT | O_APPEND, 0666);
		if (sinks[i].end.fd < 0)
			return 1;
		zc_add(z, &sinks[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &act, NULL);
	while ((status = zc_run(z, ZC_EVER, in.ended ? -1 : wake[0])) !=
		       ZC_ENDED &&
	       !in.end.error) {
		in.ended |= status == ZC_CANCELED;
		while ((bad = zc_failed(z))) {
			fprintf(stderr, "%s: %s\n", bad->end.name,
				strerror(bad->end.error));
			close(bad->end.fd);
		}
	}
	for (int i = 0; i < nout; i++)
		if (!sinks[i].end.error)
			fprintf(stderr, "%s: %llu bytes of %llu\n",
				sinks[i].end.name,
				(unsigned long long)sinks[i].end.bytes,
				(unsigned long long)in.end.bytes);
	zc_free(z);
	free(sinks);
	free(lag);
	return in.end.error != 0;
}
