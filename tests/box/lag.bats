# SPDX-License-Identifier: 0BSD
# tee --lag: sinks that nobody reads from keep no other one waiting.

# bats file_tags=box,guest

load ../lib/helpers
NEEDS="TEE TEE_LAG"

# late SOURCE SINK... -- COMMAND...: readers.py has those of the SINKs wait.
late() {
	run "$LIB/readers.py" late "$@"
	[ $status != 77 ] || skip "this user's pipes are at their limit (pipe-user-pages-soft)"
	[ $status = 0 ]
}

# starts COMMAND...: it reads ./want, and its standard output is a pipe that nobody reads
# from, until "reads" has what comes in ./got, and the status.
starts() {
	mkfifo pipe
	"$@" <want >pipe 2>said 3>&- &
	pid=$!
	exec 4<pipe
}

reads() {
	gnu_cat <&4 >got
	exec 4<&-
	ended
	rm pipe
}

# stopped COMMAND...: the same once the file ./copy has all of it, or until it is over.
stopped() {
	starts "$@"
	awaits holds copy "$(stat -c %s want)" || :
	reads
}

# has_lines_of_want FILE: whole ones alone, in their order, which sort(1) has too.
has_lines_of_want() {
	comm --check-order -13 want "$1" >lines
	[ ! -s lines ]
}

# Waits for $pid, and sets status. "run wait" would ask a shell whose child it is
# not. Later awaits do not look at a process that has ended.
ended() {
	status=0
	wait $pid || status=$?
	pid=
}

# each WHAT <<LINES: late with "SIZE SOURCE SINK..." of each line.
each() {
	while read -r size source sinks; do
		late $source $sinks -- tee --lag=$size,$1
	done
}

# bats test_tags=each
@test "--lag=SIZE,skip: whole lines, and gaps, and others get all, from sources and to sinks of many kinds" {
	pick 2 1 4095 5000 1KB 1K 100KiB 1M
	each skip <<-END
		$(printf '%s file stopped-page file\n' "${picked[@]}")
		16K pieces stopped-page file
		64K pipe stopped-socket pty stopped-page
		64K file file stopped-pty
		64K pipe socket stopped-pipe stopped-pty
		16K pipe stopped-socket file stopped-pty stopped-pipe stopped-page
		$(printf '%s socket stopped-page file\n' 400K 600K)
	END
}

@test "--lag=SIZE,drop: who is late is given up, and tee ends without it" {
	# Of small pieces a socket says more than it holds.
	each drop <<-END
		64K file stopped-pipe file
		16K pipe socket stopped-pipe stopped-page stopped-pty
		4K pieces socket stopped-large
		1 pieces stopped-socket file
		64K file stopped-packets file
		64K file stopped-messages file
	END
}

@test "--lag=SIZE: others wait for who is later, and all get all" {
	seq $((4 * $(page_size))) >want
	for option in --lag=16K --lag=16K,wait; do
		starts tee $option copy
		awaits [ -s copy ]
		awaits asleep $pid
		# The pipe, SIZE, and what is read at once.
		[ "$(stat -c %s copy)" -le $((16 * $(page_size) + 16384 + 4096)) ]
		reads
		[ $status = 0 ]
		same got copy
		rm copy
	done
}

@test "--lag writes to the terminal that is standard output, and to no other" {
	run -0 "$LIB/terminal.py" other tty tee --lag=4K copy <<<line
	[ "$output" = line ]
	[ "$(<copy)" = line ]
	run -1 "$LIB/terminal.py" other read-only tee --lag=4K copy <<<line
	[ "$output" = "tee: $(standard_output): Bad file descriptor" ]
	[ "$(<copy)" = line ]
}

@test "--lag: a terminal that goes away is an error, and others get all" {
	random want 1000001
	run -1 "$LIB/terminal.py" other gone tee --lag=64K copy <want
	[ "$output" = "tee: $(standard_output): Input/output error" ]
	cmp want copy
	# By write(2) alone, the second one is the terminal's first.
	needs_strace
	needs METHOD
	run -1 "$LIB/terminal.py" other gone strace -qq -o /dev/null \
		-e inject=write:error=EIO:when=2 tee --method=rw --lag=64K copy \
		<want
	[ "$output" = "tee: $(standard_output): Input/output error" ]
	cmp want copy
}

@test "--lag: a terminal takes more than SIZE at once" {
	needs_strace
	"$LIB/readers.py" late file file pty -- strace -qq -o log -e trace=write,splice tee --lag=1
	[ "$(wc -l <log)" -lt 20000 ]
}

@test "--lag=SIZE,skip and drop: a message that nobody reads keeps nobody waiting" {
	seq 400000 >want
	mkfifo pipe
	exec 4<>pipe
	for what in skip drop; do
		st=0
		timeout $HANG tee --lag=64K,$what copy <want >pipe 2>&1 3>&- 4>&- || st=$?
		[ $st = 1 ]
		cmp want copy
	done
	exec 4<&-
	# Where it is read, it comes.
	tee --lag=64K,drop /dev/full copy <want 2>said >/dev/null || :
	[ "$(gnu_cat said)" = "tee: /dev/full: No space left on device" ]
}

@test "--debug tells of no wait that a refused clock cannot tell" {
	needs TRACE
	needs_strace SANITIZE
	repeated line 300000 >want
	mkfifo fifo
	for when in 2 4; do
		{ sleep 0.5; gnu_cat >/dev/null; } <fifo 3>&- &
		strace -qq -o calls -e trace=/^clock_gettime \
			-e inject=/^clock_gettime:error=EPERM:when=$when+ \
			tee --debug --lag=16K,skip fifo < <(gnu_cat want) >/dev/null 2>said || [ $? = 1 ]
		wait
		run ! grep -E "waited for [0-9]{5}" said
	done
}

@test "--lag=SIZE,drop: what a serial line holds that is given up is discarded" {
	needs_strace
	# A pseudo-terminal, which says here that it holds something, as a serial
	# line does. Its close(2) does not wait; tests/guest/serial.py has one that does.
	# strace(1) says that it cannot write to a number, as TCFLSH has.
	seq 30000 >want
	"$LIB/terminal.py" unread line strace -qq -o log \
		-e trace=ioctl,close,rt_sigprocmask \
		-e inject=ioctl:poke_exit=@arg3=01000000 tee --lag=16K,drop copy line \
		<want >/dev/null 2>all || status=$?
	[ "$status" = 1 ]
	cmp want copy
	[ "$(grep -v poke_tcb all)" = "tee: line: too late" ]
	# In the background of a terminal, such a change stops a process.
	sed '1,/^rt_sigprocmask(SIG_BLOCK, \[TTOU\]/d' log >after
	fd=$(sed -n 's/^ioctl(\([0-9]*\), TCFLSH, TCOFLUSH) *= 0.*$/\1/p' after)
	[ "$fd" ]
	sed '/TCFLSH/q' log >before
	run ! grep "^close($fd)" before
	grep "^close($fd)" after
}

@test "--lag=SIZE,drop and --output-error=exit: tee ends there" {
	needs TEE_ERROR
	seq 500000 >want
	stopped tee --lag=16K,drop --output-error=exit copy
	[ "$status" = 1 ]
	[ "$(gnu_cat said)" = "tee: $(standard_output): too late" ]
	cmp -n "$(stat -c %s copy)" copy want
	cmp -n "$(stat -c %s got)" got want
}

@test "--lag=SIZE: an ordinary user whose pipes are small loses nothing" {
	needs TEE_ERROR
	needs_root
	needs_pipe_limit
	for option in "" -p; do
		# Who has as many pages as he may gets pipes of two.
		run -0 few_pipes 0 bash -c \
			'seq 100000 | timeout $HANG tee $0 --lag=4K copy | wc -c
			[ "${PIPESTATUS[*]}" = "0 0 0" ]' "${option:---}"
		[ "$output" = 588895 ]
		seq 100000 | cmp copy -
		rm -f copy
	done
}

@test "--lag=SIZE,skip: a user over the quota of pipes starts, and others get all" {
	needs TRACE
	needs_root
	needs_pipe_limit
	seq 100001 600000 >want
	# Nobody reads before the other output has all.
	run -0 few_pipes 0 timeout $HANG bash -c 'tee --debug --lag=64K,skip copy <want 2>said | {
		until cmp -s want copy; do
			sleep 0.01
		done
		"$0" >got
	}
	[ "${PIPESTATUS[*]}" = "1 0" ]' "$system_cat"
	has_lines_of_want got
	missing=$((3500000 - $(stat -c %s got)))
	grep -x "tee: $(standard_output): late, $missing bytes left out" said
	grep -xE "tee: $(standard_output) \(pipe\) got [0-9]+ bytes(, was waited for [0-9]+ ms)?, missed $missing bytes, could be late by 0 bytes" said
	grep -xE 'tee: copy \(file\) got 3500000 bytes' said
}

@test "--lag=SIZE,skip: more than pipe-max-size is as much as there is" {
	needs TRACE
	needs_root
	seq 100001 600000 >want
	max=$(gnu_cat /proc/sys/fs/pipe-max-size)
	[ "$max" -lt 3000000 ] || skip "pipes may hold more here than is copied"
	chmod a+w .
	stopped as_nobody tee --debug --lag=64M,skip copy
	[ "$status" = 1 ]
	cmp want copy
	has_lines_of_want got
	missing=$((3500000 - $(stat -c %s got)))
	grep -x "tee: $(standard_output): late, $missing bytes left out" said
	# Pages may be half empty, and what stays free is for the ends of lines.
	grep "could be late by $((max / 2 - 12288)) bytes\$" said
}

@test "--lag=SIZE: what is read is whole blocks (O_DIRECT)" {
	head -c 300000 /dev/urandom >want
	for size in 5000 20000; do
		direct want tee --lag=$size copy >got
		same copy got
	done
}

@test "with --lag=SIZE,skip a /dev/null is a sink that is never late" {
	seq 100001 600000 >want
	ln -s /dev/null null
	starts tee --lag=16K,skip null
	# It ends its input before anybody has read.
	awaits grep -q '^pos:	3500000$' /proc/$pid/fdinfo/0
	reads
	[ $status = 1 ]
	has_lines_of_want got
}

# Bytes that the calls of this name have moved from standard input: see log.
moved() {
	sed -n "s/^$1(0, .* = \([0-9]*\)\$/\1/p" log | awk '{ n += $1 } END { print n + 0 }'
}

@test "--lag=SIZE,skip: what is left out for one is spliced to the others" {
	needs ZC_TEE
	needs_strace
	random want 8000000
	mkfifo pipe late
	gnu_cat <pipe >got 3>&- &
	strace -o log -e trace=splice,read \
		tee --lag=64K,skip late <want >pipe 2>said 3>&- &
	pid=$!
	exec 4<late
	awaits holds got 8000000
	gnu_cat <&4 >/dev/null
	exec 4<&-
	ended
	[ $status = 1 ]
	wait
	cmp want got
	[ "$(moved splice)" -gt $((9 * $(moved read))) ]
}

@test "--lag alone keeps nobody from splicing" {
	needs ZC_SPLICE TRACE
	random want 1000000
	tee --debug --lag=64K <want 2>said | cmp - want
	grep ' splice moved 1000000 bytes ' said
}

@test "--lag alone keeps nobody from reading as much as fits a buffer" {
	needs METHOD
	needs_strace
	random want 1000000
	strace -qq -o log -e trace=read tee --method=rw --lag=5000 <want |
		cmp - want
	grep -q ' = 131072$' log
}

@test "a hundred sinks that are late take 256 KiB of memory" {
	needs_off SANITIZE DEBUG
	# It is 64 pages, where they are larger; a hardened box has more kinds of them.
	most=$(($(page_size) / 16))
	! has HARDEN || most=$((most + most / 8))
	# The code of --run and the like is four pages more, as Linux 6.12 counts them.
	! has TEE_RUN || most=$((most + 4 * $(page_size) / 1024))
	late file file $(printf 'stopped-page %.0s' {1..100}) -- tee --lag=16K,skip
	[ "$output" -le "$most" ]
}

# wrong VALUE: --lag=VALUE is told so, and no file is touched.
wrong() {
	echo kept >file
	run -1 --separate-stderr tee "--lag=$1" file
	[ "$(gnu_cat file)" = kept ]
	[ ! "$output" ]
	[[ ${stderr_lines[0]} = "tee: invalid argument '"*"' for '--lag'" ]]
	[[ $stderr = *"- 'SIZE,skip'"*"SIZE is a number of bytes, 1 to "* ]]
}

@test "a SIZE that is none, or more than any pipe holds, is told so" {
	for value in '' 0 -1 x 1x 1KBB 1KiBx 1Kix ",skip" "1K," 1K,none \
		"1K,skip," 1073741825 2G \
		18446744073709551617 99999999999999999999999 8G; do
		wrong "$value"
	done
}

@test "a wrong SIZE cannot drive a terminal" {
	needs QUOTE
	wrong $'\e[31m'
	[[ $stderr != *$'\e'* ]]
}

# bats test_tags=each
@test "--debug says what each sink got, and what it missed unless it was dropped" {
	needs TRACE
	seq 100001 600000 >want
	for option in 16K,skip 1,drop 30000,drop; do
		# An old one is not taken for this one.
		rm -f copy
		stopped tee --debug --lag=$option copy
		[ $status = 1 ]
		got=$(stat -c %s got) missed=
		[ "${option#*,}" = drop ] || missed=", missed $((3500000 - got)) bytes"
		grep -E "^tee: $(standard_output) \(pipe\) got $got bytes(, was waited for [0-9]+ ms)?$missed$" said
		grep -E '^tee: copy \(file\) got 3500000 bytes$' said
	done
}

@test "--debug says for whom the others have waited" {
	needs TRACE
	seq 500000 >want
	starts tee --debug copy
	awaits [ -s copy ]
	awaits asleep $pid
	sleep 0.5
	reads
	cmp want got
	grep -E "^tee: $(standard_output) \(pipe\) got 3388895 bytes, was waited for [0-9]{3,} ms$" said
	grep -E '^tee: copy \(file\) got 3388895 bytes$' said
}

@test "SIGUSR1 is answered while tee waits for a stopped reader" {
	needs PROGRESS
	seq 500000 >want
	starts tee -g copy
	awaits [ -s copy ]
	answers() {
		kill -USR1 $pid
		[ -s said ]
	}
	awaits answers
	reads
	[ $status = 0 ]
	same got copy
	grep 'iB .*iB/s ' said
}
