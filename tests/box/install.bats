#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# box --install: links of the applets' names.

# bats file_tags=box,guest

load ../lib/helpers

setup() {
	common_setup
	needs_native "is not what --install links"
	needs INSTALLER CAT
}

# in_chroot COMMAND...: in ./root, where box is all there is.
in_chroot() {
	needs_root
	needs STATIC
	chroot root true 2>/dev/null || [ $? != 125 ] ||
		skip "chroot is not allowed here"
	chroot root "$@"
}

@test "--install makes hard links" {
	mkdir bin
	run -0 box --install bin
	[ ! "$output" ]
	[ "$(ls bin)" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ ! -L "bin/$applet" ]
		[ "bin/$applet" -ef "$LINKS/box" ]
	done
}

@test "--install -s makes symbolic links to where box is" {
	mkdir bin
	run -0 box --install -s bin
	[ "$(ls bin)" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ -L "bin/$applet" ]
		[[ $(readlink "bin/$applet") = /* ]]
		[ "bin/$applet" -ef "$LINKS/box" ]
	done
}

@test "box --install leaves what may be itself alone where nothing can be learned" {
	needs_strace
	gnu_cat "$BOX" >cat
	chmod +x cat
	run strace -f -qq -o log -P "$PWD/cat" -e "trace=?newfstatat,?fstatat64,statx" \
		-e "inject=?newfstatat,?fstatat64,statx:error=ENOSYS" \
		bash -c 'exec -a box ./cat --install -s -f .'
	[ "$status" = 1 ]
	grep ENOSYS log
	[ ! -L cat ]
	cmp "$BOX" cat
}

@test "the links that --install -s made work from any directory" {
	cp "$LINKS/box" .
	mkdir bin
	./box --install -s bin
	cd /
	[ "$(echo hello | "$BATS_TEST_TMPDIR/bin/cat")" = hello ]
}

@test "the links that --install -s makes lead through no . and .." {
	mkdir -p a/b/deep here bin
	cp "$LINKS/box" a/box
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
	run --separate-stderr box --install bin
	fails_with 1 "box: bin/cat: File exists"
	[ "$(gnu_cat bin/cat)" = mine ]
	[ "$(ls bin)" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ "$applet" = cat ] || [ "bin/$applet" -ef "$LINKS/box" ]
	done
}

@test "--install follows no link that is there" {
	mkdir bin
	echo mine >victim
	ln -s ../victim bin/cat
	run --separate-stderr box --install bin
	fails_with 1 "box: bin/cat: File exists"
	[ "$(readlink bin/cat)" = ../victim ]
	ln -sf ../absent bin/cat
	run --separate-stderr box --install -s bin
	[ "$status" = 1 ]
	[ ! -e absent ]
	box --install -f bin
	[ bin/cat -ef "$LINKS/box" ]
	[ "$(gnu_cat victim)" = mine ]
}

@test "--install twice names every link the second time" {
	mkdir bin
	box --install bin
	run --separate-stderr box --install bin
	if [ "$(applets)" ]; then
		fails_with 1 "$(applets | sed 's,.*,box: bin/&: File exists,')"
	fi
}

@test "--install -f replaces what is there" {
	mkdir bin
	for applet in $(applets); do
		echo mine >"bin/$applet"
	done
	run -0 box --install -f bin
	[ ! "$output" ]
	[ "$(ls -A bin)" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ "bin/$applet" -ef "$LINKS/box" ]
	done
	run -0 box --install -f -s bin
	[ "$(ls -A bin)" = "$(applets | sort)" ]
	for applet in $(applets); do
		[ -L "bin/$applet" ]
	done
	run -0 box --install -f bin
	[ "$(ls -A bin)" = "$(applets | sort)" ]
}

@test "--install -sf: options go together" {
	mkdir bin
	ln -s nowhere bin/cat
	run -0 box --install -sf bin
	[ "$(ls -A bin)" = "$(applets | sort)" ]
	[ bin/cat -ef "$LINKS/box" ]
	for option in - -x -sx -sf-; do
		run --separate-stderr box --install $option bin
		fails_with_usage "box: --install: invalid option '$option'"
	done
}

@test "--install: -- ends the options" {
	mkdir -- -s
	run -0 box --install -- -s
	[ ./-s/cat -ef "$LINKS/box" ]
	run -0 box --install -sf -- -s
	[ -L -s/cat ]
	run --separate-stderr box --install -- -s -f
	fails_with_usage "box: --install: extra operand '-f'"
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

@test "--install -f leaves nothing behind where it cannot replace" {
	mkdir -p bin/cat/directory
	for options in -f -sf; do
		run -1 box --install $options bin
		[ "$(ls -A bin)" = "$(applets | sort)" ]
	done
}

@test "--install -f does not replace a directory" {
	mkdir -p bin/cat
	echo mine >bin/cat/file
	run --separate-stderr box --install -f bin
	[ "$status" = 1 ]
	[[ $stderr = "box: bin/cat: "* ]]
	[ "$(ls -A bin)" = "$(applets | sort)" ]
	[ "$(gnu_cat bin/cat/file)" = mine ]
}

@test "--install never makes a link that leads to itself" {
	mkdir bin
	cp "$LINKS/box" bin/cat
	run bash -c 'exec -a box bin/cat --install -s -f bin'
	[ "$status" = 1 ]
	[ "$(echo hello | bin/cat)" = hello ]
	cp "$LINKS/box" real
	ln -sf "$PWD/real" bin/cat
	run bash -c 'exec -a box bin/cat --install -s -f bin'
	[ "$(echo hello | bin/cat)" = hello ]
}

@test "--install names a missing directory with every link" {
	run --separate-stderr box --install no/such
	fails_with 1 "$(applets |
		sed 's,.*,box: no/such/&: No such file or directory,')"
	[ ! -e no ]
}

@test "--install of an empty name tries nothing" {
	for option in "" -s -f; do
		run --separate-stderr box --install $option ''
		fails_with 1 "box: $(! has QUOTE || echo "''"): No such file or directory"
	done
}

@test "--install names a directory whose name is too long" {
	for n in 4092 4095 4096 100000; do
		run --separate-stderr box --install "$(printf "%0${n}d" 0)"
		[ "$status" = 1 ]
		[[ $stderr = "box: "0000*": File name too long" ]]
	done
}

@test "--install quotes names as other messages do" {
	needs QUOTE
	mkdir 'a b'
	echo mine >'a b/cat'
	run --separate-stderr box --install 'a b'
	fails_with 1 "box: 'a b/cat': File exists"
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
			fails_with 1 "$nowhere"
			[ ! "$(ls -A bin)" ]
		done
	done
	run --separate-stderr bash -c \
		'exec -a box /proc/self/fd/5 --install -s bin 5<"$0"' "$LINKS/box"
	fails_with 1 "$nowhere"
	[ ! "$(ls -A bin)" ]
}

@test "--install makes no links to a directory that is gone" {
	mkdir bin gone
	cp "$LINKS/box" .
	cd gone
	rmdir ../gone
	for option in "" -s -sf; do
		run --separate-stderr ../box --install $option "$BATS_TEST_TMPDIR/bin"
		fails_with 1 "$nowhere"
		[ ! "$(ls -A ../bin)" ]
	done
}

@test "--install makes no links to what is outside of its root" {
	needs STATIC
	needs_root
	mkdir -p root/bin
	cp "$LINKS/box" .
	run --separate-stderr python -c '
import os, sys
os.chroot("root")
os.execv("box", ["box", "--install", *sys.argv[1:]])' -s /bin
	[[ $stderr != *PermissionError* ]] || skip "chroot is not allowed here"
	fails_with 1 "$nowhere"
	[ ! "$(ls -A root/bin)" ]
}

@test "--install names a file that is no directory" {
	echo mine >file
	run --separate-stderr box --install -f file
	fails_with 1 "$(applets | sed 's,.*,box: file/&: Not a directory,')"
	[ "$(gnu_cat file)" = mine ]
}

@test "--install names a directory that cannot be written to" {
	mkdir bin
	chmod 555 bin
	run --separate-stderr as_nobody "$LINKS/box" --install -s bin
	fails_with 1 "$(applets | sed 's,.*,box: bin/&: Permission denied,')"
	[ ! "$(ls bin)" ]
}

@test "--install across file systems says so" {
	other=$(mktemp -d -p /dev/shm) || skip "no /dev/shm"
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
