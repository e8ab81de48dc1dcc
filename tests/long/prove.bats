# SPDX-License-Identifier: 0BSD
# What is proved: "make check-all".

load ../lib/helpers

@test "the algorithm of ranges keeps what DESIGN.md says, and breaks where it is broken" {
	# spin is in no list of packages but Debian's.
	needs_tool spin
	run -0 "$TOP/scripts/prove"
	[ "${lines[-1]}" = "5 proved, 6 found" ]
}
