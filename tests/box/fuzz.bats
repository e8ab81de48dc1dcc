# SPDX-License-Identifier: 0BSD
# scripts/fuzz. What is in tests/fuzz/corpus, once more, and that it finds what is wrong,
# are in tests/long/.

load ../lib/helpers
CONFIGURATION=

@test "a time that is none is told" {
	# To libFuzzer 0 is for ever.
	for seconds in 0 x -1; do
		run -1 "$TOP/scripts/fuzz" $seconds
		[[ $output = "box: $seconds is no number of seconds: usage: "* ]]
	done
}
