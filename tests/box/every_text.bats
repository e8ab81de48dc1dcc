# SPDX-License-Identifier: 0BSD
# cat's formatting of every short text (tests/c/every_text.c). tests/long has longer
# ones, and sees a cat_format.c that is wrong found.

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS LDFLAGS CROSS_COMPILE
	export B
	B=$(built defconfig)
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "every short text is printed as it should be, and as soon as it can be" {
	cc -std=gnu11 -fms-extensions -g -O1 -Wall -Wextra -Werror -Wno-psabi \
		-fsanitize=address,undefined -fno-sanitize-recover=all -I"$B/include" \
		-I"$TOP/applets" -I"$TOP/libcore" -o every_text "$TOP/tests/c/every_text.c"
	run -0 ./every_text 3 6
	[ "$output" = "3479040 runs" ]
	run -0 ./every_text 7 4
	[ "$output" = "1315200 runs" ]
}
