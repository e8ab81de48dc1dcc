/* SPDX-License-Identifier: 0BSD */
/* Writes an archive for tar(1) to standard output:
 *
 *     archive FILE... >ARCHIVE
 *
 * If a file grows meanwhile, the new bytes are left out. If it becomes shorter,
 * that is an error, and zeros fill its place. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zc.h>

enum { BLOCK = 512 };

static const char zeros[2 * BLOCK];

static bool put(const void *p, size_t len)
{
	return write(1, p, len) == (ssize_t)len;
}

/* Writes a ustar header: its numbers are octal, in text. Returns whether that
 * worked. */
static bool put_header(const char *name, const struct stat *st)
{
	char h[BLOCK] = { 0 };
	unsigned sum = 0;

	snprintf(h, 100, "%s", name);
	snprintf(h + 100, 8, "%07o", st->st_mode & 07777);
	snprintf(h + 108, 8, "%07o", 0);
	snprintf(h + 116, 8, "%07o", 0);
	snprintf(h + 124, 12, "%011llo", (unsigned long long)st->st_size);
	snprintf(h + 136, 12, "%011llo", (unsigned long long)st->st_mtime);
	h[156] = '0';
	memcpy(h + 257, "ustar\00000", 8);
	memset(h + 148, ' ', 8);
	for (int i = 0; i < BLOCK; i++)
		sum += (unsigned char)h[i];
	snprintf(h + 148, 8, "%06o", sum);
	return put(h, BLOCK);
}

/* Returns whether all of the file is in the archive. */
static bool add(const char *name)
{
	uint64_t size, n, pad;
	struct stat st;
	int fd = open(name, O_RDONLY), error;

	if (fd < 0 || fstat(fd, &st) || !put_header(name, &st))
		return false;
	size = st.st_size;
	n = zc_move(fd, 1, size, &error);
	close(fd);
	for (pad = -n % BLOCK + (size - n) / BLOCK * BLOCK; pad;) {
		uint64_t some = pad < BLOCK ? pad : BLOCK;

		if (!put(zeros, some))
			return false;
		pad -= some;
	}
	if (error)
		fprintf(stderr, "%s: %s\n", name, strerror(error));
	else if (n < size)
		fprintf(stderr, "%s: has become shorter\n", name);
	return n == size;
}

int main(int argc, char **argv)
{
	bool all = true;

	for (int i = 1; i < argc; i++)
		all &= add(argv[i]);
	return !put(zeros, sizeof(zeros)) || !all;
}
