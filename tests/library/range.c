/* SPDX-License-Identifier: 0BSD */
/* An HTTP server for files and ranges of files, with four threads:
 *
 *     range DIRECTORY
 *
 * Prints its port. Exits at the end of standard input. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zc.h>

enum { THREADS = 4, REQUEST_MAX = 4096, PATIENCE = 5000 /* milliseconds */ };

static int door, directory;

/* Reads the head of a request. Returns whether it is complete. */
static bool read_head(int fd, char *head)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, head + len, REQUEST_MAX - 1 - len);
		if (n <= 0)
			return false;
		len += n;
		head[len] = '\0';
	} while (!strstr(head, "\r\n\r\n") && len < REQUEST_MAX - 1);
	return strstr(head, "\r\n\r\n");
}

/* Sets the range that a request asks for, of a file of size bytes. Returns the
 * status of HTTP. */
static int find_range(const char *head, int64_t size, int64_t *from,
		      int64_t *len)
{
	const char *range = strstr(head, "\r\nRange: bytes=");
	char *end;
	int64_t to = size - 1;

	*from = 0;
	*len = size;
	if (!range)
		return 200;
	range += strlen("\r\nRange: bytes=");
	if (*range == '-') {
		to = strtoll(range + 1, NULL, 10);
		*from = to < size ? size - to : 0;
		to = size - 1;
	} else {
		*from = strtoll(range, &end, 10);
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			to = strtoll(end + 1, NULL, 10);
	}
	if (to > size - 1)
		to = size - 1;
	if (*from > to)
		return 416;
	*len = to - *from + 1;
	return 206;
}

/* Sends a file, or a part of it. Returns whether the connection goes on. */
static bool send_file(struct zc *z, int fd, int file, const char *head)
{
	struct zc_source in = { .end = { .fd = file, .has_offset = true },
				.has_max = true };
	struct zc_sink out = { .end.fd = fd };
	struct stat st;
	int64_t from, len;
	uint64_t had;
	int status;

	if (fstat(file, &st) || !S_ISREG(st.st_mode))
		return false;
	status = find_range(head, st.st_size, &from, &len);
	if (status == 416)
		len = 0;
	if (dprintf(fd, "HTTP/1.1 %d OK\r\nContent-Length: %lld\r\n\r\n",
		    status, (long long)len) < 0)
		return false;
	in.end.offset = from;
	in.max = len;
	zc_begin(z, &in);
	zc_add(z, &out);
	do
		had = out.end.bytes;
	while (zc_run(z, zc_clock() + PATIENCE, -1) == ZC_AGAIN &&
	       out.end.bytes > had);
	zc_end(z);
	return out.end.bytes == in.max;
}

static bool answer(struct zc *z, int fd)
{
	char head[REQUEST_MAX], name[256];
	bool goes_on;
	int file;

	if (!read_head(fd, head) || sscanf(head, "GET /%255[^ /] ", name) != 1)
		return false;
	file = openat(directory, name, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return dprintf(fd, "HTTP/1.1 404 Not Found\r\n"
				   "Content-Length: 0\r\n\r\n") > 0;
	goes_on = send_file(z, fd, file, head);
	close(file);
	return goes_on;
}

static void *serve(void *unused)
{
	struct zc *z = zc_new();
	int fd;

	if (!z)
		abort();
	while ((fd = accept(door, NULL, NULL)) >= 0) {
		while (answer(z, fd))
			;
		close(fd);
	}
	zc_free(z);
	return unused;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof(at);
	pthread_t thread[THREADS];
	char c;

	if (argc != 2 || zc_version() < ZC_VERSION)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	directory = open(argv[1], O_RDONLY | O_DIRECTORY);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	door = socket(AF_INET, SOCK_STREAM, 0);
	if (directory < 0 || bind(door, (struct sockaddr *)&at, len) ||
	    listen(door, 64) || getsockname(door, (struct sockaddr *)&at, &len))
		return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, serve, NULL))
			return 1;
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	shutdown(door, SHUT_RDWR);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
