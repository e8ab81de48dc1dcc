# SPDX-License-Identifier: 0BSD
# scripts/analyze with what takes longest: "make check-all".

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL V CC CFLAGS LDFLAGS CROSS_COMPILE
	export LC_ALL=C O=$BATS_FILE_TMPDIR/analyze
}

setup() {
	:
}

@test "clang-tidy finds nothing in the sources of C" {
	"$TOP/scripts/analyze" clang-tidy
}

@test "clang-tidy says what is wrong" {
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
