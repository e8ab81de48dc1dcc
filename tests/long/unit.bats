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
