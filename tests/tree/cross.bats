#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# box for other processors: what scripts/cross says, and what its tool finds. tests/long
# has it build and run one.

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V BOX BOX_CONFIG COMPILER TESTS FILTER
	# What is built here is not what scripts/cross has built.
	copy_tree "$BATS_FILE_TMPDIR/tree"
}

setup() {
	cd "$BATS_FILE_TMPDIR/tree"
	elf=$LIB/elf.py
}

# without NAME...: commands that fail, in place of these.
without() {
	local name

	mkdir "$BATS_TEST_TMPDIR/bin"
	for name; do
		printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/$name"
		chmod +x "$BATS_TEST_TMPDIR/bin/$name"
	done
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# box FLAG...: ./box, a program that is linked so.
box() {
	echo 'int main(void) { static int n; return n++; }' |
		cc "$@" -x c -o "$BATS_TEST_TMPDIR/box" -
}

# finds WHAT PAGE: what is wrong with ./box, in one line.
finds() {
	run -1 "$elf" check "$BATS_TEST_TMPDIR/box" 62 64 little "$2"
	[ "${#lines[@]}" = 1 ]
	[[ $output = *"$1"* ]]
}

@test "what is missing for another processor is told in one line" {
	run -1 --separate-stderr scripts/cross nosuch
	[[ $stderr = "box: no such processor: nosuch (there are "*s390x* ]]
	names=${stderr#*there are }
	for name in ${names%)}; do
		scripts/cross --help | grep -w "$name"
	done
	without zig python3 clang
	rm "$BATS_TEST_TMPDIR/bin/zig"
	PATH=${PATH//:"$(dirname "$(command -v zig || echo /none/zig)")":/:}
	# Python's ziglang may be there.
	mkdir modules
	echo 'raise ImportError' >modules/ziglang.py
	export PYTHONPATH=$PWD/modules
	run -1 --separate-stderr scripts/cross s390x
	[ "$stderr" = "box: zig is missing: run scripts/install-packages \
cross, or set COMPILER=clang" ]
	COMPILER=clang run -1 --separate-stderr scripts/cross s390x
	[[ $stderr = *"clang cannot build for s390x: install the packages clang \
binutils-s390x-linux-gnu libc6-dev-s390x-cross libgcc-12-dev-s390x-cross"* ]]
}

@test "a program that is written and run at once, or shares pages, is found" {
	needs_tool python:elftools
	[ "$(uname -m)" = x86_64 ] || skip "the machine is no x86-64"
	box -static -no-pie
	"$elf" check "$BATS_TEST_TMPDIR/box" 62 64 little 4096
	run -1 "$elf" check "$BATS_TEST_TMPDIR/box" 22 64 big 4096
	[[ $output = *"is for (62, 64, 'little')"* ]]
	finds "is not aligned" 65536
	# A processor of which pyelftools has no name.
	printf '\002\001' | dd of="$BATS_TEST_TMPDIR/box" bs=1 seek=18 conv=notrunc status=none
	"$elf" check "$BATS_TEST_TMPDIR/box" 258 64 little 4096
	box -static -no-pie -Wl,-z,max-page-size=65536
	"$elf" check "$BATS_TEST_TMPDIR/box" 62 64 little 65536
	box -static -no-pie -Wl,-z,execstack
	finds "written and run" 4096
	box -static -no-pie -nostdlib -Wl,-N
	finds "written and run" 4096
	box
	finds "is not static" 4096
	echo '__asm__(".section .pdr; .long 0");' >"$BATS_TEST_TMPDIR/more.c"
	box -static -no-pie -x c "$BATS_TEST_TMPDIR/more.c"
	finds "has .pdr" 4096
}

@test "scripts/cross builds what CONFIGS names, with a note of the package if PACKAGE says so" {
	needs_tool clang /usr/s390x-linux-gnu/lib/libc.a python:elftools
	export COMPILER=clang CFLAGS="-fno-lto -O0" TESTS=
	printf '# CONFIG_%s is not set\n' CAT TEE >>configs/tiny_defconfig
	run -1 env CONFIGS="tiny none" scripts/cross s390x
	[[ $output = "box: CONFIG=none is none of default "* ]]
	PACKAGE=y CONFIGS=tiny run -0 --separate-stderr scripts/cross s390x
	[ "${lines[0]}" = "| processor | bits, order | tiny | run by | tests of tiny |" ]
	[[ ${lines[2]} =~ ^"| s390x | 64, big | "[0-9]+" | not here | - |"$ ]]
	[ "$(ls build/cross/clang/s390x)" = "package.o
row
tiny" ]
	# The note is found by its section, and by a segment. A C library's objects may have
	# one of their own before it.
	/usr/bin/python3 - build/cross/clang/s390x/tiny/box "$(version)" <<-'END'
		import json, struct, sys
		from elftools.elf.elffile import ELFFile
		elf = ELFFile(open(sys.argv[1], 'rb'))
		section = elf.get_section_by_name('.note.package').data()
		note = section[section.rindex(struct.pack('>I', 0xcafe1a7e) + b'FDO\0') - 8:]
		assert note[:8] == struct.pack('>2I', 4, len(note[16:].rstrip(b'\0')) + 1)
		assert json.loads(note[16:].rstrip(b'\0')) == {
		    'type': 'generic', 'name': 'box', 'version': sys.argv[2], 'architecture': 's390x'}
		assert any(note in s.data() for s in elf.iter_segments() if s['p_type'] == 'PT_NOTE')
	END
}
