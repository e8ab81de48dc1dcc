#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# scripts/vm with a kernel of this system. "make check-vm" boots others.

load ../lib/helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
	export CONSOLE=$PWD/console
}

# The kernel of the system that this is.
own_kernel() {
	local arch suite

	[ "$(uname -m)" = x86_64 ] || skip "one kernel is for x86_64"
	command -v apt-get dpkg-deb || skip "no packages of Debian here"
	needs_tool cpio file
	needs_tool qemu-system-x86_64
	arch=$(dpkg --print-architecture)
	suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	directory=$(LIMIT=120 "$TOP/scripts/fetch" "$suite" "$arch" kernel \
		linux-image-cloud-"$arch") ||
		skip "linux-image-cloud-$arch of $suite cannot be had"
}

@test "box is the cat, tee and yes of an initramfs that a kernel boots" {
	own_kernel
	# A path is of the directory that scripts/vm is in.
	BOX_ALL=$(realpath --relative-to "$TOP" "$BOX") LIMIT=300 \
		run "$TOP/scripts/vm" "$directory/kernel" bare
	[[ $output != *"box: no packages of "* ]] ||
		skip "the guest's packages cannot be had"
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} =~ ^[1-9][0-9]*\ passed,\ 0\ failed,\ 0\ skipped$ ]]
	planned=$(grep -c '^case_' "$TOP/tests/guest/bare")
	[ "${lines[-1]%% *}" = "$planned" ]
}
