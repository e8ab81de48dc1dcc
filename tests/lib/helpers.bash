# SPDX-License-Identifier: 0BSD
# What every file of tests begins with: "load ../lib/helpers".
#
# The tests run on BOX=/path/to/box, or else on the default configuration, which
# is built for them. EMULATED is the emulator that a program named BOX has run it,
# if any (scripts/cross). Each test has a directory of its own, is in it, and finds box
# and its links first in PATH. What the system has under these names is
# gnu_cat, gnu_tee and gnu_yes.

bats_require_minimum_version 1.5.0

# A pipeline fails where any of its commands does.
set -o pipefail

# Bats has bash call a function before each command, which took a quarter of all the tests' time.
# It is enough to call that of a command that fails.
trap - DEBUG
bats_setup_tracing() {
	BATS_ERROR_SUFFIX='' BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=''
	exec 4<&1
	trap 'bats_error_trap; bats_debug_trap ""' ERR
}

# Bats starts date(1) with each test and mktemp(1) for "run --separate-stderr", and takes the
# lines of what a command has said by a read(2) a byte. These do the same without. Bats 1.11
# gives get_mills_since_epoch() the name of a variable.
get_mills_since_epoch() { printf ${1:+-v "$1"} %s $((${EPOCHREALTIME/./} / 1000)); }
mktemp() { echo "${1/XXXXXX/$SRANDOM}"; }
bats_separate_lines() {
	local IFS=$'\n'
	set -f
	eval "$1=(\$$2)"
	set +f
}

# Nobody's flags reach a test. bats reads a file once a test, so a file that has flags of its
# own exports them behind "load", not in setup_file().
unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS CPPFLAGS LDFLAGS CROSS_COMPILE CDPATH
export LC_ALL=C

cd -P "${BASH_SOURCE[0]%/*}"
LIB=$PWD TOP=${PWD%/tests/lib}
cd "$OLDPWD"
hash cat tee yes
system_cat=${BASH_CMDS[cat]}
system_tee=${BASH_CMDS[tee]}
system_yes=${BASH_CMDS[yes]}

gnu_cat() { "$system_cat" "$@"; }
gnu_tee() { "$system_tee" "$@"; }
gnu_yes() { "$system_yes" "$@"; }

# Debian's, without its modules: a third of a start is the search for these.
python() { /usr/bin/python3 -S "$@"; }

# It compiles a module once for all tests.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX=${CHECKED:-$TOP/build/check}/python

# What a file says behind that: which box its tests are about, unless BOX says where one
# is (nothing: none), and the symbols without which each of them is skipped.
CONFIGURATION=defconfig NEEDS=

setup_file() {
	[ ! "$CONFIGURATION" ] || share_box
}

# The version of the tree, as make has it. A goal of this name needs no configuration.
version() {
	make -s -C "$TOP" --eval 'version-of-config: ; @echo $(VERSION)' version-of-config
}

# Builds box unless BOX says where one is, and makes the links to it.
share_box() {
	local name

	[ "${BOX:-}" ] || BOX=$(built $CONFIGURATION)/box
	export BOX BOX_CONFIG LINKS=$BATS_FILE_TMPDIR/bin
	if [ ! "${BOX_CONFIG:-}" ]; then
		BOX_CONFIG=${BOX%/*}/include/config/auto.conf
		if [ ! -e "$BOX_CONFIG" ]; then
			BOX_CONFIG=$BATS_FILE_TMPDIR/config
			"$BOX" --config >"$BOX_CONFIG"
		fi
	fi
	# A copy, so that an account without rights can reach it too.
	mkdir "$LINKS"
	cp "$BOX" "$LINKS/box"
	# Otherwise the system's applets would be tested.
	[ -x "$LINKS/box" ]
	if has INSTALLER && [ ! "${EMULATED:-}" ]; then
		"$LINKS/box" --install "$LINKS"
	else
		for name in $(applets); do
			ln -s box "$LINKS/$name"
		done
	fi
	chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR"
}

# built CONFIGURATION [ARGUMENT...]: prints where make has built that, with these
# arguments; a warning is an error. Tests share it, and none changes anything there. With
# that directory instead of CONFIGURATION more is made there.
built() {
	"$TOP/scripts/built" "$@"
}

# script_function NAME [ARGUMENT...]: calls that function of scripts/lib.sh.
script_function() {
	sh -c '. "$0"; "$@"' "$TOP/scripts/lib.sh" "$@"
}

setup() {
	common_setup
}

# A file with a setup() of its own calls this first.
common_setup() {
	PATH=${LINKS:+$LINKS:}$PATH
	unset POSIXLY_CORRECT
	cd "$BATS_TEST_TMPDIR"
	needs_tool ${FILE_NEEDS:-}
	needs $NEEDS
}

teardown() {
	say_why
}

# Of a test that has failed: what its variables in small letters hold, so that it is known
# which of several cases it was, and what the program has said. The process $pid ends. A
# file with a teardown() of its own calls this too.
say_why() {
	local name

	[ ! "${BATS_TEST_COMPLETED:-}" ] || return 0
	for name in $(compgen -v | grep '^[a-z]' |
		grep -vxE 'all_applet_tests|bats_.*|killer_pid|name|sharing_fs|system_.*'); do
		[[ ${!name@a} = *x* ]] || printf '%s=%.300q\n' "$name" "${!name}"
	done
	for name in said message messages; do
		[ ! -s "$name" ] || head -c 2000 "$name"
	done
	[ ! "${pid:-}" ] || kill -KILL "$pid" 2>/dev/null || :
}

# Tells whether a symbol, without its CONFIG_, is on. It needs no process.
has() {
	local config

	read -rd '' config <"$BOX_CONFIG" || :
	[[ $'\n'$config = *$'\n'"CONFIG_$1="[^n]* ]]
}

# Skips the test, naming the first of the symbols that is off.
needs() {
	local symbol

	for symbol; do
		has "$symbol" || skip "CONFIG_$symbol is off"
	done
}

# Skips the test, naming the first of the symbols that is on.
needs_off() {
	local symbol

	for symbol; do
		! has "$symbol" || skip "CONFIG_$symbol is on"
	done
}

# How a message calls it.
standard_output() {
	if has QUOTE; then
		echo "'standard output'"
	else
		echo "standard output"
	fi
}

# The applets that there are, each after its symbol.
every_applet() {
	sed -n 's/^applets-$(CONFIG_\(.*\))[[:blank:]]*+= /\1 /p' "$TOP/applets/files.mk"
}

# The applets that this box must have.
applets() {
	local symbol name

	while read -r symbol name; do
		! has "$symbol" || echo "$name"
	done < <(every_applet)
}

# applets_of FILE: those that this configuration has.
applets_of() {
	local BOX_CONFIG=$1

	applets
}

# The options of APPLET --help, or of COMMAND..., and of APPLET's manual: "-a --append" in a
# line each.
helped() {
	"$@" --help | sed -En 's/^ +((-[A-Za-z])?(, )?(--[a-z-]+)?).*/\1/p' |
		sed -n 's/, / /; /^-/p'
}

documented() {
	find "$TOP/applets" -name "$1.1" -exec sed -n 's/^\.It Fl //p' {} + |
		sed -E 's/ , Fl / --/; s/(^| -)-/\1--/; s/^([^-])/-\1/
			s/ (Ns|Op|Oo) .*//; s/--+/--/g'
}

needs_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
}

# Skips the test where box is run by an emulator, EMULATED, which is what then...
needs_native() {
	[ ! "${EMULATED:-}" ] || skip "$EMULATED $1"
}

# odd_archive DIR FILE: DIR as others compress an archive for a kernel. Its size is
# one byte more than a multiple of 4.
odd_archive() {
	local bytes=0

	: >"$2"
	until [ $(($(stat -c %s "$2") % 4)) = 1 ]; do
		bytes=$((bytes + 1))
		random "$1/some" $bytes
		(cd "$1"; find . | cpio -o -H newc --quiet) | gzip -9n >"$2"
	done
}

# Seconds after which a hang is called one, on a busy machine too.
export HANG=${HANG:-300}

# awaits COMMAND...: waits until that succeeds. It fails after HANG, or once the process
# $pid has ended, if that is set.
awaits() {
	local end=$((SECONDS + HANG)) over=

	until "$@"; do
		if [ "$over" ] || ((SECONDS > end)); then
			echo "in vain, it was waited until $*" >&2
			return 1
		fi
		[ ! "${pid:-}" ] || kill -0 "$pid" 2>/dev/null || over=y
		sleep 0.01
	done
}

# The bytes of a page.
page_size() {
	python -c 'import mmap; print(mmap.PAGESIZE)'
}

# lead: the bytes by which an output of tee may fall behind, besides what it holds
# itself.
lead() {
	echo $(($(sed -n 's/^CONFIG_ZC_PIPE_KB=//p' "$BOX_CONFIG") << 10 >> 2))
}

# holds FILE BYTES: it has so many.
holds() {
	[ "$(stat -c %s "$1" 2>/dev/null)" = "$2" ]
}

# same FILE...: each holds what ./want does.
same() {
	diff -q --to-file=want "${@/#/./}"
}

# pieces TEXT...: gives each of them, of which printf(1) reads escapes, when ./copy has those
# before. All are in ./want.
pieces() {
	local piece

	: >want
	: >copy
	for piece; do
		# Each is one write(2): the printf of bash(1) makes one a line.
		printf %b "$piece" >piece
		gnu_tee -a want <piece
		awaits holds copy "$(stat -c %s want)"
	done
}

# rotated FILE: its bytes and those that it was rotated to, the oldest first.
rotated() {
	local n=1000 files=()

	while ((--n)); do
		[ ! -e "$1.$n" ] || files+=("$1.$n")
	done
	gnu_cat "${files[@]}" "$1"
}

# asleep PID: the process waits for something.
asleep() {
	grep -qs '^State:	S' "/proc/$1/status"
}

# waits STATUS PID: a child of ours ends so.
waits() {
	status=0
	wait "$2" || status=$?
	[ "$status" = "$1" ]
}

# gone PID: the process has ended.
gone() {
	[ ! "$(tr -d '\0' 2>/dev/null <"/proc/$1/cmdline")" ]
}

# pick N WORD...: leaves so many of them in picked, or all with WHOLE, which tests/long
# sets. The next call in a test goes on behind these.
pick() {
	local i

	: "${turn:=${#BATS_TEST_DESCRIPTION}}"
	picked=("${@:2}")
	[ ! "${WHOLE:-}" ] || return 0
	picked=()
	for ((i = 0; i < $1 && i < $# - 1; i++)); do
		picked+=("${@:turn++ % ($# - 1) + 2:1}")
	done
}

# bare COMMAND...: none of the descriptors from 3 to 9 is open. A program that waits
# for ever is to fail.
bare() {
	timeout --foreground -s KILL $HANG "$@" \
		3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
}

# all_spellings N: the names that lead to a descriptor, links among them.
all_spellings() {
	ln -s "/dev/fd/$1" "link$1"
	ln -s "link$1" "link_to$1"
	names=("/dev/fd/$1" "/proc/self/fd/$1" "/dev/fd/../fd/$1" "//dev/fd/$1"
		"/proc/thread-self/fd/$1" "/proc/self/cwd/link$1" "link$1"
		"link_to$1")
}

# random FILE SIZE
random() {
	head -c "$2" /dev/urandom >"$1"
}

# is_part_of_socket N: a quarter of what a Unix socket's buffer holds, or less, and
# not so little that it costs too many calls.
is_part_of_socket() {
	local room

	room=$(python -c 'import socket
print(socket.socketpair()[0].getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF))')
	((4 * $1 <= room && room <= 10 * $1))
}

# left COMMAND...: one that writes for ever, which SIGPIPE must end when its
# reader has left.
left() {
	local status=0

	"$@" || status=$?
	if [ "$status" != 141 ]; then
		echo "status $status, not SIGPIPE: $*" >&2
		return 1
	fi
}

# Runs a command as an account to which permissions apply, and which no test in
# another file has: limits hold for all of an account's processes. What it runs is copied
# from the tree before, because that may be in a home that is closed to others.
as_nobody() {
	local id=$((30000 + $$ % 30000))

	if [[ " $*" = *[\ =]"$TOP/"* ]]; then
		echo "another account may not reach the tree: $*"
		return 1
	fi
	if [ "$(id -u)" != 0 ]; then
		"$@"
		return
	fi
	chmod a+rwx "$BATS_TEST_TMPDIR"
	chmod a+rx "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
	setpriv --reuid=$id --regid=$id --clear-groups "$@"
}

# few_pipes PAGES COMMAND...: the same where pipes have few pages.
few_pipes() {
	install -m 755 "$LIB/few_pipes.py" "$BATS_TEST_TMPDIR"
	as_nobody "$BATS_TEST_TMPDIR/few_pipes.py" "$@"
}

# few_pipes.py is for where an account's pipes have a limit at all: pipe(7).
needs_pipe_limit() {
	[ "$(gnu_cat /proc/sys/fs/pipe-user-pages-soft)" != 0 ] ||
		skip "what pipes may hold has no limit here"
}

# missing_tool NAME...: prints the first that is missing, by the names that
# scripts/install-packages has.
missing_tool() {
	local tool

	for tool; do
		! command -v "$tool" >/dev/null || continue
		! "$TOP/scripts/install-packages" --there "$tool" || continue
		echo "$tool"
		return
	done
}

# needs_tool NAME...: skips the test where one is missing, but fails it where
# scripts/check --install has brought that: TOOLS.
needs_tool() {
	local tool

	[ $# != 0 ] || return 0
	tool=$(missing_tool "$@")
	[ "$tool" ] || return 0
	if [[ " ${TOOLS:-} " = *" $tool "* ]]; then
		echo "$tool is missing, though it has been installed"
		return 1
	fi
	skip "$tool is missing"
}

# file_needs NAME... || return 0: the same for each test of a file. To bats 1.8 a skip in
# setup_file() is a failure.
file_needs() {
	export FILE_NEEDS
	FILE_NEEDS=$(missing_tool "$@")
	[ ! "$FILE_NEEDS" ]
}

# The call that waits, as strace names it: some processors have no poll(2).
POLL='?poll,ppoll'

# needs_strace [SYMBOL...]: where these are off. What loads a box with SANITIZE makes calls,
# too.
needs_strace() {
	needs_off "$@"
	needs_tool strace
	[ -e "$BATS_FILE_TMPDIR/traces" ] ||
		strace -qq -o /dev/null true 2>/dev/null ||
		skip "strace cannot trace here"
	: >"$BATS_FILE_TMPDIR/traces"
}

# needs_calls [SYMBOL...]: the same, for the calls of box alone.
needs_calls() {
	needs_native "makes calls of its own"
	needs_strace "$@"
}

# needs_faults [SYMBOL...]: what scripts/faults needs, too. A guest has no compiler.
needs_faults() {
	needs_strace "$@"
	needs_tool /usr/bin/python3 cc
}

# keeps_status COMMAND...: leaves its status in the file ./status.
keeps_status() {
	local st=0

	"$@" || st=$?
	echo $st >status
}

# refuse CALL[,CALL] COMMAND... runs a command whose calls fail with ENOSYS, or
# as REFUSE says: "EPERM", or "EINTR:when=1+2" for every second one.
refuse() {
	local calls=$1
	shift
	strace -f -qq -o /dev/null -e trace="$calls,ioctl" \
		"${sharing_fs[@]}" -e inject="$calls:error=${REFUSE:-ENOSYS}" "$@"
}

# For strace: the file system blames an offset, whichever it is, as one does that
# shares extents, so that copy_file_range is tried.
sharing_fs=(-e inject=ioctl:error=EINVAL)

# documented_calls NAME...: the system calls in the lines of SECURITY.md's table with these names.
documented_calls() {
	local name

	for name; do
		sed -n "s/^| $name | \(.*\) |$/\1/p" "$TOP/SECURITY.md"
	done | tr -d ',' | tr ' ' '\n' | sort -u
}

# made LOG: those that strace(1) has seen.
made() {
	sed -nE 's/^[0-9]+ +([a-z_0-9]+)\(.*/\1/p' "$1" | sort -u
}

# verdict BOX FAULT: prints what scripts/faults says of that one.
verdict() {
	run "$TOP/scripts/faults" --box "$1" --repeat "$2"
	echo "${lines[-1]}"
}

# The calls that move bytes without read and write.
MOVERS=splice,tee,vmsplice,sendfile,copy_file_range

# without_memory COMMAND...: the kernel gives it none beyond what it starts with.
without_memory() {
	strace -f -qq -o /dev/null -e trace=brk,/^mmap \
		-e inject=brk,/^mmap:error=ENOMEM "$@"
}

# A C library may ask for some at its start.
needs_no_memory() {
	needs_strace
	without_memory "$LINKS/box" --list >/dev/null ||
		skip "box does not start without more memory"
}

needs_mounts() {
	unshare -m true 2>/dev/null || skip "unshare is not allowed here"
}

# mounted SCRIPT COMMAND...: what SCRIPT mounts only COMMAND sees, or skips.
mounted() {
	local status=0

	needs_mounts
	unshare -m sh -c "$1 || exit 77"'; shift; exec "$@"' - "$@" ||
		status=$?
	[ $status != 77 ] || skip "$1 is not possible here"
	return $status
}

# prepared STATEMENT COMMAND...: after this one of Python.
prepared() {
	python -c "import os, sys
$1
os.execvp(sys.argv[1], sys.argv[1:])" "${@:2}"
}

# at IN OUT COMMAND...: with standard input and output at these offsets, or as they
# are for "-".
at() {
	prepared "for fd, to in enumerate('$1 $2'.split()): to == '-' or os.lseek(fd, int(to), 0)" \
		"${@:3}"
}

# direct FILE COMMAND...: its standard input is FILE, opened with O_DIRECT.
direct() {
	dd if="$1" iflag=direct of=/dev/null bs=64K count=1 status=none || skip "files have no O_DIRECT here"
	prepared "os.dup2(os.open('$1', os.O_RDONLY | os.O_DIRECT), 0)" "${@:2}"
}

# nonblocking "0 1" COMMAND...: these descriptors have O_NONBLOCK set.
nonblocking() {
	prepared "for fd in '$1'.split(): os.set_blocking(int(fd), False)" "${@:2}"
}

# failed_with STATUS MESSAGE: what the last "run --separate-stderr" must have
# given.
failed_with() {
	if [ "$status" != "$1" ] || [ "$stderr" != "$2" ]; then
		printf 'status %s: %s\nwanted %s: %s\n' \
			"$status" "$stderr" "$1" "$2"
		return 1
	fi
}

# fails_with STATUS MESSAGE COMMAND...
fails_with() {
	run "-$1" --separate-stderr "${@:3}"
	failed_with "$1" "$2"
}

# Likewise, with "MESSAGE" and where help is to be found.
fails_with_usage() {
	run --separate-stderr "${@:2}"
	if has HELP; then
		failed_with 1 "$1
Try '${1%%:*} --help' for more information."
	else
		[ "$status" = 1 ]
		[ "${stderr%$'\n'*}" = "$1" ]
	fi
}

# repeated STRING BYTES: so many bytes of what yes prints.
repeated() {
	head -c "$2" < <(gnu_yes "$1" 2>/dev/null)
}

# executable FILE <SCRIPT: makes it a program of sh(1), in place of one that is there.
executable() {
	/bin/rm -f "$1"
	{ echo '#!/bin/sh'; gnu_cat; } >"$1"
	/bin/chmod +x "$1"
}

# copy_tree DIR [NAME...]: the sources, without what was built from them, and without these.
copy_tree() {
	local without=(build .git _install ".config*" "${@:2}")

	mkdir -p "$1"
	tar -C "$TOP" "${without[@]/#/--exclude=./}" -cf - . | tar -C "$1" -xf -
}

# path_without NAME...: a PATH with every command but those, in ./bin; or PATH, where none of
# them is there.
path_without() {
	local directory

	[ "$(type -P "$@")" ] || {
		echo "$PATH"
		return
	}
	mkdir -p bin
	# /bin may be /usr/bin.
	while read -r directory; do
		find -L "$directory" -maxdepth 1 -type f -perm /111 \
			-exec ln -s -t bin {} + 2>/dev/null || true
	done < <(tr : '\n' <<<"$PATH:/usr/sbin:/usr/bin:/sbin:/bin" |
		xargs realpath -qe | awk '!seen[$0]++')
	rm -f "${@/#/bin/}"
	echo "$PWD/bin"
}

# shorten_timeouts: "timeout 1" ends after a tenth of a second.
shorten_timeouts() {
	mkdir -p bin
	executable bin/timeout <<-END
		[ \$1 != 1 ] || { shift; set -- 0.1 "\$@"; }
		exec $(command -v timeout) "\$@"
	END
	PATH=$PWD/bin:$PATH
}

# Runs a command that runs bats, as if this were not bats: box is not first in PATH, for
# bats would take it for the system's cat, tee and yes.
outside() {
	(
		# One of them may be read-only here.
		without=()
		for name in "${!BATS_@}"; do
			without+=(-u "$name")
		done
		PATH=${PATH//"/usr/libexec/bats-core:"/}
		PATH=${PATH//"${LINKS:-/}:"/}
		exec env "${without[@]}" "$@" 3>&- </dev/null
	)
}

# All of the applets' tests.
all_applet_tests="box install cat cat_format tee tee_error yes"

# passes_applet_tests DIR [NAME...]: runs these tests on the box that was built in DIR,
# or those that are tagged "each", and shows what failed.
passes_applet_tests() {
	local dir=$1 BOX_CONFIG=$1/include/config/auto.conf
	local file files ran symbol only=() chosen=()

	if [ $# = 1 ]; then
		only=(--filter-tags each)
		mapfile -t files < <(grep -l 'test_tags=each$' "$TOP"/tests/box/*.bats)
	else
		files=("${@:2}")
		files=("${files[@]/%/.bats}")
		files=("${files[@]/#/$TOP/tests/box/}")
	fi
	# A file of which each test would be skipped costs half a second.
	for file in "${files[@]}"; do
		for symbol in $(sed -n 's/^\(CONFIGURATION=.* \)\?NEEDS=//p' "$file" | tr -d '"'); do
			has "$symbol" || continue 2
		done
		chosen+=("$file")
	done
	BOX=$dir/box BOX_CONFIG=$BOX_CONFIG \
		outside bats --tap "${only[@]}" "${chosen[@]}" >log 2>&1 || {
		grep -v '^ok ' log
		return 1
	}
	# A box without applets has the tests of box itself to pass.
	ran=$(grep -v '# skip' log | grep -c '^ok ')
	[ "$ran" -ge 7 ]
}

# An option for each method that box has and that can serve a copy.
methods() {
	local method

	has METHOD || return 0
	for method in copy_file_range sendfile splice tee mmap io_uring dontcache; do
		! has "ZC_${method^^}" || echo "--method=$method"
	done
	echo --method=rw
}
