#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# Configurations: each is built without a warning, and the applets' tests are
# run on it. tests/long/config.bats has more.

load lib/helpers
load lib/config

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
	# That is the default, but for how it is linked.
	works distro_defconfig yes
	[ "$(find "$TOP/configs" -name '*_defconfig' | wc -l)" = 4 ]
}

@test "everything that can be chosen works together" {
	works allyesconfig tee
	diff <(allyesconfig/box --list) <(every_applet | sed 's/.* //')
}

@test "a box with nothing in it works" {
	works allnoconfig box
	[ ! "$(allnoconfig/box --list)" ]
}
