#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What scripts/bench/count complains of, and what six lanes cost; the others are in
# long/count.bats. What scripts/bench/time runs.

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

@test "six lanes cost no more instructions than counts/ says" {
	kernel=linux-image-cloud-amd64
	compgen -G "$TOP/build/guest/bookworm-amd64/*/kernel" ||
		skip "no kernel: scripts/fetch bookworm amd64 kernel $kernel"
	needs_tool qemu-system-x86_64
	needs_tool cpio
	WORKLOADS="start-tiny small-files tmpfs-read written-file tee-2-read line-cat" \
		run "$TOP/scripts/bench/count" --check --out out
	[[ $output != *".json is of "* ]] || skip "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} = "6 lanes compared" ]]
}

# scripts/bench/time runs the command so often with each, and no longer once it fails.
@test "a command is timed with each program, in each round" {
	for name in new old; do
		printf '#!/bin/sh\necho %s >>"$LOG"\n' $name >$name
		chmod +x $name
	done
	export LOG=$PWD/calls ROUNDS=3
	run -0 "$TOP/scripts/bench/time" "cat | tee" new old
	[[ ${lines[2]} = "| new | "*" to "*" to "*" 1 (1 to 1) |" ]]
	[[ ${lines[3]} = "| old | "*" to "*" to "*" to "*" |" ]]
	[ "$(sort calls | uniq -c | tr -d '\n ')" = 6new6old ]
	rm calls
	echo false >>new
	run -1 "$TOP/scripts/bench/time" cat new
	[ "$output" = "time: cat: fails with new" ]
	[ "$(gnu_cat calls)" = new ]
	mkdir none
	run -1 "$TOP/scripts/bench/time" cat none
	[ "$output" = "time: no cat in none" ]
}
