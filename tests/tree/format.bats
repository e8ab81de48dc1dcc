# SPDX-License-Identifier: 0BSD
# How the tree is laid out.

load ../lib/helpers
CONFIGURATION=

setup() {
	cd "$TOP"
}

# The text files of the tree, without what was built and what is fuzzed.
texts() {
	find . \( -name .git -o -name build -o -name __pycache__ -o \
		-name _install -o -name corpus -o -name '.config*' \) -prune -o -type f -size +0 -print0
}

@test "C is laid out as .clang-format says" {
	needs_tool clang-format
	clang-format --version >"$BATS_TEST_TMPDIR/version"
	grep -q "version 14\." "$BATS_TEST_TMPDIR/version" ||
		skip "each version lays out otherwise, and this is not 14"
	texts >"$BATS_TEST_TMPDIR/texts"
	grep -z '\.[ch]$' <"$BATS_TEST_TMPDIR/texts" |
		xargs -0 clang-format --dry-run -Werror
}

@test "a line ends without a blank, and a file with a line" {
	texts >"$BATS_TEST_TMPDIR/texts"
	run ! xargs -0 grep -nI '[[:blank:]]$' <"$BATS_TEST_TMPDIR/texts"
	# To grep -z a file is one line.
	LC_ALL=C xargs -0 grep -LPz '\n\z' <"$BATS_TEST_TMPDIR/texts" \
		>"$BATS_TEST_TMPDIR/unended" || :
	diff /dev/null "$BATS_TEST_TMPDIR/unended"
}
