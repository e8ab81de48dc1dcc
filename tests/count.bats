#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What box costs, counted: scripts/bench/count. All lanes are in long/count.bats.

load lib/helpers

setup() {
	common_setup
	unset PEERS WORKLOADS TURNS
}

@test "six lanes cost no more instructions than counts.json says" {
	[ "$(uname -m)" = x86_64 ] || skip "counts.json is of x86_64"
	command -v apt-get dpkg-deb || skip "no packages of Debian here"
	command -v qemu-system-x86_64 || skip "no qemu-system-x86_64"
	LIMIT=120 "$TOP/scripts/fetch" bookworm amd64 kernel \
		linux-image-cloud-amd64 || skip "the kernel cannot be had"
	WORKLOADS="start-tiny tmpfs-read pipe-read tee-2-read line-cat cat-n" \
		run "$TOP/scripts/bench/count" --check --out out
	echo "$output"
	[[ $output != *"counts.json is of "* ]] || skip "$output"
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "6 lanes compared" ]
}

@test "a lane or a kernel that scripts/bench/count does not know is one line" {
	WORKLOADS="start-* typo" run -1 "$TOP/scripts/bench/count" --out out
	[[ $output = "count: WORKLOADS knows start-empty "*", not typo" ]]
	run -1 "$TOP/scripts/bench/count" --kernel bookworm-vax --out out
	[ "$output" = "count: no kernel for vax is known (there are amd64 arm64)" ]
}
