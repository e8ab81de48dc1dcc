# SPDX-License-Identifier: 0BSD
# tee with sinks that one reader takes from in turn: none waits for another.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS=TEE

# each <<LINES: "TURN SOURCE SINK..." of a reader that gets all of $TEE; for "any" one kind of
# source after another. Without slack, small pieces may end in a pipe of a page that is full
# before its reader's turn, as GNU's do.
each() {
	local sources=(file pipe)

	! has ZC_TEE || sources+=(pieces)
	while read -r amount source sinks; do
		picked=("$source")
		[ "$source" != any ] || pick 1 "${sources[@]}"
		printf "$amount %s $sinks\n" "${picked[@]}"
	done >cases
	run -0 "$LIB/readers.py" -- ${TEE:-tee} <cases
}

# A terminal that was full wakes who waits for it only when it is nearly empty, and
# the reader goes to the pipe before.
@test "a reader that takes lines or blocks from pipes, sockets, messages and terminals in turn gets all" {
	each <<-END
		lines any pipe pipe
		blocks any page page
		blocks any page pipe page
		lines any socket pipe
		blocks any socket page
		lines any packets pipe
		lines any packets page
		lines any messages page
		lines any messages pty
		lines any pty pipe
		lines any pty pty
		blocks any pty page
		blocks any socket pty page
		lines any socket page pipe pty page page pipe page
		lines any socket $(printf 'pipe page pty %.0s' {1..6}) page
		3000 2048 pipe pty
		2048 2000 pipe pty
		3000 2000 pipe pty
		first any pipe pipe pipe
		first any page pipe pipe
		first any socket pipe
		first any pty pipe
	END
}

# A connection with little room says that it takes more, and takes a segment.
@test "a reader that takes from a connection with little room in turn gets all" {
	needs_off SAFE_CALLS
	each <<-END
		8192 file tcp page
		8192 long tcp page
		8192 long tcp pipe
	END
}

@test "a reader may take one sink further, whatever it comes in, or blocks from twenty pipes of a page" {
	needs ZC_TEE
	# A turn that divides all that there is: the last ends before the end of file.
	turn=75000
	[ $turn -lt "$(lead)" ] || turn=15000
	each <<-END
		$turn 50 pipe page
		$turn 1000 pipe page
		$turn 1500 pipe page
		$turn 4096 pipe page
		blocks any $(printf 'page %.0s' {1..20})
	END
}

@test "a reader that takes in turn gets all by each method" {
	needs METHOD
	pick 3 $(methods)
	for method in "${picked[@]}"; do
		TEE="tee $method"
		each <<<"blocks any socket page pipe pty"
	done
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

# takes_pages PAGES <<LINES: that many KiB of memory, or such pages, where they are larger than
# 4 KiB.
takes_pages() {
	needs_native "has memory of its own"
	needs_off SANITIZE
	each
	[ "${#lines[@]}" = "$(wc -l <cases)" ]
	for most in "${lines[@]}"; do
		[ "$most" -gt 0 ]
		[ "$most" -le $(($(page_size) * $1 / 1024)) ]
	done
}

@test "a hundred sinks take at most 256 KiB of memory, and two 144 KiB" {
	pick 1 file pipe
	takes_pages 64 <<<"$(printf "blocks %s $(printf 'pipe %.0s' {1..100})\n" "${picked[@]}")"
	needs ZC_TEE
	takes_pages 36 <<-END
		blocks file pipe pipe
		blocks pipe pipe pipe
		blocks 65536 pipe pipe
	END
}

# copies_at_most BYTES ARGUMENT...: tee with sixteen outputs that nobody reads has not copied
# more when it sleeps.
copies_at_most() {
	needs_native "counts calls otherwise"
	[ -r /proc/self/io ] || skip "the kernel does not count bytes"
	[ "$("$LIB/stalled.py" outputs 16 -- tee "${@:2}")" -le "$1" ]
}

@test "outputs that stand still have the same pages, and no copies" {
	needs ZC_TEE
	# Little more than the first runs is written. One of a page counts as little.
	most=$((4 * $(page_size)))
	((most >= 32768)) || most=32768
	copies_at_most $((16 * most))
}

@test "a line goes to an empty pipe without poll(2)" {
	needs ZC_TEE
	needs_off SAFE_CALLS
	needs_strace
	mkfifo in out
	strace -o log -e trace="$POLL",read,write tee copy <in >out 3>&- &
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
	run ! grep "^p*poll" log
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
	same one two c
	# The relay alone: no output has a queue.
	[ "$(grep -c "^pipe2" log)" = 1 ]
}

@test "the copies for outputs that stand still have a budget together" {
	needs ZC_TEE METHOD
	budget=$((4 * $(lead)))
	# Each has 8 KiB at least.
	((budget >= 16 * 8192)) || budget=$((16 * 8192))
	# Each output's own pipe has room for 16 pages.
	copies_at_most $((16 * 16 * $(page_size) + budget)) --method=rw
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
	same got got.fifo
}

@test "an empty pipe is written all that it holds, or what poll(2) promises where nothing tells that it is" {
	needs_strace
	needs_off SAFE_CALLS
	random want 262144
	to_fifo ""
	[ "$(wrote | head -n 1)" -gt 4096 ]
	to_fifo ,ioctl
	[ "$(wrote | sort -n | tail -n 1)" = 4096 ]
}

@test "what is in slack goes to an empty pipe in large pieces" {
	needs_strace
	needs ZC_TEE
	random want 5000000
	to_fifo "" 3
	[ "$(wrote | sed 1d | sort -n | tail -n 1)" -gt 4096 ]
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
	executable few <<<'ulimit -n 4 && exec tee "$@"'
	TEE=./few
	each <<-END
		5500 long two two
		6145 long two two
		7000 long two two
		8192 long two two
	END
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
	strace -qq -o calls -e trace="$POLL" tee fifo <want | slowly >got
	wait $!
	same got got.fifo
	run ! grep -E '^poll.*, [1-9][0-9]*\) *= |tv_nsec=[1-9]' calls
}

@test "poll(2) that always lacks memory keeps nobody waiting for ever" {
	needs_strace SANITIZE
	random want 300001
	mkfifo fifo
	gnu_cat fifo >copy &
	timeout "$HANG" strace -qq -o log -e trace="$POLL" -e inject="$POLL":error=ENOMEM \
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
