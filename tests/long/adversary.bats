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
