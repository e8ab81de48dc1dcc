#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# A part of what scripts/cross does: "make check-all".

load ../lib/helpers

@test "s390x, big-endian, passes tests under qemu-user" {
	needs_tool clang qemu-s390x /usr/s390x-linux-gnu/lib/libc.a
	# What is built here is not what scripts/cross has built.
	copy_tree tree
	cd tree
	COMPILER=clang TESTS="cat_format large tee_error yes" \
		FILTER='GNU cat|across 4 GiB|lost|every byte|awkward' outside \
		env -u BOX_CONFIG scripts/cross s390x >table
	[[ $(tail -n 1 table) = "| s390x | 64, big | "*" | qemu-s390x | "* ]]
	# There is no note of the package without PACKAGE.
	run ! grep -q '"name":"box"' build/cross/clang/s390x/tiny/box
}
