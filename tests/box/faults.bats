#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# The sample of the fault matrix that scripts/faults runs without --all.

load ../lib/helpers

setup() {
	common_setup
	needs_off SAFE_CALLS # its messages are written by write(2), too
	needs_strace
	needs_tool /usr/bin/python3
}

# survives LEAST SCENARIO...: no fault may lose anything. Those that are hit must
# be many, or the matrix tests nothing; a box without zero-copy calls makes few.
survives() {
	local least=$1 injected
	shift

	run "$TOP/scripts/faults" --box "$LINKS/box" "$@"
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} == *", lost: 0" ]]
	injected=${lines[-1]#faults injected: }
	has ZC_SPLICE || least=$((least / 8))
	[ "${injected%% *}" -ge "$least" ]
}

@test "cat loses nothing whichever call fails" {
	needs CAT
	survives 50 cat
}

@test "tee loses nothing whichever call fails" {
	needs TEE
	survives 60 tee
}

@test "yes loses nothing whichever call fails" {
	needs YES
	survives 5 yes
}

# wrong APPLET COMMAND: a box whose applet is this shell command.
wrong() {
	cat >box-wrong <<-END
		#!/bin/sh
		[ "\$1" = $1 ] && shift && $2
		END
	chmod +x box-wrong
}

# sees SCENARIO PROBLEM COMMAND: the matrix finds that, a pattern, in a box whose
# applet is this shell command.
sees() {
	wrong "${1%%/*}" "$3"
	run "$TOP/scripts/faults" --box ./box-wrong "$1"
	[ "$status" = 1 ]
	# shellcheck disable=SC2053 # PROBLEM is a pattern
	[[ $output == *$2* ]]
}

@test "the matrix sees a box that loses bytes" {
	needs CAT
	sees cat/file/pipe "holds 1000 bytes" 'exec head -c 1000 "$@"'
}

# What is opened anew has a position of its own.
@test "the matrix sees a box that does not share its ends" {
	needs CAT
	# Whose bytes are lost depends on who is first.
	sees cat/file/file-shared "@(bytes are not all there|are right, and not)" \
		'exec cat "$@" >/dev/stdout'
	sees cat/words-shared/pipe "are right, and not" \
		'exec cat </dev/stdin'
}

@test "the matrix sees a box that joins messages" {
	needs CAT
	sees cat/seqpacket/seqpacket "a message is cut or joined" \
		'exec dd bs=1M iflag=fullblock status=none'
}

# It hangs for as long as the matrix waits.
@test "the matrix sees a box of which a sink waits for another" {
	needs TEE
	HANG=5 sees tee/file/tiny+pipe/blocks hangs "exec $system_tee \"\$@\""
}

@test "a run without end is looked at, and the matrix sees one that must have ended" {
	needs CAT TEE ZC_SPLICE ZC_TEE
	[ "$(verdict "$LINKS/box" tee/zero/null:splice:ECONNRESET:11)" = "nothing lost" ]
	wrong cat "exec dd conv=noerror if=/dev/zero of=/dev/null 2>/dev/null"
	[ "$(verdict ./box-wrong cat/zero/null:read:SIGCONT:9)" = "nothing lost" ]
	[ "$(verdict ./box-wrong cat/zero/null:read:EIO:9)" = hangs ]
}

@test "the matrix that is stopped leaves nothing running" {
	needs CAT
	cat >box-idle <<-END
		#!/bin/sh
		echo \$\$ >$PWD/new && mv $PWD/new $PWD/pid && exec sleep 300
	END
	chmod +x box-idle
	for signal in INT TERM; do
		rm -f pid
		outside "$LIB/drive.py" stop $signal pid "faults: stopped" -- \
			sh -c 'exec "$@" 2>&1' - "$TOP/scripts/faults" --box ./box-idle cat/file/pipe
		awaits gone "$(gnu_cat pid)"
	done
}
