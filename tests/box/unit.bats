# SPDX-License-Identifier: 0BSD
# libcore as a library, called by programs in C of tests/c/, in several configurations.
# CONFIG=NAME runs them in that one.

# bats file_tags=box

load ../lib/helpers
load ../lib/unit

# The configurations whose code differs most: CONFIG= names others.
some="default distro tiny libzc"
[ ! "${WHOLE:-}" ] || some="$some max safe device container"
first=${CONFIG:-default}
first=${first%% *}

setup_file() {
	export LIBRARIES=$BATS_FILE_TMPDIR
	for config in ${CONFIG:-$some}; do
		library "$config"
	done
}

@test "contexts, and what callers give them" {
	holds_in "$some" methods
}

@test "the invariants hold, whoever else is at the same ends" {
	holds_in "$some" invariants
}

@test "a late sink loses no part of a line, and nothing uncounted" {
	holds_in "$some" lag ZC_LAG
}

@test "a call that is cancelled, or out of time, loses nothing" {
	holds_in libzc cancel ZC_LIBRARY
}

@test "a part of a source is copied exactly, and steps sleep for nobody" {
	holds_in libzc bounds ZC_LIBRARY
}

@test "a terminal is known by its number where nothing is asked" {
	cc -std=gnu11 -fms-extensions -Wall -Wextra -Werror -Wno-unused-function \
		-Wno-unused-parameter -I"$LIBRARIES/$first/include" -I"$TOP/libcore" \
		-o terminals "$TOP/tests/c/terminals.c" "$TOP/libcore/engine/no_sys_ask.c"
	passes terminals
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
		TEST_ROWS(2, has_rows) { CHECK(!row); }
	END
	cc -std=gnu11 -fms-extensions -Wno-unused-function -I"$TOP/tests/c" \
		-I"$TOP/libcore" -I"$LIBRARIES/$first/include" \
		-o failing failing.c
	run -1 passes failing
	[ "${#lines[@]}" = 7 ]
	[ "${lines[0]}" = "failing.c:7: not so: 1 > 2: two of 3" ]
	[ "${lines[1]}" = "failing.c:8: 1 is 1, not 1 + 1, 2: two of 3" ]
	[ "${lines[2]}" = "not ok fails" ]
	[ "${lines[3]}" = "in:0: signal 11: a crash" ]
	[ "${lines[4]}" = "not ok crashes" ]
	[ "${lines[5]}" = "failing.c:11: not so: !row: row 1" ]
	[ "${lines[6]}" = "not ok has_rows" ]
	run -3 ./failing
	run -0 ./failing passes
	run -127 ./failing unknown
}
