# SPDX-License-Identifier: 0BSD
# box --install: links of the applets' names.

# bats file_tags=box,guest

load ../lib/helpers
NEEDS="INSTALLER CAT"

setup() {
	common_setup
	needs_native "is not what --install links"
}

# in_chroot COMMAND...: in ./root, where box is all there is.
in_chroot() {
	needs_root
	needs STATIC
	chroot root true 2>/dev/null || [ $? != 125 ] ||
		skip "chroot is not allowed here"
	chroot root "$@"
}

# has_links KIND DIR: a link of that kind, "regular file" or "symbolic link", to box for each
# applet, and nothing else.
has_links() {
	[ "$(ls -A "$2")" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ "$(stat -c %F "$2/$applet")" = "$1" ]
		[ "$2/$applet" -ef "$LINKS/box" ]
	done
}

# names_each DIR WHY: this is said of a link of each applet in DIR.
names_each() {
	failed_with 1 "$(applets | sed "s,.*,box: $1/&: $2,")"
}

@test "--install makes hard links, and --install -s symbolic ones to where box is" {
	mkdir bin soft
	run -0 box --install bin
	[ ! "$output" ]
	has_links "regular file" bin
	run -0 box --install -s soft
	has_links "symbolic link" soft
	[[ $(readlink soft/cat) = /* ]]
	# They work from any directory.
	cd /
	[ "$(echo hello | "$BATS_TEST_TMPDIR/soft/cat")" = hello ]
}

@test "box --install leaves what may be itself alone where nothing can be learned" {
	needs_strace
	gnu_cat "$BOX" >cat
	chmod +x cat
	run -1 strace -f -qq -o log -P "$PWD/cat" -e "trace=?newfstatat,?fstatat64,statx" \
		-e "inject=?newfstatat,?fstatat64,statx:error=ENOSYS" \
		bash -c 'exec -a box ./cat --install -s -f .'
	grep ENOSYS log
	[ ! -L cat ]
	cmp "$BOX" cat
}

@test "the links that --install -s makes lead through no . and .." {
	mkdir -p a/b/deep here bin .x
	cp "$LINKS/box" a/box
	cp "$LINKS/box" .x
	cp "$LINKS/box" a/b
	ln -s a/b/deep link
	ln -s b a/current
	here=$(pwd -P)
	for path in ./a/box a/./box .//a//./box a/b/../box here/../a/box \
		../"${PWD##*/}"/a/box "$here/a/../a/b/.././box"; do
		rm -f bin/*
		"$path" --install -s bin
		[ "$(readlink bin/cat)" = "$here/a/box" ]
		"./bin/cat" /dev/null
	done
	# Above what a link leads to is not where the link is; but a link in the
	# path stays, for it may be there to be changed.
	rm -f bin/*
	link/../box --install -s bin
	[ "$(readlink bin/cat)" = "$here/a/b/box" ]
	rm -f bin/*
	# A part that begins with a dot is not always . or .. .
	.x/box --install -s bin
	[ "$(readlink bin/cat)" = "$here/.x/box" ]
	rm -f bin/*
	./a/current/../current/box --install -s bin
	[ "$(readlink bin/cat)" = "$here/a/current/box" ]
	rm -f bin/*
	(cd a/b/deep; "../../../../${here##*/}/a/box" --install -s ../../../bin)
	[ "$(readlink bin/cat)" = "$here/a/box" ]
}

@test "--install through a link installs box, not the link" {
	cp "$LINKS/box" real
	ln -s real box
	ln -s "$PWD/box" boxes
	mkdir hard soft
	./boxes --install hard
	[ hard/cat -ef real ]
	[ ! -L hard/cat ]
	./boxes --install -s soft
	[ soft/cat -ef real ]
	cd soft
	[ "$(echo hello | ./cat)" = hello ]
}

@test "--install replaces nothing, names what is there, and goes on" {
	mkdir bin
	echo mine >bin/cat
	fails_with 1 "box: bin/cat: File exists" box --install bin
	[ "$(gnu_cat bin/cat)" = mine ]
	[ "$(ls bin)" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ "$applet" = cat ] || [ "bin/$applet" -ef "$LINKS/box" ]
	done
	# The second time that is every link.
	run --separate-stderr box --install bin
	names_each bin "File exists"
}

@test "--install follows no link that is there" {
	mkdir bin
	echo mine >victim
	ln -s ../victim bin/cat
	fails_with 1 "box: bin/cat: File exists" box --install bin
	[ "$(readlink bin/cat)" = ../victim ]
	ln -sf ../absent bin/cat
	run -1 --separate-stderr box --install -s bin
	[ ! -e absent ]
	box --install -f bin
	[ bin/cat -ef "$LINKS/box" ]
	[ "$(gnu_cat victim)" = mine ]
}

@test "--install -f replaces what is there" {
	mkdir bin
	for applet in $(applets); do
		echo mine >"bin/$applet"
	done
	run -0 box --install -f bin
	[ ! "$output" ]
	has_links "regular file" bin
	for options in "-f -s" -sf; do
		run -0 box --install $options bin
		has_links "symbolic link" bin
	done
	run -0 box --install -f bin
	has_links "regular file" bin
	for option in - -x -sx -sf-; do
		fails_with_usage "box: --install: invalid option '$option'" \
			box --install $option bin
	done
}

@test "--install: -- ends the options" {
	mkdir -- -s
	run -0 box --install -- -s
	[ ./-s/cat -ef "$LINKS/box" ]
	run -0 box --install -sf -- -s
	[ -L -s/cat ]
	fails_with_usage "box: extra operand '-f'" box --install -- -s -f
}

@test "--install -f removes nothing that is not its own" {
	mkdir bin bin/cat.box-new~~
	echo mine >bin/cat.box-new
	ln -s nowhere bin/cat.box-new~
	ls -A bin >theirs
	applets | sort - theirs >all
	for options in -f -sf -sf -f -f; do
		run -0 box --install $options bin
		[ bin/cat -ef "$LINKS/box" ]
		LC_ALL=C ls -A bin | sort | diff all -
		[ "$(gnu_cat bin/cat.box-new)" = mine ]
		[ "$(readlink bin/cat.box-new~)" = nowhere ]
	done
}

@test "--install -f does not replace a directory, and leaves nothing behind" {
	mkdir -p bin/cat/directory
	echo mine >bin/cat/file
	for options in -f -sf; do
		run -1 --separate-stderr box --install $options bin
		[[ $stderr = "box: bin/cat: "* ]]
		[ "$(ls -A bin)" = "$(applets | sort)" ]
		[ "$(gnu_cat bin/cat/file)" = mine ]
	done
}

@test "--install never makes a link that leads to itself" {
	mkdir bin
	cp "$LINKS/box" bin/cat
	run -1 bash -c 'exec -a box bin/cat --install -s -f bin'
	[ "$(echo hello | bin/cat)" = hello ]
	cp "$LINKS/box" real
	ln -sf "$PWD/real" bin/cat
	run bash -c 'exec -a box bin/cat --install -s -f bin'
	[ "$(echo hello | bin/cat)" = hello ]
}

@test "--install names a directory that is missing, none, not to be written to, or too long" {
	run --separate-stderr box --install no/such
	names_each no/such "No such file or directory"
	[ ! -e no ]
	echo mine >file
	run --separate-stderr box --install -f file
	names_each file "Not a directory"
	[ "$(gnu_cat file)" = mine ]
	mkdir -m 555 bin
	run --separate-stderr as_nobody "$LINKS/box" --install -s bin
	names_each bin "Permission denied"
	[ ! "$(ls bin)" ]
	for option in "" -s -f; do
		fails_with 1 "box: $(! has QUOTE || echo "''"): No such file or directory" \
			box --install $option ''
	done
	for n in 4092 4095 4096 100000; do
		run -1 --separate-stderr box --install "$(printf "%0${n}d" 0)"
		[[ $stderr = "box: "0000*": File name too long" ]]
	done
}

@test "--install quotes names as other messages do" {
	needs QUOTE
	mkdir 'a b'
	echo mine >'a b/cat'
	fails_with 1 "box: 'a b/cat': File exists" box --install 'a b'
	run --separate-stderr box --install $'\e[31m'
	[ "$status" = 1 ]
	[ "${stderr_lines[0]}" = \
	  "box: ''$'\\033''[31m/$(applets | head -n 1)': No such file or directory" ]
}

# What is said where no path leads to what runs.
nowhere="box: --install: cannot find itself: call box by its path"

@test "--install -s makes no links to a descriptor" {
	mkdir bin
	for inherited in False True; do
		for options in -s -sf; do
			run --separate-stderr python -c "
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
os.set_inheritable(fd, $inherited)
os.execve(fd, sys.argv[2:], os.environ)" "$LINKS/box" box --install $options bin
			failed_with 1 "$nowhere"
			[ ! "$(ls -A bin)" ]
		done
	done
	run --separate-stderr bash -c \
		'exec -a box /proc/self/fd/5 --install -s bin 5<"$0"' "$LINKS/box"
	failed_with 1 "$nowhere"
	[ ! "$(ls -A bin)" ]
}

@test "--install makes no links to a directory that is gone" {
	mkdir bin gone
	cp "$LINKS/box" .
	cd gone
	rmdir ../gone
	for option in "" -s -sf; do
		fails_with 1 "$nowhere" ../box --install $option "$BATS_TEST_TMPDIR/bin"
		[ ! "$(ls -A ../bin)" ]
	done
}

@test "--install makes no links to what is outside of its root" {
	needs STATIC
	needs_root
	mkdir -p root/bin
	cp "$LINKS/box" .
	run --separate-stderr prepared 'os.chroot("root")' ./box --install -s /bin
	[[ $stderr != *PermissionError* ]] || skip "chroot is not allowed here"
	failed_with 1 "$nowhere"
	[ ! "$(ls -A root/bin)" ]
}

@test "--install across file systems says so" {
	other=$(command mktemp -d -p /dev/shm) || skip "no /dev/shm"
	if [ "$(stat -c %d "$other")" = "$(stat -c %d .)" ]; then
		rmdir "$other"
		skip "/dev/shm is the same file system"
	fi
	run --separate-stderr box --install "$other"
	made=$(ls "$other")
	rm -r "$other"
	[ "$status" = 1 ]
	[[ $stderr = "box: $other/cat: "* ]]
	[ ! "$made" ]
}

@test "--install without a directory puts each link where it belongs" {
	mkdir -p root/bin root/usr/bin root/opt
	cp "$LINKS/box" root/opt
	in_chroot /opt/box --install
	[ "$(cd root; find bin usr -type f | sort)" = \
	  "$(box --list-full | sort)" ]
	in_chroot /opt/box --install -s -f
	for path in $(box --list-full); do
		[ "$(readlink "root/$path")" = /opt/box ]
	done
}
