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

# works GOAL [NAME...]: a configuration that make knows passes the tests that are for
# each, or those that are named.
works() {
	local dir

	echo "$1"
	dir=$(built "$1")
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
		passes_applet_tests "$dir" $all_applet_tests
	done
}

# switch SYMBOL [DIR]: y to n, n to y.
switch() {
	if grep -q "^CONFIG_$1=y" "${2:-.}/.config"; then
		sed -i "s/^CONFIG_$1=y/# CONFIG_$1 is not set/" "${2:-.}/.config"
	else
		sed -i "s/^# CONFIG_$1 is not set/CONFIG_$1=y/" "${2:-.}/.config"
		grep -q "^CONFIG_$1=y" "${2:-.}/.config"
	fi
}

# relinks SYMBOL...: in a tree, box is linked anew when one is switched, and when
# it is switched back.
relinks() {
	# So both compiler and linker are quick.
	local flags='CFLAGS=-fno-lto -O0' symbol

	make -s defconfig
	# It would have something compiled each time.
	switch SHOW_CONFIG
	make -j2 "$flags" >/dev/null
	cp .config first
	cp build/box first.box
	for symbol; do
		echo "$symbol"
		switch "$symbol"
		make -j2 "$flags" >/dev/null
		cp build/box second.box
		rm build/box
		make "$flags" >/dev/null
		cmp build/box second.box
		cp first .config
		make -j2 "$flags" >/dev/null
		cmp build/box first.box
	done
}

# Make has stopped for a reason, and has said it in one line.
stops_in_one_line() {
	[ "$status" != 0 ]
	[ "${#lines[@]}" = 1 ]
}

# builds_twice FLAGS LDFLAGS: the tree in two directories; @ stands for the
# directory. Debug information, build id and program are the same, and no path is in
# them.
builds_twice() {
	local dir

	for dir in first second/longer; do
		copy_sources $dir
		make -s -C $dir distro_defconfig
		make -C $dir -j2 STRIP=n CFLAGS="${1//@/$PWD/$dir}" \
			LDFLAGS="${2//@/$PWD/$dir}" >log 2>&1 || {
			gnu_cat log
			false
		}
		run ! grep -i warning log
		run ! grep -F "$PWD" $dir/build/box
		[ "$(echo hello | $dir/build/box cat -n)" = "     1	hello" ]
	done
	cmp first/build/box second/longer/build/box
	seq 100000 >lines
	first/build/box cat lines | first/build/box tee copy | cmp - lines
	cmp copy lines
}
