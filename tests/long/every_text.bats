# SPDX-License-Identifier: 0BSD
# cat's formatting of all texts of six bytes of seven letters: "make check-all".

load ../lib/helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "all texts of six bytes are printed as they should be" {
	make -s -C "$TOP" O="$PWD/b" defconfig
	make -s -C "$TOP" O="$PWD/b" "$PWD/b/applets/cat_format.o"
	cc -std=gnu11 -fms-extensions -O2 -Wno-psabi -I"$PWD/b/include" -I"$TOP/applets" \
		-I"$TOP/libcore" -o every_text "$TOP/tests/c/every_text.c"
	run -0 ./every_text 7 6
	[ "$output" = "183068160 runs" ]
}
