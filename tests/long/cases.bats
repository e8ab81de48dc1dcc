# SPDX-License-Identifier: 0BSD
# Tests that try a sample of generated cases, with more of them: "make check-all".

load ../lib/helpers

# more CASES FILE NAME: so many for the tests of that name.
more() {
	CASES=$1 outside bats --tap -f "$3" "$TOP/tests/box/$2.bats"
}

@test "cat formats as GNU's on more of what a generator thinks of" {
	more 30000 cat_format "generator thinks"
}

@test "a refused operand keeps its bytes in every case" {
	more 10000 cat "operand keeps its bytes"
}
