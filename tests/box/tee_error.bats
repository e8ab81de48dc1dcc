# SPDX-License-Identifier: 0BSD
# tee -p and --output-error: what goes on when a sink fails, and what is said.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS="TEE TEE_ERROR"

setup() {
	common_setup
	random want 3000001
	nopipe=-p
	! has LONG_OPTS || nopipe="-p --output-error=warn-nopipe
		--output-error=exit-nopipe"
}

# Without the path, and quoted as this box does it.
gnu_says() {
	sed "s,^[^ ]*tee: ,tee: ,; s/'standard output'/$(standard_output)/" "$1"
}

# leaves COMMAND...: standard output is a pipe whose reader leaves after a
# while, "status" gets what the command returned, "said" what it said.
leaves() {
	keeps_status "$@" 2>raw | head -c 100000 >/dev/null
	gnu_says raw >said
}

# is_like_gnu OPTION...: with a standard output that is left, a full file and a
# good one. A mode that exits may have filled that one to any point.
is_like_gnu() {
	local tee

	mkdir -p {gnu_tee,tee}/full
	for tee in gnu_tee tee; do
		cd $tee
		leaves "$tee" "$@" one <../want
		cd full
		keeps_status "$tee" "$@" /dev/full two <../../want >three 2>raw
		gnu_says raw >said
		cd ../..
	done
	diff -r -x raw -x one -x two -x three gnu_tee tee
	for file in one full/two full/three; do
		cmp -n "$(stat -c %s tee/$file)" tee/$file want
		! cmp -s gnu_tee/$file want || cmp tee/$file want
	done
}

@test "each mode does and says what GNU's does" {
	needs LONG_OPTS
	for mode in warn warn-nopipe exit exit-nopipe; do
		is_like_gnu --output-error=$mode
	done
	is_like_gnu -p
	is_like_gnu --output-error
}

# bats test_tags=each
@test "of several modes the last one counts" {
	needs LONG_OPTS
	is_like_gnu --output-error=exit -p
	is_like_gnu -p --output-error=warn
	is_like_gnu --output-error=warn --output-error=exit-nopipe
}

@test "a mode may be shortened while it is unambiguous" {
	needs LONG_OPTS
	is_like_gnu --output-error=warn-
	is_like_gnu --output=exit-no
}

# bats test_tags=each
@test "a wrong mode is named with those that there are, and no file is touched" {
	needs LONG_OPTS
	list="Valid arguments are:
  - 'warn'
  - 'warn-nopipe'
  - 'exit'
  - 'exit-nopipe'"
	for mode in X Warn warnn exit-nopipes "warn "; do
		fails_with_usage "tee: invalid argument '$mode' for '--output-error'
$list" \
			tee --output-error="$mode" new </dev/null
	done
	for mode in "" w war e ex exi; do
		fails_with_usage "tee: ambiguous argument '$mode' for '--output-error'
$list" \
			tee --output-error="$mode" new </dev/null
	done
	[ ! -e new ]
}

@test "a wrong mode cannot drive the terminal" {
	needs LONG_OPTS QUOTE
	run -1 tee --output-error=$'\e[31m\xff\\\n' </dev/null
	[ "${lines[0]}" = "tee: invalid argument \
''\$'\033''[31m'\$'\377''\\'\$'\n' for '--output-error'" ]
}

@test "a file that cannot be opened ends a mode that exits, before the next one" {
	needs LONG_OPTS
	echo kept >kept
	mkdir directory
	for mode in exit exit-nopipe; do
		{
			run --separate-stderr tee --output-error=$mode directory kept
			cmp want -
		} <want
		failed_with 1 "tee: directory: Is a directory"
		[ "$(gnu_cat kept)" = kept ]
		run --separate-stderr sh -c \
			"tee --output-error=$mode directory kept <&-"
		failed_with 1 "tee: directory: Is a directory"
	done
	tee --output-error=warn directory kept <want >/dev/null 2>&1 || true
	cmp want kept
}

# The FIFO holds a mebibyte, and the queue behind it the rest.
@test "a mode that exits waits for a late reader to take what was read" {
	needs LONG_OPTS ZC_TEE
	most=$(((1 << 20) + $(lead) / 2))
	mkfifo fifo
	sh -c "trap '' XFSZ; ulimit -f $((most / 512))
		exec tee --output-error=exit one fifo <want >/dev/null 2>said" 3>&- &
	exec 5<fifo
	python -c 'import fcntl; fcntl.fcntl(5, 1031, 1 << 20)'
	awaits [ -s said ]
	gnu_cat <&5 >two
	exec 5<&-
	wait
	[ "$(gnu_cat said)" = "tee: one: File too large" ]
	cmp one <(head -c $most want)
	cmp -n $most one two
}

@test "a signal that is ignored is not said to be one" {
	leaves bash -c 'trap "" PIPE; exec tee -p one' <want
	[ "$(gnu_cat status said)" = 0 ]
	cmp want one
}

@test "-p notices that every reader has gone while the input is idle" {
	mkfifo in
	exec 8<>in
	for option in $nopipe; do
		run -0 --separate-stderr timeout $HANG bash -c "
			tee $option >(true) <in | true; exit \${PIPESTATUS[0]}"
		[ -z "$stderr" ]
	done
	# A pipe that is O_DIRECT has a reader, too.
	python -c '
import os, subprocess, sys
ours, theirs = os.pipe2(os.O_DIRECT)
child = subprocess.Popen(["timeout", os.environ["HANG"], "tee", "-p"], stdin=8, stdout=theirs)
os.close(ours)
sys.exit(child.wait())'
	exec 8>&-
}

# Where poll(2) says nothing of a socket, or "hung up": libcore.bats has other kinds.
@test "a TCP socket that is not connected is a reader that has gone" {
	run -141 "$LIB/misopened.py" out inet env --default-signal=PIPE tee got <<<hello
	[ ! "$output" ]
	run -0 "$LIB/misopened.py" out inet tee -p got <<<hello
	[ "$output$(gnu_cat got)" = hello ]
}

@test "an output that has failed gets no queue" {
	needs LONG_OPTS METHOD
	needs_strace
	exec 5> >(:)
	wait $!
	run -1 strace -qq -o calls -e trace=pipe2,write \
		sh -c "exec tee --output-error=warn --method=rw /dev/fd/5 <want >got"
	exec 5>&-
	cmp want got
	grep -q EPIPE calls
	run ! grep pipe2 calls
}
