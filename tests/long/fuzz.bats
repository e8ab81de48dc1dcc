# SPDX-License-Identifier: 0BSD
# scripts/fuzz: what is in tests/fuzz/corpus, once more, and that it finds what is
# wrong: "make check-all".

load ../lib/helpers

setup_file() {
	without_flags
}

@test "what was fuzzed and failed once does so no more" {
	# The other configurations have none of these parts.
	for config in default distro safe device max; do
		CONFIG=$config O=$PWD run -0 "$TOP/scripts/fuzz" replay
		[ "${#lines[@]}" = 2 ]
		# There are inputs of each.
		for line in "${lines[@]}"; do
			[[ $line =~ ^(options|quote):\ [1-9][0-9]+\ inputs$ ]]
		done
	done
	CONFIG=tiny O=$PWD run -1 "$TOP/scripts/fuzz" replay
	[ "$output" = "box: CONFIG=tiny lacks options quote" ]
}

@test "the inputs notice what is wrong with each of the two" {
	copy_tree tree
	cd tree
	sed -i 's/if (!o->name\[end - arg\])/if (false)/' \
		applets/common/long_opts.c
	sed -i 's/c >> 1 == 0xe2028 >> 1/c == 0xe2028/' applets/common/quote.c
	run ! cmp -s applets/common/long_opts.c \
		"$TOP/applets/common/long_opts.c"
	run ! cmp -s applets/common/quote.c "$TOP/applets/common/quote.c"
	for name in options quote; do
		O=$PWD/o run -1 scripts/fuzz replay $name
		[[ ${lines[-1]} = "box: $name: failed" ]]
	done
	# Nor is a call made that no kernel of ours answers.
	sed -i '/^int main/i int chdir(const char *path);' applets/box/box.c
	sed -i 's/^	const char \*name = argc/	int err = chdir("\/");\n&/
		s/^	return box_run(argv + /	return err + box_run(argv + /' \
		applets/box/box.c
	O=$PWD/o run -1 scripts/fuzz replay quote
	[[ $output = *chdir* ]]
	[[ ${lines[-1]} = "box: tests/fuzz/kernel.h "* ]]
}
