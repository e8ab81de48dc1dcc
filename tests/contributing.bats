# SPDX-License-Identifier: 0BSD
# What CONTRIBUTING.md promises, followed word for word on a copy of the tree.

load helpers

setup() {
	common_setup
	copy_tree tree
	cd tree
}

# apply HEADING: does what the fenced blocks below that heading say, and prints
# in how many places.
apply() {
	python - "$1" <<-'END'
		import re, sys
		text = open('CONTRIBUTING.md').read()
		text = re.split(r'^## ', text, flags=re.M)
		text = next(t for t in text if t.startswith(sys.argv[1]))
		blocks = re.findall(r'^```\w+ (file|into)=(\S+)(?: after=(.*))?\n'
		                    r'((?s:.*?))^```$', text, flags=re.M)
		for how, name, after, body in blocks:
		    if how == 'file':
		        open(name, 'x').write(body)
		        continue
		    lines = open(name).read().splitlines(True)
		    at = [i for i, line in enumerate(lines) if line.startswith(after)]
		    assert len(at) == 1, (name, after)
		    lines.insert(at[0] + 1, body)
		    open(name, 'w').write(''.join(lines))
		print(len(blocks))
	END
}

@test "an applet is added in four places: C, manual, Makefile, Kconfig" {
	[ "$(apply 'Add an applet')" -eq 4 ]
	make defconfig O=b
	make CFLAGS=-Werror O=b
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
	mandoc -T lint -W warning applets/discard.1
	make install O=b DESTDIR=root
	[ -L root/usr/bin/discard ]
	[ -f root/usr/share/man/man1/discard.1 ]
}

@test "a method is added in three places: C, Makefile, Kconfig" {
	[ "$(apply 'Add a way of moving bytes')" -eq 3 ]
	make defconfig O=b
	make CFLAGS=-Werror O=b
	random want 1000001
	b/box cat --method=page want | cmp want -
	b/box tee --method=page one two < want > three
	cmp want one
	cmp want two
	cmp want three
	b/box --probe | grep -x "page: works"
	b/box cat --method=page --debug want 2>&1 > /dev/null |
		grep 'page moved 1000001 bytes'
}
