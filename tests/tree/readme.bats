# SPDX-License-Identifier: 0BSD
# What README.md shows and promises: its commands for this processor are run here, word for
# word, in a copy of the tree if they need one; tests/lib/readme.py reads them. The commands of
# LIBRARY and BENCHMARKS, and the examples of the manuals likewise. tests/long/recipes.bats has
# each recipe.

load ../lib/helpers
load ../lib/oci

# What is built here is built quickly.
export CFLAGS="-fno-lto -O0"

setup_file() {
	unset INIT DESTDIR "${!GIT_@}"
	share_box
	file_needs make git || return 0
	# A tree with everything built, as whoever follows README has it, without the
	# tests. The version of the image in it is README's.
	export TREE=$BATS_FILE_TMPDIR/tree SOURCE_DATE_EPOCH=86400
	copy_tree "$TREE" tests
	make -s -C "$TREE" defconfig
	make -s -C "$TREE" >/dev/null
}

setup() {
	common_setup
	cp "$TREE/README.md" .
}

# A tree in which everything is built, and which is entered. A link takes a fifth of the time
# of a copy: a test replaces a file to change it.
built_tree() {
	cp -al "$TREE" tree
	cd tree
}

readme() {
	"$LIB/readme.py" "$@"
}

# commands HEADING PATTERN: the block below it that has the pattern, in $block.
commands() {
	block=$BATS_TEST_TMPDIR/block
	readme commands "$1" | awk -v RS= -v what="$2" '$0 ~ what' >"$block"
	[ -s "$block" ]
}

# follow: runs that block, up to the first command that fails, with box first in PATH.
follow() {
	outside bash -eo pipefail -c 'PATH=$0:$PATH; . "$1"' "$LINKS" "$block"
}

@test "every command of README is run by a test of tests/long/recipes.bats" {
	# Each is below a heading, in a block, of which a test knows a word.
	readme headings >headings
	sed -n "s/^	*commands README.md '*\([A-Za-z ]*\)'* .*/\1/p; s/^	*makes \([a-z]*\) .*/\u\1/p" \
		"$TOP/tests/long/recipes.bats" >known
	while read -r heading; do
		readme commands "$heading" | awk -v RS= 'END { print NR }' >blocks
		grep -cx "$heading" known | cmp blocks -
	done <headings
	# A block that no test knows would be seen: so would an own heading.
	printf '\n## New\n\n    false\n' >>README.md
	[ "$(readme headings | tail -n 1)" = New ]
	[ "$(readme commands New)" = false ]
}

@test "what BENCHMARKS shows beside the system's cat is what box prints" {
	needs CAT TEE YES PROBE TRACE PROGRESS ZC_SPLICE
	needs_off ZC_MMAP ZC_IO_URING
	box --probe >probe
	grep -v ': works\|: not built in' probe >refused || [ ! -s refused ]
	[ ! -s refused ] || skip "refused here: $(gnu_cat refused)"
	# Bytes, because a second may pass without one on a busy machine.
	sed 's,timeout 1 \(.*cat /dev/zero\),\1 | head -c 1M,' "$TREE/docs/BENCHMARKS.md" >page
	[ "$(grep -c '/dev/zero | head -c 1M' page)" = 2 ]
	PAGE=page readme session 'Try it'
	# It finds a word that is not what is printed.
	printf '%s\n' '## Try it' '' '    $ echo works' '    worked' >page
	PAGE=page run ! readme session 'Try it'
}

@test "try it, and check it" {
	built_tree
	commands 'Try it' scripts/try
	# Eight megabytes will do; the tests are one, for all would take minutes.
	export SIZE=8
	shorten_timeouts
	mkdir -p tests/box tmp
	export TMPDIR=$PWD/tmp
	printf '@%s "one" { true; }\n' test >tests/box/one.bats
	ln -sf /bin/true scripts/install-packages
	run -0 follow
	for line in "cat in >copy, the system's cat" "cat in >copy" "tee copy1 <in >copy2" "yes |"; do
		[[ $output = *"  $line "*" GiB/s"* ]]
	done
	# How it was done, as box says, and what to do to have it.
	[[ $output = *"    cat: in (file) to file: "*" moved 8388608 bytes in "* ]]
	[[ $output = *"All copies are identical."*$'\n'"    PATH=$PWD/_install/bin:\$PATH"* ]]
	[ "${#lines[@]}" -le 15 ]
	[ "${lines[-1]}" = "1 passed, 0 failed" ]
	diff <(ls _install/bin) <({ echo box; applets_of .config; } | sort)
	[ "$(echo hello | _install/bin/cat)" = hello ]
	[ ! "$(ls -A tmp)" ]
	commands 'Try it' PATH=
	echo 'command -v cat' >>"$block"
	run -0 follow
	[ "$output" = "$PWD/_install/bin/cat" ]
}

@test "it is built, installed and uninstalled" {
	built_tree
	export HOME=$BATS_TEST_TMPDIR/home
	commands 'Get it' 'make install'
	follow
	[ "$(echo works | "$HOME/.local/bin/cat")" = works ]
	grep -o '`make uninstall [^`]*' README.md | tr -d '`' >"$block"
	follow
	find "$HOME" ! -type d >left
	[ ! -s left ]
}

# program FILE: what docs/LIBRARY.md has of that name.
program() {
	sed -n '/^```c file='"$1"'$/,/^```$/{ /^```/!p; }' docs/LIBRARY.md >"$1"
	[ -s "$1" ]
}

@test "a program uses the library" {
	built_tree
	needs_tool pkg-config cc
	export HOME=$BATS_TEST_TMPDIR/home
	program copy.c
	export PAGE=docs/LIBRARY.md
	commands 'A first program' 'install-lib'
	run -0 follow
	[[ $output = *"$(stat -c %s README.md) bytes: Success" ]]
	cmp README.md copy.md
	program relay.c
	gnu_cat >main.c <<-'END'
		int relay(int from, int to);
		int main(void) { return relay(0, 1); }
	END
	cc -Wall -Werror -I"$HOME/.local/include" -o relay relay.c main.c "$HOME/.local/lib/libzc.a"
	./relay <README.md | cmp - README.md
	run ! sh -c './relay <README.md >/dev/full'
	grep -o '`make uninstall-lib [^`]*' docs/LIBRARY.md | tr -d '`' >"$block"
	follow
	find "$HOME" ! -type d >left
	[ ! -s left ]
}

@test "the first screen makes an image, and tee is the entry point of a service" {
	built_tree
	rm -r .config build
	commands 'box' 'DESTDIR=image/root'
	sed -i 's,^scripts/install-packages .*,true,' "$block"
	follow
	[ "$(find image ! -type d | LC_ALL=C sort | tr '\n' ' ')" = "image/Dockerfile \
image/root/usr/bin/box image/root/usr/bin/cat image/root/usr/bin/tee image/root/usr/bin/yes " ]
	# The service.
	sed -n '/^```dockerfile$/,/^```$/{ /^```/!p; }' README.md >>image/Dockerfile
	[ "$(wc -l <image/Dockerfile)" = 7 ]
	mkdir image/log
	executable image/my-service <<-'END'
		trap 'kill $!; seq -f "last %g" 2000; exit 9' TERM
		seq 200000
		echo trouble >&2
		sleep 1000 3>&- &
		wait
	END
	mapfile -t entry < <(sed -n 's/^ENTRYPOINT //p' image/Dockerfile | python -c 'import json, sys
for word in json.load(sys.stdin): print(word)')
	[ "${entry[0]}" = tee ]
	mkdir log
	(cd log; PATH=$PWD/../image:$PATH exec "../image/root/usr/bin/${entry[0]}" "${entry[@]:1}") \
		>out 3>&- &
	tee=$!
	awaits grep -qx trouble out
	awaits grep -qx 200000 out
	kill -TERM $tee
	waits 9 $tee
	[ "$(tail -n 2000 out)" = "$(seq -f 'last %g' 2000)" ]
	# All, but what is older than the files that are kept.
	[ -e log/my.log.1 ]
	[ "$(tail -n 2000 log/my.log)" = "$(tail -n 2000 out)" ]
	needs_buildah
	needs_tool umoci
	id=$(own_buildah build -q image)
	own_buildah push -q "$id" oci:made:new
	umoci unpack --image made:new bundle
	cmp image/root/usr/bin/box bundle/rootfs/usr/bin/box
	[ "$(stat -c %u bundle/rootfs/log)" = 65534 ]
}

@test "an initramfs, and one to append" {
	built_tree
	needs_tool cpio
	cp build/box my-init
	commands 'Initramfs' 'INIT='
	follow
	cpio -t --quiet <build/initramfs.cpio | grep -x init
	mkdir old
	echo old >old/etc
	# A compressed one, as most are, of any size.
	odd_archive old initrd
	commands 'Initramfs' 'image/initrd'
	follow
	run ! grep -x init <(cpio -t --quiet <build/initramfs.cpio)
	# tests/long/initramfs.bats boots such a one.
	(gnu_cat initrd; printf '\0\0\0'; gnu_cat build/initramfs.cpio) |
		cmp - image/initrd
}

@test "a tree of one's own, packed" {
	built_tree
	commands 'Tree' 'DESTDIR=image/root'
	needs_tool cpio
	follow
	mkdir out
	(cd out; cpio -id --quiet) <image/root.cpio
	[ "$(find out ! -type d | LC_ALL=C sort | tr '\n' ' ')" = \
		"out/usr/bin/box out/usr/bin/cat out/usr/bin/tee out/usr/bin/yes " ]
	[ "$(echo works | out/usr/bin/cat)" = works ]
}

# tests/tree/html.bats follows its links.
@test "README names targets that are there" {
	make -C "$TREE" help | awk '{ print $1 }' >targets
	grep -o '`make [a-z][a-z_-]*' README.md "$TREE/docs/BENCHMARKS.md" |
		sed 's/.*make //; s/^.*_defconfig$/NAME_defconfig/' >named
	[ "$(wc -l <named)" -ge 5 ]
	while read -r target; do
		grep -x "$target" targets
	done <named
}

@test "README's figures are those of docs/BENCHMARKS.md" {
	who=$(grep '^| | box | ' README.md)
	for row in "start: cat of 100 bytes=start-tiny" \
		"cat: file to a pipe=tmpfs-read" "tee: pipe to two pipes=tee-2-read" \
		"cat: pipe to a file=pipe-file" "cat: 1,000 small files to a pipe=small-files"; do
		grep "^| ${row%=*} " README.md >short
		# The others, as multiples of box's instructions.
		awk -F ' *[|] *' -v who="$who" 'BEGIN { n = split(who, name) }
			{ for (i = 4; i < n; i++) print name[i], $i }' short | sort >short.cells
		grep -m 1 "^| ${row#*=} " "$TREE/docs/BENCHMARKS.md" |
			awk -F ' *[|] *' '{ print "gnu", $4; print "uutils", $5
				print "busybox", $6; print "toybox", $7 }' | sort >long.cells
		cmp short.cells long.cells
	done
}

# --- The manuals -------------------------------------------------------------

# What examples name and a test's directory has not: files, and programs that
# need what is not ours to touch.
scene() {
	local name

	mkdir "$BATS_TEST_TMPDIR/scene"
	cd "$BATS_TEST_TMPDIR/scene"
	for name in part.1 part.2 head tail image initrd box.cpio script; do
		echo "of $name" >"$name"
	done
	printf '%s\n' c a b >table
	mkdir programs
	for name in make dmesg; do
		executable programs/$name <<<"echo an error of $name >&2; echo error $name"
	done
	PATH=$PWD/programs:$PATH
}

# examples PAGE: runs those of a manual. Of what writes to a device or as another
# user, or runs in a container, only the shell's opinion is asked; a gigabyte is
# 16 megabytes.
examples() {
	"$LIB/readme.py" examples "$(find "$TOP/applets" -name "$1")" >commands
	[ "$(wc -l <commands)" -ge 3 ]
	bash -n commands
	grep -v 'mmcblk0\|sda1\|/dev/console\|sudo\|docker\|chroot\|^ln -sf /usr' commands |
		sed 's/1G/16M/' >ours
	# A reader that leaves ends yes and others by SIGPIPE, and timeout its
	# program: the status of the last is what counts.
	outside bash -e -c 'PATH=$0:$PATH; . ./ours' "$LINKS"
}

@test "the examples of cat(1)" {
	needs CAT CAT_FORMAT TRACE LONG_OPTS
	scene
	examples cat.1 >said 2>debug
	printf 'of part.1\nof part.2\n' | cmp - archive
	grep -x 'of head' page
	grep '^of script\$' said
	cmp image copy
	grep '^cat: image ' debug
	printf 'of initrd\nof box.cpio\n' | cmp - initrd.new
	tail -n 1 said | cmp - /proc/cmdline
}

@test "the examples of tee(1)" {
	needs TEE TEE_ERROR
	scene
	examples tee.1 >said
	printf '%s\n' 'an error of make' 'error make' 'error dmesg' | cmp - log
	gzip -dc image.gz | cmp - image
	printf '%s\n' a b c | cmp - <(tail -n 3 said)
	# Programs that a shell starts so, it does not wait for.
	awaits [ -s sum ]
	awaits [ -s first ]
	sha256sum <image | cmp - sum
	[ "$(gnu_cat first)" = c ]
}

@test "the examples of yes(1)" {
	needs YES
	shorten_timeouts
	scene
	examples yes.1 >said
	[ "$(stat -c %s text)" = 16777216 ]
	uniq -c <(head -c 150000 text) >lines
	[ "$(gnu_cat lines)" = "  10000 a line of text" ]
	[ "$(gnu_cat said)" -ge 1000 ]
}

@test "the examples of box(1)" {
	needs CAT CAT_FORMAT INSTALLER
	scene
	examples box.1
	[ -L bin/cat ]
}
