# SPDX-License-Identifier: 0BSD
# The system calls that box makes: SECURITY.md says which, for each
# configuration, and the kernel kills it for any other.

load ../lib/helpers

setup_file() {
	export BUILDS=$BATS_FILE_TMPDIR
}

# The numbers of calls, and which of them the C library makes, are a machine's.
setup() {
	[ "$(uname -m)" = x86_64 ] || skip "the lists are those of x86-64"
	needs_strace
	needs_tool python:seccomp
	common_setup
	random large 3000001
	cp large want
	random small 1000
}

# build NAME CONFIGURATION [SYMBOL]...
build() {
	box=$BUILDS/$1/box
	BOX_CONFIG=$BUILDS/$1/include/config/auto.conf
	[ ! -e "$box" ] || return 0
	make -s -C "$TOP" O="$BUILDS/$1" "$2"
	for symbol in "${@:3}"; do
		sed -i "s/# CONFIG_$symbol is not set/CONFIG_$symbol=y/" "$BUILDS/$1/.config"
	done
	make -s -C "$TOP" O="$BUILDS/$1" -j2 CFLAGS=-Werror >/dev/null
}

# under COMMAND...: the box that is tried, as TRY says: TRY... box ARG...
under() {
	"${TRY[@]}" "$box" "$@"
}

# exercise: copies with every applet, between all kinds of ends. What comes out
# must be what it should.
exercise() {
	under cat large small >got
	gnu_cat large small | cmp - got
	under cat small >>got
	under cat large | cmp large -
	gnu_cat large | under cat | cmp large -
	gnu_cat large | under cat >got
	cmp large got
	under cat large >/dev/null
	under cat /dev/null small >/dev/zero
	run -1 under cat none
	cp small same
	st=0
	under cat same >>same 2>message || st=$?
	[ "$st" = 1 ]
	cmp small same
	under tee one two <large >three
	cmp large one
	cmp large two
	cmp large three
	gnu_cat large | under tee -a one | cmp large -
	# A late reader: tee counts for how long it waits.
	gnu_cat large | under tee one | (
		sleep 0.2
		cmp large -
	)
	under tee one <small >/dev/null
	cmp small one
	# More than there is memory for.
	mapfile -t many < <(seq -f many.%g 200)
	under tee "${many[@]}" <small >/dev/null
	cmp small many.200
	left "${TRY[@]}" "$box" yes hello | head -c 600000 |
		cmp - <(repeated hello 600000)
	"$LIB/drive.py" sockets in out -- "${TRY[@]}" "$box" cat
	"$LIB/drive.py" whole 7 -- "${TRY[@]}" "$box" tee messages
	[ "$(wc -c <messages)" = 7 ]
	(
		sleep 0.3
		gnu_cat large
	) | nonblocking "0" "${TRY[@]}" "$box" cat | (
		sleep 0.2
		cmp large -
	)
	if has CAT_FORMAT; then
		under cat -A large | cmp - <(gnu_cat -A large)
	fi
	if has TEE_ERROR; then
		under tee -p one <small >/dev/null
		cmp small one
	fi
	if ! has SAFE_CALLS; then
		under tee -i one <small >/dev/null
		cmp small one
	fi
	! has METHOD || exercise_methods
	! has PROGRESS || exercise_reports
}

exercise_methods() {
	local method

	for method in $("$box" --probe | sed '/not built in/d; s/:.*//'); do
		under cat --method="$method" large >got
		cmp large got
		under cat --method="$method" large | cmp large -
		under cat --method="$method" large >/dev/null
		left "${TRY[@]}" "$box" yes --method="$method" hello |
			head -c 600000 | cmp - <(repeated hello 600000)
	done
}

# On a terminal, and at the end by a signal.
exercise_reports() {
	"$LIB/terminal.py" log 80 "${TRY[@]}" "$box" cat -g large >got
	cmp large got
	grep -q 100% terminal
	left "${TRY[@]}" "$box" cat --debug large 2>said |
		head -c 1 >/dev/null
	grep -q moved said
}

# allow NAME...: the kernel kills for calls of other lines.
allow() {
	TRY=("$LIB/only.py" "$(documented_calls start "$@" | tr '\n' ' ')")
}

# only_documented NAME...: the kernel allows these lines' calls and no others, and
# there is none in them that is never made, except in a line of its own: calls after a
# refusal, and where extents are shared.
only_documented() {
	local rare="default, after a refusal, or where extents are shared"

	allow "$@" "$rare"
	exercise
	rm -f log
	TRY=(strace -f -qq -A -o log)
	exercise
	documented_calls "$rare" >rare
	diff <(made log | grep -vxFf rare) <(documented_calls start "$@")
}

# A call that is on no list, which a tracer puts in place of another.
strays() {
	strace -qq -o /dev/null -e inject=close:retval=0:syscall=getuid:when=1 \
		"$box" "$@" >got
}

@test "a box is killed for a call that is not documented" {
	build tiny tiny_defconfig
	allow safe
	run -159 under tee one </dev/null
}

@test "each configuration makes the calls that are documented, and a confined box" {
	build safe safe_defconfig
	only_documented safe
	build tiny tiny_defconfig
	only_documented safe tiny
	build default defconfig
	only_documented safe tiny default
	build confined defconfig CONFINE
	only_documented safe tiny default confined
}

# run_exercise: the command of tee --run is a box, which makes few calls.
run_exercise() {
	under tee one --run "$box" cat large | cmp large -
	cmp large one
	under tee one --stderr --run "$box" cat large >got
	cmp large got
	run -1 under tee --run "$box" cat missing
	run -127 under tee --run missing
}

@test "tee --run makes the calls that are documented" {
	build run defconfig TEE_RUN
	line="container, distro, max, for \`tee --run\`"
	allow safe tiny default "default, for \`tee --lag\` or \`tee --debug\`" \
		"$line"
	run_exercise
	TRY=(strace -f -qq -A -o log)
	run_exercise
	[ ! "$(comm -13 <(made log) <(documented_calls "$line"))" ]
}

@test "tee --rotate makes the calls that are documented" {
	build rotate defconfig TEE_ROTATE
	line="with \`CONFIG_TEE_ROTATE\`, for \`tee --rotate\`"
	allow safe tiny default "$line"
	under tee --rotate=4K,99 log <large | cmp large -
	[ -e log.9 ]
	under tee --rotate=4K,2 log <large | cmp large -
	# A disk that is full once.
	strace -f -qq -A -o calls -e inject=write:error=ENOSPC:when=5 \
		"$box" tee --rotate=4K,2,free log <large | cmp large -
	[ ! "$(comm -13 <(made calls) <(documented_calls "$line"))" ]
}

@test "a confined tee --run passes signals on and learns its command's status" {
	build confined_run defconfig CONFINE TEE_RUN
	passes_applet_tests "${box%/*}" tee_run
}

@test "a confined box is killed when it strays, and another is not" {
	build confined defconfig CONFINE
	run -159 strays cat small
	run -159 strays tee one <small
	build default defconfig
	run -0 strays cat small
}

# has_filters N PID: the process has so many.
has_filters() {
	grep -qx "Seccomp_filters:	$1" "/proc/$2/status"
}

@test "a confined cat opens files to read them, until the last is open" {
	build confined defconfig CONFINE
	mkfifo first last
	"$box" cat first small last >got 3>&- &
	exec 4>first
	awaits has_filters 1 $!
	exec 4>&-
	exec 4>last
	gnu_cat small | cmp - got
	awaits has_filters 2 $!
	echo end >&4
	exec 4>&-
	wait $!
	[ "$(tail -n 1 got)" = end ] || [ "$(tail -c 4 got)" = end ]
}

@test "a confined box maps files" {
	build confined_mmap defconfig CONFINE ZC_MMAP
	TRY=(env)
	exercise
	"$box" cat large >>got
	gnu_cat large large | cmp - got
}

@test "where the kernel refuses a filter, a box goes on without" {
	build confined defconfig CONFINE
	for error in ENOSYS EINVAL EPERM; do
		REFUSE=$error refuse prctl,seccomp "$box" cat large | cmp large -
		REFUSE=$error run -1 refuse prctl,seccomp "$box" cat missing
		[ "$output" = "cat: missing: No such file or directory" ]
	done
}

@test "a confined box passes the tests of the applets" {
	build confined defconfig CONFINE
	passes_applet_tests "$BUILDS/confined" cat tee yes trace progress
	build confined-max max_defconfig CONFINE
	passes_applet_tests "$BUILDS/confined-max" tee_reopen tee_retry tee_rotate \
		tee_stamp
}
