# SPDX-License-Identifier: 0BSD
# tee --block: signals that do not end it.

# bats file_tags=box,guest

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="TEE TEE_BLOCK"

setup() {
	common_setup
	mkfifo in
}

# after "SIGNAL..." ARG...: tee ARG... copies a line, gets the signals, and copies
# another one. Returns its status.
after() {
	local signals=$1 sig pid
	shift
	rm -f out

	exec 7<>in
	env --default-signal tee "$@" <in >out 3>&- 7>&- &
	pid=$!
	echo one >&7
	awaits grep -qs one out
	for sig in $signals; do
		kill -s "$sig" $pid
	done
	echo two >&7
	exec 7>&-
	wait $pid
}

@test "a signal that is named is ignored, and no other" {
	# What each name blocks is below.
	pick 6 HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM \
		TTIN TTOU TSTP XCPU XFSZ VTALRM PROF IO PWR SYS
	for sig in "${picked[@]}"; do
		after $sig --block=$sig copy
		[ "$(gnu_cat out)" = $'one\ntwo' ]
		cmp out copy
	done
	run -143 after TERM --block=INT,HUP
	run -130 after INT --block=TERM
}

@test "a signal may have its prefix, be a number, or have another name of POSIX or Linux" {
	for word in TERM SIGTERM 15 015; do
		after TERM --block=$word
		[ "$(gnu_cat out)" = $'one\ntwo' ]
	done
	after 40 --block=40
	after 64 --block=64
	for word in POLL SIGPOLL; do
		after IO --block=$word
	done
	after ABRT --block=IOT
	run -$((128 + 6)) after ABRT --block=POLL,CLD
	# It needs no default action to be none.
	for word in CHLD CLD SIGCLD WINCH URG CONT 1 63; do
		tee --block=$word </dev/null
	done
}

# blocked SIGNAL: the numbers of the signals that tee --block=SIGNAL has blocked.
blocked() {
	local pid

	# The one of an earlier call has a byte already.
	rm -f out
	exec 7<>in
	tee --block="$1" <in >out 3>&- 4>&- 7>&- &
	pid=$!
	echo >&7
	awaits holds out 1
	sed -n 's/^SigBlk:[[:blank:]]*//p' /proc/$pid/status |
		python -c 'set = int(input(), 16)
print(*[n + 1 for n in range(128) if set >> n & 1])'
	exec 7>&-
	wait $pid
}

@test "each name has its number, and a real-time signal is counted from the first or the last" {
	[ "$(blocked CLD,POLL,IOT)" = "6 17 29" ]
	[ "$(blocked HUP,INT,QUIT,ILL,TRAP,ABRT,BUS,FPE,USR1,SEGV,USR2,PIPE,ALRM,TERM)" = \
		"$(echo {1..8} {10..15})" ]
	[ "$(blocked STKFLT,TTIN,TTOU,TSTP,XCPU,XFSZ,VTALRM,PROF,IO,PWR,SYS)" = \
		"$(echo 16 {20..22} {24..27} {29..31})" ]
	[ "$(blocked RTMIN,RTMAX)" = "34 64" ]
	[ "$(blocked SIGRTMIN+3,RTMIN+0)" = "34 37" ]
	[ "$(blocked SIGRTMAX-1,RTMAX-0,RTMAX-29)" = "35 63 64" ]
	[ "$(blocked RTMIN+30,RTMAX-30,TERM)" = "15 34 64" ]
	# systemd stops an image so.
	after RTMIN+3 --block=RTMIN+3 copy
	[ "$(gnu_cat copy)" = $'one\ntwo' ]
}

@test "several signals are ignored, by one option or by more" {
	after "HUP INT TERM" --block=HUP,SIGINT,15
	[ "$(gnu_cat out)" = $'one\ntwo' ]
	after "HUP INT TERM" --block=HUP -i --block TERM copy
	[ "$(gnu_cat out)" = $'one\ntwo' ]
}

@test "where SIGPIPE is ignored, so is that a reader has gone" {
	random want 300001
	tee --block=PIPE copy <want | true
	cmp want copy
}

@test "a signal that is none is an error before anything is copied" {
	for word in FOO SIG SIGSIGINT INTX IN int 0 65 100000000000000000000 -1 +1 \
		1x '' 'INT,' ,INT INT,,TERM 'INT TERM' KILL STOP SIGKILL 9 19 INT,9 \
		RTMIN+ RTMIN+31 RTMAX-31 RTMAX+1 RTMIN-1 RTMIN3 RTMAX- RTMIN+x RTMIN+-1 \
		RTMIN+4294967296 RTMI RTMIN+1+1 SIG15 SIGPOL; do
		run -1 --separate-stderr tee --block="$word" new <<<line
		[ ! "$output" ]
		[ "${stderr_lines[0]}" = "tee: invalid argument '$word' for '--block'" ]
		[ "${stderr_lines[1]}" = "Valid arguments are:" ]
		[ ! -e new ]
	done
	run -1 tee --block
	[ "${lines[0]}" = "tee: option '--block' requires an argument" ]
}
