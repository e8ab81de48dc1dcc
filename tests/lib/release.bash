# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# What the tests of "make dist" share.

# Tarballs are made sooner, and are larger.
quickly() {
	mkdir -p bin
	for tool in gzip xz; do
		executable bin/$tool <<<"exec $(command -v $tool) \"\$@\" -1"
	done
	PATH=$PWD/bin:$PATH
}

setup_file() {
	unset "${!GIT_@}"
	file_needs git xz mandoc python:markdown_it || return 0
	# Only tests/long has binaries, which zig makes.
	export HOME=$BATS_FILE_TMPDIR BINARIES=n
	VERSION=$(version)
	NAME=box-$VERSION
	export VERSION NAME
	# A clone with this tree committed, however it came here. Half of its files are tests.
	cd "$BATS_FILE_TMPDIR"
	quickly
	copy_tree one tests/{box,fuzz,long,simulator,tree}
	git -C one init -q
	git -C one add -A
	git -C one -c user.name=a -c user.email=a@b commit -qm all
	echo counted >counted.md
	(
		without_zig
		BINARIES='' make -s -C one O="$PWD/out" dist RECORDS="$PWD/counted.md" >said 2>warned
	)
}

setup() {
	common_setup
	one=$BATS_FILE_TMPDIR/one dist=$BATS_FILE_TMPDIR/out/dist
	records=$BATS_FILE_TMPDIR/counted.md
}
