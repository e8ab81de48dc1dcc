# SPDX-License-Identifier: 0BSD
# Names in messages, and how they are quoted.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS="QUOTE CAT"

# calls NAME QUOTED: that is how cat calls a file of that name.
calls() {
	fails_with 1 "cat: $2: No such file or directory" cat -- "$1"
}

@test "a name that a shell takes as it is is not quoted" {
	for name in a a/b a-b.c_d %@,+ a] a# a~ '{a' 'a{}' -n é €; do
		calls "$name" "$name"
	done
}

@test "a name that is special to a shell is quoted" {
	calls '' "''"
	for name in 'a b' a:b '#a' '~' '{' '}' 'a?' 'a*' '$a' '!' 'a\b' '"' '`'; do
		calls "$name" "'$name'"
	done
}

@test "an apostrophe is put in double quotes, or escaped" {
	calls "it's" "\"it's\""
	calls "it's me" "\"it's me\""
	calls "it's\$1" "'it'\\''s\$1'"
	calls "#it's" "\"#it's\""
	calls "it's#" "'it'\\''s#'"
}

@test "a name of any length is quoted" {
	for n in 60000 131071; do
		name=$(printf "%0${n}d" 0)
		run -1 cat "$name"
		[ "$output" = "cat: $name: File name too long" ]
		run -1 cat "${name%0} "
		[ "$output" = "cat: '${name%0} ': File name too long" ]
		run -1 cat "$(tr 0 '\1' <<<"$name")"
		# shellcheck disable=SC2001 # bash takes long
		[ "$output" = "cat: ''$'$(sed 's/0/\\001/g' <<<"$name")': File name too long" ]
	done
}

@test "a message with a quoted name is one write, up to the longest path" {
	needs_strace
	name=$(printf '%02047d' 0)
	for name in 'a b' "${name//0/$'\1'x}"; do
		strace -o log cat "$name" || true
		[ "$(grep -c '^writev\?(2' log)" = 1 ]
	done
}

@test "an output that is the input is quoted too, and so are the outputs of tee" {
	needs TEE
	echo a >'a b'
	fails_with 1 "cat: 'a b': input file is output file" sh -c "cat 'a b' >>'a b'"
	mkdir 'b c'
	fails_with 1 "tee: 'b c': Is a directory" tee 'b c' </dev/null
}

# SEED=N repeats what a failure has reported.
@test "the same as GNU cat and tee on what a generator thinks of" {
	needs TEE
	for name in cat tee; do
		theirs=system_$name
		[[ "$("gnu_$name" --version)" == *"GNU coreutils"* ]] ||
			skip "no GNU $name"
		"$LIB/quoting.py" $name "$LINKS/box" "${!theirs}"
	done
}
