# SPDX-License-Identifier: 0BSD
# cat without options that format: what is copied, and what is said.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS=CAT

setup() {
	common_setup
	drive=$LIB/drive.py
	# A cat that chases its own output shall not fill the disk.
	ulimit -f 262144
}

# drip FILE: a source that is often not ready.
drip() {
	"$LIB/streams.py" drip "$@"
}

# --- What is copied ----------------------------------------------------------

# bats test_tags=each
@test "a file is copied to a file, a pipe and a device" {
	for size in 1 4096 32768 32769 3000001; do
		random want "$size"
		cat want >got
		cmp want got
		cat want | cmp want
		run -0 sh -c 'cat want >/dev/null'
		[ ! "$output" ]
	done
}

# bats test_tags=each
@test "standard input is copied, whatever it is" {
	random want 3000001
	cat <want >got
	cmp want got
	gnu_cat want | cat >got
	cmp want got
	gnu_cat want | cat | cmp want
	cat - <want | cmp want
	[ ! "$(cat </dev/null)" ]
}

# bats test_tags=each
@test "several files follow one another" {
	random 1 100
	random 2 300000
	: >3
	random 4 40000
	random 5 1
	gnu_cat 1 2 3 4 5 >want
	cat 1 2 3 4 5 >got
	cmp want got
	cat 1 2 3 4 5 | cmp want
	cat 1 - 5 5 <4 | cmp - <(gnu_cat 1 4 5 5)
}

@test "a dash is standard input, and is at its end the second time" {
	echo a >a
	echo b >b
	run -0 sh -c 'cat a - a - a <b'
	[ "$output" = $'a\nb\na\na' ]
	[ "$(gnu_cat b | cat - a -)" = $'b\na' ]
}

# bats test_tags=each
@test "output begins where the output file stands" {
	random one 1000
	random two 100000
	{ gnu_cat one; cat two; } >got
	gnu_cat one two | cmp - got
}

@test "nothing is held back while a fifo waits for its writer" {
	echo one >small
	mkfifo fifo other
	"$drive" fifos -- cat small fifo small other small
}

@test "a write error is told at once, and no writer of a fifo waited for" {
	echo one >small
	mkfifo fifo
	run -1 --separate-stderr timeout $HANG bash -c 'cat small fifo >/dev/full'
	[ "$stderr" = "cat: write error: No space left on device" ]
}

@test "a file under a lease is waited for, as by any open(2)" {
	echo a >a
	echo b >b
	"$drive" lease -- cat a b
}

@test "each small file is written by itself, with -u and without" {
	needs_strace
	echo small >small
	for u in "" -u; do
		strace -o log -e trace=write,writev "$LINKS/cat" $u small small |
			gnu_cat >got
		[ "$(grep -c '"small' log)" = 2 ]
	done
	cmp got <(gnu_cat small small)
}

@test "a file after a small one is read before it is asked what it is" {
	needs_calls SANITIZE
	needs ZC_SPLICE
	random small 1000
	random large 300000
	set -- small small large large small small
	# The output, the first, the large ones, and what comes after them.
	strace -qq -o log -e trace=/^fstat6?4?$,statx cat "$@" | cmp - <(gnu_cat "$@")
	[ "$(grep -cE '^(fstat|statx)' log)" = 5 ]
	# Standard input is asked, too.
	strace -qq -o log -e trace=/^fstat6?4?$,statx cat small - <small |
		cmp - <(gnu_cat small small)
	[ "$(grep -cE '^(fstat|statx)' log)" = 3 ]
	# Of the large one no more is read than that takes.
	strace -qq -o log -e trace=read cat small large |
		cmp - <(gnu_cat small large)
	[ "$(grep -c '^read.* = [1-9]' log)" = 2 ]
	# A method that is named may be for some kinds; rw is for all.
	has METHOD || return 0
	for method in rw:2 splice:3; do
		strace -qq -o log -e trace=/^fstat6?4?$,statx \
			cat --method=${method%:*} small small | cmp - <(
			gnu_cat small small)
		[ "$(grep -cE '^(fstat|statx)' log)" = ${method#*:} ]
	done
}

@test "each file is compared with an output that is a file, small as it may be" {
	needs_calls
	random small 1000
	random large 300000
	set -- small small large large small small
	strace -qq -o log -e trace=/^fstat6?4?$,statx cat "$@" >got
	cmp got <(gnu_cat "$@")
	[ "$(grep -cE '^(fstat|statx)' log)" -ge 7 ]
}

@test "after a small file any kind of operand is whole" {
	random small 1000
	random want 300000
	mkdir directory
	mkfifo fifo
	for size in 1 30000 300000; do
		head -c $size want >piece
		# Of its reads none need be of a large file.
		dd if=piece of=fifo bs=1000 status=none &
		{ cat small fifo small directory want small - small <want 2>message || echo $?; } |
			cmp - <(gnu_cat small piece small want small want small; echo 1)
		wait
		[ "$(<message)" = "cat: directory: Is a directory" ]
	done
	# A device: its reads are of all sizes.
	left cat small /dev/zero | head -c 1000000 |
		cmp - <(gnu_cat small; head -c 999000 /dev/zero)
}

@test "after a small file --debug still tells what an operand is" {
	needs TRACE
	echo small >small
	mkfifo fifo
	gnu_cat small >fifo &
	cat --debug small fifo 2>said | cmp - <(gnu_cat small small)
	wait
	grep -q "^cat: small (small file)" said
	grep -q "^cat: fifo (pipe)" said
}

@test "a pipe is spliced to /dev/null without a pipe between" {
	needs_strace
	needs ZC_SPLICE
	random want 1000001
	gnu_cat want | strace -qq -o calls cat >/dev/null
	grep -q '^splice(0, NULL, 1, ' calls
	run ! grep '^pipe2' calls
}

@test "a device is read for as long as there is a reader" {
	left cat /dev/zero | head -c 3000001 |
		cmp - <(head -c 3000001 /dev/zero)
}

@test "/proc and /sys, where sizes lie, are read in full" {
	for file in /proc/version /proc/filesystems /proc/devices \
		    /proc/sys/kernel/ostype /proc/net/dev_mcast \
		    /sys/kernel/mm/transparent_hugepage/enabled; do
		[ -r "$file" ] || continue
		cat "$file" >got
		gnu_cat "$file" | cmp - got
		cat "$file" | cmp - got
		cat <"$file" | cmp - got
	done
	cat /proc/self/status | grep ^Pid:
	cat /proc/self/maps /proc/self/status | grep ^Pid:
}

@test "a socket is read and written" {
	random want 300001
	"$drive" sockets in -- cat >got
	cmp want got
	"$drive" sockets out -- cat want
	"$drive" sockets in out -- cat
}

@test "output goes to a terminal" {
	echo hello >file
	[ "$("$LIB/terminal.py" other own "$LINKS/cat" file)" = hello ]
}

@test "operands that begin with a dash come after --" {
	echo dash >-u
	[ "$(cat -- -u)" = dash ]
	[ "$(cat ./-u)" = dash ]
	[ "$(echo in | cat -- -)" = in ]
}

# bats test_tags=each
@test "options may follow operands, but not with POSIXLY_CORRECT" {
	echo dash >-u
	echo file >file
	[ "$(cat file -u)" = file ]
	run -0 env POSIXLY_CORRECT_NOT=1 cat file -u
	[ "$output" = file ]
	run -0 env POSIXLY_CORRECT=1 cat file -u
	[ "$output" = $'file\ndash' ]
}

# --- What goes wrong ---------------------------------------------------------

# says SCRIPT LINE...: sh(1) has status 1 then, and these messages of cat.
says() {
	fails_with 1 "$(printf 'cat: %s\n' "${@:2}")" sh -c "$1"
}

# bats test_tags=each
@test "a missing file is named, the others are still done, and the status is 1" {
	echo a >a
	echo b >b
	says "cat a nosuch b no/such" "nosuch: No such file or directory" \
		"no/such: No such file or directory"
	[ "$output" = $'a\nb' ]
}

@test "a directory, a file in none, and one without permission are named likewise" {
	echo a >a
	mkdir dir
	echo secret >secret
	chmod 0 secret
	says "cat a dir a/b a" "dir: Is a directory" "a/b: Not a directory"
	[ "$output" = $'a\na' ]
	says "cat . a >got" ".: Is a directory"
	cmp a got
	says "cat <dir >got" "-: Is a directory"
	fails_with 1 "cat: secret: Permission denied" as_nobody "$LINKS/cat" a secret a
	[ "$output" = $'a\na' ]
}

@test "a message comes between what was before it and what is after" {
	echo a >a
	echo b >b
	cat a nosuch b . a >got 2>&1 || [ $? = 1 ]
	[ "$(gnu_cat got)" = "a
cat: nosuch: No such file or directory
b
cat: .: Is a directory
a" ]
}

@test "the status is 1 however many operands failed" {
	run -1 --separate-stderr cat {1..300}
	[ "${#stderr_lines[@]}" = 300 ]
}

# bats test_tags=each
@test "an unknown option is an error" {
	echo a >a
	fails_with_usage "cat: invalid option -- 'z'" cat -z a
	[ ! "$output" ]
	fails_with_usage "cat: invalid option -- 'z'" cat a -uz
	fails_with_usage "cat: unrecognized option '--nosuch'" cat --nosuch a
	[ ! "$output" ]
}

# bats test_tags=each
@test "a full disk is an error for every kind of input" {
	random small 10
	random large 3000001
	for run in "small" "large" "- <small" "- <large" "small large small" \
		   "/proc/version" "/dev/zero" "large nosuch"; do
		says "cat $run >/dev/full" "write error: No space left on device"
	done
	says "command -p cat large | cat >/dev/full" "write error: No space left on device"
	# There is nothing to write.
	cat /dev/null >/dev/full
}

@test "a standard output that is closed, or for reading, is an error" {
	random a 300000
	: >out
	says "cat a >&-" "standard output: Bad file descriptor"
	says "cat >&- <a" "standard output: Bad file descriptor"
	says "cat a 1<out" "write error: Bad file descriptor"
	says "cat a 1</dev/null" "write error: Bad file descriptor"
}

@test "a closed standard input is an error" {
	is_bad="-: Bad file descriptor"
	closing="closing standard input: Bad file descriptor"
	echo a >a
	says "cat <&-" "$is_bad" "$closing"
	says "cat a - a - <&-" "$is_bad" "$is_bad" "$closing"
	[ "$output" = $'a\na' ]
	says "cat - <&- >/dev/full" "$is_bad" "$closing"
	says "cat - a <&- >/dev/full" "$is_bad" "write error: No space left on device"
	# It is open, though not for reading.
	says "cat 0>b" "$is_bad"
}

@test "a closed standard input is none of the operands' business" {
	random a 10
	random b 300000
	cat a b a <&- >got
	gnu_cat a b a | cmp - got
	cat b <&- 2>&- | cmp b
	cat b <&- 2>&- >got
	cmp b got
}

@test "a file for which there is no descriptor above 2 is named" {
	needs_native "opens files of its own"
	needs_off SANITIZE
	echo a >a
	fails_with 1 "cat: a: Too many open files" bash -c 'exec <&-; ulimit -n 3; exec cat a'
	[ ! "$output" ]
}

@test "a closed standard error pollutes no output" {
	random a 300000
	(
		status=0
		cat nosuch a nosuch a >got 2>&- || status=$?
		[ "$status" = 1 ]
	)
	gnu_cat a a | cmp - got
}

# Where there was none before, poll(2) does not tell that it has ended.
@test "a FIFO that is open without blocking and has no writer is empty" {
	mkfifo fifo
	run -0 prepared 'os.dup2(os.open("fifo", os.O_RDONLY | os.O_NONBLOCK), 0)' timeout $HANG cat
	[ -z "$output" ]
}

@test "a file may not grow beyond its limit, and is cut there" {
	random small 10000
	random large 3000001
	for input in large "small large" "- <large"; do
		says "trap '' XFSZ; ulimit -f 200; cat $input >got" "write error: File too large"
		head -c 102400 < <(sh -c "command -p cat $input") | cmp - got
	done
}

@test "the end of the reader ends cat quietly" {
	random large 3000001
	for source in large "- <large" /dev/zero; do
		run --separate-stderr bash -c \
			"cat $source | true; exit \${PIPESTATUS[0]}"
		failed_with 141 ""
	done
}

@test "where SIGPIPE is ignored the end of the reader is an error" {
	random large 3000001
	run --separate-stderr bash -c \
		"trap '' PIPE; cat large | true; exit \${PIPESTATUS[0]}"
	failed_with 1 "cat: write error: Broken pipe"
}

# --- Input is output ---------------------------------------------------------

# bats test_tags=each
@test "a file is not appended to itself, as standard input neither" {
	for size in 10 300000; do
		random want "$size"
		cp want f
		says "cat f >>f" "f: input file is output file"
		says "cat <f >>f" "-: input file is output file"
		cmp want f
	done
}

# After a small file the next one is often taken for small.
@test "a file is not appended to itself behind small ones" {
	echo small >s
	for size in 3 10 300000; do
		random first "$size"
		cp first f
		cat first s s >want
		says "cat s s f >>f" "f: input file is output file"
		cmp want f
		says "cat first s s f >f" "f: input file is output file"
		cmp want f
	done
}

@test "an operand is refused where cat would read its own output, and keeps its bytes" {
	printf y >y
	printf abcde >f
	ln f hard
	# Output and offset, offset of standard input, operands, those refused, and the file.
	while read -r out to from operands refused want; do
		printf abcde >f
		case $out in
		rw) ends="<f 1<>f" ;;
		append) ends="<f >>f" ;;
		same) ends="1<>f <&1" ;;
		esac
		eval "at $from $to cat ${operands//,/ } $ends" 2>said || [ $? = 1 ]
		[ "$(sed -n 's/^cat: \(.*\): input file is output file$/\1/p' said | paste -sd,)" = "${refused#none}" ]
		printf %b "$want" | cmp - f
	done <<-'END'
		rw 5 0 y,- - abcdey
		rw 2 2 y,f f abyde
		rw 2 0 f,hard f,hard abcde
		rw 8 0 -,y - abcde\0\0\0y
		rw 0 5 y,- none ybcde
		rw 0 0 y,-,y - yycde
		rw 8 5 - none abcde
		append - 8 - none abcde
		append - 0 f,y f abcdey
		append - 2 -,y - abcdey
		append - 5 y,- - abcdey
		same 0 - -,y - abcdey
		same 2 - y,-,y - abydey
	END
}

@test "a refused operand keeps its bytes where fcntl(2) is refused" {
	needs_strace
	echo x >f
	echo y >fy
	run -1 --separate-stderr sh -c 'strace -qq -o /dev/null \
		-e inject=/^fcntl:error=EPERM cat - fy <f 1<>f'
	[ "$stderr" = "cat: -: input file is output file" ]
	[ "$(gnu_cat f)" = $'x\ny' ]
}

@test "an output that is empty or read to its end is nothing to chase" {
	: >f
	cat f >f
	cat f >>f
	[ ! -s f ]
	echo a >f
	sh -c '{ command -p cat >/dev/null; cat; } <f >>f'
	[ "$(gnu_cat f)" = a ]
}

# --- What the kernel does ----------------------------------------------------

@test "a failed close of the output is reported" {
	needs_strace
	for size in 100 100000; do
		random a "$size"
		run --separate-stderr sh -c '
			strace -qq -P "$PWD/got" -o /dev/null -e trace=close \
				-e inject=close:error=ENOSPC cat a >got'
		failed_with 1 "cat: write error: No space left on device"
	done
	# It is closed though a signal has interrupted that.
	strace -qq -P "$PWD/got" -o log -e trace=close -e inject=close:error=EINTR cat a >got
	cmp a got
	[ "$(wc -l <log)" = 1 ]
}

# bats test_tags=each
@test "ends that do not block lose nothing" {
	random want 1000001
	drip want | nonblocking 0 cat >got
	cmp want got
	nonblocking 1 cat want | (sleep 0.2; cmp want)
	drip want | nonblocking "0 1" cat | (sleep 0.2; cmp want)
}

@test "a small file is copied with eleven system calls" {
	needs_calls
	needs STATIC
	needs_off STATIC_PIE HARDEN CONFINE
	random small 100
	strace -qq -o log cat small >other
	cmp small other
	[ "$(wc -l <log)" -le 11 ] || { gnu_cat log; false; }
}

@test "an input that wants whole blocks (O_DIRECT) is read, formatted too" {
	needs TEE
	seq 40000 >want
	seq 100 >small
	for args in "cat -" "cat small -" "tee copy"; do
		direct want $args >got
		[ "$args" != "cat small -" ] || { gnu_cat small want >both; mv both want; }
		cmp want got
		seq 40000 >want
	done
	needs CAT_FORMAT
	for args in "cat -n" "cat -n small -" "cat -A"; do
		direct want $args >got
		gnu_cat ${args#cat } <want | cmp - got
	done
}

@test "a control file is written to once, though that fails" {
	needs_strace
	# The value is none, so that nothing is set.
	printf 'no number\n' >small
	for input in small pipe; do
		[ $input = small ] || mkfifo pipe
		[ $input = small ] || printf 'no number\n' >pipe &
		run -1 --separate-stderr bash -c \
			"exec strace -o log cat $input >/proc/self/oom_score_adj"
		[ "$stderr" = "cat: write error: Invalid argument" ]
		[ "$(grep -c '^write(1, \|^splice([0-9]*, NULL, 1, ' log)" = 1 ]
		wait
	done
}

@test "a Unix socket whose reader goes while cat waits ends it by SIGPIPE" {
	# After a write(2) that has waited, the kernel sends no signal.
	needs ZC_SPLICE
	random want 3000000
	python -c '
import socket, subprocess, sys
near, far = socket.socketpair()
cat = subprocess.Popen(sys.argv[1:], stdout=near)
near.close()
got = 0
while got < 1000000:
    got += len(far.recv(300000))
far.shutdown(socket.SHUT_RD)
sys.exit(cat.wait() != -13)' cat want
}
