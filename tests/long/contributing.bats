# SPDX-License-Identifier: 0BSD
# What CONTRIBUTING.md adds passes all that a change must pass, with no more files
# touched than it says.

load ../lib/helpers

@test "a tree with an example of CONTRIBUTING.md passes scripts/check" {
	for heading in "Add an option" "Add an applet" "Add a way of moving bytes"; do
		rm -rf tree
		copy_tree tree
		cd tree
		"$LIB/contributing.py" "$heading"
		[ "$heading" = "Add an applet" ] ||
			sed -i 's/^| default | 40 |/| default | 41 |/' README.md
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
		cd "$BATS_TEST_TMPDIR"
	done
}
