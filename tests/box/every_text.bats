# SPDX-License-Identifier: 0BSD
# cat's formatting of every short text (tests/c/every_text.c). tests/long has longer
# ones, and sees a cat_format.c that is wrong found.

load ../lib/helpers
load ../lib/every_text

@test "every short text is printed as it should be, and as soon as it can be" {
	every_text "$TOP" -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
	run -0 ./every_text 3 6
	[ "$output" = "3479040 runs" ]
	run -0 ./every_text 7 4
	[ "$output" = "1315200 runs" ]
}
