#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# Configurations: each is built without a warning, and the applets' tests are
# run on it. tests/long/config.bats has more.

load ../lib/helpers
load ../lib/config

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "every configuration in configs/ works" {
	works tiny_defconfig cat tee yes error_text
	works max_defconfig
	works safe_defconfig cat tee
	works device_defconfig cat tee lag
	# That is the default, but for how it is linked.
	works distro_defconfig yes
	[ "$(find "$TOP/configs" -name '*_defconfig' | wc -l)" = 5 ]
}

@test "a device's box holds little of a pipeline that stands still" {
	local applet

	make -s -C "$TOP" O="$PWD/device" device_defconfig
	builds "$PWD/device"
	for applet in cat tee; do
		[ "$("$LIB/held.py" device/box $applet)" -le $((256 << 10)) ]
	done
	sed -i 's/^CONFIG_ZC_PIPE_KB=.*/CONFIG_ZC_PIPE_KB=1024/' device/.config
	builds "$PWD/device"
	[ "$("$LIB/held.py" device/box cat)" -gt $((1 << 20)) ]
}

@test "everything that can be chosen works together" {
	works allyesconfig tee
	diff <(allyesconfig/box --list) <(every_applet | sed 's/.* //')
}

@test "a box with nothing in it works" {
	works allnoconfig box
	[ ! "$(allnoconfig/box --list)" ]
}
