# SPDX-License-Identifier: 0BSD
# scripts/fuzz: what is in tests/fuzz/corpus, once more, and that it finds what is
# wrong: "make check-all".

load ../lib/helpers
CONFIGURATION=

@test "what was fuzzed and failed once does so no more" {
	needs_tool clang
	for config in default distro safe device max; do
		CONFIG=$config O=$PWD run -0 "$TOP/scripts/fuzz" replay
		[[ $output =~ ^[1-9][0-9]+\ inputs$ ]]
	done
	CONFIG=tiny O=$PWD run -1 "$TOP/scripts/fuzz" replay
	[ "$output" = "box: CONFIG=tiny lacks long options" ]
}

@test "the inputs notice what is wrong" {
	needs_tool clang
	copy_tree tree
	cd tree
	# As many letters are shortened otherwise.
	sed -i 's/if (!o->name\[end - arg\])/if (false)/' applets/common/long_opts.c
	run ! cmp -s applets/common/long_opts.c "$TOP/applets/common/long_opts.c"
	O=$PWD/o run -1 scripts/fuzz replay
	[ "${lines[-1]}" = "box: an input fails" ]
}
