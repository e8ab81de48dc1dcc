# SPDX-License-Identifier: 0BSD
# The simulator and the adversary find what is rare, or wrong: "make check-all".

load ../lib/helpers

@test "a fault that needs four rare answers together is found" {
	[ "$(uname -m)" = x86_64 ] || skip "what a program knows is only looked for on x86-64"
	copy_tree broken
	# A call that is interrupted four times counts as 0, the end.
	sed -i 's/^\(.*\)n_ = (call); /\1n_ = (call), n_ = n_ == -EINTR \&\& ++many_ == 4 ? 0 : n_; /
		s/^\(.*\)ssize_t n_; /\1ssize_t n_; int many_ = 0; /' broken/libcore/engine/wait.h
	[ "$(grep -c many_ broken/libcore/engine/wait.h)" = 2 ]
	DIR=$PWD/o broken/scripts/simulate build
	scenario='copy in=pipe:3:by=1 out=pipe'
	o/simulate DEPTH=3 SECONDS=0 SCENARIO="$scenario"
	run -1 o/simulate DEPTH=all SCENARIO="$scenario"
	[ "${lines[0]}" = "FAILED: $scenario" ]
	# It is repeated from its choices, too.
	replay=$(grep -o "REPLAY='.*'" <<<"$output")
	replay=${replay#REPLAY=?}
	run -1 o/simulate DEPTH=all REPLAY="${replay%?}"
	[ "$(grep -c EINTR <<<"$output")" -ge 4 ]
}

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
