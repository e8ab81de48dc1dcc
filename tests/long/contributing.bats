#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What CONTRIBUTING.md adds passes all that a change must pass, with no more files
# touched than it says.

load ../lib/helpers

# passes_check HEADING: scripts/check passes once what is below that heading is done.
passes_check() {
	copy_tree tree
	cd tree
	"$LIB/contributing.py" "$1"
	# That would add it once more.
	rm tests/tree/contributing.bats
	git init -q
	git add -A
	git -c user.name=box -c user.email=box commit -q -m "box: Add an example"
	outside env -u BOX -u BOX_CONFIG scripts/check >../log || {
		gnu_cat ../log
		return 1
	}
	tail -n 1 ../log | grep ' 0 failed'
}

@test "a tree with the option of CONTRIBUTING.md passes scripts/check" {
	passes_check "Add an option"
}

@test "a tree with the applet of CONTRIBUTING.md passes scripts/check" {
	passes_check "Add an applet"
}

@test "a tree with the method of CONTRIBUTING.md passes scripts/check" {
	passes_check "Add a way of moving bytes"
}
