/* SPDX-License-Identifier: 0BSD */
/* In place of libFuzzer: runs what is fuzzed once with each of the files. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int main(int argc, char **argv)
{
	static uint8_t bytes[1 << 20];

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		uint8_t *copy;
		size_t len;

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		fprintf(stderr, "%s\n", argv[i]);
		len = fread(bytes, 1, sizeof(bytes), file);
		fclose(file);
		/* No larger, so that what reads beyond it is found. */
		copy = malloc(len ? len : 1);
		for (size_t j = 0; j < len; j++)
			copy[j] = bytes[j];
		LLVMFuzzerTestOneInput(copy, len);
		free(copy);
	}
	return 0;
}
