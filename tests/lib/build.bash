# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# What the tests of the Makefile share.

# What is built here is built quickly, unless a test says otherwise.
export CFLAGS="-fno-lto -O0"

setup_file() {
	link_sources "$BATS_FILE_TMPDIR/built"
	make -C "$BATS_FILE_TMPDIR/built" -j2 >"$BATS_FILE_TMPDIR/built.log" 2>&1
}

# The tree in which everything is built. A test leaves it so, or is in the last section.
built_tree() {
	cd "$BATS_FILE_TMPDIR/built"
}

# built_for_32_bits CONFIGURATION: b/box is that, by glibc, and runs here.
built_for_32_bits() {
	echo 'int main(void) { return 0; }' >m32.c
	cc -m32 -static -o m32 m32.c || needs_tool m32
	./m32 || skip "no 32-bit program runs here"
	make -s -C "$TOP" O="$PWD/b" "$1"
	make -s -C "$TOP" O="$PWD/b" CC='cc -m32' LDFLAGS=-static \
		CFLAGS="$CFLAGS -idirafter /usr/include/x86_64-linux-gnu" 2>log
}

fresh_tree() {
	link_sources tree
	cd tree
}
