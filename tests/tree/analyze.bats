# SPDX-License-Identifier: 0BSD
# scripts/analyze: that it finds what is wrong. tests/long has each of its tools find nothing
# in the sources, scripts and tests.

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL V CC CFLAGS LDFLAGS CROSS_COMPILE
	export LC_ALL=C O=$BATS_FILE_TMPDIR/analyze
}

setup() {
	:
}

analyze() {
	"$TOP/scripts/analyze" "$@"
}

# wrong NAME WHAT TOOL <FILE: the tool says WHAT of such a file.
wrong() {
	gnu_cat >"$BATS_TEST_TMPDIR/$1"
	run -123 analyze "$3" "$BATS_TEST_TMPDIR/$1"
	grep -F -e "$2" <<<"$output"
}

@test "each of them says what is wrong" {
	needs_tool cppcheck shellcheck
	wrong past.c arrayIndexOutOfBounds cppcheck <<-'END'
		int main(void)
		{
			int a[4] = { 0 };

			return a[4];
		}
	END
	wrong quote.sh SC2086 shellcheck <<-'END'
		#!/bin/sh
		rm $1
	END
}

@test "a tool that is not there is an error" {
	run -1 analyze nosuch
	[ "${#lines[@]}" = 1 ]
	[[ $output = "box: no such tool: nosuch "* ]]
}
