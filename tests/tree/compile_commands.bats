#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# make compile_commands.json: what editors and checkers are told of each file.

load ../lib/helpers

setup_file() {
	:
}

setup() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
	export LC_ALL=C
	cd "$BATS_TEST_TMPDIR"
	out=$PWD/out json=$PWD/out/compile_commands.json
}

# entries FIELD: that of each entry, a line each. Fails if it is no JSON.
entries() {
	python -c '
import json, sys
for entry in json.load(open(sys.argv[1])):
    print(entry[sys.argv[2]])' "$json" "$1"
}

@test "each file that box is built of has one entry, and is there" {
	make -s -C "$TOP" O="$out" max_defconfig
	make -s -C "$TOP" O="$out" compile_commands.json
	entries output | sort >listed
	[ -s listed ]
	entries file >files
	while read -r file; do
		[ -f "$TOP/$file" ]
	done <files
	entries directory | sort -u >directories
	[ "$(gnu_cat directories)" = "$TOP" ]
	# Nothing has been compiled for it, and box is made of just these.
	find "$out" -name '*.o' >compiled
	[ ! -s compiled ]
	make -s -j2 -C "$TOP" O="$out"
	find "$out" -name '*.o' | sort >built
	cmp listed built
	# What need not be compiled is in it all the same.
	rm "$json"
	make -s -C "$TOP" O="$out" compile_commands.json
	entries output | sort >again
	cmp listed again
}

@test "an entry's command compiles, and gives what make gives" {
	# What is to be optimized across files differs from one run to the next.
	local flags='-fno-lto -DWHO=\"me\"'

	make -s -C "$TOP" O="$out" max_defconfig CFLAGS="$flags"
	make -s -C "$TOP" O="$out" compile_commands.json CFLAGS="$flags"
	# cat_format and ring have flags of their own.
	for name in copy ring cat_format; do
		entries command | grep "/$name\.c$" >command
		grep -qF 'WHO=\"me\"' command
		object=$(entries output | grep "/$name\.o$")
		env -C "$TOP" sh "$PWD/command"
		mv "$object" "$name.o"
		make -s -C "$TOP" O="$out" CFLAGS="$flags" "$object"
		cmp "$name.o" "$object"
	done
}

@test "it is made again for other flags, files or rules, and not otherwise" {
	copy_tree tree
	cd tree
	make -s compile_commands.json
	make -q compile_commands.json
	make -s CFLAGS=-DANEW compile_commands.json
	grep -q ANEW build/compile_commands.json
	grep -q /splice.c build/compile_commands.json
	sed -i 's/^CONFIG_ZC_SPLICE=y/# CONFIG_ZC_SPLICE is not set/' .config
	make -s compile_commands.json
	run ! grep /splice.c build/compile_commands.json
	# Later than the file by more than a clock tick of the file system.
	sleep 0.1
	touch Makefile
	run -1 make -q compile_commands.json
}

@test "it is listed by help, and clean removes it" {
	make -s -C "$TOP" O="$out" tiny_defconfig compile_commands.json
	make -s -C "$TOP" help >help
	grep '^  compile_commands\.json  ' help
	make -s -C "$TOP" O="$out" clean
	[ ! -e "$json" ]
}
