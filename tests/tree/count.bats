#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What scripts/bench/count complains of. What box costs is in long/count.bats.

load ../lib/helpers

setup() {
	common_setup
	unset PEERS WORKLOADS TURNS
}

@test "a lane or a kernel that scripts/bench/count does not know is one line" {
	WORKLOADS="start-* typo" run -1 "$TOP/scripts/bench/count" --out out
	[[ $output = "count: WORKLOADS knows start-empty "*", not typo" ]]
	run -1 "$TOP/scripts/bench/count" --kernel bookworm-vax --out out
	[ "$output" = "count: no kernel for vax is known (there are amd64 arm64)" ]
}
