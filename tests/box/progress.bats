# SPDX-License-Identifier: 0BSD
# -g, --progress: a line on standard error.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS=PROGRESS

# on_terminal COLUMNS COMMAND...: its standard error is a terminal, and what
# goes there is in ./terminal.
on_terminal() {
	"$LIB/terminal.py" log "$@"
}

# The line that stays.
last_line() {
	tr '\r' '\n' <terminal | grep . | tail -n 1
}

# Waits until the terminal shows a number of bytes.
shown() {
	awaits grep -qs "$1" terminal
}

# shows LINE COMMAND...: the line that stays begins so; its output is in ./got. Only where
# LINE has a percentage, one was shown.
shows() {
	on_terminal 80 "${@:2}" >got
	[[ $(last_line) = "$1"* ]]
	[[ $1 = *% ]] || run ! grep '[[%]' terminal
}

@test "cat -g shows all of a file, and the last line stays" {
	needs CAT
	random want 3145728
	on_terminal 80 cat -g want >got
	cmp want got
	[[ $(last_line) = "3.0 MiB     100%  "*"iB/s "*" 0:00:0"*" [==="*"===]" ]]
	[ "$(tail -c 2 terminal)" = $'\r' ]
}

@test "cat -g knows the size of a block device, by name and as its input" {
	needs_root
	needs CAT
	random want 3145728
	device=$(losetup --find --show --read-only want 2>/dev/null) ||
		skip "no loop device to be had"
	on_terminal 80 cat -g "$device" >got || true
	named=$(last_line)
	on_terminal 80 cat -g <"$device" >other || true
	losetup --detach "$device"
	same got other
	[[ $named = "3.0 MiB     100%  "* ]]
	[[ $(last_line) = "3.0 MiB     100%  "* ]]
}

@test "--progress is silent where standard error is no terminal" {
	needs CAT LONG_OPTS
	random want 300001
	cat --progress want 2>said >got
	cmp want got
	[ ! -s said ]
}

@test "cat -g shows how much there is of all operands, and no percentage if one does not tell" {
	needs CAT
	random small 1024
	random large 1047552
	random want 3000
	: >empty
	shows "1.9 MiB     100%" cat -g small empty large - <large
	cmp got <(gnu_cat small large large)
	# Standard input counts once, though it is named twice.
	shows "5.8 KiB     100%" cat -g - want - <want
	cmp got <(gnu_cat want want)
	(
		at 1000 - true
		shows "1.9 KiB     100%" cat -g
	) <want
	cmp got <(tail -c 2000 want)
	gnu_cat small | shows "1.0 KiB " cat -g
	cmp got small
	gnu_cat small | shows "2.0 KiB " cat -g small -
	cmp got <(gnu_cat small small)
	# More than was said to be there.
	shows "" cat -g /proc/self/status
}

@test "cat -g goes on after a file that is not there" {
	needs CAT
	random want 2048
	run -1 on_terminal 80 cat -g none want
	grep 'cat: none: No such file or directory' terminal
	[[ $(last_line) = "2.0 KiB     100%  "* ]]
}

@test "cat -n -g and tee -g count, too" {
	needs CAT CAT_FORMAT TEE
	random want 3145728
	shows "3.0 MiB     100%" cat -ng want
	cmp got <(gnu_cat -n want)
	shows "3.0 MiB     100%" tee -g copy <want
	same got copy
	gnu_cat want | shows "3.0 MiB " tee -g copy
	cmp want got
}

@test "SIGUSR1 shows a line, at once and without a terminal" {
	needs CAT
	mkfifo fifo
	cat -g fifo >got 2>said 3>&- &
	exec 4>fifo
	printf 12345 >&4
	awaits holds got 5
	kill -USR1 $!
	awaits [ -s said ]
	[[ $(gnu_cat said) = "5 B "*"B/s "*" 0:00:0"* ]]
	exec 4>&-
	wait $!
	[ "$(gnu_cat got)" = 12345 ]
	[ "$(wc -l <said)" = 1 ]
}

# Asks cat, the process in ./pid, for a line on the terminal, and waits for it.
asks() {
	has_line() {
		[ "$(wc -l <terminal)" = 1 ]
	}
	kill -USR1 "$(gnu_cat pid)"
	awaits has_line
}

@test "a line that was asked for on a terminal stays" {
	needs CAT
	mkfifo fifo
	on_terminal 80 sh -c 'echo $$ >pid; exec cat -g fifo' >got 3>&- &
	exec 4>fifo
	printf 12345 >&4
	shown '5 B '
	asks
	printf 678 >&4
	exec 4>&-
	wait $!
	[ "$(gnu_cat got)" = 12345678 ]
	[ "$(grep -c . terminal)" = 2 ]
	[[ $(last_line) = "8 B "* ]]
}

@test "SIGUSR1 that is ignored from the start stays so" {
	needs CAT
	mkfifo fifo
	env --ignore-signal=USR1 cat -g fifo >got 2>said 3>&- &
	exec 4>fifo
	kill -USR1 $!
	echo late >&4
	exec 4>&-
	wait $!
	[ "$(gnu_cat got)" = late ]
	[ ! -s said ]
}

@test "what -g handles may be blocked from the start, and a line is shown while input is waited for" {
	needs CAT
	mkfifo fifo
	on_terminal 80 env --block-signal sh -c 'echo $$ >pid; exec cat -g fifo' >got 3>&- &
	# open(2) sleeps until there is a writer.
	shown '0 B '
	exec 4>fifo
	printf 12345 >&4
	shown '5 B '
	printf 678 >&4
	shown '8 B '
	asks
	exec 4>&-
	wait $!
	[ "$(gnu_cat got)" = 12345678 ]
	[[ $(last_line) = "8 B "* ]]
}

# heeds PID: the process handles SIGUSR1, the tenth signal. So does a shell that is yet to
# become it.
heeds() {
	grep -qsvx bash "/proc/$1/comm" || return
	grep -qs '^SigCgt:.*[2367abef]..$' "/proc/$1/status"
}

@test "cat and tee lose nothing when they are asked again and again" {
	needs CAT TEE
	needs_native "takes a signal before box does"
	# More than fits into a pipe of 256 buffers, each with 32 KiB of a socket.
	random want 12000003
	mkfifo in out idle
	for command in "cat -g" "tee -g copy"; do
		$command <in >out 2>said 3>&- &
		pid=$!
		"$LIB/streams.py" drip want >in 3>&- &
		gnu_cat <out >got 3>&- &
		awaits heeds $pid
		while kill -USR1 $pid 2>/dev/null; do
			read -rt 0.001 <>idle || :
		done
		wait
		cmp want got
		run ! grep -vE '^[0-9.]+ ([KM]i)?B .*B/s .*0:00:' said
		[ -s said ]
	done
	cmp want copy
}

@test "no line is wider than the terminal, or than 80 columns, and a bar has nine" {
	needs CAT
	random want 3145728
	for columns in 1 2 12 20 40 52 60 69 70 79 132 400; do
		on_terminal $columns cat -g want >got
		cmp want got
		tr '\r' '\n' <terminal >lines
		run ! grep -E ".{$columns}" lines
		if [ $columns = 70 ]; then
			[[ $(last_line) = *" [=========]" ]]
		elif [ $columns -lt 70 ]; then
			run ! grep '[[]' terminal
		fi
	done
	# Of one whose width is unknown.
	on_terminal 0 cat -g want >got
	[ "$(last_line | wc -c)" = 80 ]
}

@test "four lines a second are shown, and no more" {
	needs CAT
	local begun=$SECONDS
	(
		echo first
		sleep 1
		echo last
	) | on_terminal 80 cat -g >got
	[ "$(tr '\r' '\n' <terminal | grep -c .)" -lt \
		$((4 * (SECONDS - begun) + 8)) ]
}

@test "a terminal that goes away, is stopped or full ends nothing and holds nothing up" {
	needs CAT TEE
	random want 3145728
	for how in gone stopped full; do
		for command in "cat -g" "tee -g copy"; do
			(
				gnu_cat want
				sleep 0.6
			) | "$LIB/terminal.py" $how $command >got
			cmp want got
		done
		cmp want copy
	done
}

@test "a standard error that does not block ends nothing" {
	needs CAT
	random want 3145728
	export -f python prepared nonblocking
	on_terminal 80 bash -c 'nonblocking 2 "$@"' - cat -g want >got
	cmp want got
	[[ $(last_line) = *"100%"* ]]
}

@test "the last line stays when a signal ends it" {
	needs CAT
	# That of 7.2 aligns the stack of a handler to 8 bytes; the ABI says 16, and
	# what a compiler stores there by SSE faults.
	[ "${EMULATED:-}" != qemu-i386 ] || skip "qemu-i386 calls handlers wrongly"
	mkfifo fifo
	on_terminal 80 env --default-signal=INT \
		sh -c 'echo $$ >pid; exec cat -g fifo' >got 3>&- &
	exec 4>fifo
	printf 12345 >&4
	shown '5 B '
	kill -INT "$(gnu_cat pid)"
	waits 130 $!
	exec 4>&-
	[[ $(last_line) = "5 B "* ]]
	[ "$(tail -c 2 terminal)" = $'\r' ]
}

@test "a signal that comes while a line is written has its own line" {
	needs CAT
	needs_strace
	mkfifo fifo
	for case in "INT 130 1" "USR1 0 2"; do
		read -r signal status stay <<<"$case"
		sleep 0.6 >fifo &
		run -$status on_terminal 80 strace -qqo /dev/null \
			-e inject=write:signal=$signal:when=1 \
			env --default-signal=INT cat -g fifo
		[[ $(last_line) = "0 B "* ]]
		[ "$(grep -c $'\r$' terminal)" = $stay ]
	done
}

@test "-g and --debug go together" {
	needs CAT TRACE
	random want 3145728
	for options in "-g --debug" "--debug -g" "--debug -gg --debug"; do
		on_terminal 80 cat $options want >got
		cmp want got
		[ "$(grep -c 100% terminal)" = 1 ]
		[ "$(grep -c 'moved 3145728 bytes' terminal)" = 1 ]
		[[ $(last_line) = "cat: want (file) to file: "* ]]
	done
}

@test "-g does not keep --help from being shown" {
	needs CAT HELP
	[ "$(on_terminal 80 cat -g --help)" = "$(cat --help)" ]
	[ ! -s terminal ]
}
