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

@test "what a generator thinks of, more often" {
	more <<-'END'
	CASES=1000000	quote	generator thinks
	WHOLE=y	kconfig	the same of a configuration
	END
}

@test "each method, with each errno, between all ends" {
	more <<-'END'
	WHOLE=y	libcore	.
	WHOLE=y	shared	.
	WHOLE=y	method	.
	END
}

@test "all that is asked of the applets" {
	more <<-'END'
	WHOLE=y	fan_out	.
	WHOLE=y	large	.
	WHOLE=y	lag	whole lines
	WHOLE=y	tee_block	is named
	WHOLE=y	tee_reopen	in another file
	WHOLE=y	tee_retry	want of space
	WHOLE=y	tee_run	that ends
	WHOLE=y	descriptor	by the names
	WHOLE=y	size	README says
	END
}

@test "every promise is kept in each configuration, whichever answers come" {
	more <<-'END'
	WHOLE=y	simulate	.
	WHOLE=y	unit	.
	END
}

@test "nothing is lost in many runs of the adversary" {
	more <<<"WHOLE=y adversary nothing is lost|does not hang"
}
