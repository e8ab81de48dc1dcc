#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# Configurations: each but a device's is built without a warning, and the tests that are
# tagged "each" are run on the least of configs/. tests/long/config.bats runs more of them
# on each.

load ../lib/helpers
load ../lib/config

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
}

# What a device's has, the largest has too.
@test "every configuration in configs/ is built, and the least of them works" {
	for file in "$TOP"/configs/*_defconfig; do
		[[ $file != */device_defconfig ]] || continue
		box=$(built "${file##*/}")/box
		[ "$(echo hello | "$box" cat)" = hello ]
	done
	works tiny_defconfig
}

# tests/tree/build.bats builds a box with nothing in it, tests/long one with everything.
@test "the largest box has each applet that is chosen" {
	dir=$(built max_defconfig) box=$dir/box
	diff <("$box" --list) <(applets_of "$dir/include/config/auto.conf")
	[ "$(echo hello | "$box" cat -n)" = "     1	hello" ]
}
