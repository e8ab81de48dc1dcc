# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# What the tests of configurations share.

# link_sources DIR: what box is built of, and the scripts, as links to one copy, which take a
# fifth of a copy's time. A test replaces a file to change it, as sed -i does.
link_sources() {
	local one=$BATS_FILE_TMPDIR/sources

	[ -e "$one" ] || copy_tree "$one" docs packaging tests
	mkdir -p "$1"
	cp -al "$one/." "$1"
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

# works GOAL [NAME...]: a configuration that make knows passes the tests that are for
# each, or those that are named.
works() {
	local dir

	echo "$1"
	dir=$(built "$1")
	passes_applet_tests "$dir" "${@:2}"
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

# stops_in_one_line REASON COMMAND...: make, or another, stops, and says why in one line, of
# which this pattern is a part.
stops_in_one_line() {
	run "${@:2}"
	[ "$status" != 0 ]
	[ "${#lines[@]}" = 1 ]
	# shellcheck disable=SC2053 # a pattern
	[[ $output = *$1* ]]
}

# builds_twice FLAGS LDFLAGS: the tree in two directories; @ stands for the
# directory. Debug information, build id and program are the same, and no path is in
# them.
builds_twice() {
	local dir

	for dir in first second/longer; do
		link_sources $dir
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
