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

@test "kconfig-conf and Kconfiglib make the same of every configuration" {
	more WHOLE=y kconfig "the same of a configuration"
}

@test "the invariants hold with each errno and each pair of ends" {
	more WHOLE=y libcore .
}

@test "ends that others use too lose nothing by any method" {
	more WHOLE=y shared .
}

@test "each method passes with each errno, and mmap with a small window" {
	more WHOLE=y method .
}

@test "a reader that takes from sinks in turn gets all of any source" {
	more WHOLE=y fan_out .
}

@test "tee --lag=SIZE takes any SIZE, and --debug tells what each source lost" {
	more WHOLE=y lag "any SIZE|says what a sink got"
}

@test "nothing is lost between any two ends when tee and cat are asked" {
	more WHOLE=y progress "again and again|reads and writes"
}

@test "every name of a descriptor is used" {
	more WHOLE=y descriptor "by the names"
}

@test "tee --reopen loses nothing with any source and any sink" {
	more WHOLE=y tee_reopen "under load all files|SIGHUP at any"
}

@test "every promise is kept in each configuration, whichever answers come" {
	more WHOLE=y simulate .
}

@test "nothing is lost in many runs of the adversary" {
	more WHOLE=y adversary "nothing is lost|does not hang"
}

@test "no configuration is larger than README says, nor a device's" {
	more WHOLE=y size "README says"
}
