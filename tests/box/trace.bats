# SPDX-License-Identifier: 0BSD
# --debug: which methods moved what, and why others did not.

# bats file_tags=box,guest

load ../lib/helpers
NEEDS=TRACE

# The sum of the bytes in the lines on standard input.
bytes() {
	grep -o 'moved [0-9]* byte' | awk '{ n += $2 } END { print n + 0 }'
}

# calls NAME QUOTED: that is how --debug calls a file of that name.
calls() {
	echo hello >"./$1"
	run -0 --separate-stderr cat --debug -- "$1"
	[[ $stderr = "cat: $2 (small file) to "* ]]
}

@test "cat --debug quotes names as other messages do" {
	needs CAT QUOTE
	calls a a
	calls $'\e[31m' "''$'\\033''[31m'"
	calls $'a\ncat: b' "'a'$'\\n''cat: b'"
}

@test "cat --debug shows names as they are where none are quoted" {
	needs CAT
	needs_off QUOTE
	calls 'a b' 'a b'
}

@test "--debug passes over what a small file, or outputs that are files, are not for" {
	needs CAT TEE ZC_SPLICE ZC_TEE
	random want 300001
	cat --debug want 2>said >file
	grep 'want (file) to file: .*[; ]splice passed over: file; ' said
	grep 'want (file) to file: .*[; ]tee passed over: file; ' said
	head -c 30000 want >small
	cat --debug small 2>said | cmp small
	grep '^cat: small (small file) to pipe: .*[; ]splice passed over: small file; ' said
	tee --debug a <want 2>said >b
	grep ' (file) to file, file: .*[; ]tee passed over: file; ' said
}

@test "cat --debug says whether a file system shares what is copied" {
	needs CAT ZC_COPY_FILE_RANGE
	needs_strace
	random want 300001
	strace -qq -o /dev/null "${sharing_fs[@]}" cat --debug want 2>said >file
	grep 'to file: copy_file_range moved 300001' said
	cmp want file
	strace -qq -o /dev/null -e inject=ioctl:error=EOPNOTSUPP \
		cat --debug want 2>said >file
	grep 'to file: copy_file_range refused: EOPNOTSUPP; ' said
	cmp want file
}

@test "cat --debug says why a better method was passed over, or refused: by an error's name, or in words" {
	needs CAT ZC_COPY_FILE_RANGE ZC_SPLICE
	needs_strace
	random want 300001
	for error in ENOSYS EINVAL "ENOMEM=Cannot allocate memory"; do
		REFUSE=${error%=*} refuse splice cat --debug want 2>said | cmp want
		grep "to pipe: copy_file_range passed over: pipe; splice refused: ${error#*=}; " said
		grep ' moved 300001 bytes in' said
	done
}

@test "yes --debug says which error tee(2) was refused with, if it was called" {
	needs YES ZC_TEE
	needs_strace
	keeps_status refuse tee yes --debug 2>said | head -c 100000 >/dev/null
	grep 'tee refused: ENOSYS' said
	yes --debug >/dev/full 2>said || :
	grep '; tee passed over: device; ' said
}

@test "cat --debug says that a method was refused after a while" {
	needs CAT ZC_SPLICE
	needs_strace
	random want 3000001
	REFUSE=EINVAL:when=3+ refuse splice cat --debug want 2>said | cmp want
	grep -E 'splice moved [0-9]+ bytes in [0-9]+ calls, then refused' said
	[ "$(bytes <said)" = 3000001 ]
}

@test "cat --debug has a line for each file, each time that it is named" {
	needs CAT
	random large 300001
	random small 1000
	: >empty
	# Twice it says no more.
	cat --debug --debug small large empty - large - <large 2>said |
		cmp - <(gnu_cat small large large large)
	[ "$(bytes <said)" = 901003 ]
	[ "$(wc -l <said)" = 6 ]
	grep 'small (small file) to pipe: .*rw moved 1000 bytes' said
	grep '^cat: standard input (file) to pipe: ' said
}

@test "cat --debug counts what is formatted" {
	needs CAT CAT_FORMAT
	random want 300001
	cat --debug -v want >got 2>said
	cmp got <(gnu_cat -v want)
	grep 'rw (formatted) moved 300001 bytes' said
	# What failed before is not said of its end.
	run -1 --separate-stderr cat --debug -v none want
	[[ ${stderr_lines[1]} == *': rw (formatted) moved 300001 bytes in '+([0-9])' calls' ]]
}

@test "tee --debug names what it goes to" {
	needs TEE
	random want 3000001
	tee --debug a /dev/null <want 2>said | cmp want
	cmp want a
	[ "$(grep -c " moved " said)" = 1 ]
	[ "$(bytes <said)" = 3000001 ]
	grep '^tee: standard input (file) to pipe, file: ' said
	! has ZC_SPLICE || grep 'splice passed over: several outputs' said
}

@test "--debug has its say where tee exits early" {
	needs TEE TEE_ERROR
	random want 3000001
	run -1 tee --debug --output-error=exit /dev/full <want 3>&-
	[[ $output = *"tee: /dev/full: No space left on device"* ]]
	[[ $output = *"tee: standard input (file) to "*" moved "* ]]
}

@test "--debug has its say when the reader has gone, and SIGPIPE ends it" {
	needs YES
	keeps_status yes --debug 2>said | head -c 1000000 >/dev/null
	[ "$(gnu_cat status)" = 141 ]
	grep -E '^yes: operands \(line\) to pipe: .*moved [0-9]+ bytes' said
}

@test "--debug has its say when a write fails" {
	needs YES
	run -1 --separate-stderr sh -c 'yes --debug >/dev/full'
	[[ $stderr = "yes: standard output: No space left on device"* ]]
	[[ $stderr = *"yes: operands (line) to device: "*"failed: ENOSPC" ]]
	[[ $stderr != *moved* ]]
}

@test "--debug has its say when SIGTERM or SIGINT ends it" {
	needs YES
	mkfifo fifo
	for signal in TERM INT; do
		env --default-signal=INT yes --debug >fifo 2>said 3>&- &
		pid=$!
		exec 4<fifo
		head -c 1000000 <&4 >/dev/null
		kill -$signal $pid
		waits $((128 + $(kill -l $signal))) $pid
		exec 4<&-
		grep '^yes: operands (line) to pipe: ' said
	done
	# timeout(1) sends it to the program, and to the group.
	for i in {1..9}; do
		keeps_status timeout 0.05 yes --debug >/dev/null 2>said
		grep '^yes: operands (line) to null: ' said
	done
}

@test "--debug never catches a signal that is ignored" {
	needs CAT
	needs_strace
	for signal in HUP INT PIPE TERM; do
		env --ignore-signal=$signal strace -o calls -e trace=rt_sigaction \
			"$LINKS/cat" --debug /dev/null 2>said
		grep -c '^rt_sigaction(SIG.*sa_handler=0x' calls
		run ! grep "^rt_sigaction(SIG$signal, {sa_handler=0x" calls
	done
}

@test "what --debug has to say is said whole, whatever signal comes then" {
	needs CAT
	for signal in HUP INT TERM; do
		"$LIB/drive.py" report $signal -- cat --debug
	done
}

@test "--debug says nothing where nothing was done" {
	needs CAT HELP
	run -0 --separate-stderr cat --debug --help
	[ ! "$stderr" ]
	run -1 --separate-stderr cat --debug none
	[ "$stderr" = "cat: none: No such file or directory" ]
}

@test "--debug and --method go together" {
	needs CAT METHOD
	random want 300001
	: >empty
	cat --method=rw --debug want empty 2>said | cmp want
	grep -x 'cat: empty (small file) to pipe: nothing to move' said
	grep -Ex 'cat: want \(file\) to pipe: rw moved 300001 bytes in [0-9]+ calls' \
		said
}
