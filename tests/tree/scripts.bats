# SPDX-License-Identifier: 0BSD
# What scripts/ does on machines that are not like this one.

load ../lib/helpers
load ../lib/config
CONFIGURATION=
unset BOX TOOLS
export CFLAGS="-fno-lto -O0"

# Makes ./bin, a PATH with the commands that any system has, as well as those named.
machine() {
	mkdir bin
	# shellcheck disable=SC2046 # names
	ln -s $(type -P sh sed grep cut tr sort id cat tail dirname mktemp rm sleep "$@") bin/
}

# A package manager that notes how it was called, and installs WHAT.
fake_manager() {
	executable "bin/$1" <<-END
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
	mkdir -p tree/tests
	cp -a "$TOP/scripts" tree
	cp -a "$TOP"/tests/{calls.def,faults,judge,lib} tree/tests
	find tree -printf '%p %T@\n' >before
	find tree/scripts -maxdepth 1 -type f -perm -100 >scripts
	find tree/scripts/bench -type f -perm -100 >>scripts
	[ "$(wc -l <scripts)" -gt 30 ]
	outside bash -e -c 'while read -r script; do
		"$script" --help >out 2>err </dev/null
		[ ! -s err ]
		grep -qF "${script#tree/}" out
	done <scripts' || { gnu_cat err; false; }
	find tree -printf '%p %T@\n' | diff before -
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
	[ "$output" = "box: no fault is planted in CONFIG=nosuch" ]
}

@test "fuzz says of a time that is none what is wrong" {
	# To libFuzzer 0 is for ever.
	for seconds in 0 x -1; do
		run -1 "$TOP/scripts/fuzz" $seconds
		[[ $output = "box: $seconds is no number of seconds: usage: "* ]]
	done
}

@test "each planted fault has one place in the sources, and suites that find it" {
	run -0 "$TOP/scripts/mutants" planted "no such fault"
	[ "$output" = "box: 0 of 0 planted faults found" ]
}

@test ".ci/run calls README's second command and nothing else" {
	mkdir -p scripts .ci
	cp "$TOP/.ci/run" .ci/
	executable scripts/check <<<'echo "./scripts/check $*"; exit 3'
	run -3 .ci/run
	cp "$TOP/README.md" .
	"$LIB/readme.py" commands 'Try it' >commands
	[ "$output" = "$(sed -n 2p commands)" ]
}

@test "what is missing for another processor is told in one line" {
	unset COMPILER CONFIGS
	export TESTS=
	machine mkdir paste
	mkdir tree
	cp -a "$TOP"/{scripts,configs} tree
	cd tree
	run -1 --separate-stderr scripts/cross nosuch
	[[ $stderr = "box: no such processor: nosuch (there are "*s390x* ]]
	names=${stderr#*there are }
	for name in ${names%)}; do
		scripts/cross --help | grep -w "$name"
	done
	run -1 env CONFIGS="tiny none" scripts/cross s390x
	[[ $output = "box: CONFIG=none is none of default "* ]]
	# Nor is Python's to be had.
	echo 'raise ImportError' >ziglang.py
	export PYTHONPATH=$PWD PATH=$OLDPWD/bin
	run -1 --separate-stderr scripts/cross s390x
	[ "$stderr" = "box: zig is missing: run scripts/install-packages \
cross, or set COMPILER=clang" ]
	COMPILER=clang run -1 --separate-stderr scripts/cross s390x
	[[ $stderr = *"clang cannot build for s390x: install the packages clang \
binutils-s390x-linux-gnu libc6-dev-s390x-cross libgcc-12-dev-s390x-cross"* ]]
}

# --- install-packages --------------------------------------------------------

nothing_is_done() {
	run -0 packages build
	[ ! "$output" ]
	[ ! -e calls ]
}

@test "where every package is there, or another that will do, nothing is said or done" {
	machine make gcc cmp musl-gcc kconfig-conf
	fake_manager apt-get
	nothing_is_done
	rm bin/kconfig-conf
	executable bin/python3 <<<'[ "$*" = "-c import kconfiglib" ]'
	nothing_is_done
	rm bin/musl-gcc
	executable bin/cc <<<"echo x86_64-alpine-linux-musl"
	nothing_is_done
}

@test "what is missing is installed, once, after it is said how large it is" {
	machine make gcc cmp
	executable bin/id <<<"echo 0"
	fake_manager apt-get musl-gcc kconfig-conf
	gnu_cat >>bin/apt-get <<-'END'
		case "$*" in *--assume-no*)
			echo "Need to get 12.3 MB/45 MB of archives."
			echo "After this operation, 67 MB of additional disk space will be used."
			exit 1
		esac
	END
	run -0 packages build
	[ "$output" = "box: apt-get update
box: installing kconfig-frontends-nox musl-tools
box: 12.3 MB/45 MB to fetch
box: 67 MB on the disk" ]
	# The first of these installs nothing, as -y is not there.
	[ "$(gnu_cat calls)" = "apt-get update
apt-get install --assume-no --no-install-recommends kconfig-frontends-nox musl-tools
apt-get install -y --no-install-recommends --no-remove kconfig-frontends-nox musl-tools" ]
	run -0 packages build
	[ ! "$output" ]
	[ "$(wc -l <calls)" = 3 ]
}

# The command is what a pattern says, the sets stand before "|".
@test "without root the command to run is printed, in each package manager's words" {
	machine make uname
	executable bin/id <<<"echo 1000"
	executable bin/cc <<<'[ "$*" = -dumpversion ] && echo 99.1.2'
	while read -r manager sets; do
		wanted=${sets#*| }
		fake_manager "$manager"
		# shellcheck disable=SC2086 # a word a set
		run -1 --separate-stderr packages ${sets%%|*}
		rm "bin/$manager"
		# shellcheck disable=SC2053 # a pattern
		[[ ${stderr_lines[-1]} = "    "$wanted ]]
		[ ! "$output" ]
	done <<-END
	apt-get	build | apt-get update && apt-get install -y --no-install-recommends --no-remove diffutils gcc *
	apt-get	initramfs | * cpio
	apt-get	container | * buildah *
	apt-get	check | *bats * g++ * lib32gcc-99-dev *
	apt-get	long | * debootstrap *
	apk	build bench | apk add --no-cache diffutils gcc musl-dev patchelf py3-kconfiglib
	apk	check | apk add --no-cache *bats * clang *
	dnf	build bench | dnf install -y diffutils gcc musl-gcc musl-libc-static patchelf python3-kconfiglib
	pacman	build bench | pacman -Sy --needed --noconfirm diffutils gcc musl patchelf python-kconfiglib
	END
	[ ! -e calls ]
	# Before there is a compiler, apt knows its version.
	rm bin/cc
	fake_manager apt-get
	executable bin/apt-cache <<-'END'
		[ "$*" != "depends gcc" ] || printf "gcc\n  Depends: cpp\n  Depends: gcc-98\n"
	END
	run -1 --separate-stderr packages check
	[[ $stderr = *" lib32gcc-98-dev "* ]]
}

@test "what no package is known for is named, and so is what no manager is here for" {
	machine make gcc cmp musl-gcc uname
	executable bin/id <<<"echo 1000"
	fake_manager apk
	run -1 --separate-stderr packages check
	[[ $stderr = *"kconfig-conf is missing, and no package is known"*"    apk add "* ]]
	rm bin/apk bin/gcc
	run -1 --separate-stderr packages build
	[[ $stderr = *" gcc kconfig-frontends-nox" ]]
	run -1 packages build nosuch
	[[ $output = "box: no such set of packages: nosuch (there are build, "* ]]
	run -1 packages
	[[ $output = "box: usage: "* ]]
}

@test "a package manager that fails is shown, and one that did not help is not believed" {
	machine make cmp gcc musl-gcc
	executable bin/id <<<"echo 0"
	executable bin/apt-get <<<'printf "Reading\nE: no %s\n" network >&2; exit 100'
	run -1 --separate-stderr packages build
	[ "$stderr" = "box: apt-get failed (is there a network?): E: no network" ]
	fake_manager apt-get
	run -1 --separate-stderr packages build
	[[ $stderr = *"still missing"*"kconfig"* ]]
}

@test "what is missing, and what could be brought, is told and not installed" {
	machine make gcc cmp
	executable bin/id <<<"echo 0"
	fake_manager apt-get musl-gcc kconfig-conf
	run -0 packages --missing build
	[ "$output" = $'musl\nkconfig' ]
	run -0 packages --names build
	[ "$output" = $'make\ngcc\ncmp\nmusl\nkconfig' ]
	[ ! -e calls ]
}

# --- check -------------------------------------------------------------------

# A tree with a test of its own, which needs neither packages nor a build.
check_tree() {
	mkdir -p tree/tests/box tree/tests/tree tree/scripts
	cp "$TOP"/scripts/{check,lib.sh} tree/scripts
	executable tree/scripts/install-packages <<<'echo "$*" >>asked'
	mkdir -p tmp
	export BOX=/bin/true TMPDIR=$PWD/tmp
	tests one <<<'@ "a" { true; }'
}

# tests NAME <BODY, where "@" is "@test", which bats would take for one of ours.
tests() {
	sed 's/^@ /@test /' >"tree/tests/box/$1.bats"
}

# checks STATUS LAST [ARGUMENT...]: scripts/check, with these, ends so, and says LAST in the end.
checks() {
	run "-$1" outside tree/scripts/check "${@:3}"
	[ "${lines[-1]}" = "$2" ]
}

@test "check counts what passed, failed and was skipped, also of each file, and shows the latter" {
	check_tree
	tests one <<-'END'
	@ "a" { skip "no moon"; }
	@ "b" { echo "this is why"; false; }
	@ "c" { skip; }
	END
	tests two <<-'END'
	@ "d" { echo "not ok 7 d"; }
	@ "e" { true; }
	END
	checks 1 "2 passed, 1 failed, 2 skipped"
	[[ $output = *"this is why"* ]]
	[[ $output = *"no moon"* ]]
	grep -x "one: 0 passed" <<<"$output"
	grep -x "two: 2 passed" <<<"$output"
}

@test "what never ran has failed" {
	check_tree
	tests killed <<-'END'
	@ "a" { true; }
	@ "b" { kill -9 $PPID; sleep 1; }
	@ "c" { true; }
	END
	tests unread <<<'@ "a" { if; }'
	tests left <<<'exit 0'
	tests unready <<-'END'
	setup_file() { false; }
	@ "a" { true; }
	@ "b" { true; }
	END
	tests later <<-'END'
	teardown_file() { kill -9 $PPID; }
	@ "a" { true; }
	END
	checks 1 "0 passed, 1 failed" left
	run -1 outside tree/scripts/check killed unread later unready
	[[ ${lines[-1]} =~ ^[0-9]\ passed,\ [1-9]\ failed$ ]]
	for name in killed unread later unready; do
		read -r passed failed skipped <tree/build/check/log/$name.counts
		((failed > 0))
	done
	[ "$passed $failed $skipped" = "0 2 0" ]
	tests lost <<<'@ "a" { rm -r build/check/log; }'
	JOBS=1 checks 1 "0 passed, 2 failed" lost unready
	[[ $output = *"box: 2 of the files of tests left no counts in $PWD/tree/build/check/log"* ]]
}

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
	executable bin/timeout <<-'END'
		[ "$1" = 300 ] || exit
		shift
		"$@" &
		until [ -s "$HUNG" ]; do sleep 0.01; done
		kill $!
		exit 124
	END
	HUNG=$PWD/hung PATH=$PWD/bin:$PATH LIMIT=300 run -1 outside tree/scripts/check
	[ "$output" = "one: \"b\" has no result (stopped after 300 seconds)
    make check T=one N='^b\$'
one: 1 passed
1 passed, 1 failed" ]
	awaits gone "$(<hung)"
	[ ! "$(ls tmp)" ]
}

# refused WHY [ARGUMENT...]: nothing is tested, and check says why.
refused() {
	run -1 outside tree/scripts/check "${@:2}"
	[ "$output" = "box: $1"$'\n0 passed, 1 failed' ]
}

@test "what keeps check from a test is said in one line, and has failed" {
	check_tree
	refused "there is no nosuch.bats in tests/box or tests/tree" nosuch
	N=c refused "there is no test of that name"
	touch none
	for BOX in none nosuch /; do
		refused "BOX=$BOX is no program"
	done
	unshare -n true 2>/dev/null || skip "unshare is not allowed here"
	BOX=/bin/true run -1 outside unshare -n tree/scripts/check
	[ "$output" = "box: cannot test where 127.0.0.1 is unreachable: ip link set lo up
0 passed, 1 failed" ]
}

@test "a second check in the same directory says so, and leaves the first alone" {
	check_tree
	tests one <<<'@ "a" { mkfifo wait; read -r line <wait; }'
	outside tree/scripts/check >said &
	pid=$!
	awaits [ -p tree/wait ]
	run -1 outside tree/scripts/check
	[ "$output" = "box: another check runs in $PWD/tree/build/check: set O= to another directory" ]
	echo >tree/wait
	wait $pid
	[ "$(tail -n 1 said)" = "1 passed, 0 failed" ]
}

@test "check runs the tests of a name, what box does first, and leaves all where O= says" {
	check_tree
	for name in one cat; do
		tests $name <<<"@ \"$name\" { echo $name \$CHECKED >>order; }"
	done
	echo '@''test "tree" { echo tree $CHECKED >>order; }' >tree/tests/tree/alone.bats
	export O=$PWD/out JOBS=1
	checks 0 "3 passed, 0 failed"
	N='^[ct]' checks 0 "1 passed, 0 failed" one tests/tree
	[ "$(cut -d ' ' -f 1 tree/order | tr '\n' ' ')" = "cat one tree tree " ]
	# There scripts/built builds, too.
	[ "$(cut -d ' ' -f 2 tree/order | sort -u)" = "$O" ]
	grep '^ok 1 tree' out/log/alone
	[ ! -e tree/build ]
}

@test "check installs nothing, and names what is missing" {
	check_tree
	echo '[ "$1" = --missing ] && [ "$*" = "--missing build" ] || echo strace' \
		>>tree/scripts/install-packages
	checks 0 "1 passed, 0 failed"
	[ "${lines[0]}" = "box: missing: strace (scripts/check --install brings it; \
what needs it is skipped)" ]
	run ! grep -v -e --missing tree/asked
}

@test "check --install brings what the tests need, the long ones more, or has failed" {
	check_tree
	mkdir tree/tests/long
	cp tree/tests/box/one.bats tree/tests/long
	while read -r files sets; do
		rm -f tree/asked
		checks 0 "1 passed, 0 failed" --install "$files"
		[ "$(sort -u tree/asked)" = "--names $sets"$'\n'"$sets" ]
	done <<-END
	one	build check
	tests/long	build check long
	END
	echo "echo nothing here; exit 1" >>tree/scripts/install-packages
	checks 1 "0 passed, 1 failed" --install
	[ "$(tail -n 1 tree/asked)" = "build check" ]
}

@test "a test that lacks a tool is skipped, and fails once that was installed" {
	check_tree
	printf '%s\n' "load \"$LIB/helpers\"" 'setup_file() { :; }' \
		'@ "a" { needs_tool no-such; }' | tests one
	checks 0 "0 passed, 0 failed, 1 skipped"
	[[ $output = *"# skip no-such is missing"* ]]
	echo 'echo strace; echo no-such' >>tree/scripts/install-packages
	checks 1 "0 passed, 1 failed" --install
	[[ $output = *"no-such is missing, though it has been installed"* ]]
}

@test "BOX is the box that is tested, whatever it lacks" {
	check_tree
	cp "$(built defconfig)/box" tree/box
	for config in defconfig max_defconfig; do
		printf '%s\n' "load \"$LIB/helpers\"" "CONFIGURATION=$config" \
			'@ "a" { cmp "$LINKS/box" "$GIVEN"; }' | tests $config
	done
	GIVEN=$PWD/tree/box BOX=box checks 0 "3 passed, 0 failed"
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
	[ "${lines[-1]}" = "0 passed, 1 failed" ]
}

# has_left: a process has CHECKING in its environment, which scripts/check had.
has_left() {
	grep -qsz "^CHECKING=$PWD\$" /proc/[0-9]*/environ
}

leaves_nothing() {
	awaits eval '! has_left'
	[ ! "$(ls tmp)" ]
}

@test "where a signal ends check, or all of its group, it says the last line, and leaves nothing" {
	check_tree
	tests one <<-'END'
	@ "a" {
		: >begun
		until [ -e end ]; do sleep 0.1; done
	}
	END
	begin() {
		CHECKING=$PWD outside setsid sh -c 'echo $$ >session; exec "$@"' - env "$@" \
			tree/scripts/check >said 2>&1 &
		pid=$!
		awaits [ -e tree/begun ]
		rm tree/begun
	}
	for signal in {HUP,INT,TERM}{,\ -}; do
		read -r signal group <<<"$signal"
		begin --default-signal=HUP,INT
		process=$group$(<session)
		# timeout(1) sends two.
		kill -"$signal" -- "$process"
		kill -"$signal" -- "$process" || true
		waits $((128 + $(kill -l "$signal"))) $pid
		[ "$(<said)" = "0 passed, 1 failed" ]
		leaves_nothing
	done
	# Under nohup(1) it goes on, and so do its tests.
	begin --ignore-signal=HUP
	kill -HUP -- "-$(<session)"
	: >tree/end
	waits 0 $pid
	[ "$(tail -n 1 said)" = "1 passed, 0 failed" ]
}

@test "check started with SIGPIPE ignored gives its tests the default" {
	check_tree
	tests one <<-'END'
	@ "a" { grep "^SigIgn:.*[02468ace]...$" /proc/self/status; }
	END
	run -0 outside env --ignore-signal=PIPE tree/scripts/check
	[ "${lines[-1]}" = "1 passed, 0 failed" ]
}

# The signal comes as the script, which calls realpath(1) before, starts its first process, which
# heeds signals late. SIGALRM ends that all the same.
@test "adversary that is stopped stops what it has just begun" {
	needs_strace
	needs_tool pgrep
	check_tree
	mkdir bin tree/tests/adversary
	executable bin/realpath <<-END
		kill -STOP \$PPID
		before=\$(pgrep -P \$PPID)
		env -u CHECKING strace -f -qq -o /dev/null -p \$PPID -e inject=clone:delay_exit=300000 \\
			-e inject=set_robust_list:delay_enter=500000 >/dev/null 2>&1 3>&- 9>&- &
		until grep -q '^TracerPid:.*[1-9]' /proc/\$PPID/status; do :; done
		{
			until [ "\$(pgrep -P \$PPID | grep -cvxF "\$before")" -ge 1 ]; do :; done
			kill -TERM \$PPID
		} >/dev/null 2>&1 3>&- 9>&- &
		kill -CONT \$PPID
		exec $(command -v realpath) "\$@"
	END
	executable bin/sleeps <<<'exec sleep 1000'
	executable tree/tests/adversary/compile <<<"cp $PWD/bin/sleeps \"\$1\""
	cp "$TOP/scripts/adversary" tree/scripts
	touch config
	BOX_CONFIG=$PWD/config JOBS=1 CHECKING=$PWD PATH=$PWD/bin:$PATH \
		outside timeout -s KILL 30 tree/scripts/adversary >said 2>&1 &
	waits 1 $!
	leaves_nothing
}

@test "check of what does not build has failed" {
	link_sources tree
	install -D -t tree/tests/box "$TOP/tests/box/box.bats"
	install /bin/true tree/scripts/install-packages
	sed -i '$a int broken(' tree/applets/applet.h
	checks 1 "0 passed, 1 failed" box
}

# --- try, which tests/tree/readme.bats runs, too ------------------------------

@test "try builds where O= says, what is configured there, and leaves the tree alone" {
	link_sources tree
	make -s -C tree O="$PWD/out" allnoconfig
	sed -i 's/^# CONFIG_CAT is not set/CONFIG_CAT=y/' out/.config
	find tree | sort >before
	cd /
	SIZE=1 O=$OLDPWD/out run -0 "$OLDPWD/tree/scripts/try"
	cd "$OLDPWD"
	[[ $output = *"tee: not in this configuration"* ]]
	[ "$(ls out/_install/bin | tr '\n' ' ')" = "box cat " ]
	[ "$(echo hello | out/_install/bin/cat)" = hello ]
	grep -q "CONFIG_TEE is not set" out/.config
	find tree | sort | diff before -
}

@test "a directory that cannot be written is named in one line" {
	for script in try "check cat"; do
		O=/proc/none run -1 "$TOP/scripts/"$script
		[ "$output" = "box: /proc/none cannot be written: set O= to another directory" ]
	done
	for goal in all defconfig; do
		stops_in_one_line ": \*\*\* box: /proc/none cannot be written: set O= to another directory." \
			make -s -C "$TOP" O=/proc/none $goal
	done
}

@test "a path with a space is refused in one line, before anything is installed" {
	for there in a\ b/tree tree; do
		install -D -t "$there/scripts" "$TOP"/scripts/{check,try,lib.sh}
		install /dev/stdin "$there/scripts/install-packages" <<<"echo >>'$PWD/asked'"
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

@test "try says so when it cannot build, or something is lost, and leaves nothing" {
	link_sources tree
	mkdir tmp
	export TMPDIR=$PWD/tmp SIZE=8
	make -s -C tree tiny_defconfig
	CC=no-such-gcc run ! tree/scripts/try
	[[ ${lines[-1]} = *"no-such-gcc is missing: install it, or set CC="* ]]
	# A cat that says it did, without a build.
	sed -i 's/^all: \$(B).*/all:/; s/^install: .*/install:\n\tmkdir -p _install\/bin; printf '"'"'#!\/bin\/sh\\nexit 0\\n'"'"' >_install\/bin\/cat; chmod +x _install\/bin\/cat\nold:/' \
		tree/Makefile
	run -1 tree/scripts/try
	[[ $output = *"cat lost something"* ]]
	[ ! "$(ls -A tmp)" ]
}
