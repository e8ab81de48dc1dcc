# SPDX-License-Identifier: 0BSD
# libcore as a library, called by threads: "make check-all".

load ../lib/helpers
load ../lib/unit
CONFIGURATION=

@test "threads share nothing that only one of them may have" {
	LIBRARIES=$PWD/o
	cc -fsanitize=thread -o can -x c - <<<'int main(void) { return 0; }' ||
		skip "there is no ThreadSanitizer"
	./can || skip "ThreadSanitizer does not run here"
	UNIT_DIR=$PWD/o UNIT_FLAGS="-fsanitize=thread -g" library libzc
	program libzc methods -fsanitize=thread
	passes methods contexts_in_threads_know_nothing_of_each_other
}

@test "the programs of tests/c pass in each configuration" {
	for config in $(script_function configurations); do
		echo "$config"
		CONFIG=$config outside bats --tap "$TOP/tests/box/unit.bats" >log 2>&1 || {
			grep -v '^ok ' log
			return 1
		}
	done
}
