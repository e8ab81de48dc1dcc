# SPDX-License-Identifier: 0BSD
# The simulator finds what is rare: "make check-all".

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
