# SPDX-License-Identifier: 0BSD
# Tests that try a part of their cases, with more of them or with all, WHOLE: "make
# check-all".

load ../lib/helpers

# more VARIABLE=VALUE FILE NAME: the tests of that name, with this in the environment.
more() {
	outside env "$1" bats --tap -f "$3" "$TOP"/tests/[bt]*/"$2.bats" >log || {
		gnu_cat log
		false
	}
	grep '^ok ' log
}

@test "cat formats as GNU's on more of what a generator thinks of" {
	more CASES=30000 cat_format "generator thinks"
}

@test "a refused operand keeps its bytes in every case" {
	more CASES=10000 cat "operand keeps its bytes"
}

@test "names are quoted as GNU's at all edges of UTF-8" {
	more CASES=1000000 quote "generator thinks"
}

@test "each method moves exact bytes between more pairs of ends" {
	more CASES=1000 method "exact bytes between"
}

@test "nothing is lost though any one call fails, with all sinks" {
	more WHOLE=y unit "any one call fails"
}

@test "kconfig-conf and Kconfiglib make the same of every configuration" {
	more WHOLE=y kconfig "the same of a configuration"
}

@test "io_uring fails by any errno at any call, and mmap has a small window" {
	more WHOLE=y method "whichever call of io_uring_enter|multiple of a page"
}

@test "tee loses nothing by any method where O_NONBLOCK is set and cleared" {
	more WHOLE=y shared "sets O_NONBLOCK"
}

@test "tee --reopen loses nothing with any source and any sink" {
	more WHOLE=y tee_reopen "under load all files|SIGHUP at any"
}
