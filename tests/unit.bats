# SPDX-License-Identifier: 0BSD
# libcore as a library, called by programs in C of tests/c/.

load helpers

setup() {
	common_setup
	make -s -C "$TOP" O="$PWD/o" defconfig
	make -s -C "$TOP" O="$PWD/o" CFLAGS=-Werror CC=cc libcore.a
}

# program NAME [FLAG...]: builds tests/c/NAME.c with libcore.
program() {
	cc -std=gnu11 -Wall -Wextra -Werror -I"$PWD/o/include" \
		-I"$TOP/libcore" -o "$1" "$TOP/tests/c/$1.c" \
		"$PWD/o/libcore.a" "${@:2}"
}

@test "a line is repeated whole, though tee(2) is short" {
	program repeat -Wl,--wrap=zc_sys_tee
	for limit in 1 4096 5000 32768 100000; do
		for line in $'abc\n' "$(printf '%01234d' 5)"$'\n'; do
			timeout 20 ./repeat $limit 300000 "$line" >got
			gnu_yes "${line%$'\n'}" | head -c 300000 >want || true
			cmp want got
		done
	done
}

@test "a second line is repeated, and not the first again" {
	program repeat -Wl,--wrap=zc_sys_tee
	timeout 20 ./repeat 1000000 4000 $'abc\n' $'de\n' $'f\n' >got
	for line in abc de f; do
		gnu_yes $line | head -c 4000 || true
	done >want
	cmp want got
}
