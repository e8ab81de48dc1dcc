#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What scripts/ does on machines that are not like this one.

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL BOX
	export LC_ALL=C
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# Makes ./bin, a PATH with the commands that any system has, as well as those
# named, and a fake of each command of "fake NAME".
machine() {
	local name

	mkdir bin
	for name in sh sed grep cut tr sort id cat tail dirname rm sleep "$@"; do
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
	case "\$*" in *install*|*add*|-S*)
		for what in ${*:2}; do
			/bin/ln -s /bin/true $PWD/bin/\$what
		done
	esac
	END
}

packages() {
	PATH=$PWD/bin "$TOP/scripts/install-packages" "$@"
}

@test "scripts can be run" {
	for file in $(find "$TOP/scripts" -type f) "$TOP/.ci/run"; do
		[[ $(head -n 1 "$file") = '#!'*sh ]] || continue
		[ -x "$file" ]
	done
}

@test "every file says its licence in the beginning" {
	for file in $(find "$TOP"/{applets,libcore,tests,scripts,completions} \
			-type f ! -name '*.pyc' ! -path '*/corpus/*' \
			! -path '*/tests/help/*') \
		    "$TOP"/{Makefile,Config.in,.ci/run}; do
		head -n 3 "$file" | grep "SPDX-License-Identifier: 0BSD"
	done
}

@test "mutants says at once of a wrong argument what is wrong" {
	for wrong in SAMPLE=x SAMPLE=-1 SEED=1x; do
		run -1 env $wrong "$TOP/scripts/mutants" libcore/engine/copy.c
		[ "$output" = "box: $wrong is no number" ]
	done
	run -1 "$TOP/scripts/mutants" libcore/none.c
	[ "$output" = "box: there is no libcore/none.c" ]
}

@test ".ci/run calls scripts/check and nothing else" {
	mkdir -p scripts .ci
	cp "$TOP/.ci/run" .ci/
	printf '#!/bin/sh\necho "checking $#."\nexit 3\n' >scripts/check
	chmod +x scripts/check
	run -3 .ci/run
	[ "$output" = "checking 0." ]
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
	[ "$(gnu_cat calls)" = "apt-get update
apt-get install -y --no-install-recommends kconfig-frontends-nox musl-tools" ]
	run -0 packages build
	[ ! "$output" ]
	[ "$(wc -l <calls)" = 2 ]
}

@test "without root the command to run is printed, and the status is 1" {
	machine make cmp kconfig-conf
	fake id <<<"echo 1000"
	fake_manager apt-get musl-gcc gcc
	run -1 --separate-stderr packages build
	[ "${stderr_lines[1]}" = "    apt-get update && apt-get install -y \
--no-install-recommends gcc musl-tools" ]
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
	apk	apk add --no-cache busybox-static diffutils gcc gnuplot hyperfine musl-dev patchelf py3-kconfiglib strace toybox
	dnf	dnf install -y busybox diffutils gcc gnuplot-minimal hyperfine musl-gcc musl-libc-static patchelf python3-kconfiglib strace toybox
	pacman	pacman -Sy --needed --noconfirm busybox diffutils gcc gnuplot hyperfine musl patchelf python-kconfiglib strace toybox
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
	[[ $stderr = *"    apk add --no-cache bats clang "* ]]
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
	fake apt-get <<<'echo "E: no network" >&2; exit 100'
	run -1 --separate-stderr packages build
	[[ $stderr = *"E: no network"* ]]
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
	check	bats
	places	cpio
	long	debootstrap
	bench	hyperfine
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
	printf '#!/bin/sh\n' >tree/scripts/install-packages
	chmod +x tree/scripts/install-packages
	export BOX=/bin/true
}

# tests NAME <BODY, where "@" is "@test", which bats would take for one of ours.
tests() {
	sed 's/^@ /@test /' >"tree/tests/box/$1.bats"
}

last_line() {
	printf '%s\n' "$output" | tail -n 1
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

@test "a test that hangs is stopped, and has failed" {
	check_tree
	tests one <<<'@ "a" { sleep 60; }'
	LIMIT=1 run -1 outside tree/scripts/check
	[[ $(last_line) =~ ^0\ passed,\ [1-9]\ failed$ ]]
	[[ $output = *"stopped after 1 seconds"* ]]
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

@test "check without the packages has failed" {
	check_tree
	tests one <<<'@ "a" { true; }'
	echo "echo nothing here; exit 1" >>tree/scripts/install-packages
	run -1 outside tree/scripts/check
	[ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "check goes on without the packages of a part of the tests" {
	check_tree
	tests one <<<'@ "a" { true; }'
	echo '[ "$*" != places ] || { echo "no network"; exit 1; }' \
		>>tree/scripts/install-packages
	run -0 outside tree/scripts/check
	[[ $output = *"no network"*"box: going on without these"* ]]
	[ "$(last_line)" = "1 passed, 0 failed" ]
}

@test "check of what does not build has failed" {
	copy_tree tree
	printf '#!/bin/sh\n' >tree/scripts/install-packages
	echo 'int broken(' >>tree/libcore/methods/rw.c
	run -1 outside tree/scripts/check box
	[ "$(last_line)" = "0 passed, 1 failed" ]
}

# --- try ---------------------------------------------------------------------

@test "try builds, links, copies, and leaves nothing but that" {
	copy_tree tree
	mkdir tmp
	export TMPDIR=$PWD/tmp SIZE=8
	cd /
	run -0 "$OLDPWD/tree/scripts/try"
	cd "$OLDPWD"
	for line in "cat in >copy" "tee copy1 <in >copy2" "yes |"; do
		[[ $output = *"  $line"*" GiB/s"* ]]
	done
	[ "${#lines[@]}" -le 12 ]
	diff <(ls tree/_install/bin) <({ echo box; applets_of tree/.config; } | sort)
	[ "$(echo hello | tree/_install/bin/cat)" = hello ]
	[ ! "$(ls -A tmp)" ]
	# Again, with a configuration of one's own.
	sed -i 's/^CONFIG_TEE=y/# CONFIG_TEE is not set/' tree/.config
	run -0 tree/scripts/try
	[[ $output = *"tee: not in this configuration"* ]]
	[ "$(ls tree/_install/bin | tr '\n' ' ')" = "box cat yes " ]
	grep -q "CONFIG_TEE is not set" tree/.config
	[ ! "$(ls -A tmp)" ]
}

@test "try says so when something is lost, and leaves nothing" {
	copy_tree tree
	mkdir tmp
	export TMPDIR=$PWD/tmp SIZE=8
	# A cat that says it did.
	sed -i 's/^install: .*/install:\n\tmkdir -p _install\/bin; printf '"'"'#!\/bin\/sh\\nexit 0\\n'"'"' >_install\/bin\/cat; chmod +x _install\/bin\/cat\nold:/' \
		tree/Makefile
	run -1 tree/scripts/try
	[[ $output = *"cat lost something"* ]]
	[ ! "$(ls -A tmp)" ]
}
