# SPDX-License-Identifier: 0BSD
# scripts/fuzz. What is in tests/fuzz/corpus, once more, and that it finds what is wrong,
# are in tests/long/.

load ../lib/helpers

setup_file() {
	without_flags
}

@test "what there is no harness for, or no time, is told" {
	run -1 "$TOP/scripts/fuzz" replay quote nosuch
	[ "$output" = "box: there is no tests/fuzz/corpus/nosuch" ]
	# To libFuzzer 0 is for ever.
	for seconds in 0 x -1; do
		run -1 "$TOP/scripts/fuzz" $seconds
		[[ $output = "box: $seconds is no number of seconds: usage: "* ]]
	done
}
