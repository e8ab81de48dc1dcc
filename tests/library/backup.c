/* SPDX-License-Identifier: 0BSD */
/* Copies standard input to standard output, and sums it up on the way:
 *
 *     backup <DATA >COPY
 *
 * Prints the number of bytes and the checksum (FNV-1a) to standard error. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zc.h>

static ssize_t add(struct zc_sink *out, const void *buf, size_t len)
{
	uint64_t *hash = out->end.user;
	const unsigned char *p = buf;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash ^ p[i]) * 0x100000001b3;
	return len;
}

int main(void)
{
	static struct zc z;
	uint64_t hash = 0xcbf29ce484222325;
	struct zc_source in = { .end = { .fd = 0 } };
	struct zc_sink copy = { .end = { .fd = 1 } };
	struct zc_sink summed = { .end = { .fd = -1, .user = &hash },
				  .write = add };
	int status;

	zc_begin(&z, &in);
	zc_add(&z, &copy);
	zc_add(&z, &summed);
	status = zc_run(&z, ZC_EVER, -1);
	if (status != ZC_ENDED)
		fprintf(stderr, "%s\n",
			strerror(in.end.error ? in.end.error : copy.end.error));
	fprintf(stderr, "%llu %016llx\n", (unsigned long long)summed.end.bytes,
		(unsigned long long)hash);
	zc_close(&z);
	return status != ZC_ENDED || copy.end.bytes != summed.end.bytes;
}
