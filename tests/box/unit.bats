# SPDX-License-Identifier: 0BSD
# libcore as a library, called by programs in C of tests/c/.

# bats file_tags=box

load ../lib/helpers
load ../lib/unit

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS LDFLAGS CROSS_COMPILE
	export B=${UNIT_DIR:-}
	if [ "$B" ]; then
		library "$B" -Werror
	else
		B=$(built max_defconfig CC=cc libcore.a)
	fi
}

@test "each method, and each context, by itself" {
	program methods
	passes methods
}

@test "nothing is lost, and the right end blamed, though any one call fails" {
	program faults
	passes faults
}

@test "the invariants hold, whoever else is at the same ends" {
	program invariants
	passes invariants
}

@test "a late sink loses no part of a line, and nothing uncounted" {
	program lag
	passes lag
}

@test "a call that is cancelled, or out of time, loses nothing" {
	program cancel
	passes cancel
}

@test "a part of a source is copied exactly, and steps sleep for nobody" {
	program bounds
	passes bounds
}

@test "a case that fails says where and why" {
	gnu_cat >failing.c <<-'END'
		#include "test.h"

		TEST(passes) { CHECK_EQ(1, 1); }
		TEST(fails)
		{
			checking("two of %d", 3);
			CHECK(1 > 2);
			CHECK_EQ(1, 1 + 1);
		}
		TEST(crashes) { checking("a crash"); raise(SIGSEGV); }
	END
	cc -std=gnu11 -fms-extensions -Wno-unused-function -I"$TOP/tests/c" \
		-I"$TOP/libcore" -I"$B/include" -o failing failing.c
	run -1 passes failing
	[ "${#lines[@]}" = 5 ]
	[ "${lines[0]}" = "failing.c:7: not so: 1 > 2: two of 3" ]
	[ "${lines[1]}" = "failing.c:8: 1 is 1, not 1 + 1, 2: two of 3" ]
	[ "${lines[2]}" = "not ok fails" ]
	[ "${lines[3]}" = "in:0: signal 11: a crash" ]
	[ "${lines[4]}" = "not ok crashes" ]
	run -2 ./failing
	run -0 ./failing passes
	run -127 ./failing unknown
}

@test "a line is repeated whole, though tee(2) is short" {
	program repeat
	for limit in 1 4096 5000 32768 100000; do
		for line in $'abc\n' "$(printf '%01234d' 5)"$'\n'; do
			timeout $HANG ./repeat $limit 300000 "$line" >got
			gnu_yes "${line%$'\n'}" | head -c 300000 >want || true
			cmp want got
		done
	done
}

@test "a second line is repeated, and not the first again" {
	program repeat
	timeout $HANG ./repeat 1000000 4000 $'abc\n' $'de\n' $'f\n' >got
	for line in abc de f; do
		gnu_yes $line | head -c 4000 || true
	done >want
	cmp want got
}
