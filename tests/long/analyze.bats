# SPDX-License-Identifier: 0BSD
# scripts/analyze, with what takes longest: "make check-all".

load ../lib/helpers
CONFIGURATION=

setup() {
	common_setup
	export O=$BATS_FILE_TMPDIR/analyze
}

# says WHAT TOOL NAME <FILE: the tool finds WHAT in such a file, and nothing in the sources.
says() {
	needs_tool "$2"
	"$TOP/scripts/analyze" "$2"
	gnu_cat >"$3"
	cp "$TOP/.clang-tidy" .
	run ! "$TOP/scripts/analyze" "$2" "$PWD/$3"
	[[ $output = *$1* ]]
}

@test "gcc -fanalyzer finds nothing in the sources of C, and says what is wrong" {
	says analyzer-double-free gcc twice.c <<-'END'
		#include <stdlib.h>
		void twice(char *p);
		void twice(char *p)
		{
			free(p);
			free(p);
		}
	END
}

@test "clang-tidy finds nothing in the sources of C, and says what is wrong" {
	says clang-analyzer-core.NullDereference clang-tidy wrong.c <<-'END'
		int main(int argc, char **argv)
		{
			int *p = 0;

			(void)argv;
			return argc ? *p : 0;
		}
	END
}

@test "ruff finds nothing in what is Python, and says what is wrong" {
	says F821 ruff name.py <<<'print(nothing)'
}

@test "cppcheck finds nothing in the sources of C, and says what is wrong" {
	says arrayIndexOutOfBounds cppcheck past.c <<-'END'
		int main(void)
		{
			int a[4] = { 0 };

			return a[4];
		}
	END
}

@test "shellcheck finds nothing in what is shell, and says what is wrong" {
	says SC2086 shellcheck quote.sh <<<$'#!/bin/sh\nrm $1'
}

@test "a tool that is not there is an error" {
	run -1 "$TOP/scripts/analyze" nosuch
	[[ $output = "box: no such tool: nosuch "* ]]
}
