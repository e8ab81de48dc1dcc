# SPDX-License-Identifier: 0BSD
# box itself: how an applet is found, and what box can do without one.

# bats file_tags=box,emulated,guest

load ../lib/helpers

# start ARGV0 PROGRAM [ARG]...: argv[0] is what it says, and absent for NULL.
start() {
	python - "$@" <<-'END'
	import ctypes, os, sys
	first, program, *rest = map(os.fsencode, sys.argv[1:])
	args = [] if first == b"NULL" else [first] + rest
	argv = (ctypes.c_char_p * (len(args) + 1))(*args, None)
	ctypes.CDLL(None).execv(program, argv)
	sys.exit(99)
	END
}

# bats test_tags=each
@test "box alone says how to call it and what is in it" {
	run -0 --separate-stderr box
	! has HELP || [ "${lines[0]}" = "Usage: box APPLET [ARG]..." ]
	[ ! "$stderr" ]
	for applet in $(applets); do
		[[ $output =~ (^|[[:space:]])$applet($|[[:space:]]) ]]
	done
}

# bats test_tags=each
@test "--list names just the applets that were chosen" {
	run -0 box --list
	[ "$output" = "$(applets)" ]
}

@test "--list-full names them with the paths to install them at" {
	run -0 box --list-full
	[ "$output" = "$(applets | sed 's,^cat,bin/&,; t; s,^,usr/bin/,')" ]
}

@test "box --help APPLET, box APPLET --help and APPLET --help say the same" {
	needs HELP
	[ "$(box --help)" = "$(box)" ]
	for applet in $(applets); do
		run -0 box --help "$applet"
		[ "${lines[0]}" != "${lines[0]#Usage: $applet }" ]
		[ "$output" = "$(box "$applet" --help)" ]
		[ "$output" = "$("$applet" --help)" ]
	done
}

# bats test_tags=each
@test "--version of box and of its applets names them and the version" {
	needs VERSION
	run -0 box --version
	version=${output##* }
	[[ $version =~ ^[0-9]+\.[0-9] ]]
	for applet in $(applets); do
		[ "$("$applet" --version)" = "$applet (box) $version" ]
	done
}

# bats test_tags=each
@test "--config shows the configuration it was built with" {
	needs SHOW_CONFIG
	run -0 box --config
	diff <(sort <<<"$output") <(grep ^CONFIG_ "$BOX_CONFIG" | sort)
}

# bats test_tags=each
@test "commands that were left out are unknown options" {
	while read -r symbol option; do
		! has "$symbol" || continue
		fails_with_usage "box: unrecognized option '$option'" box "$option"
	done <<-END
	HELP		--help
	VERSION		--version
	INSTALLER	--install
	SHOW_CONFIG	--config
	NEVER		--nosuch
	END
}

@test "an option that this build lacks says so" {
	needs HELP LONG_OPTS TEE
	for option in block lag rotate run; do
		! has "TEE_${option^^}" || continue
		run -1 --separate-stderr tee --$option </dev/null
		[[ ${stderr_lines[0]} = "tee: --$option is not in this build"* ]]
	done
}

# has_name NAME PID: ps(1) calls the process that.
has_name() {
	[ "$(gnu_cat "/proc/$2/comm")" = "$1" ]
}

@test "an applet that is box's first argument gives its name to the process" {
	needs_off SAFE_CALLS
	needs_native "has a name of its own"
	mkfifo in out
	for applet in $(applets); do
		box "$applet" <in >out 3>&- &
		exec 7>in 8<out
		awaits has_name "$applet" $!
		exec 7>&- 8<&-
		wait $! || [ $? = 141 ]
	done
}

has_child() {
	# Others end meanwhile.
	child=$(grep -slx "PPid:	$1" /proc/[0-9]*/status) || true
	[ "$child" ]
}

# child PID: waits for the first one of a process.
child() {
	awaits has_child "$1"
	echo "${child//[^0-9]/}"
}

@test "SIGTERM and SIGINT do to an applet that is PID 1 what they do to GNU's" {
	needs_off SAFE_CALLS # it gives the process no name
	needs_off SANITIZE  # which catches SIGSEGV
	needs_native "is what would be PID 1"
	unshare -r --pid --fork true || skip "no namespaces of processes here"
	mkfifo in
	for command in gnu_cat cat "box tee"; do
		[[ $command != *cat ]] || has CAT || continue
		[[ $command != *tee ]] || has TEE || continue
		[ "$command" != gnu_cat ] || command=$system_cat
		env --default-signal=INT unshare -r --pid --fork --kill-child \
			$command <in >out 3>&- &
		exec 7>in
		init=$(child $!)
		has_name "${command##*[ /]}" "$init"
		grep -x 'SigCgt:	0*' "/proc/$init/status"
		kill -TERM "$init"
		kill -INT "$init"
		echo line >&7
		exec 7>&-
		wait $!
		[ "$(gnu_cat out)" = line ]
	done
}

# is_caught PID SIGNAL: the process handles that. A sanitizer handles others.
is_caught() {
	local mask

	mask=$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status")
	(((16#$mask >> ($(kill -l "$2") - 1)) & 1))
}

@test "a signal that an applet handles as PID 1 ends it after its report" {
	needs CAT TRACE
	needs_native "is what would be PID 1"
	unshare -r --pid --fork true || skip "no namespaces of processes here"
	mkfifo in
	for signal in TERM INT; do
		env --default-signal=INT unshare -r --pid --fork --kill-child \
			cat --debug <in >out 2>said 3>&- &
		exec 7>in
		init=$(child $!)
		awaits is_caught "$init" $signal
		kill -$signal "$init"
		exec 7>&-
		waits $((128 + $(kill -l $signal))) $!
		[ "$(grep -c '^cat: standard input (pipe) to ' said)" = 1 ]
	done
}

# bats test_tags=each
@test "an applet that was left out is not found" {
	for applet in cat tee yes; do
		if ! has "${applet^^}"; then
			fails_with 127 "$applet: applet not found" box "$applet" </dev/null
			[ ! -e "$LINKS/$applet" ]
		fi
	done
}

# bats test_tags=each
@test "an unknown applet has status 127" {
	ln -s "$LINKS/box" nosuch
	for command in "box nosuch file" "./nosuch file" "box --help nosuch"; do
		[ "$command" != "box --help nosuch" ] || has HELP || continue
		fails_with 127 "nosuch: applet not found" $command
		[ ! "$output" ]
	done
}

# bats test_tags=each
@test "an unknown applet is quoted as other names are" {
	needs QUOTE
	fails_with 127 "''$'\\033''[31m': applet not found" box $'\e[31m'
	fails_with 127 "'no such': applet not found" start 'no such' "$LINKS/box"
	! has HELP || run -127 --separate-stderr box --help 'no such'
	failed_with 127 "'no such': applet not found"
	name=$(printf '%0131000d ' 0)
	fails_with 127 "'$name': applet not found" box "$name"
}

# printing: the options of box that print, and that it has.
printing() {
	echo --list --list-full
	! has HELP || echo --help
	! has VERSION || echo --version
	! has SHOW_CONFIG || echo --config
	! has PROBE || echo --probe
}

@test "an operand that a command does not take is an error" {
	for command in $(printing); do
		fails_with_usage "box: extra operand 'extra'" box ${command/--help/--help cat} extra
		[ ! "$output" ]
	done
}

@test "--method names the methods that were left out" {
	needs CAT METHOD PROBE
	missing=$(box --probe | sed -n 's/: not built in$//p')
	for method in ${missing:-nosuch}; do
		run -1 --separate-stderr cat --method=splice,$method
		[ "${stderr%%$'\n'*}" = \
		  "cat: invalid argument 'splice,$method' for '--method'" ]
		sed -n 's/^Not built in: //p' <<<"$stderr" | tr ' ' '\n' >named
		[ "$(gnu_cat named)" = "$missing" ]
	done
}

# bats test_tags=each
@test "an unknown option of box is an error" {
	run -1 --separate-stderr box -z
	[[ $stderr = "box: "*"'-z'"* ]]
	[ ! "$output" ]
}

@test "argv[0] loses its directories and a leading dash" {
	needs CAT
	echo hello >file
	for name in cat -cat /bin/cat ./cat -/bin/cat /usr/bin/-cat //cat; do
		run -0 start "$name" "$LINKS/box" file
		[ "$output" = hello ]
	done
}

# bats test_tags=each
@test "an argv[0] that is empty, or begins with box, is box" {
	for name in "" - / -/ /- x/ -/- box box.static /opt/box-0.1; do
		run -0 start "$name" "$LINKS/box" --list
		[ "$output" = "$(applets)" ]
		[ "$(start "$name" "$LINKS/box")" = "$(box)" ]
	done
	run -0 start NULL "$LINKS/box"
	[ "$output" = "$(box)" ]
	run -127 start -- "$LINKS/box" --list
}

# untouched COMMAND...: while it runs, others (ps, pkill -f) read the arguments and
# the environment that it was given.
untouched() {
	local line

	echo "$*"
	rm -f in out
	mkfifo in out
	env -i --default-signal=PIPE A=b C= "$@" <in >out 3>&- &
	exec 5>in 6<out
	echo text >&5
	read -r line <&6
	printf '%s\0' "$@" | cmp - "/proc/$!/cmdline"
	printf '%s\0' A=b C= | cmp - "/proc/$!/environ"
	exec 5>&- 6<&-
	wait "$!" || [ $? = 141 ]
}

@test "arguments and environment stay as they were given" {
	needs_native "has arguments of its own"
	[ "$(applets)" ] || skip "there is no applet"
	! has YES || untouched "$LINKS/yes" a "b c" "" d
	! has YES || untouched "$LINKS/box" yes a
	! has CAT || untouched "$LINKS/cat" -u -- - /dev/null
	! has CAT_FORMAT || untouched "$LINKS/cat" - -n /dev/null -A
	! has TEE || untouched "$LINKS/tee" one -a two
	if has METHOD && has TEE; then
		untouched "$LINKS/tee" one --method rw --app -- -two
	fi
}

@test "a full disk and a closed standard output are errors whatever box or an applet prints" {
	{
		printf 'box %s\n' "" $(printing)
		for option in help version; do
			! has ${option^^} || applets | sed "s/$/ --$option/"
		done
	} >commands
	while read -r name option; do
		[ "$("$name" $option)" ] || continue
		fails_with 1 "$name: write error: No space left on device" \
			sh -c "$name $option >/dev/full"
		fails_with 1 "$name: write error: Bad file descriptor" sh -c "$name $option >&-"
	done <commands
}

@test "a message of which standard error takes a part goes on behind that" {
	needs CAT
	needs_strace SANITIZE
	# injecting FAULT: into the calls that write to standard error alone.
	injecting() {
		: >said
		run -1 strace -qq -o log -P "$PWD/said" -e trace=write,writev \
			-e "inject=write,writev:retval=$1" sh -c 'exec cat missing 2>said'
	}
	want="cat: missing: No such file or directory"
	injecting 5:when=1
	[ "$(gnu_cat said)" = "${want:5}" ]
	injecting 1:when=1..20
	[ "$(gnu_cat said)" = "${want:20}" ]
	# One that takes nothing is asked no more.
	injecting 0
	[ ! -s said ]
	[ "$(wc -l <log)" = 1 ]
}

@test "box is a static program that needs no other file" {
	needs STATIC
	needs_tool file
	run -0 file "$LINKS/box"
	[[ $output = *"static"* ]]
}

@test "box works where /proc is not mounted" {
	needs_root
	needs CAT TEE YES
	needs_off SANITIZE  # which needs /proc
	needs_mounts
	random file 300000
	timeout $HANG unshare -m sh -ec '
		umount -l /proc 2>/dev/null || exit 77
		cat file >1
		cat file | tee 2 >3
		yes | head -c 100000 >4
		box --list >5
	' || [ $? != 77 ] || skip "/proc cannot be unmounted here"
	cmp file 1
	cmp file 2
	cmp file 3
	[ "$(sort -u 4)" = y ]
	[ "$(gnu_cat 5)" = "$(applets)" ]
}
