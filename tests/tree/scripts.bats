#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What scripts/ does on machines that are not like this one.

load ../lib/helpers
load ../lib/config

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL BOX TOOLS
	export LC_ALL=C CFLAGS="-fno-lto -O0"
}

# Makes ./bin, a PATH with the commands that any system has, as well as those
# named, and a fake of each command of "fake NAME".
machine() {
	local name

	mkdir bin
	for name in sh sed grep cut tr sort id cat tail dirname mktemp rm sleep "$@"; do
		ln -s "$(command -v "$name")" bin/
	done
}

# fake NAME <SCRIPT, in place of a link to the real one
fake() {
	/bin/rm -f "bin/$1"
	{ echo '#!/bin/sh'; gnu_cat; } >bin/"$1"
	/bin/chmod +x bin/"$1"
}

# A package manager that notes how it was called, and installs WHAT.
fake_manager() {
	fake "$1" <<-END
	echo "$1 \$*" >>$PWD/calls
	case "\$*" in *--assume-no*) ;; *install*|*add*|-S*)
		for what in ${*:2}; do
			/bin/ln -sf /bin/true $PWD/bin/\$what
		done
	esac
	END
}

packages() {
	PATH=$PWD/bin "$TOP/scripts/install-packages" "$@"
}

@test "scripts can be run" {
	find "$TOP/scripts" "$TOP/.ci/run" -type f ! -perm -100 >files
	xargs awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME }' <files >stuck
	[ -s files ]
	diff /dev/null stuck
}

@test "each script says for --help what it is for, and does nothing" {
	needs_tool git
	copy_tree tree
	git init -q tree
	git -C tree add -A
	find tree/scripts -maxdepth 1 -type f -perm -100 >scripts
	find tree/scripts/bench -type f -perm -100 >>scripts
	[ "$(wc -l <scripts)" -gt 30 ]
	outside bash -e -c 'while read -r script; do
		"$script" --help >out 2>err </dev/null
		[ ! -s err ]
		grep -qF "${script#tree/}" out
	done <scripts' || { gnu_cat err; false; }
	git -C tree status --short >changed
	run ! grep -v '^A  ' changed
	[ ! -e tree/build ]
}

@test "every file says its licence in the beginning" {
	find "$TOP"/{applets,libcore,tests,scripts,completions,Makefile,Config.in,.ci/run} \
		-type f ! -name '*.pyc' ! -path '*/corpus/*' >files
	xargs awk 'FNR <= 3 && /SPDX-License-Identifier: 0BSD/ { print FILENAME }' \
		<files >licensed
	diff files licensed
}

@test "mutants says at once of a wrong argument what is wrong" {
	for wrong in SAMPLE=x SAMPLE=-1 SEED=1x; do
		run -1 env $wrong "$TOP/scripts/mutants" libcore/engine/job.c
		[ "$output" = "box: $wrong is no number" ]
	done
	run -1 "$TOP/scripts/mutants" libcore/none.c
	[ "$output" = "box: there is no libcore/none.c" ]
	CONFIG=nosuch run -1 "$TOP/scripts/mutants" planted
	[ "$output" = "box: there is no tests/mutants/nosuch" ]
}

@test "each planted fault has one place in the sources, and suites that find it" {
	for file in "$TOP"/tests/mutants/*; do
		[ "${file##*/}" != equivalent ] || continue
		CONFIG=${file##*/} run -0 "$TOP/scripts/mutants" planted "no such fault"
		[ "$output" = "box: 0 of 0 planted faults found" ]
	done
}

@test ".ci/run calls README's second command and nothing else" {
	mkdir -p scripts .ci
	cp "$TOP/.ci/run" .ci/
	printf '#!/bin/sh\necho "./scripts/check $*"\nexit 3\n' >scripts/check
	chmod +x scripts/check
	run -3 .ci/run
	cp "$TOP/README.md" .
	"$LIB/readme.py" commands 'Try it' >commands
	[ "$output" = "$(sed -n 2p commands)" ]
}

# --- install-packages --------------------------------------------------------

@test "where every package is there nothing is said or done" {
	machine make gcc cmp musl-gcc kconfig-conf
	fake_manager apt-get
	run -0 packages build
	[ ! "$output" ]
	[ ! -e calls ]
}

@test "what is missing is installed, once" {
	machine make gcc cmp
	fake id <<<"echo 0"
	fake_manager apt-get musl-gcc kconfig-conf
	run -0 packages build
	[ "$output" = "box: installing kconfig-frontends-nox musl-tools" ]
	# The first of these installs nothing, as -y is not there.
	[ "$(gnu_cat calls)" = "apt-get update
apt-get install --assume-no --no-install-recommends kconfig-frontends-nox musl-tools
apt-get install -y --no-install-recommends --no-remove kconfig-frontends-nox musl-tools" ]
	run -0 packages build
	[ ! "$output" ]
	[ "$(wc -l <calls)" = 3 ]
}

@test "without root the command to run is printed, and the status is 1" {
	machine make cmp kconfig-conf
	fake id <<<"echo 1000"
	fake_manager apt-get musl-gcc gcc
	run -1 --separate-stderr packages build
	[ "${stderr_lines[1]}" = "    apt-get update && apt-get install -y \
--no-install-recommends --no-remove gcc musl-tools" ]
	[ ! "$output" ]
	[ ! -e calls ]
}

@test "each package manager has names of its own" {
	machine make
	fake id <<<"echo 1000"
	while read -r manager wanted; do
		fake_manager "$manager"
		run -1 --separate-stderr packages build bench
		rm "bin/$manager"
		[[ $stderr = *"    $wanted" ]]
	done <<-END
	apk	apk add --no-cache diffutils gcc gnuplot musl-dev patchelf py3-kconfiglib
	dnf	dnf install -y diffutils gcc gnuplot-minimal musl-gcc musl-libc-static patchelf python3-kconfiglib
	pacman	pacman -Sy --needed --noconfirm diffutils gcc gnuplot musl patchelf python-kconfiglib
	END
}

@test "a musl system needs no musl-gcc" {
	machine make gcc cmp kconfig-conf
	fake cc <<<"echo x86_64-alpine-linux-musl"
	fake_manager apk
	run -0 packages build
	[ ! "$output" ]
	[ ! -e calls ]
}

@test "what no package is known for is named, and the rest installed" {
	machine make gcc cmp musl-gcc uname
	fake id <<<"echo 1000"
	fake_manager apk
	run -1 --separate-stderr packages check
	[[ $stderr = *"kconfig-conf is missing, and no package is known"* ]]
	[[ $stderr = *"    apk add --no-cache "*"bats "*"clang "* ]]
}

@test "Kconfiglib will do for kconfig-conf" {
	machine make gcc cmp musl-gcc
	fake python3 <<<'[ "$*" = "-c import kconfiglib" ]'
	fake_manager apt-get
	run -0 packages build
	[ ! "$output" ]
	[ ! -e calls ]
}

@test "a machine with another package manager is told what is missing" {
	machine make cmp kconfig-conf
	run -1 --separate-stderr packages build
	[[ $stderr = *"gcc musl-tools"* ]]
}

@test "a package manager that fails is shown, and the status is 1" {
	machine make cmp gcc musl-gcc
	fake id <<<"echo 0"
	fake apt-get <<<'printf "Reading\nE: no %s\n" network >&2; exit 100'
	run -1 --separate-stderr packages build
	[ "$stderr" = "box: apt-get failed (is there a network?): E: no network" ]
}

@test "before anything is installed it is said how large it is" {
	machine make cmp gcc kconfig-conf
	fake id <<<"echo 0"
	fake apt-get <<-END
		case "\$*" in
		*--assume-no*)
			echo "Need to get 12.3 MB/45 MB of archives."
			echo "After this operation, 67 MB of additional disk space will be used."
			exit 1 ;;
		*install\ -y*) /bin/ln -s /bin/true $PWD/bin/musl-gcc ;;
		esac
	END
	run -0 packages build
	[ "$output" = "box: installing musl-tools
box: 12.3 MB/45 MB to fetch
box: 67 MB on the disk" ]
}

@test "a package of the compiler's version is asked for by that" {
	machine uname
	fake cc <<<'[ "$*" = -dumpversion ] && echo 99.1.2'
	fake id <<<"echo 1000"
	fake_manager apt-get
	run -1 --separate-stderr packages check
	[[ $stderr = *" lib32gcc-99-dev "* ]]
	# Before there is one, apt knows which it will be.
	rm bin/cc
	fake apt-cache <<<'printf "gcc\n  Depends: cpp\n  Depends: gcc-98\n"'
	run -1 --separate-stderr packages check
	[[ $stderr = *" lib32gcc-98-dev "* ]]
}

@test "what is missing, and what could be brought, is told and not installed" {
	machine make gcc cmp
	fake id <<<"echo 0"
	fake_manager apt-get musl-gcc kconfig-conf
	run -0 packages --missing build
	[ "$output" = $'musl\nkconfig' ]
	run -0 packages --names build
	[ "$output" = $'make\ngcc\ncmp\nmusl\nkconfig' ]
	[ ! -e calls ]
}

@test "a package manager that did not help is not believed" {
	machine make cmp gcc musl-gcc
	fake id <<<"echo 0"
	fake_manager apt-get
	run -1 --separate-stderr packages build
	[[ $stderr = *"still missing"*"kconfig"* ]]
}

@test "each set has packages" {
	machine uname
	fake id <<<"echo 1000"
	fake_manager apt-get
	while read -r set package; do
		run -1 --separate-stderr packages "$set"
		[[ $stderr = *"    apt-get update && "*" $package"* ]]
	done <<-END
	build	make
	initramfs	cpio
	container	buildah
	check	bats
	long	debootstrap
	bench	patchelf
	END
	[ ! -e calls ]
}

@test "a package whose name has a + is asked for by that" {
	machine uname
	fake id <<<"echo 1000"
	fake_manager apt-get
	run -1 --separate-stderr packages check
	[[ $stderr = *" g++ "* ]]
}

@test "an unknown set of packages is an error" {
	machine
	run -1 packages build nosuch
	[[ $output = *"nosuch"* ]]
	run -1 packages
}

# --- check -------------------------------------------------------------------

# A tree with tests of its own, which needs neither packages nor a build.
check_tree() {
	mkdir -p tree/tests/box tree/tests/tree tree/scripts
	cp "$TOP"/scripts/{check,lib.sh} tree/scripts
	gnu_cat >tree/scripts/install-packages <<-'END'
		#!/bin/sh
		echo "$*" >>asked
	END
	chmod +x tree/scripts/install-packages
	mkdir -p tmp
	export BOX=/bin/true TMPDIR=$PWD/tmp
}

# tests NAME <BODY, where "@" is "@test", which bats would take for one of ours.
tests() {
	sed 's/^@ /@test /' >"tree/tests/box/$1.bats"
}

last_line() {
	printf '%s\n' "$output" | tail -n 1
}

# ./sleeps has a sleep(1) for a PATH: a report waits for a moment, and ./slept says how long
# it would have been.
report_sleep() {
	fake_sleep=$PWD/sleeps
	mkdir "$fake_sleep"
	gnu_cat >"$fake_sleep/sleep" <<-END
		#!/bin/sh
		case \$1 in
		1 | 30) echo \$1 >>$PWD/slept; set -- 0.1 ;;
		esac
		exec /bin/sleep "\$@"
	END
	chmod +x "$fake_sleep/sleep"
}

@test "check says each half minute how far it is, and on a terminal each second" {
	check_tree
	report_sleep
	tests one <<-'END'
	@ "a" { true; }
	@ "b" { mkfifo wait; read -r line <wait; }
	END
	PATH=$PWD/sleeps:$PATH outside tree/scripts/check >said 3>&- &
	pid=$!
	awaits grep -qx 'box: [0-9]* s: 1 of 2 tests, 0 failed: one' said
	awaits [ -p tree/wait ]
	echo >tree/wait
	wait $pid
	[ "$(tail -n 1 said)" = "2 passed, 0 failed" ]
	[ "$(sort -u slept)" = 30 ]
	rm tree/wait slept
	PATH=$PWD/sleeps:$PATH TERM=xterm outside script -qec tree/scripts/check said >said 3>&- &
	pid=$!
	awaits grep -q $'\r\033\[Kbox: [0-9]* s: 1 of 2 tests, 0 failed: one' said
	awaits [ -p tree/wait ]
	echo >tree/wait
	wait $pid
	# Nothing of that is left before the last line.
	grep $'\r\033\[K2 passed, 0 failed' said
	[ "$(sort -u slept)" = 1 ]
}

@test "install-packages says what the package manager does" {
	machine make gcc cmp kconfig-conf chmod kill mkfifo
	report_sleep
	fake id <<<"echo 0"
	fake apt-get <<-END
		case "\$*" in *install\ -y*)
			/bin/mkfifo $PWD/wait $PWD/begun
			read -r line <$PWD/begun
			echo "Unpacking   musl-tools"
			read -r line <$PWD/wait
			/bin/ln -s /bin/true $PWD/bin/musl-gcc ;;
		esac
	END
	ln -sf "$fake_sleep/sleep" bin/sleep
	packages build >said 3>&- &
	pid=$!
	# Before it says anything, as pip does not, its command line is shown.
	awaits grep -q '^box: [0-9]* s: apt-get install -y .* musl-tools' said
	awaits [ -p begun ]
	echo >begun
	awaits grep -q '^box: [0-9]* s: Unpacking musl-tools' said
	echo >wait
	wait $pid
}

@test "check counts what passed" {
	check_tree
	tests one <<<'@ "a" { true; }'
	tests two <<-'END'
	@ "b" { echo "not ok 7 b"; }
	@ "c" { true; }
	END
	run -0 outside tree/scripts/check
	[ "$(last_line)" = "3 passed, 0 failed" ]
	run -0 outside tree/scripts/check two
	[ "$(last_line)" = "2 passed, 0 failed" ]
}

@test "check counts what was skipped" {
	check_tree
	tests one <<-'END'
	@ "a" { skip "no moon"; }
	@ "b" { skip; }
	@ "c" { true; }
	END
	run -0 outside tree/scripts/check
	[ "$(last_line)" = "1 passed, 0 failed, 2 skipped" ]
	[[ $output = *"no moon"* ]]
}

@test "check counts and shows what failed, and its status is 1" {
	check_tree
	tests one <<-'END'
	@ "a" { true; }
	@ "b" { echo "this is why"; false; }
	@ "c" { skip; }
	END
	tests two <<<'@ "d" { false; }'
	run -1 outside tree/scripts/check
	[ "$(last_line)" = "1 passed, 2 failed, 1 skipped" ]
	[[ $output = *"this is why"* ]]
}

@test "a test that never ran has failed" {
	check_tree
	tests one <<-'END'
	@ "a" { true; }
	@ "b" { kill -9 $PPID; sleep 1; }
	@ "c" { true; }
	END
	run -1 outside tree/scripts/check
	[[ $(last_line) =~ ^[0-2]\ passed,\ [1-9]\ failed$ ]]
}

@test "without a way to 127.0.0.1 check says so" {
	unshare -n true 2>/dev/null || skip "unshare is not allowed here"
	check_tree
	tests one <<<'@ "a" { true; }'
	run -1 outside unshare -n tree/scripts/check
	[ "$output" = "box: cannot test where 127.0.0.1 is unreachable: ip link set lo up
0 passed, 1 failed" ]
}

@test "a file whose counts are lost has failed" {
	check_tree
	tests one <<<'@ "a" { rm -r build/check/log; }'
	tests two <<<'@ "b" { true; }'
	JOBS=1 run -1 outside tree/scripts/check one two
	[ "$(last_line)" = "0 passed, 2 failed" ]
	[[ $output = *"box: 2 of the files of tests left no counts in $PWD/tree/build/check/log"* ]]
}

@test "a file that bats cannot read has failed" {
	check_tree
	tests one <<<'@ "a" { true; }'
	tests two <<<'@ "b" { if; }'
	tests three <<<'exit 0'
	run -1 outside tree/scripts/check
	[[ $(last_line) =~ ^1\ passed,\ [1-9]\ failed$ ]]
}

@test "a setup that fails has failed" {
	check_tree
	tests one <<-'END'
	setup_file() { false; }
	@ "a" { true; }
	@ "b" { true; }
	END
	run -1 outside tree/scripts/check
	[ "$(last_line)" = "0 passed, 2 failed" ]
}

# In check sleep(1) is over once a test hangs.
@test "a test that hangs is stopped and named, has failed, and leaves nothing" {
	check_tree
	tests one <<-'END'
	@ "a" { true; }
	@ "b" {
		cd "$BATS_TEST_TMPDIR"
		setsid env -i sleep 1000 3>&- &
		echo $! >"$HUNG"
		wait
	}
	END
	mkdir bin
	gnu_cat >bin/sleep <<-'END'
		#!/bin/sh
		[ "$1" != 300 ] || set -- 0
		until [ -s "$HUNG" ]; do /bin/sleep 0.01; done
		exec /bin/sleep "$1"
	END
	chmod +x bin/sleep
	HUNG=$PWD/hung PATH=$PWD/bin:$PATH LIMIT=300 run -1 outside tree/scripts/check
	[ "$output" = "one: \"b\" has no result (stopped, no test has ended for 300 seconds)
    make check T=one N='^b\$'
1 passed, 1 failed" ]
	awaits gone "$(<hung)"
	[ ! "$(ls tmp)" ]
}

@test "a box that is no program is not tested" {
	check_tree
	tests one <<<'@ "a" { true; }'
	touch none
	for BOX in none nosuch /; do
		run -1 outside tree/scripts/check
		[ "$output" = "box: BOX=$BOX is no program
0 passed, 1 failed" ]
	done
}

@test "BOX is the box that is tested, whatever it lacks" {
	check_tree
	cp "$(built defconfig)/box" tree/box
	for share in share_box share_box_with_all; do
		printf '%s\n' "load \"$LIB/helpers\"" "setup_file() { $share; }" \
			'@ "a" { cmp "$LINKS/box" "$GIVEN"; }' | tests one
		GIVEN=$PWD/tree/box BOX=box run -0 outside tree/scripts/check
		[ "$(last_line)" = "1 passed, 0 failed" ]
	done
}

@test "check shows a failure at once, with what repeats it" {
	check_tree
	tests one <<-'END'
	@ "it's (a)" { echo why; false; }
	@ "b" { mkfifo wait; read -r line <wait; }
	END
	outside tree/scripts/check >said &
	pid=$!
	awaits [ -p tree/wait ]
	awaits grep -q "# why" said
	sed -n 1,2p said >first
	printf "%s\n" "one: not ok 1 it's (a)" \
		"    make check T=one N='^it.s .a.\$'" | cmp - first
	echo >tree/wait
	waits 1 $pid
	[ "$(tail -n 1 said)" = "1 passed, 1 failed" ]
	# That line, as make runs it, runs that test.
	sed -n "s|^    make|make -ns -C $TOP|p" said >make
	bash make >command
	run -1 outside env -C tree bash ../command
	[ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "where a signal ends check, or all of its group, only the last line is said" {
	check_tree
	tests one <<-'END'
	@ "a" {
		read -r _ _ _ _ _ session _ </proc/self/stat
		echo $session >session
		mkfifo wait
		read -r line <wait
	}
	END
	for group in '' -; do
		outside setsid tree/scripts/check >said 2>&1 &
		pid=$!
		awaits [ -p tree/wait ]
		kill -TERM -- "$group$(<tree/session)"
		waits 1 $pid
		[ "$(<said)" = "0 passed, 1 failed" ]
		rm tree/wait
	done
}

@test "a second check in the same directory says so, and leaves the first alone" {
	check_tree
	tests one <<-'END'
	@ "a" { mkfifo wait; read -r line <wait; }
	END
	outside tree/scripts/check >said &
	pid=$!
	awaits [ -p tree/wait ]
	LIMIT=20 run -1 outside tree/scripts/check
	[ "$output" = "box: another check runs in $PWD/tree/build/check: set O= to another directory" ]
	echo >tree/wait
	wait $pid
	[ "$(gnu_cat said)" = "1 passed, 0 failed" ]
}

@test "check runs the tests of a name, and no other" {
	check_tree
	tests one <<<'@ "a" { true; }'
	tests two <<<'@ "ab" { true; }'
	N='^a' run -0 outside tree/scripts/check
	[ "$(last_line)" = "2 passed, 0 failed" ]
	N='b$' run -0 outside tree/scripts/check
	[ "$(last_line)" = "1 passed, 0 failed" ]
	N=c run -1 outside tree/scripts/check
	[[ $output = "box: there is no test of that name"* ]]
}

@test "check leaves all it makes where O= says" {
	check_tree
	tests one <<<'@ "a" { true; }'
	O=$PWD/out run -0 outside tree/scripts/check
	[ "$(last_line)" = "1 passed, 0 failed" ]
	grep '^ok 1 a' out/log/one
	[ ! -e tree/build ]
}

@test "check runs what box does before the tree's own" {
	check_tree
	for name in one cat; do
		tests $name <<<"@ \"$name\" { echo $name >>order; }"
	done
	echo '@''test "tree" { echo tree >>order; }' >tree/tests/tree/alone.bats
	JOBS=1 run -0 outside tree/scripts/check
	[ "$(tr '\n' ' ' <tree/order)" = "cat one tree " ]
	rm tree/order
	run -0 outside tree/scripts/check tests/tree
	[ "$(gnu_cat tree/order)" = tree ]
}

@test "check that is stopped stops its tests, and has failed" {
	check_tree
	tests one <<-'END'
	@ "a" { touch begun; exec sleep 300; }
	END
	for signal in INT TERM; do
		rm -f tree/begun
		outside "$LIB/drive.py" stop $signal tree/begun \
			"0 passed, 1 failed" -- tree/scripts/check
	done
}

@test "check of a file that is not there has failed" {
	check_tree
	run -1 outside tree/scripts/check nosuch
	[ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "check installs nothing, and names what is missing" {
	check_tree
	tests one <<<'@ "a" { true; }'
	echo '[ "$1" = --missing ] && [ "$*" = "--missing build" ] || echo strace' \
		>>tree/scripts/install-packages
	run -0 outside tree/scripts/check
	[ "${lines[0]}" = "box: missing: strace (scripts/check --install brings it; \
what needs it is skipped)" ]
	[ "$(last_line)" = "1 passed, 0 failed" ]
	run ! grep -v -e --missing tree/asked
}

@test "check --install brings what the long tests need, for these alone" {
	check_tree
	mkdir tree/tests/long
	tests one <<<'@ "a" { true; }'
	mv tree/tests/box/one.bats tree/tests/long
	tests two <<<'@ "b" { true; }'
	run -0 outside tree/scripts/check --install tests/long
	[ "$(last_line)" = "1 passed, 0 failed" ]
	[ "$(sort -u tree/asked)" = $'--names build check long\nbuild check long' ]
	rm tree/asked
	run -0 outside tree/scripts/check --install
	[ "$(sort -u tree/asked)" = $'--names build check\nbuild check' ]
}

@test "check --install without the packages has failed" {
	check_tree
	tests one <<<'@ "a" { true; }'
	echo "echo nothing here; exit 1" >>tree/scripts/install-packages
	run -1 outside tree/scripts/check --install
	[ "$(last_line)" = "0 passed, 1 failed" ]
	[ "$(gnu_cat tree/asked)" = "build check" ]
}

@test "a test that lacks a tool is skipped, and fails once that was installed" {
	check_tree
	printf 'load "%s"\n%s\n' "$LIB/helpers" \
		'@ "a" { needs_tool no-such; }' | sed '1asetup_file() { :; }' | tests one
	run -0 outside tree/scripts/check
	[[ $output = *"# skip no-such is missing"*"0 passed, 0 failed, 1 skipped" ]]
	echo 'echo strace; echo no-such' >>tree/scripts/install-packages
	run -1 outside tree/scripts/check --install
	[[ $output = *"no-such is missing, though it has been installed"* ]]
	[ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "check of what does not build has failed" {
	copy_tree tree
	printf '#!/bin/sh\n' >tree/scripts/install-packages
	echo 'int broken(' >>tree/applets/applet.h
	run -1 outside tree/scripts/check box
	[ "$(last_line)" = "0 passed, 1 failed" ]
}

# --- try ---------------------------------------------------------------------

@test "try builds, links, copies, and leaves nothing but that" {
	copy_sources tree
	shorten_timeouts
	mkdir tmp
	export TMPDIR=$PWD/tmp SIZE=8 CFLAGS="-fno-lto -O0"
	cd /
	run -0 "$OLDPWD/tree/scripts/try"
	cd "$OLDPWD"
	for line in "cat in >copy, the system's cat" "cat in >copy" "tee copy1 <in >copy2" "yes |"; do
		[[ $output = *"  $line"*" GiB/s"* ]]
	done
	# Each half minute may have a line of its own.
	[ "$(grep -vc '^box: [0-9]* s: ' <<<"$output")" -le 12 ]
	# How it was done, as box says, and what to do to have it.
	[[ $output = *"    cat: in (file) to file: "*" moved 8388608 bytes in "* ]]
	path=$(sed -n 's/^    PATH=/PATH=/p' <<<"$output")
	[ "$(sh -c "$path; command -v tee")" = "$PWD/tree/_install/bin/tee" ]
	diff <(ls tree/_install/bin) <({ echo box; applets_of tree/.config; } | sort)
	[ "$(echo hello | tree/_install/bin/cat)" = hello ]
	[ ! "$(ls -A tmp)" ]
}

@test "try builds where O= says, what is configured there, and leaves the tree alone" {
	copy_sources tree
	shorten_timeouts
	make -s -C tree O="$PWD/out" allnoconfig
	sed -i 's/^# \(CONFIG_\(CAT\|YES\)\) is not set/\1=y/' out/.config
	find tree | sort >before
	SIZE=1 O=$PWD/out CFLAGS="-fno-lto -O0" run -0 tree/scripts/try
	[[ $output = *"tee: not in this configuration"* ]]
	[ "$(ls out/_install/bin | tr '\n' ' ')" = "box cat yes " ]
	[ "$(echo hello | out/_install/bin/cat)" = hello ]
	grep -q "CONFIG_TEE is not set" out/.config
	find tree | sort | diff before -
}

@test "a directory that cannot be written is named in one line" {
	copy_sources tree
	O=/proc/none run -1 tree/scripts/check cat
	[ "$output" = "box: /proc/none cannot be written: set O= to another directory" ]
	for goal in all defconfig; do
		run make -s -C tree O=/proc/none $goal
		stops_in_one_line
		[[ $output = *": *** box: /proc/none cannot be written: set O= to another directory."* ]]
	done
}

@test "a path with a space is refused in one line, before anything is installed" {
	copy_sources "a b/tree"
	copy_sources tree
	for there in a\ b/tree tree; do
		gnu_cat >"$there/scripts/install-packages" <<<"echo >>'$PWD/asked'"
	done
	for script in try "check --install"; do
		# shellcheck disable=SC2086 # a word and an option
		run -1 "a b/tree/scripts/"$script
		grep -x "box: $PWD/a b/tree holds a space, and make cannot work there" <<<"$output"
		O="$PWD/c d" run -1 tree/scripts/$script
		grep -x "box: $PWD/c d holds a space, and make cannot work there" <<<"$output"
	done
	[ ! -e asked ]
	[ ! -e "c d" ]
}

@test "try says in one line what keeps it from building" {
	copy_sources tree
	O=/proc/none run -1 tree/scripts/try
	[ "$output" = "box: /proc/none cannot be written: set O= to another directory" ]
	CC=no-such-gcc run ! tree/scripts/try
	grep -v '^Building' <<<"$output" >said
	[ "$(wc -l <said)" = 1 ]
	grep 'no-such-gcc is missing: install it, or set CC=' said
}

@test "try says so when something is lost, and leaves nothing" {
	copy_sources tree
	mkdir tmp
	export TMPDIR=$PWD/tmp SIZE=8
	make -s -C tree tiny_defconfig
	# A cat that says it did, without a build.
	sed -i 's/^all: \$(B).*/all:/; s/^install: .*/install:\n\tmkdir -p _install\/bin; printf '"'"'#!\/bin\/sh\\nexit 0\\n'"'"' >_install\/bin\/cat; chmod +x _install\/bin\/cat\nold:/' \
		tree/Makefile
	run -1 tree/scripts/try
	[[ $output = *"cat lost something"* ]]
	[ ! "$(ls -A tmp)" ]
}
