/* SPDX-License-Identifier: 0BSD */
/* tee --rotate, killed at its calls and started again: at each time all files
 * together are a beginning of the input, and in the end they are all of it. */
#include "adversary.h"

enum { KILLS = 12, KEEP = 999, SIZE_MIN = 4096, TEXT_MAX = 300000 };

static char file[64], size_option[40];
static size_t size_of_file;

static int open_old(int n, int flags)
{
	char name[80];

	snprintf(name, sizeof(name), "%s.%d", file, n);
	return open(n ? name : file, flags | O_CLOEXEC);
}

/* Compares one file with the text from position `at' on. Returns how many bytes
 * it has. */
static size_t compare_file(struct run *r, const struct text *text, int n,
			   size_t at)
{
	int fd = open_old(n, O_RDONLY);
	size_t all = 0;
	ssize_t len;

	if (fd < 0)
		return 0;
	while ((len = read(fd, chunk, CHUNK_MAX)) > 0) {
		if (!is_text(text, at + all, chunk, len))
			wrong(r, "old file %d: wrong behind byte %zu", n,
			      at + all);
		all += len;
	}
	close(fd);
	if (all > 2 * size_of_file)
		wrong(r, "old file %d has %zu bytes", n, all);
	return all;
}

/* Returns how many bytes of the text all files have, the oldest first. */
static size_t compare_files(struct run *r, const struct text *text)
{
	size_t at = 0;

	for (int n = KEEP; n >= 0; n--)
		at += compare_file(r, text, n, at);
	return at;
}

static void remove_files(void)
{
	char name[80];

	for (int n = 1; n <= KEEP; n++) {
		snprintf(name, sizeof(name), "%s.%d", file, n);
		unlink(name);
	}
	unlink(file);
}

/* Starts tee where the last one has ended. */
static void start_again(struct run *r, size_t at, bool dies)
{
	struct process *p;

	NEED(lseek(r->end[0].near, at, SEEK_SET) == (off_t)at);
	r->processes = 0;
	p = add_process(r, "tee", r->end[0].near, sink(r, 0)->near);
	add_argument(r, p, "-a");
	add_argument(r, p, size_option);
	add_argument(r, p, file);
	p->plan.most = dies ? 100000 : 0;
	p->plan.cut = chance(128) ? ONE_OF(25, 128, 230) : 0;
	p->plan.cut_kind = 4;
	p->plan.interrupt = chance(100) ? ONE_OF(10, 60) : 0;
	p->plan.dies_at = dies ? between(1, 1 << between(1, 9)) : 0;
	describe(r, " dies at %d of %zu", p->plan.dies_at, at);
	run_all(r, asked.box, NULL);
	if (read_messages(r, p))
		wrong(r, "there is a message");
	if (p->status &&
	    !(dies && WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGKILL))
		wrong(r, "status %x", p->status);
}

void run_kills(struct run *r)
{
	struct text text = new_text(OURS, between(1, TEXT_MAX));
	struct end *in = add_end(r, FILE_END);
	size_t at = 0, came;

	in->text = text;
	open_file(in, O_RDONLY);
	write_text(in->far, &text, 0);
	r->applet = TEE;
	r->sources = r->sinks = 1;
	add_sink(r, NULL_END, false);
	size_of_file = SIZE_MIN << below(4);
	snprintf(size_option, sizeof(size_option), "--rotate=%zu,%d",
		 size_of_file, KEEP);
	snprintf(file, sizeof(file), "log-%d", getpid());
	remove_files();
	for (int i = 0; i <= KILLS && !r->failed; i++) {
		start_again(r, at, i < KILLS);
		came = compare_files(r, &text);
		if (came < at)
			wrong(r, "%zu bytes are there, after %zu before", came,
			      at);
		at = came;
	}
	if (!r->failed && at != text_len(&text))
		wrong(r, "%zu bytes are there in the end, of %zu", at,
		      text_len(&text));
	remove_files();
}
