#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# libcore and the applets in a kernel of our own: docs/TESTING.md.

load lib/helpers

setup_file() {
	export SIMULATE=$BATS_FILE_TMPDIR/simulate/simulate
	DIR=${SIMULATE%/*} "$TOP/scripts/simulate" build
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# walks WORD...: the simulator with these has found nothing.
walks() {
	"$SIMULATE" "$@" >said || {
		gnu_cat said
		return 1
	}
}

@test "every promise is kept, whichever two answers or turns are out of the ordinary" {
	walks DEPTH=2 SECONDS=0
	grep -E '^[0-9]{6,} histories with at most 2 choices' said
}

@test "every promise is kept in random histories" {
	walks DEPTH=0 SECONDS=2
	grep -E '^[0-9]{3,} random histories' said
}

@test "every promise is kept to those who share a file, whichever three are" {
	walks DEPTH=3 SCENARIO='cat in=file:40000 in=file:40000 out=file:others=50'
	walks DEPTH=3 SCENARIO='cat in=file:40000 in=file:40000 out=file:others=30000'
	walks DEPTH=3 SCENARIO='copy in=pipe:9000 out=file:others=50'
	walks DEPTH=3 SCENARIO='copy in=file:70001:others=3000 out=file'
	walks DEPTH=3 SCENARIO='copy in=file:70001:others=3000:says=33000 out=file'
}

@test "the model answers as the kernel that runs" {
	DIR=$PWD/check "$TOP/scripts/simulate" check SECONDS=1 >said
	grep -E '^[0-9]{4,} calls in .*: the same answers$' said
}

@test "a history is repeated from its choices" {
	"$SIMULATE" REPLAY='copy in=pipe:9000 out=file / 4=1' >said
	grep -F 'splice(' said
	grep -F 'every promise was kept' said
	grep -F 'choice 1 of' said
	run -2 "$SIMULATE" REPLAY='copy in=pip:9000 out=file /'
	run -2 "$SIMULATE" REPLAY='copy in=pipe:9000 out=file / x'
	run -2 "$SIMULATE" WORD
}
