# SPDX-License-Identifier: 0BSD
# What CONTRIBUTING.md promises, followed word for word on a copy of the tree. What it adds
# passes all that a change must pass, with no more files touched than it says.

load ../lib/helpers

export CFLAGS="-Werror -fno-lto -O0"

# All that it adds, in one tree, which is built once.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	copy_tree tree docs packaging tests
	mkdir tree/tests
	cp -a "$TOP/tests/box" tree/tests
	cd tree
	apply "Add an option" >../option
	diff -rq "$TOP" . | grep -v "^Only in $TOP" >../touched || [ -s ../touched ]
	apply "Add an applet" >../applet
	apply "Add a way of moving bytes" >../method
	make -s defconfig O=b
	enable DISCARD
	enable ZC_PAGE
	make -s -j2 O=b
}

setup() {
	common_setup
	cd "$BATS_FILE_TMPDIR/tree"
}

# apply HEADING: does what the blocks below that heading say, and prints in how
# many places.
apply() {
	"$LIB/contributing.py" "$1"
}

# enable SYMBOL: which is off by default.
enable() {
	grep -x "# CONFIG_$1 is not set" b/.config
	sed -i "s/^# CONFIG_$1 is not set/CONFIG_$1=y/" b/.config
}

@test "an option is added in one C file, its manual and a test" {
	needs_tool mandoc
	[ "$(<../option)" = 7 ]
	diff <(cut -d ' ' -f 4 ../touched) - <<-END
	./applets/tee.1
	./applets/tee.c
	./tests/box/tee.bats
	END
	b/box tee --help >help
	grep '^  -x, --exclusive  *fail' help
	run -1 --separate-stderr b/box tee -x README.md <<<new
	[ "$output" = new ]
	[ "$stderr" = "tee: README.md: File exists" ]
	mandoc -T lint -W warning applets/tee.1
	if command -v clang-format; then
		clang-format --dry-run -Werror applets/tee.c
	fi
}

@test "an applet is added in four places: C, manual, Makefile, Kconfig" {
	[ "$(<../applet)" = 4 ]
	b/box --list | grep -x discard
	[ "$(echo hello | b/box discard)" = some ]
	ln -s box b/discard
	[ "$(b/discard < /dev/null)" = none ]
	b/discard --help >help
	grep '^Usage: discard' help
	# What belongs to those that copy is no business of this one.
	for option in --frobnicate --debug --method --progress; do
		run -1 b/discard $option </dev/null
		[[ "$output" == "discard: unrecognized option '$option'"* ]]
		run ! grep -e $option help
	done
	run -1 b/discard -g </dev/null
	[[ "$output" == "discard: invalid option -- 'g'"* ]]
	needs_tool mandoc
	mandoc -T lint -W warning applets/discard.1
	run -0 make install O=b DESTDIR=root
	# It was built by setup_file().
	[[ $output != *"CC "* ]]
	[ -L root/usr/bin/discard ]
	[ -f root/usr/share/man/man1/discard.1 ]
}

@test "a method is added in four places: C, Makefile, Kconfig, manual" {
	[ "$(<../method)" = 4 ]
	random want 1000001
	b/box cat --method=page want | cmp want -
	b/box tee --method=page one two < want > three
	same one two three
	b/box --probe | grep -x "page: works by copying"
	for name in cat tee; do ln -s box b/$name; done
	PATH=$PWD/b:$PATH "$LIB/readers.py" lines long pipe -- cat --method=page
	b/box cat --method=page --debug want 2>&1 > /dev/null |
		grep 'page moved 1000001 bytes'
}

@test "a tree with an example of CONTRIBUTING.md passes scripts/check" {
	for heading in "Add an option" "Add an applet" "Add a way of moving bytes"; do
		cd "$BATS_TEST_TMPDIR"
		rm -rf tree
		copy_tree tree
		cd tree
		"$LIB/contributing.py" "$heading"
		[ "$heading" = "Add an applet" ] ||
			sed -i 's/^| default | 40 |/| default | 41 |/' README.md
		git init -q
		git add -A
		git -c user.name=box -c user.email=box commit -q -m "box: Add an example"
		outside env -u BOX -u BOX_CONFIG -u CFLAGS scripts/check >../log || {
			gnu_cat ../log
			return 1
		}
		tail -n 1 ../log | grep ' 0 failed'
	done
}
