# SPDX-License-Identifier: 0BSD
# Archives for kernels, and guests: scripts/initramfs, scripts/vm.

load ../lib/helpers

setup() {
	common_setup
	export CONSOLE=$PWD/console
}

# What file(1) takes for a kernel, and a qemu that does as its standard input says.
fake_guest() {
	needs_tool file
	head -c 4096 /dev/zero >kernel
	printf '\x55\xaaxxHdrS' | dd of=kernel bs=1 seek=510 conv=notrunc
	[[ $(file -b kernel) = *"x86 boot executable"* ]]
	mkdir bin
	executable bin/qemu-system-x86_64
	# With an archive to boot nothing is built or fetched.
	: >archive
	export INITRD=$PWD/archive
}

guest() {
	PATH=$PWD/bin:$PATH "$TOP/scripts/vm" "$PWD/kernel" bare
}

# archive [COMMAND...]: in $a, made by that command of the box that is tested: nothing is compiled.
archive() {
	needs_tool cpio
	a=$BATS_FILE_TMPDIR/a
	if [ ! -e "$a" ]; then
		mkdir -p "$a/bin"
		cp "$BOX" "$a/box"
		make -s -C "$TOP" O="$a" defconfig
		executable "$a/bin/make" <<<"exec $(type -P make) -o \"\$O/box\" \"\$@\""
	fi
	O=$a PATH=$a/bin:$PATH "$@" "$TOP/scripts/initramfs"
}

@test "initramfs has box and its links, the same bytes each time" {
	archive env PREFIX=/opt INSTALL_LINKS=none
	cp -a "$a" b
	umask 077
	O=$PWD/b PATH=$a/bin:$PATH "$TOP/scripts/initramfs"
	cmp "$a/initramfs.cpio" b/initramfs.cpio
	run ! grep -v ' Jan  1  1970 ' <(TZ=UTC cpio -tv --quiet <"$a/initramfs.cpio")
	# No /bin, which may be a link there, but what is to be in it.
	applets_of "$a/.config" >names
	{
		sed 's,^,bin/,' names
		printf '%s\n' usr usr/bin usr/bin/box
		sed 's,^,usr/bin/,' names
	} | sort | diff <(cpio -t --quiet <"$a/initramfs.cpio" | sort) -
	mkdir out
	cd out
	cpio -idm --quiet <"$a/initramfs.cpio"
	[ "$(readlink bin/cat)" = /usr/bin/box ]
	[ "$(echo works | usr/bin/cat)" = works ]
	[ "$(stat -c %a usr/bin/box)" = 755 ]
}

@test "initramfs has an /init if it is given one, from where the user is, and all of /bin" {
	archive
	run ! grep -x init <(cpio -t --quiet <"$a/initramfs.cpio")
	run ! grep -x bin <(cpio -t --quiet <"$a/initramfs.cpio")
	cc -static -x c -o mine - <<<'int main(void) { return 0; }'
	archive env INIT=mine
	cpio -t --quiet <"$a/initramfs.cpio" >names
	grep -x init names
	# A kernel leaves out a link whose directory does not come before it.
	grep -x -e bin -e bin/cat names | cmp - <(printf 'bin\nbin/cat\n')
	cpio -i --quiet --to-stdout init <"$a/initramfs.cpio" | cmp - mine
	rm "$a/initramfs.cpio"
	mkdir deeper
	cp -r "$a/initramfs" root
	cd deeper
	"$TOP/scripts/initramfs" ../root new.cpio
	cpio -t --quiet <new.cpio | cmp - ../names
}

@test "initramfs refuses an INIT that nothing in the archive runs, before a build" {
	needs_tool cpio file
	echo '#!/bin/sh' >script
	cc -x c -o dynamic - <<<'int main(void) { return 0; }'
	echo text >text
	echo 'int a;' | cc -x c -c -o object.o -
	: >empty
	refused() {
		O=$PWD/none INIT=$1 run -1 --separate-stderr "$TOP/scripts/initramfs"
		[ ! "$output" ]
		[ "$stderr" = "box: INIT=$PWD/$1$2" ]
		[ ! -e none ]
	}
	refused script " is a script, and the archive has nothing to run it: take a static program"
	interpreter=$(LC_ALL=C file dynamic | sed -n 's/.*interpreter \([^,]*\),.*/\1/p')
	[ "$interpreter" ]
	refused dynamic " needs $interpreter, which is not in the archive: link it with -static"
	for name in text object.o empty; do
		refused $name " is no program"
	done
	refused missing ": no such file"
	INIT=. O=$PWD/none run -1 "$TOP/scripts/initramfs"
	[ "$output" = "box: INIT=$PWD: no such file" ]
}

@test "initramfs asks for cpio before it builds, and names the set that has it" {
	mkdir bin
	# shellcheck disable=SC2046 # names
	ln -s $(type -P sh dirname) bin/
	PATH=$PWD/bin O=$PWD/none run -1 "$TOP/scripts/initramfs"
	[ "$output" = "box: cpio is missing: scripts/install-packages initramfs" ]
	[ ! -e none ]
	cd "$TOP"
	scripts/install-packages --names initramfs | grep -x cpio
	"$LIB/readme.py" commands Initramfs | grep -x 'scripts/install-packages build initramfs'
}

# hook [BUSYBOX]: runs initramfs-tools' hook, for ./image, where box is in the
# directory that stands for /usr/local/bin.
hook() {
	rm -rf image
	mkdir -p local image/bin
	cp "$BOX" local/box
	[ $# = 0 ] || cp "$1" image/bin/busybox
	gnu_cat >hook-functions <<-'END'
		copy_exec() {
			mkdir -p "$DESTDIR${2%/*}"
			cp "$1" "$DESTDIR$2"
		}
	END
	sed -e "s|/usr/share/initramfs-tools|$PWD|" -e "s|/usr/local/bin|$PWD/local|" \
		"$TOP/packaging/initramfs-tools/hooks/box" >hook
	DESTDIR=$PWD/image PATH=/usr/bin:/sbin:/bin run -0 --separate-stderr sh hook
}

@test "initramfs-tools' hook finds box, and says that a BusyBox shell runs its own cat" {
	hook
	[ ! "$stderr" ]
	[ "$(realpath image/bin/tee)" = "$PWD/image/usr/bin/box" ]
	# One that asks PATH, and one that does not.
	executable asks <<<'exec "$@"'
	executable standalone <<<'exec sh -c :'
	hook asks
	[ ! "$stderr" ]
	hook standalone
	[[ $stderr = "W: the image's BusyBox shell runs its own cat"* ]]
	needs_tool busybox
	dpkg-query -W busybox-static || skip "no busybox-static"
	hook /bin/busybox
	[[ $stderr = "W: the image's BusyBox shell runs its own cat"* ]]
}

# no_guest WHY WORD...: scripts/vm with these says why it boots nothing, in one line.
no_guest() {
	run -1 --separate-stderr "$TOP/scripts/vm" "${@:2}"
	[ "$stderr" = "box: $1" ]
}

@test "a kernel or a test that is none, and a qemu that is missing, is one line" {
	needs_tool file
	echo text >text
	no_guest "$PWD/text is no kernel, but: ASCII text" "$PWD/text"
	no_guest "$PWD/nosuch: no such kernel" "$PWD/nosuch"
	fake_guest </dev/null
	PATH=$PWD/bin:$PATH no_guest "there is no test nosuch" "$PWD/kernel" nosuch
	rm bin/qemu-system-x86_64
	# shellcheck disable=SC2046 # names
	ln -s $(type -P sh dirname file mktemp cat rm) bin/
	PATH=$PWD/bin no_guest "qemu-system-x86_64 is missing: install the package qemu-system-x86" \
		"$PWD/kernel"
}

@test "a guest that hangs is stopped, and the end of its console shown" {
	fake_guest <<-'END'
	echo "Kernel panic - not syncing"
	# The time of timeout(1), which waits, is over.
	until grep -q "^State:	S" /proc/$PPID/status; do :; done
	kill -ALRM $PPID
	exec sleep 300
	END
	LIMIT=300 run -1 --separate-stderr guest
	[[ $stderr = *"Kernel panic - not syncing"*"stopped after 300 seconds"* ]]
}

@test "a guest ends with scripts/vm" {
	mkfifo started
	fake_guest <<-END
	echo >$PWD/started
	sleep 10
	: >$PWD/stayed
	END
	PATH=$PWD/bin:$PATH setsid "$TOP/scripts/vm" "$PWD/kernel" bare 3>&- &
	script=$!
	read -r <started
	kill -- -$script
	waits 1 $script
	[ ! -e stayed ]
}

@test "the status is that of the guest's tests" {
	fake_guest <<-'END'
	printf 'not ok 2 b\r\nbox: guest: 1 passed, 1 failed, 0 skipped\r\n'
	END
	run -1 --separate-stderr guest
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
	[[ $output = *"not ok 2 b"* ]]
	sed -i 's/1 failed/0 failed/' bin/qemu-system-x86_64
	run -0 --separate-stderr guest
	sed -i 's/box: guest: /guest: /' bin/qemu-system-x86_64
	run -1 --separate-stderr guest
	[[ $stderr = *"the guest ended without a result" ]]
}

@test "a file system or a kernel that is not in the table is one line" {
	run -1 "$TOP/scripts/check-fs" nosuch
	[[ $output = "box: no such file system: nosuch (there are tmpfs "*" fuse-more)" ]]
	for word in nosuch linux; do
		run -1 "$TOP/scripts/check-vm" $word
		[[ $output = "box: no kernel is of $word (there are bullseye amd64, "*" armhf)" ]]
	done
}

# copy_fetch: scripts/fetch, which works below its tree, is in ./tree.
copy_fetch() {
	command -v apt-get dpkg-deb || skip "no packages of Debian here"
	mkdir -p tree/scripts
	cp "$TOP"/scripts/{fetch,lib.sh} tree/scripts
}

@test "a name without a version leads to a kernel, and to its modules where these are apart" {
	copy_fetch
	mkdir bin
	executable bin/apt-get <<<"[ \"\$1\" = update ] || ! echo \"\$*\" >>$PWD/calls"
	executable bin/apt-cache <<-'END'
		case $* in
		"depends -i linux") echo "  Depends: linux-image-7.8" ;;
		"depends -i linux-image-7.8") printf '  Depends: %s\n' kmod linux-modules-7.8 ;;
		esac
	END
	MIRROR=http://localhost PATH=$PWD/bin:$PATH run -1 tree/scripts/fetch sid amd64 kernel linux
	[ "$(<calls)" = "download linux-image-7.8 linux-modules-7.8" ]
}

@test "packages come from the archive that apt names here, or from MIRROR, or are one line" {
	copy_fetch
	unshare -n true 2>/dev/null || skip "unshare is not allowed here"
	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	echo "deb http://localhost/named $release main" >sources
	printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\n' \
		"$PWD/sources" >apt.conf
	export APT_CONFIG=$PWD/apt.conf
	unset MIRROR
	run -1 --separate-stderr unshare -n tree/scripts/fetch sid,experimental amd64 kernel linux
	[ ! "$output" ]
	[ "${stderr_lines[-1]}" = "box: no packages of sid,experimental for amd64: \
fetch could not run apt-get update" ]
	list=tree/build/guest/sid,experimental-amd64/list
	[ "$(wc -l <"$list")" = 2 ]
	grep -x 'deb \[.*\] http://localhost/named/* sid main' "$list"
	grep -x 'deb \[.*\] http://localhost/named/* experimental main' "$list"
	MIRROR=http://localhost/other run -1 unshare -n tree/scripts/fetch sid \
		amd64 source linux
	grep -x 'deb-src \[.*\] http://localhost/other sid main' \
		tree/build/guest/sid-amd64-source/list
	: >sources
	run -1 unshare -n tree/scripts/fetch sid amd64 kernel linux
	[ "$output" = "box: apt names no archive of $release: set MIRROR=" ]
}

@test "no file of ours names the host of an archive" {
	run ! grep -rnE --exclude-dir=.git --exclude-dir=build \
		'//[a-z.]*debian[.]org/debian( |$)' "$TOP/scripts" "$TOP/tests" \
		"$TOP/docs" "$TOP/Makefile" "$TOP/.ci"
}
