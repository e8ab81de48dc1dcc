# SPDX-License-Identifier: 0BSD
# A box of the simplest system calls makes no others: a sandbox may kill it for any. Here
# they are looked at; tests/long/calls.bats has the kernel kill.

load ../lib/helpers
CONFIGURATION=safe_defconfig NEEDS="SAFE_CALLS CAT TEE YES CAT_FORMAT"

setup() {
	common_setup
	[ "$(uname -m)" = x86_64 ] || skip "the lists are those of x86-64"
	needs_strace
	random large 1000001
	cp large want
}

# traced COMMAND...: what calls it makes is added to log.
traced() {
	strace -f -qq -A -o log "$LINKS/box" "$@"
}

@test "cat, tee and yes make no calls but those that are documented" {
	traced cat large large | cmp - <(gnu_cat large large)
	gnu_cat large | traced cat >got
	cmp large got
	traced cat large >/dev/null
	st=0
	traced cat missing large >got || st=$?
	[ $st = 1 ]
	st=0
	traced tee missing/file <large >got || st=$?
	[ $st = 1 ]
	# More than there is memory for in the largest of other boxes.
	mapfile -t many < <(seq -f many.%g 200)
	traced tee "${many[@]}" <large >got
	cmp large got
	cmp large many.200
	gnu_cat large | traced tee one | cmp large -
	cmp large one
	left traced yes hello | head -c 100000 | cmp - <(repeated hello 100000)
	"$LIB/drive.py" sockets in out -- strace -f -qq -A -o log "$LINKS/box" cat
	run -127 traced nosuch
	traced cat -A large | cmp - <(gnu_cat -A large)
	made log >made
	grep -x openat made
	[ ! "$(comm -23 made <(documented_calls start safe))" ]
}
