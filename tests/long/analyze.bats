# SPDX-License-Identifier: 0BSD
# scripts/analyze, with what takes longest: "make check-all".

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL V CC CFLAGS LDFLAGS CROSS_COMPILE
	export LC_ALL=C O=$BATS_FILE_TMPDIR/analyze
}

setup() {
	:
}

@test "gcc -fanalyzer finds nothing in the sources of C" {
	"$TOP/scripts/analyze" gcc
}

@test "gcc -fanalyzer says what is wrong" {
	gnu_cat >"$BATS_TEST_TMPDIR/twice.c" <<-'END'
		#include <stdlib.h>
		void twice(char *p);
		void twice(char *p)
		{
			free(p);
			free(p);
		}
	END
	run ! "$TOP/scripts/analyze" gcc "$BATS_TEST_TMPDIR/twice.c"
	[[ $output = *analyzer-double-free* ]]
}

@test "cppcheck finds nothing in the sources of C" {
	needs_tool cppcheck
	"$TOP/scripts/analyze" cppcheck
}

@test "shellcheck finds nothing in scripts and tests" {
	needs_tool shellcheck
	"$TOP/scripts/analyze" shellcheck
}

@test "clang-tidy finds nothing in the sources of C" {
	needs_tool clang-tidy
	"$TOP/scripts/analyze" clang-tidy
}

@test "clang-tidy says what is wrong" {
	needs_tool clang-tidy
	gnu_cat >"$BATS_TEST_TMPDIR/wrong.c" <<-'END'
		int main(int argc, char **argv)
		{
			int *p = 0;

			(void)argv;
			return argc ? *p : 0;
		}
	END
	cp "$TOP/.clang-tidy" "$BATS_TEST_TMPDIR"
	run ! "$TOP/scripts/analyze" clang-tidy "$BATS_TEST_TMPDIR/wrong.c"
	[[ $output = *clang-analyzer-core.NullDereference* ]]
}

@test "ruff finds nothing in what is Python" {
	needs_tool ruff
	"$TOP/scripts/analyze" ruff
}

@test "ruff says what is wrong" {
	needs_tool ruff
	echo 'print(nothing)' >"$BATS_TEST_TMPDIR/name.py"
	run ! "$TOP/scripts/analyze" ruff "$BATS_TEST_TMPDIR/name.py"
	[[ $output = *F821* ]]
}
