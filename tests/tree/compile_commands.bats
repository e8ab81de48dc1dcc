# SPDX-License-Identifier: 0BSD
# scripts/compile-commands: what editors and checkers are told of each file.

load ../lib/helpers
CONFIGURATION=

setup() {
	common_setup
	out=$PWD/out json=$PWD/out/compile_commands.json
}

# entries FIELD: that of each entry, a line each. Fails if it is no JSON.
entries() {
	python -c '
import json, sys
for entry in json.load(open(sys.argv[1])):
    print(entry[sys.argv[2]])' "$json" "$1"
}

@test "each file that box is built of has one entry, and is there, until clean" {
	make -s -C "$TOP" O="$out" max_defconfig
	O=$out "$TOP/scripts/compile-commands"
	entries output | sort >listed
	[ -s listed ]
	entries file | (cd "$TOP"; xargs ls) >files
	entries directory | sort -u >directories
	[ "$(gnu_cat directories)" = "$TOP" ]
	# Nothing has been compiled for it, and box is made of just these.
	find "$out" -name '*.o' >compiled
	[ ! -s compiled ]
	max=$(built max_defconfig)
	find "$max" -name '*.o' | sed "s|^$max/|$out/|" | sort >made
	cmp listed made
	make -s -C "$TOP" O="$out" clean
	[ ! -e "$json" ]
}

@test "an entry's command compiles, and gives what make gives" {
	# What is to be optimized across files differs from one run to the next.
	local flags='-fno-lto -DWHO=\"me\"'

	make -s -C "$TOP" O="$out" max_defconfig "$out/applets/cat.o" CFLAGS="$flags"
	# What need not be compiled is in it all the same.
	O=$out "$TOP/scripts/compile-commands" CFLAGS="$flags"
	entries output >outputs
	entries command >commands
	grep /cat.o outputs
	# cat_format and ring have flags of their own.
	for name in job ring cat_format; do
		grep "/$name\.c$" commands >command
		grep -qF 'WHO=\"me\"' command
		object=$(grep "/$name\.o$" outputs)
		env -C "$TOP" sh "$PWD/command"
		mv "$object" "$name.o"
		make -s -C "$TOP" O="$out" CFLAGS="$flags" "$object"
		cmp "$name.o" "$object"
	done
}
