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

# The long options of GNU coreutils 9.1, each after its applet and its symbol.
gnu_options="cat CAT_FORMAT number-nonblank
cat CAT_FORMAT number
cat CAT_FORMAT squeeze-blank
cat CAT_FORMAT show-nonprinting
cat CAT_FORMAT show-ends
cat CAT_FORMAT show-tabs
cat CAT_FORMAT show-all
cat HELP help
cat VERSION version
tee TEE append
tee TEE ignore-interrupts
tee TEE_ERROR output-error
tee HELP help
tee VERSION version
yes HELP help
yes VERSION version"

# begun: "APPLET SYMBOL BEGINNING" for each beginning of each of them.
begun() {
	while read -r applet symbol option; do
		for ((n = 1; n <= ${#option}; n++)); do
			echo "$applet $symbol ${option:0:n}"
		done
	done <<<"$gnu_options"
}

# answer COMMAND...: what that says first, without its name. With a value that no option
# takes it tells which option is meant, or that there is none, or which there are.
answer() {
	"$@" 2>&1 </dev/null | head -n 1 | sed 's/^[^:]*: //'
}

@test "in each configuration GNU's options are begun as GNU's are" {
	[[ $(gnu_cat --version) = *"GNU coreutils"* ]] || skip "cat is not GNU's"
	begun >all
	while read -r applet symbol option; do
		echo "$symbol $applet --$option $(answer gnu_$applet "--$option=.")"
	done <all >wanted
	grep "TEE tee --i option '--ignore-interrupts' doesn't" wanted
	for file in defconfig "$TOP"/configs/*_defconfig; do
		dir=$(built "${file##*/}")
		BOX_CONFIG=$dir/include/config/auto.conf
		while read -r symbol applet option want; do
			if ! has "$symbol" || ! has LONG_OPTS; then
				want="unrecognized option '$option=.'"
			fi
			[ "$(answer "$dir/box" "$applet" "$option=.")" = "$want" ]
		done <wanted
	done
}
