# SPDX-License-Identifier: 0BSD
# The sample of the fault matrix that scripts/faults runs without --all.

load ../lib/helpers

setup() {
	common_setup
	needs_off SAFE_CALLS # its messages are written by write(2), too
	needs_faults
}

# survives LEAST SCENARIO...: no fault may lose anything. Those that are hit must
# be many, or the matrix tests nothing; a box without zero-copy calls makes few,
# and one without long options fewer.
survives() {
	local least=$1 injected
	shift

	run "$TOP/scripts/faults" --box "$LINKS/box" "$@"
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} == *", lost: 0" ]]
	injected=${lines[-1]#faults injected: }
	has ZC_SPLICE || least=$((least / 8))
	has ZC_TEE || least=$((least * 3 / 4))
	has LONG_OPTS || least=$((least * 3 / 4))
	[ "${injected%% *}" -ge "$least" ]
}

@test "cat loses nothing whichever call fails" {
	needs CAT
	survives 30 cat
}

@test "tee loses nothing whichever call fails" {
	needs TEE
	survives 50 tee
}

# wrong APPLET COMMAND: a box whose applet is this shell command.
wrong() {
	executable box-wrong <<<"[ \"\$1\" = $1 ] && shift && $2"
}

# sees SCENARIO PROBLEM COMMAND: the matrix finds that, a pattern, in a box whose
# applet is this shell command.
sees() {
	wrong "${1%%/*}" "$3"
	run -1 "$TOP/scripts/faults" --box ./box-wrong "$1"
	# shellcheck disable=SC2053 # PROBLEM is a pattern
	[[ $output == *$2* ]]
}

@test "the matrix sees bytes that are lost, doubled or changed" {
	needs CAT
	sees cat/file/pipe "has 200002 bytes of 200003" 'exec head -c -1 "$@"'
	sees cat/file/pipe "byte 1000 is wrong" 'head -c 1000 "$1"; tail -c +1000 "$1"'
	sees cat/file/pipe "byte 200003 is wrong" 'cat "$1"; tail -c 1 "$1"'
	sees cat/file/pipe "byte 0 is wrong" 'tr @ x <"$1"'
}

@test "the matrix sees a position that is one off" {
	local seek='exec /usr/bin/python3 -S -c "import os; os.lseek'

	needs CAT
	sees cat/stdin/pipe "is left at 200002, and ends at 200003" "cat; $seek(0, -1, 1)\""
	sees cat/file/file "is left at 200004, and ends at 200003" "cat file; $seek(1, 1, 1)\""
}

@test "the matrix sees a wrong message, status or signal" {
	local told="cat: write error: No space left on device"

	needs CAT
	sees cat/file/full "2 messages of one failure" "printf '$told\n%.0s' 1 2 >&2; exit 1"
	sees cat/file/full "is told, and was not so" "echo '${told/write error/file}' >&2; exit 1"
	sees cat/file/full "the status is 0, with 1" "echo '$told' >&2"
	sees cat/file/limit "is told nobody" 'head -c 150001 "$1"'
	sees cat/file/pipe "was not so" 'cat "$1"; echo cat: hello >&2; exit 1'
	sees cat/file/pipe "the status is 1, with 0" 'cat "$1"; exit 1'
	sees cat/file/pipe "signal 11 ends it" 'cat "$1"; kill -SEGV $$'
}

# sends STATEMENT: what the matrix says of a box that does so as sendfile(2) fails once.
sends() {
	cat >sends.py <<-END
		import os, sys
		try:
		    while os.sendfile(1, 0, None, 4096):
		        pass
		except OSError:
		    $1
	END
	wrong cat "exec /usr/bin/python3 -S $PWD/sends.py"
	verdict ./box-wrong cat/stdin/pipe:sendfile:EIO:3
}

@test "the matrix sees a failure that is hidden, or told at both ends" {
	local says="sys.exit('cat: write error: Input/output error')"

	needs CAT
	[ "$(sends "$says")" = "nothing lost" ]
	[ "$(sends pass)" = '"Input/output error" is told nobody' ]
	[ "$(sends "${says/Input*error/Is a directory}")" = \
		'cat: write error: "Is a directory" is told, and was not so' ]
	[ "$(sends "${says/cat/cat: -: Input\/output error\\ncat}")" = \
		"2 messages of one failure" ]
	[ "$(sends "print(end='x', flush=True); $says")" = "cat: write error: byte 8192 is wrong" ]
}

@test "the matrix that is stopped leaves nothing running" {
	needs CAT
	executable box-idle <<<"echo \$\$ >$PWD/new && mv $PWD/new $PWD/pid && exec sleep 300"
	for signal in INT TERM; do
		rm -f pid
		outside "$LIB/drive.py" stop $signal 1 pid "faults: stopped" -- \
			sh -c 'exec "$@" 2>&1' - "$TOP/scripts/faults" --box ./box-idle cat/file/pipe
		awaits gone "$(gnu_cat pid)"
	done
}
