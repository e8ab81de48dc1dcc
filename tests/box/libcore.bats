# SPDX-License-Identifier: 0BSD
# What the kernel shows of the invariants of libcore, each by its number in docs/DESIGN.md:
# which calls are made, and what becomes of descriptors. The judge of the simulator, the
# adversary and the fault matrix has what becomes of the bytes.

# bats file_tags=box,guest

load ../lib/helpers
NEEDS="CAT TEE YES"

setup_file() {
	share_box
	export big=$BATS_FILE_TMPDIR/big small=$BATS_FILE_TMPDIR/small
	random "$big" 3000001
	random "$small" 2000
}

setup() {
	common_setup
	ln -s "$big" want
}

@test "invariant 3: what tells nothing of itself, or of its flags, is not spliced to" {
	needs ZC_RANGE
	needs_strace
	for fault in /^fstat6?4?$,statx:error=ENOSYS:when=1 /^fcntl:error=EPERM; do
		strace -o log -e inject=$fault -e trace="${fault%%:*},$MOVERS" \
			cat "$big" | cmp "$big" -
		grep INJECTED log
		run ! grep "^splice(.*, 1, NULL, .*) = [1-9]" log
	done
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

@test "invariant 4: what a file system may say once is told, though rw goes on" {
	needs ZC_COPY_FILE_RANGE METHOD
	needs_strace
	run -1 sh -c 'strace -f -qq -o log -e inject=copy_file_range:error=ENOSPC:when=3 \
		cat --method=copy_file_range "$0" >got' "$big"
	grep -q 'copy_file_range(.*INJECTED' log
	[ "$output" = "cat: write error: No space left on device" ]
}

# The model has the marks, too; here each kernel that box is tested on has them.
@test "invariant 5: urgent data in a TCP stream does not end it" {
	for applet in cat tee; do
		"$LIB/socketed.py" urgent 0 $applet <"$big" >got
		same got
	done
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
	run -1 bash -c 'tee a b < "$0" >&-' "$big"
	[ "$output" = "tee: $(standard_output): Bad file descriptor" ]
	same a b
	fails_with 1 "cat: -: Bad file descriptor
cat: closing standard input: Bad file descriptor" \
		bash -c 'cat "$0" - <&- > out' "$small"
	cmp "$small" out
}

@test "invariant 8: two pipes that cat enlarges have one budget" {
	needs ZC_SPLICE
	run -0 "$LIB/stalled.py" between -- cat
	# Without a word the kernel gives a pipe 64 KiB.
	most=$((4 * $(lead)))
	[ "$most" -ge 131072 ] || most=131072
	[ $((${output/ / + })) -le "$most" ]
	has CAT_FORMAT || return 0
	# What large pipe buffers hold is all of it.
	run -0 "$LIB/stalled.py" between -- cat -n
	[ "${output% *}" = 65536 ]
}

@test "invariant 8: large pipe buffers count as what they hold" {
	needs ZC_PIPE_BUFFERS CAT_FORMAT
	run -0 "$LIB/stalled.py" alone -- cat -n "$big"
	# So much is in one of 64 KiB.
	most=$((4 * $(lead)))
	[ "$most" -ge 524288 ] || most=524288
	[ "${output% *}" -le "$most" ]
	# A pipe of pages has no more.
	[ "${output% *}" -gt 65536 ]
	size=$(lead)
	[ "$size" -gt 65536 ] || size=65536
	[ "${output#* }" = "$size" ]
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

@test "invariant 9: an input that is idle costs no system calls" {
	needs_strace
	"$LIB/drive.py" idle -- cat
	"$LIB/drive.py" idle -- tee copy
	printf 'first\nsecond\n' | cmp - copy
}

# needs_one_processor: for cat that splices. Sets $cpu, which is for taskset(1). A box that
# yields nowhere does not ask how many there are.
needs_one_processor() {
	needs ZC_SPLICE CAT
	needs_off SAFE_CALLS
	! grep -x CONFIG_ZC_YIELDS=0 "$BOX_CONFIG" || skip "CONFIG_ZC_YIELDS is 0"
	needs_strace
	needs_tool taskset pgrep
	cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
}

# It has neither pipe locked: what comes later passes through.
@test "invariant 9: with one processor splice sleeps between pipes by itself" {
	needs_one_processor
	random piece 40000
	mkfifo in out
	taskset -c "$cpu" strace -o log -e trace=splice,"$POLL" cat <in >out 3>&- &
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
	[ "$(grep -c "^p*poll" log)" -le 2 ]
	grep '^splice(0, NULL, 1, NULL, [0-9]*, 0)' log
}

@test "invariant 9: with one processor splice sleeps for a full pipe by itself" {
	needs_one_processor
	mkfifo out
	taskset -c "$cpu" strace -o log -e trace=splice,"$POLL" cat want >out 3>&- &
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
	[ "$(grep -c "^p*poll" log)" -le 1 ]
	grep '^splice([0-9]*, NULL, 1, NULL, [0-9]*, 0)' log
}

@test "invariant 12: EAGAIN of ends that block goes unnoticed" {
	needs_strace SANITIZE
	for when in 1 2 1..5 1+3; do
		again=(strace -qq -o log
			-e "inject=read,write,pread64,pwrite64:error=EAGAIN:when=$when")
		"${again[@]}" cat "$big" | "${again[@]}" tee copy >file
		same copy file
	done
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
	needs ZC_SPLICE CAT TEE
	needs_strace
	[ "$(page_size)" = 4096 ] ||
		skip "a packet may have more than 4 KiB"
	mkfifo a
	gnu_cat a >one &
	gnu_cat "$big" | strace -o log.cat -e trace=read cat |
		strace -o log.tee -e trace=read tee a | gnu_cat >two
	wait $!
	same one two
	for log in log.cat log.tee; do
		[[ $(grep -m 1 '^read(0, ' $log) = *", 16384) = "* ]]
	done
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
	needs_strace SANITIZE
	mkfifo a b
	gnu_cat a > one &
	gnu_cat b > two &
	strace -o log -e trace=read,write tee a b < "$big" | gnu_cat > three
	wait
	same one two three
	# But for the end, and what a dynamic linker reads.
	run ! grep -v -e ' = 0$' -e '^+++' -e '177ELF' log
}

# misopened in|out KINDS COMMAND...: the status is 1 with a line for each kind, and
# these lines are in output, each once.
misopened() {
	run -1 "$LIB/misopened.py" "$@"
	[ "${#lines[@]}" = "$(wc -w <<<"$2")" ]
	output=$(sort -u <<<"$output")
}

not_open="pipe packets gone file tty null path fifo-path"

# Of each kind that poll(2) never calls ready the errno is another one.
@test "a sink that cannot be written to fails at once, and keeps no other waiting" {
	mkfifo fifo
	for kinds in "$not_open" "stream seqpacket unconnected epoll"; do
		why="[^:]*"
		[ "$kinds" != "$not_open" ] || why="Bad file descriptor"
		for file in "$big" "$small"; do
			has CAT || continue
			misopened out "$kinds" cat "$file"
			run ! grep -vx "cat: write error: $why" <<<"$output"
		done
		if has YES; then
			misopened out "$kinds" yes
			run ! grep -vx "yes: standard output: $why" <<<"$output"
		fi
		has TEE || continue
		misopened out "$kinds" sh -c "exec tee <'$big'"
		run ! grep -vx "tee: $(standard_output): $why" <<<"$output"
		pick 2 "" a "a /dev/null" $(! has TEE_ERROR || echo -p)
		for option in "${picked[@]}"; do
			misopened out "$kinds" bash -c "
				'$system_cat' fifo >file &
				tee $option copy fifo <'$big'
				status=\$?
				wait
				cmp copy '$big' && cmp file '$big' || exit 99
				exit \$status"
			run ! grep -vx "tee: $(standard_output): $why" <<<"$output"
		done
	done
	has CAT || return 0
	pick 2 $(methods)
	for method in "${picked[@]}"; do
		misopened out pipe cat "$method" "$big"
		[ "$output" = "cat: write error: Bad file descriptor" ]
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
		misopened in "$not_open" tee $option copy
		[ "$output" = "tee: read error: Bad file descriptor" ]
	done
}

@test "a sink that is not open for writing is no error where nothing is written" {
	! has CAT || "$LIB/misopened.py" out "$not_open" cat /dev/null
	! has TEE || "$LIB/misopened.py" out "$not_open" tee copy </dev/null
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
