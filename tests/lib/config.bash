# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# What the tests of configurations share.

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

# randomly SEED...: configurations that chance made work. musl-gcc has no
# sanitizers: SANITIZE is left out.
randomly() {
	local seed dir

	for seed; do
		dir=$PWD/$seed
		echo "KCONFIG_SEED=$seed"
		make -s -C "$TOP" O="$dir" KCONFIG_SEED="$seed" randconfig
		sed -i 's/^CONFIG_SANITIZE=y/# CONFIG_SANITIZE is not set/' \
			"$dir/.config"
		builds "$dir"
		passes_applet_tests "$dir"
	done
}
