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

/* Closes the sinks that have failed. Returns how many are left. */
static int retire(struct zc_endpoint **out, int nout)
{
	int n = 0;

	for (int i = 0; i < nout; i++) {
		struct zc_endpoint *o = out[i];

		if (!o->error) {
			out[n++] = o;
			continue;
		}
		fprintf(stderr, "%s: %s\n", o->name, strerror(o->error));
		close(o->fd);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_term };
	struct zc_endpoint in = { .fd = 0 };
	struct zc_endpoint *sinks = calloc(argc, sizeof(*sinks));
	struct zc_endpoint **out = calloc(argc, sizeof(*out));
	struct zc_lag *lag = calloc(argc, sizeof(*lag));
	struct zc *z = zc_new();
	int nout = argc - 1, status;

	if (!sinks || !out || !lag || !z || pipe(wake))
		return 1;
	for (int i = 0; i < nout; i++) {
		lag[i].max = 64 << 10;
		lag[i].late = ZC_SKIP;
		out[i] = &sinks[i];
		out[i]->lag = &lag[i];
		out[i]->name = argv[i + 1];
		out[i]->fd = open(argv[i + 1], O_WRONLY | O_CREAT | O_APPEND,
				  0666);
		if (out[i]->fd < 0)
			return 1;
	}
	z->cancels = true;
	z->cancel_fd = wake[0];
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &act, NULL);
	while (nout && (status = zc_fan(z, &in, out, nout)) != ZC_ENDED) {
		if (in.error)
			break;
		if (status == ZC_CANCELED) {
			in.ended = true;
			z->cancels = false;
		}
		nout = retire(out, nout);
	}
	for (int i = 0; i < nout; i++)
		fprintf(stderr, "%s: %llu bytes of %llu\n", out[i]->name,
			(unsigned long long)out[i]->bytes,
			(unsigned long long)in.bytes);
	zc_free(z);
	free(sinks);
	free(out);
	free(lag);
	return in.error != 0;
}
