# SPDX-License-Identifier: 0BSD
# How tests are written: so that each of their lines can fail.

load ../lib/helpers
CONFIGURATION='' FILE_NEEDS=shfmt
shapes=$LIB/shapes.py

# example LINE WHAT <TEST: one in which shapes.py has to find that, and nothing else.
example() {
	gnu_cat >"${#wanted[@]}"
	wanted+=("${#wanted[@]}:$1: *$2*")
}

# each_is_found: and it does, in each of them.
each_is_found() {
	local i

	run -1 "$shapes" "${!wanted[@]}"
	[ "${#lines[@]}" = "${#wanted[@]}" ]
	for i in "${!wanted[@]}"; do
		[[ ${lines[i]} = ${wanted[i]} ]]
	done
}

@test "no line of a test is of a shape that cannot fail" {
	"$shapes" "$TOP"/tests/{box,tree,long}/*.bats "$LIB"/*.bash
}

@test "what cannot fail is found: a list, a negation, and several commands before ||" {
	example 1 "&&" <<<'cmp a b && cmp c d'
	example 3 "&&" <<-'END'
		each() {
			for file in a b; do
				[ -e "$file" ] && cmp a "$file"
			done
		}
	END
	example 1 "&&" <<<'x=$(cmp a b && cmp c d)'
	example 1 "&&" <<<'(cd a && cmp b c)'
	example 1 "&&" <<<'[[ a = b ]] && [ c = d ]'
	example 1 '"!"' <<<'! grep a b'
	example 2 '"!"' <<<$'f() {\n! grep a b\n}'
	example 1 '"!"' <<<'! tr a b <c | grep d'
	example 1 '"!"' <<<'tr a b <c | (! grep d)'
	example 1 "||" <<<'for a in b c; do cmp a $b; cmp d $a; done || failed=1'
	example 1 "||" <<<'while read -r a; do cmp "$a" b; done <c || failed=1'
	example 1 "||" <<<'{ cmp a b; cmp c d; } || failed=1'
	example 1 "||" <<<'(cmp a b; cmp c d) || failed=1'
	example 1 "||" <<<'if a; then cmp a b; cmp c d; fi || failed=1'
	example 5 "its last line" <<-'END'
		same() {
			cmp a b
			cmp c d
		}
		same || failed=1
	END
	each_is_found
}

@test "what fails by chance, or where a tool is missing, is found" {
	example 1 "grep" <<<'a | grep -q b'
	example 1 "grep" <<<'a | grep -vxq b || skip "no b"'
	example 2 "setup_file" <<-'END'
		setup_file() {
			needs_tool cc
		}
		needs_tool() {
			[ "$1" ] || skip "$1"
		}
	END
	printf '%s\n' 'inject() {' 'strace -e "$1" "${@:2}"' '}' '@ "a" {' 'inject a cat' '}' \
		'@ "b" {' needs_strace 'inject a cat' '}' | sed 's/^@ /@test /' >traced
	example 4 "needs_strace" <traced
	each_is_found
}

@test "other shapes are let alone" {
	gnu_cat >example <<-'END'
		cmp a b
		run ! grep a b
		if cmp -s a b && ! grep c d; then
			cmp e f
		fi
		while cmp -s a b && sleep 1; do
			true
		done
		! has CAT || echo cat
		cmp a b || failed=1
		bash -c 'cmp a b && cmp c d'
		[[ a = b && c = d ]]
		grep -q a b
		a | grep b
		for a in b; do cmp a b; done 2>said
		is() { read -r a <b || :; [ "$a" ]; }
		is || skip "is not"
	END
	"$shapes" example
}
