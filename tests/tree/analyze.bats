# SPDX-License-Identifier: 0BSD
# scripts/analyze: that it finds nothing here, and does find what is wrong. What
# takes longest is in tests/long: gcc's analyzer, clang-tidy and cppcheck on the sources,
# and shellcheck on tests. So is ruff, which PyPI has.

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

@test "shellcheck finds nothing in scripts, and in what tests share" {
	needs_tool shellcheck
	cd "$TOP"
	mapfile -t files < <(grep -rlE '^#!.*sh$' .ci scripts)
	[ "${#files[@]}" -gt 20 ]
	analyze shellcheck "${files[@]}" scripts/lib.sh tests/lib/*.bash
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
