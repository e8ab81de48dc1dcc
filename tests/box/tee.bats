# SPDX-License-Identifier: 0BSD
# tee without options about failures: what is copied, and what is said.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS=TEE

setup() {
	common_setup
	drive=$LIB/drive.py
	# A tee that outlives its reader shall not fill the disk.
	ulimit -f 262144
}

# --- What is copied ----------------------------------------------------------

# bats test_tags=each
@test "standard input goes to standard output and to each file" {
	for size in 0 1 4096 65536 65537 3000001; do
		random want "$size"
		random 1 400000
		tee 1 2 3 <want >4
		same 1 2 3 4
		gnu_cat want | tee 1 2 >3
		same 1 2 3
		gnu_cat want | tee 1 2 | cmp want
		same 1 2
		tee 1 <want | cmp want
		same 1
	done
}

# bats test_tags=each
@test "-a appends to what is there and to what is new" {
	random before 100001
	random in 200002
	gnu_cat before in >want
	cp before 1
	cp before 2
	tee -a 1 2 3 <in | cmp in
	same 1 2
	cmp in 3
	cp before 1
	gnu_cat in | tee -a 1 >2
	same 1
	cmp in 2
}

# bats test_tags=each
@test "the long options are the letters" {
	needs LONG_OPTS
	echo before >1
	cp 1 2
	echo in | tee --append 1 >3
	echo in | tee --app --ignore-interrupts -- 2 >3
	[ "$(gnu_cat 1)" = $'before\nin' ]
	cmp 1 2
}

@test "letters may be put together, and follow operands, and a file may be named twice" {
	echo before >1
	cp 1 2
	cp 1 3
	echo in | tee -ai 1 >/dev/null
	echo in | tee 2 -ia >/dev/null
	echo in | tee -i -a -- 3 >/dev/null
	[ "$(gnu_cat 1)" = $'before\nin' ]
	cmp 1 2
	cmp 1 3
	echo in | tee -a 4 4 4 >/dev/null
	[ "$(gnu_cat 4)" = $'in\nin\nin' ]
}

@test "a file may be named -, and others begin with a dash" {
	echo in >want
	tee - <want >1
	same - 1
	tee -- -a --help <want >1
	same -a --help 1
	[ "$(ls -A)" = "$(printf '%s\n' - --help -a 1 want | LC_ALL=C sort)" ]
}

@test "a hundred files get everything" {
	random want 300001
	gnu_cat want | tee {1..100} | cmp want
	same {1..100}
	tee {1..100} <want >0
	same {0..100}
}

@test "a socket is read and written" {
	random want 300001
	"$drive" sockets in out -- tee 1 2
	same 1 2
}

@test "an endless source is copied for as long as there is a reader" {
	left tee 1 </dev/zero | head -c 100000 |
		cmp - <(head -c 100000 /dev/zero)
	[ "$(tr -d '\0' <1 | wc -c)" = 0 ]
}

@test "a file that may only be written to is written to" {
	: >1
	chmod 222 1
	echo in >want
	as_nobody "$LINKS/tee" 1 <want >2
	chmod 644 1
	same 1 2
}

# --- What goes wrong ---------------------------------------------------------

# says SCRIPT LINE...: sh(1) has status 1 then, and these messages of tee.
says() {
	fails_with 1 "$(printf 'tee: %s\n' "${@:2}")" sh -c "$1"
}

# bats test_tags=each
@test "a file that cannot be opened is named, the others get everything" {
	random want 300001
	mkdir dir
	says "tee 1 dir 2 no/such 3 <want >4" "dir: Is a directory" \
		"no/such: No such file or directory"
	same 1 2 3 4
	says "command -p cat want | tee dir >1" "dir: Is a directory"
	same 1
}

@test "a file that cannot be opened is named before a FIFO has a reader" {
	mkfifo fifo
	echo line >want
	tee no/such fifo <want >1 2>said 3>&- &
	pid=$!
	awaits [ -s said ]
	cmp want fifo
	wait $! || [ $? = 1 ]
	[ "$(gnu_cat said)" = "tee: no/such: No such file or directory" ]
	same 1
}

@test "each output gets all where fstat(2) of standard output fails" {
	needs_strace
	echo line >want
	: >1
	says 'strace -qq -P "$PWD/1" -o /dev/null \
		-e trace=/^fstat6?4?$,statx -e inject=/^fstat6?4?$,statx:error=EIO \
		tee no/such 2 3 <want >1' "no/such: No such file or directory"
	same 1 2 3
}

@test "a file without permission is named, and stays as it is" {
	echo before >1
	chmod 444 1
	echo in >want
	fails_with 1 "tee: 1: Permission denied" as_nobody "$LINKS/tee" 1 2 <want
	[ "$output" = in ]
	[ "$(gnu_cat 1)" = before ]
	same 2
}

@test "where only so many files can be open, the rest are named" {
	random want 300001
	run -1 --separate-stderr sh -c \
		'ulimit -n 20; tee $(seq 100 140) <want >1'
	same 1 100 101 102 103 104 105
	[ "${#stderr_lines[@]}" -gt 20 ]
	for line in "${stderr_lines[@]}"; do
		[[ $line =~ ^tee:\ 1[0-9][0-9]:\ ..* ]]
	done
	for file in 1??; do
		[[ $stderr = *"tee: $file: "* ]] || same "$file"
	done
}

@test "more files than there may be are an error, and no file is touched" {
	run -1 tee $(seq -f f%g 8190) <<<line
	[ "$output" = "tee: operands: too many" ]
	[ ! -e f1 ]
	# The shell may not open as many.
	most=8189
	! has SAFE_CALLS || most=2000
	run tee $(gnu_yes /dev/null | head -n $most) <<<line
	run ! grep 'operands: too many\|memory exhausted' <<<"$output"
}

# bats test_tags=each
@test "a full disk is named, the others get everything" {
	random want 3000001
	full="No space left on device"
	for before in "" "1"; do
		says "tee $before /dev/full 2 3 <want >4" "/dev/full: $full"
		same $before 2 3 4
		says "command -p cat want | tee $before /dev/full 2 3 >4" "/dev/full: $full"
		same $before 2 3 4
	done
}

@test "standard output that is full or closed is named, the files get everything" {
	random want 3000001
	while read -r to why; do
		says "tee 1 2 <want $to" "$(standard_output): $why"
		same 1 2
		says "command -p cat want | tee 1 2 $to" "$(standard_output): $why"
		same 1 2
	done <<-END
		>/dev/full No space left on device
		>&- Bad file descriptor
	END
}

@test "when nothing is left to write to, that is said once for each" {
	run -1 --separate-stderr timeout $HANG sh -c \
		'tee /dev/full </dev/zero >/dev/full'
	printf 'tee: %s: No space left on device\n' \
		"$(standard_output)" /dev/full | sort >want
	printf '%s\n' "${stderr_lines[@]}" | sort | cmp want -
}

@test "a closed standard output is no error where there is nothing to write" {
	for option in -a -p --output-error=exit; do
		case $option in
		-p) has TEE_ERROR || continue ;;
		--*) has TEE_ERROR && has LONG_OPTS || continue ;;
		esac
		: >1
		run -0 sh -c "tee $option 1 </dev/null >&-"
		[ ! "$output" ]
		[ ! -s 1 ]
		says "echo hi | tee $option 1 >&-" "$(standard_output): Bad file descriptor"
	done
	run -0 sh -c "tee </dev/null >&-"
}

@test "a standard input that is closed, or cannot be read, is an error" {
	says "tee 1 <&-" "read error: Bad file descriptor" "standard input: Bad file descriptor"
	# It is open, though not for reading.
	says "tee 1 0>2" "read error: Bad file descriptor"
	[ -e 1 ]
	[ ! -s 1 ]
	says "tee 1 <." "read error: Is a directory"
	says "tee 1 0>>2" "read error: Bad file descriptor"
}

@test "a closed standard error pollutes no file" {
	random want 300001
	status=0
	tee 1 no/such 2 <want >3 2>&- || status=$?
	[ "$status" = 1 ]
	same 1 2 3
}

# bats test_tags=each
@test "an unknown option is an error, and no file is touched" {
	echo before >1
	fails_with_usage "tee: invalid option -- 'z'" tee -z 1 </dev/null
	fails_with_usage "tee: unrecognized option '--nosuch'" tee 1 --nosuch 2 </dev/null
	! has LONG_OPTS || fails_with_usage "tee: option '--append' doesn't allow an argument" \
		tee 1 --append=2 </dev/null
	[ "$(gnu_cat 1)" = before ]
	[ ! -e 2 ]
}

@test "a file may not grow beyond its limit, the others get everything" {
	random want 3000001
	mkfifo fifo
	gnu_cat fifo >1 &
	run --separate-stderr sh -c \
		"trap '' XFSZ; ulimit -f 200
		command -p cat want | tee 2 fifo | cmp - want"
	wait
	[ "$stderr" = "tee: 2: File too large" ]
	[ "$status" = 0 ]
	cmp 2 <(head -c 102400 want)
}

@test "the end of a reader ends tee quietly" {
	random want 3000001
	for source in "<want" "</dev/zero"; do
		run --separate-stderr bash -c \
			"tee 1 $source | true; exit \${PIPESTATUS[0]}"
		failed_with 141 ""
	done
	run --separate-stderr bash -c \
		"tee >(true) </dev/zero >/dev/null"
	failed_with 141 ""
}

@test "where SIGPIPE is ignored, so is that a reader has gone" {
	random want 3000001
	run --separate-stderr bash -c \
		"trap '' PIPE; tee 1 <want | true; exit \${PIPESTATUS[0]}"
	failed_with 0 ""
	same 1
	run --separate-stderr bash -c "trap '' PIPE
		command -p cat want | tee 1 2 | head -c 100000 >/dev/null
		exit \${PIPESTATUS[1]}"
	failed_with 0 ""
	same 1 2
}

@test "SIGINT ends tee, but not tee -i" {
	mkfifo in
	for option in "" -i; do
		rm -f got
		env --default-signal=INT tee $option copy <in >got 3>&- &
		exec 4>in
		echo one >&4
		awaits holds got 4
		kill -INT $!
		[ ! "$option" ] || echo two >&4
		exec 4>&-
		waits $([ "$option" ] && echo 0 || echo 130) $!
	done
	[ "$(gnu_cat got)" = $'one\ntwo' ]
	cmp got copy
}

# --- What the kernel does ----------------------------------------------------

@test "files that need more memory than there is are an error" {
	needs_native "needs memory of its own"
	needs_off SANITIZE
	mapfile -t many < <(seq 8000)
	run -1 prlimit --data=1024000 tee "${many[@]}" </dev/null
	[ "$output" = "tee: memory exhausted" ]
	[ ! -e 1 ]
}

@test "a failed close of a file is reported" {
	needs_strace
	random want 100000
	: >2
	says 'strace -qq -P "$PWD/2" -o /dev/null \
		-e trace=close -e inject=close:error=ENOSPC tee 1 2 3 <want >4' \
		"2: No space left on device"
	same 1 3 4
}

@test "/dev/null is given nothing while there is another file" {
	needs_off SAFE_CALLS
	needs_strace
	random want 1000001
	strace -qq -P /dev/null -o calls tee /dev/null 1 /dev/null 2 <want |
		cmp want
	same 1 2
	run ! grep -E '^(write|splice|sendfile|copy_file_range)' calls
}

# calls LOG ARG...: tee with these arguments, and what it writes and splices.
calls() {
	strace -y -o "$1" -e trace=write,splice tee "${@:2}"
}

# Standard output may be shared, and -a writes where the file ends.
@test "a file that tee has opened is spliced to, and no other" {
	needs ZC_SPLICE ZC_TEE
	needs_strace
	random want 300001
	mkfifo fifo
	gnu_cat fifo >got &
	calls fan fifo third <want >/dev/null
	wait $!
	gnu_cat want | calls pipe copy >/dev/null
	gnu_cat want | calls append -a more >/dev/null
	calls two first second <want >/dev/null
	calls shared mine <want >out
	same copy more first second mine out third got
	grep "^splice(.*/third>, NULL" fan
	grep "^splice(.*/first>, NULL" two
	grep "^splice(.*/second>, NULL" two
	grep "^splice(.*/copy>, NULL" pipe
	# The first run shows whether it is little. One of 64 KiB is, where a page has as
	# many bytes.
	if [ "$(page_size)" -lt 65536 ]; then
		run ! grep "^write(" fan two
		[ "$(grep -c "^write(" pipe)" = 1 ]
	fi
	run ! grep "^splice(" append shared
}

@test "many outputs need mmap(2) alone, and a few need no memory" {
	needs_off SAFE_CALLS
	needs_no_memory
	head -c 100000 "$BOX" >want
	REFUSE=ENOMEM refuse brk tee {1..300} <want | cmp want -
	same {1..300}
	rm {1..300}
	REFUSE=ENOMEM run -1 refuse /^mmap tee {1..300} </dev/null
	[ "$output" = "tee: memory exhausted" ]
	[ ! -e 1 ]
	without_memory tee {1..60} <want | cmp want -
	cmp want 60
}

@test "the clock is read only where an output may be late, or for --debug" {
	needs TEE_LAG
	needs_calls SANITIZE
	needs_tool pgrep
	seq 500000 >want
	mkfifo pipe
	for option in "" --lag=64K; do
		strace -qq -o calls.$option -e trace=/^clock_gettime tee $option copy \
			<want >pipe 3>&- &
		exec 4<pipe
		# It waits for its reader.
		awaits [ -s copy ]
		awaits asleep "$(pgrep -P $!)"
		gnu_cat <&4 >got
		exec 4<&-
		wait $!
		cmp copy got
		rm copy
	done
	[ ! -s calls. ]
	# A 32-bit box asks by libc, whose vDSO strace(1) does not see: vdso(7).
	if [ "$(od -An -tu1 -j4 -N1 "$BOX" | tr -d ' ')" = 2 ]; then
		[ -s calls.--lag=64K ]
	fi
}

@test "/dev/null is a file like others once those have failed" {
	random want 1000001
	gnu_cat want | { tee /dev/full >/dev/null && echo 0 || echo $?; wc -c; } \
		>said 2>message
	[ "$(gnu_cat message)" = "tee: /dev/full: No space left on device" ]
	[ "$(tr -d ' ' <said)" = $'1\n0' ]
}

@test "/dev/null that cannot be written to is an error all the same" {
	not_open="$(standard_output): Bad file descriptor"
	says "echo hi | tee 1 1</dev/null" "$not_open"
	[ "$(gnu_cat 1)" = hi ]
	# Nor is it known for what it is open.
	needs_off SAFE_CALLS
	needs_strace
	says "echo hi | strace -qq -o /dev/null \
		-e inject=/^fcntl:error=EPERM:when=1 tee 1 1</dev/null" "$not_open"
	[ "$(gnu_cat 1)" = hi ]
}

@test "/dev/null is still read for when all readers have gone" {
	needs TEE_ERROR
	random want 1000001
	mkfifo fifo
	head -c 1 <fifo >got &
	gnu_cat want | { tee -p fifo >/dev/null && echo 0 || echo $?; wc -c; } |
		tr -d ' ' >said
	wait
	[ "$(gnu_cat said)" = $'0\n0' ]
	cmp -n 1 want got
}
