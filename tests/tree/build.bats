# SPDX-License-Identifier: 0BSD
# The Makefile: what is built, what is built again, what is installed. A test has a copy
# of the tree, in ./tree, builds in ./out, or leaves what is built as it was. tests/long has
# what tells less often.

load ../lib/helpers
load ../lib/config
load ../lib/build

# The names of the files that make compiles: "cat.o rw.o".
compiles() {
	make >../log 2>&1 || { gnu_cat ../log; return 1; }
	sed -n 's,^  CC .*/\(.*\.o\)$,\1,p' ../log | sort -u | tr '\n' ' '
}

# would_compile [ARGUMENT...]: those that make says it would compile.
would_compile() {
	make -n "$@" | sed -n "s,.* 'CC' '.*/\(.*\.o\)'\$,\1,p" | sort -u | tr '\n' ' '
}

# Everything below here but what a build leaves, for comparison.
listing() {
	find . -path ./.git -prune -o -print | sort
}

# --- What is built -----------------------------------------------------------

@test "make alone takes the defaults, builds box, and says what it does" {
	cd "$BATS_FILE_TMPDIR/built"
	[ -e .config ]
	output=$(<../built.log)
	[[ $output = *"CC "*"build/applets/cat.o"* ]]
	[[ $output = *"LD "*"build/box"* ]]
	[[ $output != *"warning"* ]]
	[ "$(echo hello | build/box cat)" = hello ]
}

@test "no C file asks about a symbol with #if" {
	run -1 grep -rnE --include='*.c' '^[ 	]*#[ 	]*(el)?if.*\bCONFIG_' \
		"$TOP/applets" "$TOP/libcore"
}

@test "O=DIR builds outside the tree and leaves it alone" {
	fresh_tree
	listing >../before
	for dir in ../out "$BATS_TEST_TMPDIR/other"; do
		make -s O="$dir" tiny_defconfig "$dir/applets/box/box.o"
	done
	listing | cmp ../before -
	cmp ../out/applets/box/box.o ../other/applets/box/box.o
}

@test "CC, CFLAGS and LDFLAGS are heard, and what the configuration says of them" {
	mkdir out
	make -s -C "$TOP" O="$PWD/out" defconfig
	printf 'CONFIG_%s\n' 'EXTRA_CFLAGS="-DEXTRA -DEXTRA_TOO"' \
		'EXTRA_LDFLAGS="-Wl,--build-id=0x0123"' >>out/.config
	make -s -C "$TOP" O="$PWD/out" "$PWD/out/flags"
	run -0 make -n -C "$TOP" O="$PWD/out" V=1 CC=gcc CFLAGS=-DHEARD CPPFLAGS=-DCPP_HEARD \
		LDFLAGS=-Wl,-heard
	[[ $output = *"gcc "*"-DCPP_HEARD "*"-DHEARD "*"-DEXTRA -DEXTRA_TOO"*" -c "* ]]
	[[ $output = *"gcc "*"-Wl,-heard "*"-Wl,--build-id=0x0123"*" -o "*"/box"* ]]
	run -0 make -C "$TOP" O="$PWD/out" V=1 "$PWD/out/applets/cat.o"
	[[ $output = *"musl-gcc "*" -c "*"cat.c"* ]]
	[[ $output != *"  CC  "* ]]
	# Written after what make has just made of it, by the file system's clock.
	sleep 0.02
	echo 'CONFIG_CROSS_COMPILE="none-such-"' >>out/.config
	run ! make -C "$TOP" O="$PWD/out"
	[[ $output = *"none-such-gcc is missing"* ]]
}

@test "without a compiler the build stops and says what to install or set" {
	for command in CROSS_COMPILE=no-such- CC=no-such-gcc; do
		run ! make -C "$TOP" O="$PWD/out" "$command"
		[[ $output = *"no-such-gcc is missing: install it, or set ${command%%=*}="* ]]
	done
	# What make calls until then: what is not among these is not found.
	mkdir bin
	ln -s $(type -P sh make kconfig-conf python3 cc sed grep sort cmp cp rm mkdir touch \
		realpath dirname) bin
	PATH=$PWD/bin
	run ! make -C "$TOP" O="$PWD/out"
	[[ $output = *"musl-gcc is missing: install the package musl-tools"* ]]
	[[ $output != *"not found"* ]]
}

@test "a compiler that refuses a flag is heard" {
	for flag in -march=no-such -fno-such; do
		run ! make -C "$TOP" O="$PWD/out" CFLAGS=$flag
		[[ $output = *"musl-gcc cannot build box: "*"error: "*no-such* ]]
		[[ $output != *"set CC="* ]]
	done
}

@test "make -s says nothing, and a letter in a name is no option" {
	fresh_tree
	for goal in tiny_defconfig build/applets/cat.o clean; do
		run -0 make -s $goal
		[ ! "$output" ]
	done
	run -0 make O=../sss defconfig
	run -0 make O=../sss ../sss/applets/cat.o
	[[ $output = *"CC "* ]]
}

@test "a path with a space is refused in one line" {
	link_sources "a tree/of sources"
	link_sources tree
	cd "a tree/of sources"
	for goal in all defconfig clean; do
		stops_in_one_line "box: *holds a space" make $goal
	done
	cd ../../tree
	for goal in all defconfig clean; do
		stops_in_one_line "box: O=../a b holds a space" make $goal O="../a b"
	done
	[ ! -e ../a ]
	[ ! -e b ]
}

@test "a path that says something to make or to a shell is refused in one line" {
	link_sources "it's"
	cd "it's"
	for goal in all defconfig clean; do
		stops_in_one_line "box: CURDIR=$PWD holds '" make $goal
	done
	cd "$BATS_TEST_TMPDIR"
	fresh_tree
	while read -r wrong says; do
		stops_in_one_line "box: $wrong $says" make install "$wrong"
	done <<-'END'
		O=a;b holds ;
		O=a:b holds :
		O=-x begins with -
		O=~/x begins with ~
		PREFIX=~/x begins with ~
		DESTDIR=a&b holds &
		PREFIX=usr does not begin with /
	END
	[ ! -e build ]
	[ ! -e .config ]
}

@test "a configuration whose making was killed is made again" {
	fresh_tree
	make -s tiny_defconfig
	mkdir ../bin
	executable ../bin/sort <<<'kill -KILL $(cut -d " " -f 4 /proc/$PPID/stat) $PPID'
	PATH=$PWD/../bin:$PATH run make -s
	[ "$status" != 0 ]
	make -s build/applets/cat.o
	grep -x '#define CONFIG_CAT 1' build/include/config.h
}

@test "O= is refused where the sources are, which clean would remove" {
	fresh_tree
	ln -s tree ../link
	for dir in . "$PWD" ../link; do
		stops_in_one_line "box: O=* is the directory of the sources" make clean O="$dir"
		[ -e applets/cat.c ]
	done
}

@test "section headers are cut off whatever the machine" {
	needs_tool python:elftools
	"$LIB/elf.py" drop "$TOP/scripts/link/drop-sections"
}

@test "an error in a source stops the build" {
	built_tree
	before=$(cksum build/box)
	sed -i '$a int broken(' libcore/methods/rw.c
	run ! make
	[ "$(cksum build/box)" = "$before" ]
	sed -i /broken/d libcore/methods/rw.c
	make
}

# --- What is built again -----------------------------------------------------

@test "a second make does nothing, and one after a source was touched compiles that" {
	built_tree
	before=$(find build -newer Makefile -type f -printf '%p %T@\n' | sort)
	run -0 make
	[[ $output != *"CC "* ]]
	[[ $output != *"LD "* ]]
	[ "$(find build -newer Makefile -type f -printf '%p %T@\n' | sort)" = "$before" ]
	touch libcore/methods/rw.c
	[ "$(compiles)" = "rw.o " ]
	grep -q "LD .*build/box" ../log
}

@test "touching a header compiles what depends on it, and nothing else" {
	built_tree
	for header in libcore/engine/engine.h applets/cat.h applets/box/box.h; do
		touch $header
		# By what the compiler has noted.
		name=${header##*/}
		want=$(find build -name '*.d' -not -path '*/lib/*' \
			-exec grep -l "[ /]${name}[ :]*\\\\*$\|[ /]$name " {} + |
			sed 's,.*/,,; s,\.d$,.o,' | sort -u | tr '\n' ' ')
		[ "$want" ]
		[ "$(would_compile)" = "$want" ]
		touch -r Makefile $header
	done
	touch applets/cat.h
	[[ " $(compiles)" = *" cat.o "* ]]
	run ! grep -q "tee\.o\|rw\.o\|yes\.o" ../log
	make -q
}

@test "a header that is gone and no longer needed stops nothing" {
	built_tree
	sed -i '$a #include "gone.h"' libcore/methods/rw.c
	touch libcore/methods/gone.h
	make >/dev/null
	sed -i /gone/d libcore/methods/rw.c
	rm libcore/methods/gone.h
	make >/dev/null
}

@test "an archive has no object of a file that is on no list any more" {
	fresh_tree
	make -s allnoconfig
	sed -i '/+= engine\/\(failure\|io\)$/!d' libcore/files.mk
	make -s libcore.a
	ar t build/libcore.a | sort >all
	sed -i /failure/d libcore/files.mk
	make -s libcore.a
	ar t build/libcore.a | sort | comm -3 all - | cmp - <(echo failure.o)
}

@test "flags that are said twice compile nothing again, others in order do" {
	built_tree
	make -q CFLAGS="-fno-lto -O0 -fno-lto -O0"
	make -q CFLAGS="-O0 -fno-lto -O0"
	run -1 make -q CFLAGS="-fno-lto -O0 -O1"
	run -1 make -q CFLAGS="-fno-lto -O1 -O0"
}

# level DIR: what is left of -O2 in CFLAGS, which others are in the commands of what is
# configured there.
level() {
	make -n -C "$TOP" O="$1" CFLAGS=-O2 "$1/applets/cat.o" >command
	grep ' -c .*cat\.c$' command | grep -oE -- ' -O[0-9a-z]+' | tr -d ' \n'
}

@test "a package has box's own -O level, other configurations that of CFLAGS" {
	distro=$(built distro_defconfig)
	[ "$(level "$distro")" = -Os-Oz ]
	[ "$(level "$(built defconfig)")" = -Os-Oz-O2 ]
	# What the configuration says itself is heard.
	mkdir out
	cp "$distro/.config" out
	echo 'CONFIG_EXTRA_CFLAGS="-O3"' >>out/.config
	make -s -C "$TOP" O="$PWD/out" "$PWD/out/flags"
	[ "$(level "$PWD/out")" = -Os-Oz-O3 ]
}

@test "saving the same configuration again builds nothing" {
	built_tree
	make defconfig >/dev/null
	[ ! "$(compiles)" ]
	touch .config
	[ ! "$(compiles)" ]
	touch libcore/Config.in
	[ ! "$(compiles)" ]
}

@test "the configuration stays with make -B, CDPATH, and names that are Kconfig's" {
	mkdir -p other/scripts
	export CDPATH=.:$PWD/other CONFIG_=X_ KCONFIG_AUTOCONFIG=x KCONFIG_AUTOHEADER=x
	set -- -s -C "$TOP" O="$PWD/out"
	make "$@" tiny_defconfig
	cp out/.config .
	make -B "$@" "$PWD/out/flags"
	cmp out/.config .config
	[ "$(ls other)" = scripts ]
}

@test "where a full disk stops a build, the next one makes the same" {
	export CFLAGS=
	set -- make -s -C "$TOP" O="$PWD/full"
	"$@" tiny_defconfig
	"$@" "$PWD/full/flags"
	cp full/flags full/include/config.h .
	for size in 20k 40k; do
		mounted 'mount -t tmpfs -o size=9m none full' bash -ec '
			"$@" tiny_defconfig
			mount -o remount,size=$0 full
			status=0
			timeout 60 "$@" "$PWD/full/flags" || status=$?
			[ $status = 2 ]
			mount -o remount,size=9m full
			"$@" "$PWD/full/flags"
			cmp flags full/flags
			cmp config.h full/include/config.h' $size "$@"
	done
}

# --- Configuration -----------------------------------------------------------

@test "a goal that configures, or takes away, has its turn before the next one" {
	mkdir out
	make="make -s -j2 -C $TOP O=$PWD/out"
	$make defconfig allnoconfig "$PWD/out/include/config.h"
	run ! grep 'CONFIG_CAT ' out/include/config.h
	$make clean "$PWD/out/libcore/methods/rw.o"
	[ "$(find out -name '*.o')" = out/libcore/methods/rw.o ]
	run -2 $make tiny_defconfig nosuch all
	[ ! -e out/box ]
}

@test "configs/ holds only what differs from the defaults" {
	for file in "$TOP"/configs/*_defconfig; do
		name=${file##*/}
		make -s -C "$TOP" O="$PWD/$name" "$name" savedefconfig
		diff <(sort "$file") <(sort "$name/defconfig")
	done
}

@test "savedefconfig and NAME_defconfig are inverse" {
	fresh_tree
	make -s tiny_defconfig
	sed -i 's/^CONFIG_ZC_YIELDS=.*/CONFIG_ZC_YIELDS=7/' .config
	make -s olddefconfig savedefconfig
	cp .config want
	cp build/defconfig configs/mine_defconfig
	make -s defconfig
	run ! cmp -s want .config
	make -s mine_defconfig
	cmp want .config
}

@test "a seed gives the same random configuration again" {
	needs_tool kconfig-conf
	i=0
	for seed in 1 1 2; do
		make -s -C "$TOP" O="$PWD/out" KCONFIG_SEED=$seed randconfig
		mv out/.config "$seed.$i"
		i=$((i + 1))
	done
	cmp 1.0 1.1
	run ! cmp -s 1.1 2.2
}

@test "oldconfig asks about what is new" {
	fresh_tree
	make -s tiny_defconfig
	sed -i /CONFIG_YES/d .config
	run -0 make -s oldconfig <<<n
	grep -q "CONFIG_YES is not set" .config
}

# --- Installing and the rest -------------------------------------------------

@test "install makes symbolic links, hard links or none" {
	built_tree
	(umask 077; make -s install DESTDIR=../none INSTALL_LINKS=none)
	[ "$(ls ../none/usr/bin)" = box ]
	[ ! "$(find ../none -type d ! -perm 755)" ]
	[ "$(find ../none -type f ! -perm 644 -printf '%P %m\n')" = "usr/bin/box 755" ]
	# No file of the system's cat is replaced, and none of ours is left out.
	diff <(cd ../none/usr/share; find . -type f | sort) - <<-END
	./bash-completion/completions/box
	./fish/vendor_completions.d/box.fish
	./man/man1/box-cat.1
	./man/man1/box-tee.1
	./man/man1/box-yes.1
	./man/man1/box.1
	./zsh/site-functions/_box
	END
	cmp applets/cat.1 ../none/usr/share/man/man1/box-cat.1
	make -s install DESTDIR=../soft
	[ "$(ls ../soft/usr/share/man/man1 | tr '\n' ' ')" = "box.1 cat.1 tee.1 yes.1 " ]
	make -s install DESTDIR=../same INSTALL_LINKS=symbolic
	make -s install DESTDIR=../hard INSTALL_LINKS=hard PREFIX=/opt/box MAN=n COMPLETIONS=n
	[ "$(ls ../hard/opt/box)" = bin ]
	for bin in ../soft/usr/bin ../same/usr/bin ../hard/opt/box/bin; do
		diff <(ls $bin) <({ echo box; applets_of .config; } | sort)
		cmp build/box $bin/box
		[ "$(stat -c %a $bin/box)" = 755 ]
		for name in cat tee yes; do
			[ $bin/$name -ef $bin/box ]
		done
		[ "$(echo hello | $bin/cat)" = hello ]
	done
	[ "$(readlink ../soft/usr/bin/cat)" = box ]
	[ -L ../same/usr/bin/yes ]
	[ ! -L ../hard/opt/box/bin/cat ]
	# Nothing of this system is replaced by one who just says make install.
	make -n install V=1 >../said
	grep /usr/local/bin/box ../said
	[ "$(grep -c '/usr/\(bin\|share\)' ../said)" = 0 ]
	mkdir -p ../folders/usr/bin/yes
	run -2 make -s install DESTDIR=../folders
	[ "${lines[0]}" = "box: ../folders/usr/bin/yes is a directory" ]
	for wrong in "INSTALL_LINKS=other" "DESTDIR=../other/a b"; do
		run ! make -s install DESTDIR=../other "$wrong"
		[ ! -e ../other ]
		[ ! -e b ]
	done
}

@test "uninstall takes away what install has put there, and nothing else" {
	built_tree
	# Each over what is there.
	for over in "hard symbolic none" "symbolic symbolic" "symbolic hard"; do
		for links in $over; do
			make -s install DESTDIR=../to INSTALL_LINKS=$links
			[ "$(echo hello | ../to/usr/bin/cat)" = hello ]
		done
		make -s uninstall DESTDIR=../to
		[ ! "$(find ../to ! -type d)" ]
	done
	# An applet that is chosen no more leaves no link.
	make -s install DESTDIR=../to
	make -s O=../no allnoconfig
	make -s O=../no uninstall DESTDIR=../to
	[ ! "$(find ../to ! -type d)" ]
	theirs="bin/cat bin/other share/bash-completion/completions/tee \
share/fish/vendor_completions.d/box.fish share/man/man1/cat.1 share/zsh/site-functions/_yes"
	for links in none symbolic; do
		make -s install DESTDIR=../to INSTALL_LINKS=$links
		for name in $theirs; do
			rm -f ../to/usr/$name
			mkdir -p "$(dirname ../to/usr/$name)"
			echo mine >../to/usr/$name
		done
		make -s uninstall DESTDIR=../to
		[ "$(cd ../to/usr; find . ! -type d -printf '%P\n' | sort | paste -sd ' ')" = "$theirs" ]
	done
	make -s uninstall DESTDIR=../to
}

@test "make -n and make -q write nothing, configured or not" {
	fresh_tree
	listing >../before
	run make -n
	[[ $output = *"the first make writes the configuration that make -n needs"* ]]
	run -2 make -q
	listing | diff ../before -
	make -s defconfig
	make -s build/flags
	find . -printf '%p %T@\n' | sort >../before
	run -0 make -n CFLAGS=-DOTHER
	[[ $output = *"-DOTHER"*" -c "* ]]
	run -1 make -q
	run -0 make -n install
	sed -i n .config applets/cat.c Config.in
	find . -printf '%p %T@\n' | sort >../before
	run -0 make -n
	find . -printf '%p %T@\n' | sort | diff ../before -
}

@test "a musl with larger threads than start.c knows is refused" {
	echo 'char builtin_tls[BYTES]; int main(void) { return 0; }' >tls.c
	for bytes in 512 513; do
		executable cc <<<"exec cc -s -DBYTES=$bytes tls.c -o \"\$6\" \$7"
		run "$TOP/scripts/link/guesses" nm . ./cc
		[ "$status" = $((bytes - 512)) ]
	done
	[ "$output" = "box: a thread of this musl may take 513 bytes, and start.c has 512: \
say n to CONFIG_START" ]
	run -0 "$TOP/scripts/link/guesses" nm . musl-gcc
	# In a build make says nothing after it.
	fresh_tree
	executable scripts/link/guesses <<<'echo "box: guessed wrong" >&2; exit 1'
	make -s tiny_defconfig
	# As if all were compiled.
	stops_in_one_line ": \*\*\* box: guessed wrong." make -s box-objects=
}

@test "a compiler is tried once for its flags, and again for others" {
	export LOG=$PWD/log
	executable cc <<<'echo "$*" >>"$LOG"; exec musl-gcc "$@"'
	set -- make -s -C "$TOP" O="$PWD/out" CC="$PWD/cc"
	"$@" "$PWD/out/applets/cat.o"
	[ "$(wc -l <log)" -gt 1 ]
	: >log
	"$@" "$PWD/out/applets/yes.o"
	[ "$(grep -c ' -c -o ' log)" = 1 ]
	[ "$(wc -l <log)" = 1 ]
	: >log
	"$@" CFLAGS=-DOTHER "$PWD/out/applets/yes.o"
	[ "$(grep -c -e '-DOTHER' log)" -gt 1 ]
}

@test "O=DIR keeps the compiler, for the goals that come later" {
	executable cc <<<'exec musl-gcc "$@"'
	cp cc other-gcc
	set -- make -s -C "$TOP" O="$PWD/out"
	"$@" CC="$PWD/cc" "$PWD/out/applets/yes.o"
	run -0 "$@" -n V=1 "$PWD/out/applets/cat.o"
	[[ $output = *"$PWD/cc "*" -c "* ]]
	# One that does not work is not kept, and tried again.
	run -2 "$@" CC="$PWD/late" "$PWD/out/applets/yes.o"
	[[ $output = *"box: $PWD/late is missing"* ]]
	ln cc late
	"$@" CC="$PWD/late" "$PWD/out/applets/yes.o"
	rm late
	run -2 "$@" CC="$PWD/late" CFLAGS=-DLATE "$PWD/out/applets/yes.o"
	"$@" "$PWD/out/applets/yes.o"
	run -0 "$@" -n V=1 "$PWD/out/applets/cat.o"
	[[ $output = *"musl-gcc "*" -c "* ]]
	"$@" CROSS_COMPILE="$PWD/other-" "$PWD/out/applets/yes.o"
	run -0 "$@" -n V=1 libcore.a
	[[ $output = *"$PWD/other-gcc "*" -c "*"$PWD/other-ar "* ]]
}

@test "help has a line for each goal and variable, and none is wider than a terminal" {
	make -s -C "$TOP" help >help
	for goal in all menuconfig oldconfig olddefconfig defconfig allyesconfig NAME_defconfig \
		savedefconfig libzc install uninstall install-lib uninstall-lib check check-all \
		dist clean distclean help; do
		grep "^  $goal  " help
	done
	for name in O CROSS_COMPILE CC CFLAGS LDFLAGS STRIP V DESTDIR PREFIX MAN COMPLETIONS \
		INSTALL_LINKS; do
		grep "^  $name=[^ ]*  *[a-z]" help
	done
	# A variable of make is shown by its value.
	run ! grep -F -e '$B' help
	run ! grep -E '.{80}' help
}

@test "check hands T to scripts/check" {
	fresh_tree
	executable scripts/check <<<'echo "checking $*."'
	[ "$(make -s check)" = "checking ." ]
	[ "$(make -s check T=cat)" = "checking cat." ]
}

@test "box's own layout is left to flags that bring no constructors" {
	tiny=$(built tiny_defconfig)
	cp -r "$tiny/include" .
	grep 'T,[a-z/]*static.ld' "$tiny/compiler.mk"
	"$TOP/scripts/compiler" "$PWD" '' '' --coverage '' '' >chosen
	grep cflags chosen
	run ! grep 'T,[a-z/]*static.ld' chosen
}

# --- What leaves another tree: last ------------------------------------------

@test "other flags compile everything again" {
	built_tree
	all=$(find build -name '*.o' -not -name single.o | sed 's,.*/,,' |
		sort -u | tr '\n' ' ')
	set -- CFLAGS="$CFLAGS -DOTHER"
	[ "$(would_compile "$@")" = "$all" ]
	make "$@" build/applets/cat.o
	make -q "$@" build/applets/cat.o
}

@test "with an applet or a method less, or another number, another box is installed" {
	built_tree
	make -s allnoconfig
	# What is not in it takes the default.
	sed -i '/CONFIG_TEE is/d; s/^# \(CONFIG_\(CAT\|SHOW_CONFIG\)\) is not set/\1=y/
		s/^CONFIG_ZC_PIPE_KB=.*/CONFIG_ZC_PIPE_KB=512/' .config
	run -0 make -s -j2 install DESTDIR=../less
	[ ! "$output" ]
	make -q
	diff <(ls ../less/usr/bin) <({ echo box; applets_of .config; } | sort)
	[ "$(echo hello | ../less/usr/bin/cat)" = hello ]
	run -0 make --silent uninstall DESTDIR=../less
	[ ! "$output" ]
	build/box --list >../list
	diff ../list <(applets_of .config)
	grep -x tee ../list
	run ! grep -x yes ../list
	run ! grep "^CONFIG_YES" .config
	[ "$(build/box --config | grep PIPE_KB)" = CONFIG_ZC_PIPE_KB=512 ]
	gnu_cat Makefile >../want
	gnu_cat ../want | build/box cat | cmp ../want
}

@test "clean keeps the configuration, distclean leaves the sources alone" {
	built_tree
	(cd ../sources; listing) >../before
	# Of a configuration with one applet, it has that as a program, too.
	: >build/yes
	cp .config ../want
	make -s clean
	[ ! "$(find build -type f ! -path build/defconfig ! -name .box)" ]
	cmp ../want .config
	make -s build/applets/cat.o
	make -s O=../elsewhere tiny_defconfig ../elsewhere/applets/cat.o
	# As a check of the compiler leaves it that is interrupted.
	rm ../elsewhere/compiler.mk
	make -s O=../elsewhere distclean
	[ ! "$(ls -A ../elsewhere)" ]
	[ -e build/applets/cat.o ]
	make -s O=../elsewhere defconfig
	make -s O=../elsewhere distclean
	[ ! "$(ls -A ../elsewhere)" ]
	# What is somebody else's, such as Linux', stays.
	mkdir -p ../other/{lib,include,scripts}
	echo CONFIG_64BIT=y >../other/.config
	stops_in_one_line "box: there is no configs/nosuch_defconfig" make O=../other nosuch_defconfig
	make -s O=../other distclean
	[ "$(ls -A ../other)" = $'.config\ninclude\nlib\nscripts' ]
	make -s distclean
	listing | diff ../before -
}
