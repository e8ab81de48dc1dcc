# SPDX-License-Identifier: 0BSD
# scripts/fuzz: what is in tests/fuzz/corpus, once more. That it finds what is
# wrong is in tests/long/.

load ../lib/helpers

setup_file() {
	without_flags
}

@test "what was fuzzed and failed once does so no more" {
	O=$PWD run -0 "$TOP/scripts/fuzz" replay
	[ "${#lines[@]}" = 3 ]
	# There are inputs of each.
	for line in "${lines[@]}"; do
		[[ $line =~ ^(cat_format|options|quote):\ [1-9][0-9]+\ inputs$ ]]
	done
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
