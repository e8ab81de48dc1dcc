#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# The sample of the fault matrix that scripts/faults runs without --all.

load helpers

setup() {
	common_setup
	needs_strace
	[ -x /usr/bin/python3 ] || skip "no /usr/bin/python3"
}

# survives LEAST SCENARIO...: no fault may lose anything. Those that are hit must
# be many, or the matrix tests nothing; a box without zero-copy calls makes few.
survives() {
	local least=$1 injected
	shift

	run "$TOP/scripts/faults" --box "$LINKS/box" "$@"
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} == *", lost: 0" ]]
	injected=${lines[-1]#faults injected: }
	has ZC_SPLICE || least=$((least / 8))
	[ "${injected%% *}" -ge "$least" ]
}

@test "cat loses nothing whichever call fails" {
	needs CAT
	survives 1000 cat
}

@test "tee loses nothing whichever call fails" {
	needs TEE
	survives 1000 tee
}

@test "yes loses nothing whichever call fails" {
	needs YES
	survives 250 yes
}

@test "the matrix sees a box that loses bytes" {
	needs CAT
	cat >box-short <<-'END'
		#!/bin/sh
		[ "$1" = cat ] && shift && exec head -c 1000 "$@"
		END
	chmod +x box-short
	run "$TOP/scripts/faults" --box ./box-short cat/file/pipe
	[ "$status" = 1 ]
	[[ $output == *"holds 1000 bytes"* ]]
}
