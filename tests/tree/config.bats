#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# Configurations: each is built without a warning, and the tests that are tagged "each"
# are run on the least of configs/. tests/long/config.bats runs more of them on each.

load ../lib/helpers
load ../lib/config

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
}

@test "every configuration in configs/ is built, and the least of them works" {
	for file in "$TOP"/configs/*_defconfig; do
		box=$(built "${file##*/}")/box
		[ "$(echo hello | "$box" cat)" = hello ]
	done
	works tiny_defconfig
}

@test "a device's box holds little of a pipeline that stands still" {
	local applet dir

	dir=$(built device_defconfig)
	for applet in cat tee; do
		[ "$("$LIB/held.py" "$dir/box" $applet)" -le $((256 << 10)) ]
	done
	# A box whose pipes are large holds more.
	dir=$(built defconfig)
	[ "$("$LIB/held.py" "$dir/box" cat)" -gt $((1 << 20)) ]
}

# tests/tree/build.bats builds a box with nothing in it, tests/long one with everything.
@test "the largest box has each applet that is chosen" {
	dir=$(built max_defconfig) box=$dir/box
	diff <("$box" --list) <(applets_of "$dir/include/config/auto.conf")
	[ "$(echo hello | "$box" cat -n)" = "     1	hello" ]
}
