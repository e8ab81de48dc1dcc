# SPDX-License-Identifier: 0BSD
# The invariants of libcore, each by its number in docs/DESIGN.md.

# bats file_tags=box,guest

load ../lib/helpers

setup_file() {
	[ "${BOX:-}" ] || build_default >&2
	share_box
	export big=$BATS_FILE_TMPDIR/big small=$BATS_FILE_TMPDIR/small
	random "$big" 3000001
	random "$small" 2000
}

setup() {
	common_setup
	drive=$LIB/drive.py
}

teardown() {
	say_why
	! mountpoint -q "$BATS_TEST_TMPDIR/lies" ||
		umount -l "$BATS_TEST_TMPDIR/lies"
}

# inject CALL:error=...[:when=...] COMMAND...
inject() {
	strace -f -qq -o strace "${sharing_fs[@]}" -e "inject=$1" "${@:2}"
}

# "scripts/faults --all" has each that there is.
refusals="EINVAL ENOSYS EPERM EBADF"

# same FILE...: each holds what big does.
same() {
	local file

	for file; do
		cmp "$big" "$file"
	done
}

# Copies big in each way that ends can be paired, and compares.
copy_every_way() {
	"$@" cat "$big" > file
	cmp "$big" file
	"$@" cat "$big" | cmp "$big" -
	gnu_cat "$big" | "$@" cat | cmp "$big" -
	gnu_cat "$big" | "$@" cat > file
	cmp "$big" file
	: > append
	"$@" cat "$big" >> append
	cmp "$big" append
	"$@" tee a b < "$big" > c
	same a b c
	gnu_cat "$big" | "$@" tee d | cmp "$big" -
	same d
	"$@" cat "$small" "$big" "$small" > file
	gnu_cat "$small" "$big" "$small" | cmp - file
}

# unnoticed N CALLS FAULT...: so many of these faults befall the calls, and nobody notices.
unnoticed() {
	pick "$1" "${@:3}"
	for fault in "${picked[@]}"; do
		copy_every_way inject "$2:error=$fault"
	done 2> messages
	[ ! -s messages ]
}

@test "invariant 1: any method takes over from any other at any byte" {
	needs_strace
	for call in copy_file_range sendfile splice tee; do
		unnoticed 1 $call EINVAL:when={1,1+2,3,3+2}
	done
}

@test "invariant 2: what has entered a relay comes out, though the sink refuses splice" {
	: > one; : > two
	cat "$big" "$big" >> one
	gnu_cat "$big" "$big" | cmp - one
	tee -a one two < "$big" >> three
	gnu_cat "$big" "$big" "$big" | cmp - one
	cmp "$big" two
	cmp "$big" three
}

@test "invariant 2: a sink that fails leaves nothing behind for the others" {
	run bash -c 'tee /dev/full one < "$0" | cmp "$0" -' "$big"
	[ "$output" = "tee: /dev/full: No space left on device" ]
	cmp "$big" one
}

@test "invariant 3: a refusal goes unnoticed, before a byte has moved and later" {
	needs_strace
	# shellcheck disable=SC2086 # words
	unnoticed 1 $MOVERS $refusals
	unnoticed 1 $MOVERS {EINVAL,ENOMEM,EPERM}:when=3+
}

@test "invariant 3: an errno that nobody has listed asks for another way" {
	needs_strace
	unnoticed 1 $MOVERS {ENODATA,ETIMEDOUT,ENOLCK,EUCLEAN}
	unnoticed 1 $MOVERS {ENODATA,ETIMEDOUT,ENOLCK,EUCLEAN}:when=3+
}

@test "invariant 3: no pipe to be had (EMFILE) goes unnoticed" {
	needs_strace
	unnoticed 1 pipe2 EMFILE
	# bats and who called it may have left some open.
	gnu_cat "$big" | bash -c 'for fd in /proc/self/fd/*; do
			fd=${fd##*/}
			((fd <= 2)) || eval "exec $fd>&-"
		done
		ulimit -n 6
		exec tee a b' | gnu_cat >c
	same a b c
}

@test "invariant 3: yes goes on by other means when tee or vmsplice is refused" {
	needs_strace
	repeated abc 2000003 > abc
	for calls in tee vmsplice tee,vmsplice tee,vmsplice,pipe2,fcntl; do
		pick 2 1 1+ 4+
		for when in "${picked[@]}"; do
			left inject $calls:error=EPERM:when=$when yes abc |
				head -c 2000003 > got
			cmp abc got
		done
	done
}

@test "invariant 3: where fstat is refused, all is read and written" {
	needs_strace
	pick 3 ENOSYS EIO EPERM EACCES ENOENT
	for error in "${picked[@]}"; do
		inject /^fstat6?4?$,statx:error=$error cat "$big" "$small" >got
		gnu_cat "$big" "$small" | cmp - got
		inject /^fstat6?4?$,statx:error=$error cat <"$big" | cmp "$big" -
		inject /^fstat6?4?$,statx:error=$error tee copy <"$big" |
			cmp "$big" -
		cmp "$big" copy
		left inject /^fstat6?4?$,statx:error=$error yes abc |
			head -c 200003 >got
		repeated abc 200003 | cmp - got
	done
}

@test "invariant 3: what fstat tells nothing of is not spliced to" {
	needs_strace
	strace -o log -e inject=/^fstat6?4?$,statx:error=ENOSYS:when=1 \
		-e trace=/^fstat6?4?$,statx,$MOVERS cat "$big" >got
	cmp "$big" got
	grep INJECTED log
	run ! grep "^splice(.*, 1, NULL, .*) = [1-9]" log
}

@test "invariant 3: a pipe whose flags are not told is not spliced to" {
	needs ZC_RANGE
	needs_strace
	strace -o log -e inject=/^fcntl:error=EPERM -e trace=/^fcntl,$MOVERS \
		cat "$big" | cmp "$big" -
	grep INJECTED log
	run ! grep "^splice(.*, 1, NULL, .*) = [1-9]" log
}

@test "invariant 4: a failing source is named, once, with status 1" {
	needs_off SANITIZE  # what loads such a box reads too
	needs_strace
	run inject read:error=EIO:when=1 cat "$small"
	[ "$status" -eq 1 ]
	[ "$output" = "cat: $small: Input/output error" ]
	run inject read:error=EIO:when=1 tee a b < "$small"
	[ "$status" -eq 1 ]
	[ "$output" = "tee: read error: Input/output error" ]
}

@test "invariant 4: a failing sink is named, once, with status 1" {
	needs_off SAFE_CALLS # its first write(2) only asks
	needs_strace
	run --separate-stderr inject write:error=EIO:when=1 cat "$small"
	fails_with 1 "cat: write error: Input/output error"
}

@test "invariant 4: EIO in a later splice ends the program and is blamed by side" {
	needs ZC_SPLICE
	needs_strace
	python -c 'import os
os.splice(os.open("/dev/zero", os.O_RDONLY), os.pipe()[1], 1)' ||
		skip "splice(2) takes nothing from /dev/zero here"
	# Into the relay on odd calls, out of it on even ones.
	run bash -c 'timeout $HANG strace -f -qq -o /dev/null -e \
		inject=splice:error=EIO:when=5 cat /dev/zero > /dev/null'
	[ "$status" -eq 1 ]
	[ "$output" = "cat: /dev/zero: Input/output error" ]
	run bash -c 'timeout $HANG strace -f -qq -o /dev/null -e \
		inject=splice:error=EIO:when=6 cat /dev/zero > /dev/null'
	[ "$status" -eq 1 ]
	[ "$output" = "cat: write error: Input/output error" ]
}

@test "invariant 4: what cat reads before a method is chosen has moved" {
	needs ZC_SPLICE
	needs_strace
	# By the time of a delayed read the pipe is full.
	run bash -c 'timeout $HANG strace -qq -o calls \
		-e inject=read:delay_enter=20000 \
		-e inject=splice:error=EIO:when=1 cat "$1" <(cat "$2") >/dev/null' \
		bash "$small" "$big"
	grep -q 'splice(.*INJECTED' calls
	[ "$status" -eq 1 ]
	[[ $output = "cat: /dev/fd/"*": Input/output error" ]]
}

@test "invariant 12: a file that says EAGAIN for ever is waited for once" {
	needs CAT
	needs_off ZC_MMAP ZC_IO_URING  # which read it without these calls
	needs_off SANITIZE  # what loads such a box reads too
	needs_strace
	# A strace of its own: pread64(2) and read(2) both say so.
	run -1 strace -qq -o log -e inject=splice,sendfile,pread64,read:error=EAGAIN \
		cat "$big"
	[ "$output" = "cat: $big: Resource temporarily unavailable" ]
	# From 1 ms to 512.
	[ "$(grep -c "^poll([^,]*, 0, [0-9]" log)" = 10 ]
}

@test "invariant 4: a failure that rw repeats is told once" {
	needs ZC_COPY_FILE_RANGE
	needs_strace
	run bash -c 'strace -f -qq -o /dev/null '"${sharing_fs[*]}"' \
		-e inject=write:error=EIO -e inject=copy_file_range:error=EIO:when=2+ cat "$0" >got' "$big"
	[ "$status" -eq 1 ]
	[ "$output" = "cat: write error: Input/output error" ]
}

@test "invariant 4: what a file system may say once is told, though rw goes on" {
	needs ZC_COPY_FILE_RANGE METHOD
	needs_strace
	run bash -c 'strace -f -qq -o log -e inject=copy_file_range:error=ENOSPC:when=3 \
		cat --method=copy_file_range "$0" >got' "$big"
	grep -q 'copy_file_range(.*INJECTED' log
	[ "$status" -eq 1 ]
	[ "$output" = "cat: write error: No space left on device" ]
}

@test "invariant 4: a connection's errno that a file says is the file's" {
	needs ZC_SENDFILE
	needs_off SANITIZE  # what loads such a box reads too
	needs_strace
	cp "$big" want
	run --separate-stderr "$LIB/drive.py" sockets out -- strace -qq -o log \
		-e inject=splice,sendfile,pread64,read:error=ETIMEDOUT cat want
	[[ $stderr = *"cat: want: Connection timed out"* ]]
	[[ $stderr != *"write error"* ]]
}

@test "invariant 5: sizes that lie lose nothing" {
	mount_lies
	seq -f %07.0f 0 37499 > want
	for f in none small short exact long; do
		cat lies/$f > file
		cmp want file
		cat lies/$f | cmp want -
		cat < lies/$f | cmp want -
		tee a < lies/$f > b
		cmp want a
		cmp want b
		tee c < lies/$f | cmp want -
		cmp want c
	done
	umount_lies
}

@test "invariant 5: urgent data in a TCP stream does not end it" {
	for sink in file pipe socket; do
		"$LIB/urgent.py" $sink -- cat
	done
	"$LIB/urgent.py" pipe -- tee
	"$LIB/urgent.py" socket one -- tee one
	"$LIB/urgent.py" file one two three -- tee one two three
	[ "${WHOLE:-}" ] || return 0
	for sink in file pipe socket; do
		"$LIB/urgent.py" $sink -- tee
		"$LIB/urgent.py" $sink one -- tee one
		"$LIB/urgent.py" $sink one two three -- tee one two three
	done
}

@test "invariant 5: urgent data does not stop who reads a socket that is O_NONBLOCK" {
	"$LIB/urgent.py" --open -- cat
	"$LIB/urgent.py" --open -- cat -u
	"$LIB/urgent.py" --open -- tee
	"$LIB/urgent.py" --open -- tee one
}

@test "invariant 5: urgent data does not end a stream, whatever the method" {
	needs METHOD
	for method in $(methods); do
		"$LIB/urgent.py" file -- cat $method
		[ ! "${WHOLE:-}" ] || "$LIB/urgent.py" pipe one -- tee $method one
	done
}

@test "invariant 5: a terminal needs one ^D" {
	"$drive" terminal -- cat
	"$drive" terminal -- tee out
	[ "$(gnu_cat out)" = typed ]
}

@test "invariant 6: sinks of every kind, in any mix and order, are each exact" {
	for sinks in "a b c" "/dev/full a b" "a /dev/full b" "a b /dev/full" \
		"/dev/null a /dev/full" "/dev/full /dev/full a"; do
		status=0
		gnu_cat "$big" | tee $sinks > out 2> messages || status=$?
		: > want
		for sink in $sinks; do
			case $sink in
			/dev/full)
				echo "tee: $sink: No space left on device" >> want ;;
			/dev/null) ;;
			*) same $sink ;;
			esac
		done
		cmp want messages
		failed=0
		[ ! -s want ] || failed=1
		[ "$status" -eq $failed ]
		same out
		rm -f a b c
	done
}

@test "invariant 6: a reader that leaves takes nothing from the others" {
	mkfifo fifo
	head -c 100000 fifo > head &
	run --separate-stderr bash -c "trap '' PIPE
		tee -a append fifo < '$big' > out"
	wait
	fails_with 0 ""
	same append out
	head -c 100000 "$big" | cmp - head
}

@test "invariant 6: a sink that fills up in the middle leaves the others exact" {
	needs_root
	mkdir tiny
	mount -t tmpfs -o size=1m none tiny
	status=0
	tee tiny/f a < "$big" > b 2> messages || status=$?
	held=$(stat -c %s tiny/f)
	cmp -n "$held" "$big" tiny/f || held=0
	umount tiny
	[ $status -eq 1 ]
	[ "$(gnu_cat messages)" = "tee: tiny/f: No space left on device" ]
	[ "$held" -gt 900000 ]
	cmp "$big" a
	cmp "$big" b
}

@test "invariant 7: memory is lent, never given" {
	needs ZC_VMSPLICE
	needs_strace
	left strace -f -o log -e inject=tee:error=ENOSYS \
		-e trace=vmsplice,tee yes | head -c 1000000 > got
	repeated y 1000000 | cmp - got
	grep -q '^[0-9]* *vmsplice(' log
	run ! grep GIFT log
}

@test "invariant 8: descriptors 0 to 2 are never ours" {
	bash -c 'cat "$0" 2>&- <&-' "$big" | cmp "$big" -
	bash -c 'cat "$0" "$0" "$1" 2>&- <&-' "$small" "$big" |
		cmp - <(gnu_cat "$small" "$small" "$big")
	! has CAT_FORMAT || bash -c 'cat -n "$0" 2>&- <&-' "$big" |
		cmp - <(gnu_cat -n "$big")
	bash -c 'tee a b < "$0" 2>&- > c' "$big"
	same a b c
	run bash -c 'tee a b < "$0" >&-' "$big"
	[ "$status" -eq 1 ]
	[ "$output" = "tee: $(standard_output): Bad file descriptor" ]
	same a b
	run --separate-stderr bash -c 'cat "$0" - <&- > out' "$small"
	fails_with 1 "cat: -: Bad file descriptor
cat: closing standard input: Bad file descriptor"
	cmp "$small" out
}

@test "invariant 8: a pipe grows only once it was full, and never shrinks" {
	needs ZC_SPLICE
	needs_strace
	strace -f -o log -e trace=/^fcntl cat "$small" | wc -c
	run ! grep F_SETPIPE_SZ log
	strace -f -o log -e trace=/^fcntl cat "$big" | wc -c
	# Without a word the kernel gives a pipe 64 KiB.
	if [ "$(lead)" -le 16384 ]; then
		run ! grep F_SETPIPE_SZ log
		return
	fi
	grep F_SETPIPE_SZ log
	"$drive" unchanged "$big" -- cat "$big"
	# One of its own, between this pipe and a device, does too, and so does
	# a pipe that it reads.
	gnu_cat "$big" | strace -f -o log -e trace=/^fcntl cat >/dev/full || :
	mkfifo fifo
	exec 4<>fifo 5<fifo
	head -c 65536 "$big" >&4
	exec 4>&-
	strace -f -o log -e trace=/^fcntl cat <&5 >file
	exec 5<&-
	grep -E 'fcntl(64)?\(0, F_SETPIPE_SZ' log
}

@test "invariant 8: a pipe that is written to grows likewise" {
	needs ZC_PIPE_BUFFERS CAT_FORMAT
	needs_strace
	strace -f -o log -e trace=/^fcntl cat -n "$small" | wc -c
	run ! grep F_SETPIPE_SZ log
	strace -f -o log -e trace=/^fcntl cat -n "$big" | wc -c
	# A quarter of the budget may be less than the kernel gives a pipe.
	if [ "$(lead)" -le 65536 ]; then
		run ! grep F_SETPIPE_SZ log
		return
	fi
	[ "$(grep -c F_SETPIPE_SZ log)" = 1 ]
}

@test "invariant 8: two pipes that cat enlarges have one budget" {
	needs ZC_SPLICE
	run -0 "$LIB/stalled.py" between -- cat
	# Without a word the kernel gives a pipe 64 KiB.
	most=$((4 * $(lead)))
	[ "$most" -ge 131072 ] || most=131072
	[ $((${output/ / + })) -le "$most" ]
}

@test "invariant 8: large pipe buffers count as what they hold" {
	needs ZC_PIPE_BUFFERS CAT_FORMAT
	run -0 "$LIB/stalled.py" alone -- cat -n "$big"
	# So much is in one of 64 KiB.
	most=$((4 * $(lead)))
	[ "$most" -ge 524288 ] || most=524288
	[ "${output% *}" -le "$most" ]
}

@test "invariant 8: refused larger pipes, an ordinary user loses nothing" {
	needs_root
	needs_pipe_limit
	for pages in 1 64 512; do
		few_pipes $pages bash -ec 'set -o pipefail
			cat "$0" | cat | tee one | cmp "$0" -
			cat < "$0" > three
			{ yes hello || [ $? = 141 ]; } | head -c 3000000 > y' "$big"
		same one three
		repeated hello 3000000 | cmp - y
		rm -f one three y
	done
}

@test "invariant 8: yes goes on where a pipe of its own holds less than its lines" {
	needs YES
	needs_root
	needs_pipe_limit
	needs_strace
	few_pipes 1 timeout $HANG bash -ec 'set -o pipefail
		{ strace -qq -o /dev/null -e trace=socketpair -e inject=socketpair:error=EPERM \
			yes hello || [ $? = 141 ]; } | head -c 300000 >y'
	repeated hello 300000 | cmp - y
}

@test "invariant 8: nobody's flags are changed" {
	needs_strace
	strace -f -o log -e trace=/^fcntl,ioctl bash -c \
		'cat < "$0" | tee a b | cat >> c' "$big"
	same a b c
	run ! grep -E 'F_SETFL|FIONBIO' log
}

@test "invariant 9: non-blocking input, output or both lose nothing" {
	for ends in "" in out "in out"; do
		"$drive" pipes $ends -- cat
		"$drive" pipes $ends -- tee copy
		[ "$(stat -c %s copy)" -eq 3000001 ]
	done
	"$drive" pipes -- yes
	"$drive" pipes out -- yes
}

@test "invariant 9: an input that is idle costs no system calls" {
	needs_strace
	"$drive" idle -- cat
	"$drive" idle -- tee copy
	printf 'first\nsecond\n' | cmp - copy
}

@test "invariant 9: whoever is at the other end of a pipe is not kept waiting" {
	"$drive" neighbours -- cat
	"$drive" neighbours -- tee copy
	# The driver ends, too, where they are.
	HANG=2 run -125 "$drive" neighbours -- /usr/bin/python3 -c 'import os
while os.splice(0, 1, 65536): pass'
	HANG=2 run -125 "$drive" neighbours -- /usr/bin/python3 -c 'import os, stat
while stat.S_ISFIFO(os.fstat(0).st_mode) and os.write(1, os.read(0, 65536)): pass
while os.splice(0, 1, 65536): pass'
}

# needs_one_processor: for cat that splices. Sets $cpu, which is for taskset(1).
needs_one_processor() {
	needs ZC_SPLICE CAT
	needs_off SAFE_CALLS
	needs_strace
	needs_tool taskset pgrep
	cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
}

# It has neither pipe locked: what comes later passes through.
@test "invariant 9: with one processor splice sleeps between pipes by itself" {
	needs_one_processor
	random piece 40000
	mkfifo in out
	taskset -c "$cpu" strace -o log -e trace=splice,poll cat <in >out 3>&- &
	exec 4>in 5<out
	pid=$!
	for turn in 1 2 3; do
		gnu_cat piece >&4
		head -c 40000 <&5 >got
		cmp piece got
		awaits asleep "$(pgrep -P $pid)"
	done
	exec 4>&-
	wait $pid
	exec 5<&-
	# The first wait asks about both ends.
	[ "$(grep -c "^poll" log)" -le 2 ]
	grep '^splice(0, NULL, 1, NULL, [0-9]*, 0)' log
}

@test "invariant 9: with one processor splice sleeps for a full pipe by itself" {
	needs_one_processor
	random want 3000000
	mkfifo out
	taskset -c "$cpu" strace -o log -e trace=splice,poll cat want >out 3>&- &
	exec 5<out
	pid=$!
	for turn in 1 2 3; do
		head -c 65536 <&5
		awaits asleep "$(pgrep -P $pid)"
	done >got
	gnu_cat <&5 >>got
	wait $pid
	exec 5<&-
	cmp want got
	[ "$(grep -c "^poll" log)" -le 1 ]
	grep '^splice([0-9]*, NULL, 1, NULL, [0-9]*, 0)' log
}

@test "invariant 9: interruptions (EINTR) at any call go unnoticed" {
	needs_off SANITIZE  # as above
	needs_strace
	# A loader does not open its files again.
	calls=$MOVERS,read,write,poll$(! has STATIC || echo ,openat)
	unnoticed 2 "$calls" EINTR:when={1,2,3,1+3}
}

@test "invariant 9: EAGAIN of a call told not to wait goes unnoticed" {
	needs_strace
	for when in 1 2 3 1+3; do
		gnu_cat "$big" | inject $MOVERS:error=EAGAIN:when=$when \
			cat | cmp "$big" -
		gnu_cat "$big" | inject $MOVERS:error=EAGAIN:when=$when \
			tee /dev/null | cmp "$big" -
	done 2> messages
	[ ! -s messages ]
}

@test "invariant 12: EAGAIN of ends that block goes unnoticed" {
	needs_off SANITIZE  # what loads such a box reads too
	needs_strace
	unnoticed 2 read,write,pread64,pwrite64 EAGAIN:when={1,2,1..5,1+3}
}

@test "invariant 12: EAGAIN for ever is an error, after longer and longer sleeps" {
	needs_off SANITIZE  # as above
	needs_strace
	for applet in cat tee; do
		has ${applet^^} || continue
		run -1 strace -qq -o log -e trace=read,poll \
			-e inject=read:error=EAGAIN $applet <"$small"
		[[ $output = "$applet: "*": Resource temporarily unavailable" ]] ||
			[[ $output = "$applet: "*": Unknown error 11" ]]
		for ms in 1 2 4 8 16 32 64 128 256 512; do
			[ "$(grep -c "^poll(.*, 0, $ms) " log)" = 1 ]
		done
		[ "$(wc -l <log)" -lt 1000 ]
	done
}

@test "invariant 12: an end that is O_NONBLOCK is waited for without end" {
	needs_off SANITIZE  # as above
	needs_strace
	mkfifo fifo
	gnu_cat "$small" >fifo &
	nonblocking 0 strace -qq -o log -e trace=read,poll \
		-e inject=read:error=EAGAIN:when=1..142 cat <fifo |
		gnu_cat >got
	wait
	cmp "$small" got
	[ "$(grep -c "^poll(.*, 0, 512) " log)" -ge 2 ]
}

@test "a big file to a pipe takes one call a pipeful, and little more" {
	needs ZC_SPLICE
	needs_strace
	head -c 64M /dev/zero > zeros
	strace -o log -e trace=splice,sendfile,write,read cat zeros |
		wc -c > count
	[ "$(gnu_cat count)" = 67108864 ]
	# 64 pipefuls of 1 MiB, a first one of 64 KiB, and the end. How many
	# pieces the sink takes them in is up to its reader.
	[ "$(grep -c '^splice(3, ' log)" -le 67 ]
	run ! grep -E '^(write|sendfile)' log
}

@test "between pipes the first run shows no more than whether it is little" {
	needs ZC_SPLICE CAT
	needs_strace
	[ "$(page_size)" = 4096 ] ||
		skip "a packet may have more than 4 KiB"
	gnu_cat "$big" | strace -o log -e trace=read cat | gnu_cat >got
	same got
	[[ $(grep -m 1 '^read(0, ' log) = *", 16384) = "* ]]
}

@test "from a pipe to several pipes the first run shows no more, either" {
	needs ZC_SPLICE TEE
	needs_strace
	[ "$(page_size)" = 4096 ] ||
		skip "a packet may have more than 4 KiB"
	mkfifo a
	gnu_cat a >one &
	gnu_cat "$big" | strace -o log -e trace=read tee a | gnu_cat >two
	wait $!
	same one two
	[[ $(grep -m 1 '^read(0, ' log) = *", 16384) = "* ]]
}

@test "less than 32 KiB reach a pipe without a socket of our own" {
	needs ZC_PIPE_BUFFERS CAT
	needs_strace
	random file 32767
	strace -o log -e trace=socketpair cat file | gnu_cat >got
	cmp file got
	run ! grep socketpair log
}

@test "what several pipes get does not come through memory" {
	needs ZC_TEE TEE
	needs_off SANITIZE
	needs_strace
	mkfifo a b
	gnu_cat a > one &
	gnu_cat b > two &
	strace -o log -e trace=read,write tee a b < "$big" | gnu_cat > three
	wait
	same one two three
	# But for the end, and what a dynamic linker reads.
	run ! grep -v -e ' = 0$' -e '^+++' -e '177ELF' log
}

@test "a control file is not written to by a ring, and then again" {
	needs ZC_IO_URING METHOD
	needs_strace
	# It is the namespace's own.
	unshare -n true 2>/dev/null || skip "unshare is not allowed here"
	run -1 --separate-stderr unshare -n sh -c "echo no number |
		strace -o log cat --method=io_uring \
			>/proc/sys/net/ipv4/ip_forward"
	[ "$stderr" = "cat: write error: Invalid argument" ]
	[ "$(grep -c '^p\?write[64]*(1, ' log)" = 1 ]
	# It has read, and then there is nothing more to read.
	[ "$(grep -c '^io_uring_enter(.* = [1-9]' log)" -le 1 ]
}

@test "a file whose position does not move is read and written" {
	needs_strace
	for applet in cat tee; do
		has ${applet^^} || continue
		strace -o log -P file -e inject=lseek:retval=0 \
			$applet <"$big" >file
		cmp "$big" file
	done
}

@test "what overlaps in one file is read and written, however much it is" {
	needs_off SAFE_CALLS # it cannot tell where they are
	needs_strace
	random f 1000000
	tail -c +1001 f >want
	bash -c 'head -c 1000 <&3 >start
		strace -qq -o log -e "trace=$1" cat <&3 >&4' - "$MOVERS" 3<f 4<>f
	head -c 999000 f | cmp - want
	run ! grep "= [1-9]" log
}

# misopened in|out KINDS COMMAND...: the status is 1 with a line for each kind, and
# these lines are in output, each once.
misopened() {
	run -1 "$LIB/misopened.py" "$@"
	[ "${#lines[@]}" = "$(wc -w <<<"$2")" ]
	output=$(sort -u <<<"$output")
}

not_open="pipe packets gone file tty null path fifo-path"

@test "a sink that is not open for writing fails at once" {
	if has CAT; then
		for file in "$big" "$small"; do
			misopened out "$not_open" cat "$file"
			[ "$output" = "cat: write error: Bad file descriptor" ]
		done
	fi
	if has YES; then
		misopened out "$not_open" yes
		[[ $output = "yes: "*": Bad file descriptor" ]]
	fi
	if has TEE; then
		for more in "" "a b" "a /dev/null"; do
			misopened out "$not_open" sh -c "exec tee $more <'$big'"
			[ "$output" = "tee: $(standard_output): Bad file descriptor" ]
		done
		same a b
	fi
	has CAT || return 0
	for method in $(methods); do
		misopened out pipe cat "$method" "$big"
		[ "$output" = "cat: write error: Bad file descriptor" ]
	done
}

# Each kind has an errno of its own.
@test "what poll(2) never calls ready fails, and keeps no other sink waiting" {
	has TEE_ERROR && options=-p || options=
	kinds="$not_open listening epoll"
	if has CAT; then
		misopened out "$kinds" cat "$big"
		run ! grep -v "^cat: write error: " <<<"$output"
	fi
	if has YES; then
		misopened out "$kinds" yes
		run ! grep -v "^yes: " <<<"$output"
	fi
	has TEE || return 0
	mkfifo fifo
	for option in "" $options; do
		misopened out "$kinds" bash -c "
			'$system_cat' fifo >file &
			tee $option copy fifo <'$big'
			status=\$?
			wait
			cmp copy '$big' && cmp file '$big' || exit 99
			exit \$status"
		run ! grep -v "^tee: $(standard_output): " <<<"$output"
	done
}

@test "a source that is not open for reading fails at once" {
	has TEE_ERROR && options=-p || options=
	if has CAT; then
		misopened in "$not_open" cat
		[ "$output" = "cat: -: Bad file descriptor" ]
	fi
	has TEE || return 0
	for option in "" $options; do
		# shellcheck disable=SC2086 # none, or one option
		misopened in "$not_open" tee $option copy
		[ "$output" = "tee: read error: Bad file descriptor" ]
	done
}

@test "a sink that is not open for writing is no error where nothing is written" {
	! has CAT || "$LIB/misopened.py" out "$not_open" cat /dev/null
	! has TEE || "$LIB/misopened.py" out "$not_open" tee copy </dev/null
}

@test "invariant 3: where pread is refused, what is left is read" {
	needs CAT ZC_SPLICE METHOD STATIC
	needs_strace
	for error in EPERM ENOSYS ESPIPE ENXIO; do
		strace -o log -e inject=pread64:error=$error \
			-e inject=splice:error=EINVAL:when=3+ \
			cat --method=splice <"$big" | cmp "$big" -
		grep 'pread64(.*INJECTED' log
	done
}

@test "invariant 3: a file that refuses to be written at an offset is written" {
	needs CAT TEE
	seq 20000 >text
	for method in "" $(methods); do
		# shellcheck disable=SC2086 # none, or one option
		{
			cat $method text >/proc/self/comm
			gnu_cat text | cat $method >/proc/self/comm
			tee $method <text >/proc/self/comm
			tee $method /proc/self/comm <text >copy
		}
		cmp text copy
		run -1 sh -c "exec cat $method text 1</proc/version"
		[ "$output" = "cat: write error: Bad file descriptor" ]
	done
}

@test "a file of up to 128 KiB arrives in one write(2)" {
	needs_strace
	seq 30000 >numbers
	for size in 5000 65537 100000 131072; do
		head -c $size numbers >text
		for command in "cat text" "cat <text" "tee <text" "tee copy <text"; do
			strace -o log -e trace=write,pwrite64 \
				sh -c "exec $command >/proc/self/comm"
			grep "write(1, .* = $size\$" log
			[ "$(grep -c '(1, ' log)" = 1 ]
		done
	done
}

@test "a file that is written to is not asked where its position is" {
	needs CAT TEE
	needs_strace
	strace -o log -e trace=lseek,prlimit64 -P one -P two -P three \
		tee one two <"$big" >three
	same one two three
	strace -o log.cat -e trace=lseek,prlimit64 -P one cat "$big" >one
	same one
	run ! grep -E '^(lseek|prlimit64)' log log.cat
}
