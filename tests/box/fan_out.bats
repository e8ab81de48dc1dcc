#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# tee with sinks that one reader takes from in turn: none waits for another.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS=TEE

# read_by TURN SOURCE SINK...: a reader of these sinks of $TEE gets all.
read_by() {
	"$LIB/readers.py" "$@" -- ${TEE:-tee}
	rm -f fifo.*
}

# each TURN SINK...: the same from one kind of source after another. Without slack, small
# pieces may end in a pipe of a page that is full before its reader's turn, as GNU's do.
each() {
	local sources=(file pipe)

	! has ZC_TEE || sources+=(pieces)
	pick 1 "${sources[@]}"
	for source in "${picked[@]}"; do
		read_by "$1" "$source" "${@:2}"
	done
}

@test "a reader that takes lines or blocks from pipes, sockets, messages and terminals in turn gets all" {
	while read -r turn sinks; do
		each $turn $sinks
	done <<-END
		lines pipe pipe
		lines nb-pipe pipe
		blocks page page
		blocks page pipe page
		lines socket pipe
		blocks socket page
		lines packets pipe
		lines packets page
		lines messages page
		lines messages pty
		lines pty pipe
		lines pty pty
		blocks pty page
		blocks socket pty page
		blocks nb-socket page
		blocks nb-page pipe
		blocks nb-pty pipe
		lines socket page pipe pty page page pipe page
		lines socket $(printf 'pipe page pty %.0s' {1..6}) page
	END
}

# A connection with little room says that it takes more, and takes a segment.
@test "a reader that takes from a connection with little room in turn gets all" {
	needs_off SAFE_CALLS
	for source in file long; do
		for sink in page pipe; do
			read_by 8192 $source tcp $sink
		done
	done
}

# A terminal that was full wakes who waits for it only when it is nearly empty, and
# the reader goes to the pipe before.
@test "a terminal that has been full takes more before it is nearly empty" {
	for sizes in "3000 2048" "2048 2000" "3000 2000" "2048 3000"; do
		pick 1 first second third
		for time in "${picked[@]}"; do
			read_by $sizes pipe pty
		done
	done
}

# Without slack a page that holds a piece is full.
@test "a reader that takes blocks from twenty pipes of a page in turn gets all" {
	needs ZC_TEE
	each blocks page $(printf 'page %.0s' {2..20})
}

@test "a reader that takes in turn gets all by each method" {
	needs METHOD
	for method in $(methods); do
		TEE="tee $method"
		each blocks socket page pipe pty
	done
}

@test "a reader that leaves in the middle leaves the others theirs, and keeps none waiting" {
	needs TEE_ERROR
	TEE="tee -p"
	each lines leaving-pipe pipe pipe
	each blocks pipe leaving-page page
	each lines leaving-socket pipe
	has ZC_TEE || return 0
	each 10000 pipe leaving-pipe page
	each 10000 leaving-socket page pipe
}

# poll(2) tells nothing of a full socket whose reader calls shutdown(SHUT_RD).
deaf() {
	"$LIB/socketed.py" deaf "$@"
}

@test "a reader that shuts down ends tee's writes, however many sinks it has" {
	random want 3000000
	for kind in stream messages nb-stream nb-messages; do
		for when in before sleeps; do
			deaf $kind $when 1 env --ignore-signal=PIPE tee copy <want ||
				[ $? = 1 ]
			cmp want copy
			! has TEE_ERROR || deaf $kind $when 1 tee -p copy <want
			cmp want copy
			rm copy
		done
	done
}

@test "a reader that shuts down ends cat" {
	needs CAT
	random want 3000000
	for when in before sleeps; do
		for kind in stream nb-stream; do
			deaf $kind $when 1 cat want && status=0 || status=$?
			# Of a write that sleeps the kernel sends no SIGPIPE.
			[ $status = 141 ] || [ $status = 1 ]
			deaf $kind $when 1 cat <<<line && status=0 || status=$?
			# Before Linux 6.5 splice(2) may add to the last buffer of a full socket:
			# nothing sleeps.
			odd=1
			! is_before 6.5 || odd=125
			[ $status = 141 ] || [ $status = 1 ] || [ $status = $odd ]
		done
	done
}

@test "a reader may take one sink further, whatever it comes in" {
	needs ZC_TEE
	# A turn that divides all that there is: the last ends before the end of file.
	turn=75000
	[ $turn -lt "$(lead)" ] || turn=15000
	for writes in 50 1000 1500 4096; do
		read_by $turn $writes pipe page
	done
}

@test "a reader may take one sink to its end before another" {
	for sinks in "pipe pipe pipe" "page pipe pipe" "socket pipe" "pty pipe"; do
		each first $sinks
	done
	# Each piece of a run that is spliced takes a page's place.
	read_by first spliced pipe pipe
	# What is in slack goes to a page of its own.
	has ZC_TEE || read_by first messages pipe pipe
}

# The pipe holds all that was read when the reader begins, and tee has written over
# it in the file.
@test "a file that is read may be an output, too, beside a pipe" {
	for skip in 1 4096 30000; do
		random f 100000
		tail -c +$((skip + 1)) f >want
		mkfifo fifo
		bash -c 'head -c $1 <&3 >start; exec tee fifo <&3 >&4' - $skip \
			3<f 4<>f &
		exec 5<fifo
		awaits cmp -s -n $((100000 - skip)) f want
		cmp - want <&5
		exec 5<&-
		wait $!
		rm fifo
	done
}

@test "a hundred sinks take at most 256 KiB of memory" {
	needs_native "has memory of its own"
	needs_off SANITIZE
	# It is 64 pages, where they are larger.
	most=$(($(page_size) / 16))
	pick 1 file pipe
	for source in "${picked[@]}"; do
		run -0 "$LIB/readers.py" blocks "$source" \
			$(printf 'pipe %.0s' {1..100}) -- tee
		[ "$output" -gt 0 ]
		[ "$output" -le "$most" ]
		rm fifo.*
	done
}

@test "two pipes take at most 144 KiB of memory" {
	needs ZC_TEE
	needs_native "has memory of its own"
	needs_off SANITIZE
	# It is 36 pages, where they are larger.
	most=$(($(page_size) * 36 / 1024))
	for source in file pipe 65536; do
		run -0 "$LIB/readers.py" blocks "$source" pipe pipe -- tee
		[ "$output" -gt 0 ]
		[ "$output" -le "$most" ]
		rm fifo.*
	done
}

# copied ARGUMENT...: what tee with sixteen outputs that nobody reads has copied when it
# sleeps, in bytes.
copied() {
	needs_native "counts calls otherwise"
	[ -r /proc/self/io ] || skip "the kernel does not count bytes"
	"$LIB/stalled.py" outputs 16 -- tee "$@"
}

@test "outputs that stand still have the same pages, and no copies" {
	needs ZC_TEE
	# Little more than the first runs is written. One of a page counts as little.
	most=$((4 * $(page_size)))
	((most >= 32768)) || most=32768
	[ "$(copied)" -le $((16 * most)) ]
}

@test "a line goes to an empty pipe without poll(2)" {
	needs ZC_TEE
	needs_off SAFE_CALLS
	needs_strace
	mkfifo in out
	strace -o log -e trace=poll,read,write tee copy <in >out 3>&- &
	exec 4>in 5<out
	for line in one two three four; do
		echo $line >&4
		read -r got <&5
		[ "$got" = $line ]
	done
	exec 4>&- 5<&-
	wait $!
	printf '%s\n' one two three four | cmp - copy
	grep -q "^write(1, " log
	run ! grep "^poll" log
}

@test "a run goes straight into pipes that are empty" {
	needs ZC_TEE
	needs_strace
	random want 40000
	mkfifo a b
	strace -o log -e trace=pipe2 tee a b <want >c &
	for fifo in a b; do
		eval "exec {$fifo}<$fifo"
	done
	gnu_cat <&"$a" >one
	gnu_cat <&"$b" >two
	wait $!
	exec {a}<&- {b}<&-
	cmp want one
	cmp want two
	cmp want c
	# The relay alone: no output has a queue.
	[ "$(grep -c "^pipe2" log)" = 1 ]
}

@test "the copies for outputs that stand still have a budget together" {
	needs ZC_TEE METHOD
	budget=$((4 * $(lead)))
	# Each has 8 KiB at least.
	((budget >= 16 * 8192)) || budget=$((16 * 8192))
	# Each output's own pipe has room for 16 pages.
	[ "$(copied --method=rw)" -le $((16 * 16 * $(page_size) + budget)) ]
}

# What tee has written to the fifo by each write(2), in bytes.
wrote() {
	sed -n "s/^write($(sed -n 's/.*"fifo".* = //p' calls), .* = //p" calls
}

# written_to N: tee has written to so many descriptors.
written_to() {
	[ "$(sed -n 's/^write(\([0-9]*\),.*/\1/p' calls | sort -u | wc -l)" -ge "$1" ]
}

# to_fifo CALLS [FDS]: tee to a file and a fifo, which is read once tee has written
# to so many descriptors. CALLS are refused, beside those that splice.
to_fifo() {
	local refused="tee,splice$1"

	mkfifo fifo
	: >calls
	{
		awaits written_to "${2:-0}"
		dd bs=1M status=none
	} <fifo >got.fifo &
	strace -qq -o calls -e "trace=write,openat,$refused" \
		-e "inject=$refused:error=EPERM" tee fifo <want >got
	wait $!
	rm fifo
	cmp want got
	cmp want got.fifo
}

@test "an empty pipe is written all that it holds, where it is not spliced to" {
	needs_strace
	needs_off SAFE_CALLS
	random want 262144
	to_fifo ""
	[ "$(wrote | head -n 1)" -gt 4096 ]
}

@test "what is in slack goes to an empty pipe in large pieces" {
	needs_strace
	needs ZC_TEE
	random want 5000000
	to_fifo "" 3
	[ "$(wrote | sed 1d | sort -n | tail -n 1)" -gt 4096 ]
}

@test "where nothing tells that a pipe is empty, it gets what poll(2) promises" {
	needs_strace
	needs_off SAFE_CALLS
	random want 262144
	to_fifo ,ioctl
	[ "$(wrote | sort -n | tail -n 1)" = 4096 ]
}

@test "a pipe that is not empty gets what poll(2) promises" {
	needs_off SAFE_CALLS
	needs_strace
	random want 262144
	mkfifo fifo
	exec 9<>fifo
	printf x >&9
	: >calls
	(
		exec <fifo 9<&-
		awaits written_to 2
		dd bs=1M status=none
	) >got.fifo &
	strace -qq -o calls -e trace=write,openat,splice,tee \
		-e inject=splice,tee:error=EPERM tee fifo <want >got 9<&-
	exec 9<&-
	wait $!
	[ "$(wrote | head -n 1)" = 4096 ]
	printf x | cmp - <(head -c 1 got.fifo)
	cmp want <(tail -c +2 got.fifo)
}

# In two pages an odd end in the middle of a run leaves no room for its last page.
@test "without slack, the odd bytes of a run go to a pipe first" {
	needs_off SANITIZE
	for turn in 5500 6145 7000 8192; do
		"$LIB/readers.py" "$turn" long two two -- bash -c 'ulimit -n 4; exec tee "$@"' tee
		rm fifo.*
	done
}

# Pieces of a socket may take more pipe buffers than pages would.
@test "rw itself writes to each of several sinks" {
	needs METHOD
	needs_strace
	random want 262144
	mkfifo fifo
	gnu_cat fifo >got.fifo &
	strace -qq -o calls -e trace=socketpair tee --method=rw fifo \
		<want >got
	wait $!
	cmp want got.fifo
	[ ! -s calls ]
}

# Only what poll(2) calls ready, and what then takes nothing, is left alone for a while.
@test "pipes that are full when a run comes are waited for by poll(2) alone" {
	needs ZC_TEE
	needs_strace
	random want 8000001
	mkfifo fifo
	: >calls
	slowly() {
		awaits grep -q ' = 0 (Timeout)' calls
		dd bs=4k status=none
	}
	slowly <fifo >got.fifo &
	strace -qq -o calls -e trace=?poll,ppoll tee fifo <want | slowly >got
	wait $!
	cmp want got
	cmp want got.fifo
	run ! grep -E '^poll.*, [1-9][0-9]*\) *= |tv_nsec=[1-9]' calls
}

@test "poll(2) that always lacks memory keeps nobody waiting for ever" {
	needs_strace SANITIZE
	random want 300001
	mkfifo fifo
	gnu_cat fifo >copy &
	timeout "$HANG" strace -qq -o log -e trace=?poll,ppoll -e inject=?poll,ppoll:error=ENOMEM \
		tee fifo < <(gnu_cat want) > >({
			sleep 0.2
			gnu_cat
		} >got)
	awaits cmp want got
	wait
	cmp want copy
	grep -q 'ENOMEM.*INJECTED' log
}

@test "a clock that is refused from the second look on lets no sink rest for ever" {
	needs_strace SANITIZE
	random want 300001
	mkfifo fifo
	{
		sleep 0.2
		gnu_cat
	} <fifo >copy &
	run timeout "$HANG" strace -qq -o log -e trace=splice,/^clock_gettime -e inject=splice:error=EPERM \
		-e inject=/^clock_gettime:error=EPERM:when=2+ tee fifo <want
	wait
	[ "$status" = 0 ]
	cmp want copy
}
