#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What scripts/bench/count complains of, and what six lanes cost. The others are in
# long/count.bats.

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

@test "a chart has words for each lane, which no other has" {
	cd "$TOP/scripts/bench"
	PYTHONDONTWRITEBYTECODE=y python3 - >"$BATS_TEST_TMPDIR/words" <<-'END'
		from lanes import all_lanes
		for lane in all_lanes(): print(lane.words())
	END
	cd "$BATS_TEST_TMPDIR"
	[ "$(wc -l <words)" -gt 80 ]
	run ! grep -vE '^(cat|tee)( -.)?: .* to |^yes( hello world)? to ' words
	sort words | uniq -d >twice
	[ ! -s twice ]
}

@test "six lanes cost no more instructions than counts.json says" {
	kernel=linux-image-cloud-amd64
	compgen -G "$TOP/build/guest/bookworm-amd64/*/kernel" ||
		skip "no kernel: scripts/fetch bookworm amd64 kernel $kernel"
	needs_tool qemu-system-x86_64
	needs_tool cpio
	WORKLOADS="start-tiny small-files tmpfs-read written-file tee-2-read line-cat" \
		run "$TOP/scripts/bench/count" --check --out out
	[[ $output != *"counts.json is of "* ]] || skip "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} = "6 lanes compared" ]]
}
