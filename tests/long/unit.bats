# SPDX-License-Identifier: 0BSD
# libcore as a library, called by threads: "make check-all".

load ../lib/helpers
load ../lib/unit

setup_file() {
	without_flags
}

@test "threads share nothing that only one of them may have" {
	B=$PWD/o
	cc -fsanitize=thread -o can -x c - <<<'int main(void) { return 0; }' ||
		skip "there is no ThreadSanitizer"
	./can || skip "ThreadSanitizer does not run here"
	library "$B" "-fsanitize=thread -g"
	program methods -fsanitize=thread
	passes methods contexts_in_threads_know_nothing_of_each_other
}
