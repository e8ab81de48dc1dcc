#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# Configurations: each is built without a warning, and the applets' tests are
# run on it. SEEDS="N N" are the random ones to try: "make check-all" has more.

load lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
	export SEEDS=${SEEDS:-1}
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# builds DIR: what is configured there.
builds() {
	make -C "$TOP" O="$1" -j2 CFLAGS=-Werror >"$1/build.log" 2>&1 || {
		grep -v '^  ' "$1/build.log"
		gnu_cat "$1/.config"
		return 1
	}
	run ! grep -i warning "$1/build.log"
}

# works GOAL [NAME...]: a configuration that make knows, in a directory of its
# own, passes the applets' tests, or those that are named.
works() {
	local dir=$PWD/$1

	echo "$1"
	make -s -C "$TOP" O="$dir" "$1"
	builds "$dir"
	passes_applet_tests "$dir" "${@:2}"
}

@test "every configuration in configs/ works" {
	for goal in tiny max safe; do
		works ${goal}_defconfig
	done
	# That is the default, but for how it is linked.
	works distro_defconfig tee yes
	[ "$(find "$TOP/configs" -name '*_defconfig' | wc -l)" = 4 ]
}

@test "everything that can be chosen works together" {
	works allyesconfig tee yes
	[ "$(allyesconfig/box --list | tr '\n' ' ')" = "cat tee yes " ]
}

@test "a box with nothing in it works" {
	works allnoconfig
	[ ! "$(allnoconfig/box --list)" ]
}

# musl-gcc has no sanitizers: SANITIZE is left out.
@test "random configurations work" {
	command -v kconfig-conf || skip "no kconfig-conf"
	for seed in $SEEDS; do
		dir=$PWD/$seed
		echo "KCONFIG_SEED=$seed"
		make -s -C "$TOP" O="$dir" KCONFIG_SEED="$seed" randconfig
		sed -i 's/^CONFIG_SANITIZE=y/# CONFIG_SANITIZE is not set/' \
			"$dir/.config"
		builds "$dir"
		passes_applet_tests "$dir"
	done
}

@test "numbers at the ends of their ranges work" {
	for numbers in "4 64 0" "16384 1024 4096"; do
		dir=$PWD/${numbers// /-}
		# shellcheck disable=SC2086 # three numbers
		set -- $numbers
		make -s -C "$TOP" O="$dir" defconfig
		sed -i -e "s/^CONFIG_ZC_PIPE_KB=.*/CONFIG_ZC_PIPE_KB=$1/" \
			-e "s/^CONFIG_ZC_BUFFER_KB=.*/CONFIG_ZC_BUFFER_KB=$2/" \
			-e "s/^CONFIG_ZC_YIELDS=.*/CONFIG_ZC_YIELDS=$3/" \
			"$dir/.config"
		builds "$dir"
		grep -q "^CONFIG_ZC_BUFFER_KB=$2\$" "$dir/.config"
		passes_applet_tests "$dir" cat tee
	done
}
