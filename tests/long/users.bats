# SPDX-License-Identifier: 0BSD
# libzc's users under sanitizers and valgrind: "make check-all".

load ../lib/helpers
CONFIGURATION=

# users: their tests, which find no fault.
users() {
	outside bats --tap "$TOP/tests/tree/users.bats" >said 2>&1 || {
		gnu_cat said
		return 1
	}
	[ "$(grep -c '^ok ' said)" = "$(grep -c '^@test' "$TOP/tests/tree/users.bats")" ]
}

@test "libzc's users touch no memory that is not theirs, and leak none" {
	export USERS_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover"
	users
}

@test "libzc's users have no race" {
	export USERS_FLAGS=-fsanitize=thread
	users
}

@test "libzc's users read nothing that was not written" {
	needs_tool valgrind
	export USERS_RUN="valgrind -q --error-exitcode=99 --leak-check=full"
	users
}
