# SPDX-License-Identifier: 0BSD
# scripts/compile-commands: what editors and checkers are told of each file.

load ../lib/helpers
CONFIGURATION=

# entries FIELD: that of each entry, a line each. Fails if it is no JSON.
entries() {
	python -c '
import json, sys
for entry in json.load(open(sys.argv[1])):
    print(entry[sys.argv[2]])' "$json" "$1"
}

@test "each file that box is built of has one entry, which gives what make gives, until clean" {
	# What is to be optimized across files differs from one run to the next.
	local out=$PWD/out json=$PWD/out/compile_commands.json flags='-fno-lto -DWHO=\"me\"'

	make -s -C "$TOP" O="$out" max_defconfig
	O=$out "$TOP/scripts/compile-commands" CFLAGS="$flags"
	entries output | sort >listed
	[ -s listed ]
	entries file | (cd "$TOP"; xargs ls) >files
	entries directory | sort -u >directories
	[ "$(gnu_cat directories)" = "$TOP" ]
	# Nothing has been compiled for it, and box is made of just these.
	find "$out" -name '*.o' >compiled
	[ ! -s compiled ]
	max=$(built max_defconfig)
	find "$max"/{applets,libcore,scripts} -name '*.o' | sed "s|^$max/|$out/|" | sort >made
	cmp listed made
	# What need not be compiled is in it all the same.
	make -s -C "$TOP" O="$out" "$out/applets/cat.o" CFLAGS="$flags"
	O=$out "$TOP/scripts/compile-commands" CFLAGS="$flags"
	entries output | sort | cmp listed -
	entries command >commands
	# cat_format and ring have flags of their own.
	for name in job ring cat_format; do
		grep "/$name\.c$" commands >command
		grep -qF 'WHO=\"me\"' command
		object=$(grep "/$name\.o$" listed)
		env -C "$TOP" sh "$PWD/command"
		mv "$object" "$name.o"
		make -s -C "$TOP" O="$out" CFLAGS="$flags" "$object"
		cmp "$name.o" "$object"
	done
	make -s -C "$TOP" O="$out" clean
	[ ! -e "$json" ]
}
