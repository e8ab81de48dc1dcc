# SPDX-License-Identifier: 0BSD
# Tests that try a part of their cases, with more of them or with all, WHOLE: "make
# check-all".

load ../lib/helpers

# more <<END: lines of "VARIABLE=VALUE FILE NAME": the tests of that file with such a name
# pass, with this in the environment.
more() {
	while read -r more file name; do
		outside env "$more" bats --tap -f "$name" "$TOP"/tests/[bt]*/"$file.bats" \
			</dev/null >log || {
			gnu_cat log
			false
		}
		grep '^ok ' log
	done
}

@test "what tries a part of its cases passes with all of them, or more" {
	more <<-'END'
	CASES=1000000	quote	generator thinks
	WHOLE=y	kconfig	the same of a configuration
	WHOLE=y	libcore	.
	WHOLE=y	shared	.
	WHOLE=y	method	.
	WHOLE=y	fan_out	.
	WHOLE=y	large	.
	WHOLE=y	lag	whole lines
	WHOLE=y	tee_block	is named
	WHOLE=y	tee_reopen	in another file
	WHOLE=y	tee_retry	want of space
	WHOLE=y	tee_run	that ends
	WHOLE=y	descriptor	by the names
	WHOLE=y	tee_rotate	old files
	WHOLE=y	simulate	.
	WHOLE=y	unit	.
	WHOLE=y	adversary	nothing is lost
	END
}
