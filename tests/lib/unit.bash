# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# How the programs of tests/c are built and run.

# library DIR CFLAGS: builds libcore with every method. UNIT_FLAGS are more, as
# scripts/sanitize and scripts/coverage have them.
library() {
	make -s -C "$TOP" O="$1" max_defconfig
	make -s -j2 -C "$TOP" O="$1" CFLAGS="$2 ${UNIT_FLAGS:-}" CC=cc libcore.a
}

# program NAME [FLAG...]: builds tests/c/NAME.c with the libcore in B. What it
# calls __wrap_zc_sys_X is called in place of zc_sys_X.
program() {
	local wraps

	cc -std=gnu11 -fms-extensions -g -pthread -Wall -Wextra -Werror \
		-Wno-unused-function -I"$B/include" -I"$TOP/libcore" -c \
		"$TOP/tests/c/$1.c" "${@:2}" ${UNIT_FLAGS:-}
	wraps=$(nm --defined-only "$1.o" |
		sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
	# shellcheck disable=SC2086 # a word a flag
	cc -pthread -o "$1" "$1.o" "$B/libcore.a" $wraps "${@:2}" ${UNIT_FLAGS:-}
}

# passes PROGRAM [CASE]: prints the cases that fail, and why.
passes() {
	timeout 3000 "./$1" "${@:2}" >cases || {
		grep -v '^ok ' cases
		return 1
	}
	grep -c '^ok ' cases
}
