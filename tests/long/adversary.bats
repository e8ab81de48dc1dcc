# SPDX-License-Identifier: 0BSD
# The adversary finds what is wrong: "make check-all".

load ../lib/helpers

@test "a box that drops the rest of a short write is found, and again" {
	[ "$(uname -m)" = x86_64 ] || skip "it knows the registers of x86-64 alone"
	needs_strace
	"$TOP/tests/adversary/compile" harness
	copy_tree broken
	sed -i 's/^\t\tlen -= n;/\t\tlen = 0;/' broken/libcore/engine/io.c
	run ! cmp broken/libcore/engine/io.c "$TOP/libcore/engine/io.c"
	make -s -C broken O="$PWD/o" max_defconfig
	make -s -C broken O="$PWD/o"
	export BOX_CONFIG=o/include/config/auto.conf
	run -1 ./harness o/box 1 30
	[[ ${lines[0]} == "SEED="* ]]
	seed=${lines[0]#SEED=}
	run -1 ./harness o/box "${seed%% *}" 1
	[[ ${lines[0]} == "SEED=${seed%% *} "* ]]
}

@test "a box that is killed while a file has a name of its own is found" {
	[ "$(uname -m)" = x86_64 ] || skip "it knows the registers of x86-64 alone"
	needs_strace
	"$TOP/tests/adversary/compile" harness
	copy_tree broken
	# As long as the others are renamed, FILE is FILE.1000.
	sed -i -e '/^static int tee_rotate_shift/,/^}/{
		s/^	while (n < keep/	tee_rotate_rename(name, tee_rotate_name(to, name, 1000));\n&/
		s/return tee_rotate_rename(name, /return tee_rotate_rename(tee_rotate_name(from, name, 1000), /
	}' broken/applets/tee_rotate.c
	run ! cmp broken/applets/tee_rotate.c "$TOP/applets/tee_rotate.c"
	make -s -C broken O="$PWD/o" container_defconfig
	make -s -C broken O="$PWD/o"
	export BOX_CONFIG=o/include/config/auto.conf
	# Nothing is lost unless it is killed.
	seq 3000 | o/box tee --rotate=4K,9 log >copy
	rotated log | cmp - copy
	run -1 ./harness o/box 1 30 kills
	[[ ${lines[0]} == "SEED="*"RUNS=1:"* ]]
}
