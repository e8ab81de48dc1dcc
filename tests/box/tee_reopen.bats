# SPDX-License-Identifier: 0BSD
# tee --reopen: SIGHUP has each FILE opened again, and no byte is lost or doubled.

# bats file_tags=box,guest

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="TEE TEE_REOPEN"

# begins ARG...: tee --reopen ARG... reads what is given, and writes ./out. The array by has
# the command that runs it, if any.
begins() {
	[ -p in ] || mkfifo in
	: >want
	"${by[@]}" tee --reopen "$@" <in >out 2>said 3>&- 4>&- 5>&- &
	pid=$!
	exec 4>in
}

# gives TEXT, and waits until it is there.
gives() {
	printf %s "$1" >&4
	printf %s "$1" >>want
	awaits holds out "$(stat -c %s want)"
}

# renamed FILE...: each gets the suffix ".1", and tee has made it anew.
renamed() {
	local file

	for file; do
		mv "$file" "$file.1"
	done
	kill -HUP $pid
	for file; do
		awaits [ -e "$file" ]
	done
}

# over STATUS [LINE...]: the input ends, and tee then; standard output had all, and a
# message is each of the lines.
over() {
	exec 4>&-
	waits $1 $pid
	pid=
	cmp want out
	shift
	: >lines
	[ $# = 0 ] || printf 'tee: %s\n' "$@" >lines
	cmp lines said
}

@test "--reopen: a FILE that was renamed is made anew" {
	for option in "" -a; do
		rm -f log log.1
		echo before >log
		begins $option log same
		gives one
		renamed log
		gives two
		over 0
		[ "$(gnu_cat log.1)" = "${option:+before
}one" ]
		[ "$(gnu_cat log)" = two ]
		[ "$(gnu_cat same)" = "${option:+onetwo}onetwo" ]
	done
}

@test "--reopen: a FILE that is there is appended to" {
	begins log
	gives one
	printf other >log.new
	mv log.new log
	kill -HUP $pid
	has_log_open() {
		[ "$(readlink -f /proc/$pid/fd/* | grep -cx "$PWD/log")" = 1 ]
	}
	awaits has_log_open
	gives two
	# It is the same file now.
	kill -HUP $pid
	gives three
	over 0
	[ "$(gnu_cat log)" = othertwothree ]
}

@test "--reopen: a FILE that cannot be opened is told, once, and keeps the old one" {
	mkdir dir
	begins dir/log other
	gives one
	mv dir gone
	renamed other
	gives two
	mv other.1 other.0
	renamed other
	gives three
	[ "$(gnu_cat gone/log)" = onetwothree ]
	mkdir dir
	mv other.1 other.01
	renamed other
	awaits [ -e dir/log ]
	gives four
	mv dir away
	mv other.1 other.02
	renamed other
	gives five
	over 1 "dir/log: No such file or directory" \
		"dir/log: No such file or directory"
	[ "$(gnu_cat gone/log)" = onetwothree ]
	[ "$(gnu_cat away/log)" = fourfive ]
	gnu_cat other.0 other.01 other.02 other.1 other | cmp want -
}

@test "--reopen: a FILE that has failed is tried again" {
	ln -s /dev/full log
	mkdir dir
	begins log dir/none/log dir
	gives one
	rm log
	mkdir dir/none
	kill -HUP $pid
	awaits [ -e log ]
	awaits [ -e dir/none/log ]
	gives two
	gives three
	over 1 "dir/none/log: No such file or directory" "dir: Is a directory" \
		"log: No space left on device"
	[ "$(gnu_cat log)" = twothree ]
	[ "$(gnu_cat dir/none/log)" = twothree ]
}

@test "--reopen without a FILE is an error, before anything is read" {
	{
		status=0
		tee --reopen >out 2>said || status=$?
		gnu_cat >rest
	} <<<input
	[ "$status" = 1 ]
	[ "$(head -n 1 said)" = "tee: option '--reopen' needs a FILE" ]
	[ ! -s out ]
	[ "$(gnu_cat rest)" = input ]
}

@test "--reopen: SIGHUP that nohup(1) ignores is heeded" {
	trap '' HUP
	begins log
	trap - HUP
	gives one
	renamed log
	gives two
	over 0
	[ "$(gnu_cat log.1 log)" = onetwo ]
}

@test "--reopen: SIGHUP before the first byte, and at the end" {
	begins log
	awaits [ -e log ]
	renamed log
	gives one
	mv log log.2
	kill -HUP $pid
	over 0
	[ ! -s log.1 ]
	[ "$(gnu_cat log.2)" = one ]
}

@test "--reopen: no name leads to a descriptor of tee's own" {
	local fd n ours=0

	# A page is in the FIFO, from which nobody reads, and the rest in the queue behind that.
	needs TEE_LAG
	mkfifo fifo
	begins --lag=1M log fifo
	exec 5<fifo
	python -c 'import fcntl; fcntl.fcntl(5, 1031, 4096)'
	gives "$(seq 50000)"
	mv log first
	for fd in "/proc/$pid/fd"/*; do
		n=${fd##*/}
		# Descriptors that tee was given are not close-on-exec.
		grep -q '^flags:.*[2367]......$' "/proc/$pid/fdinfo/$n" || continue
		[[ "$(readlink "$fd")" = pipe:* ]] || continue
		ours=$((ours + 1))
		ln -sfn /dev/fd/$n log
		kill -HUP $pid
		gives "$(seq 1000)"
	done
	[ $ours -ge 2 ]
	rm log
	kill -HUP $pid
	awaits [ -e log ]
	gives "$(seq 1000)"
	gnu_cat <&5 >got 3>&- 4>&- &
	reader=$!
	over 1 "log: No such file or directory"
	exec 5<&-
	wait $reader
	cmp want got
	cmp want <(gnu_cat first log)
	! has DESCRIPTOR || run -1 bare tee --reopen /dev/fd/3 copy </dev/null
	! has DESCRIPTOR ||
		[ "$output" = "tee: /dev/fd/3: No such file or directory" ]
}

@test "--reopen: what an output lacked when it was given up goes to no new file" {
	needs TEE_LAG
	mkfifo fifo
	begins --lag=8K,drop log fifo
	exec 5<fifo
	gives "$(seq 300000)"
	awaits grep -q "too late" said
	exec 5<&-
	mv fifo fifo.1
	kill -HUP $pid
	awaits [ -e fifo ]
	gives $'\nnew\n'
	over 1 "fifo: too late"
	cmp fifo <(printf '\nnew\n')
}

@test "--reopen: what an output missed before it failed is told once" {
	needs TEE_ERROR TEE_LAG
	mkfifo fifo
	begins -p --lag=8K,skip log fifo
	exec 5<fifo
	gives "$(seq 300000)"
	exec 5<&-
	gives $'\nmore\n'
	awaits [ -s said ]
	rm fifo
	kill -HUP $pid
	awaits [ -e fifo ]
	gives $'new\n'
	exec 4>&-
	wait $pid || [ $? = 1 ]
	pid=
	[ "$(grep -cx 'tee: fifo: late, [0-9]* bytes left out' said)" = 1 ]
	[ "$(grep -c . said)" = 1 ]
	echo new | cmp - fifo
}

@test "--reopen: a FIFO from which nobody reads is told, and keeps nobody waiting" {
	begins log
	gives one
	mv log log.0
	mkfifo log
	kill -HUP $pid
	gives two
	awaits [ -s said ]
	gives three
	over 1 "log: No such device or address"
	[ "$(gnu_cat log.0)" = onetwothree ]
}

# open(2) refuses a socket.
@test "--reopen: a FILE that is a descriptor of tee's own stays that" {
	needs DESCRIPTOR
	needs_strace
	random want 300001
	for kind in unix tcp; do
		for name in /dev/fd/57 /proc/self/fd/57; do
			rm -f log
			"$LIB/socketed.py" $kind 57 strace -qq -o calls \
				-e inject="$POLL":signal=SIGHUP:when=1..3 \
				tee --reopen log $name <want 2>said >got
			[ ! -s said ]
			[ "$(grep -c "^openat(.*\"$name\"" calls)" -gt 1 ]
			cmp want log
			[ "$(wc -c <got)" = 600002 ]
		done
	done
}

@test "--reopen: a storm of signals loses nothing, and keeps nothing waiting" {
	seq 1000000 >want
	tee --reopen -a log >copy 2>said < <(gnu_cat want) 3>&- &
	pid=$!
	awaits [ -e log ]
	while kill -HUP $pid 2>/dev/null; do
		:
	done
	wait $pid
	pid=
	same copy log
	[ ! -s said ]
}

@test "--reopen: whichever call fails, and whenever SIGHUP comes, nothing is lost or doubled" {
	needs_faults SANITIZE
	run -0 "$TOP/scripts/faults" --box "$LINKS/box" "tee --reopen" "tee --reopen -a"
	[[ ${lines[-1]} == *", lost: 0" ]]
}

@test "--reopen: what close(2) tells of the old file is reported" {
	needs_strace SANITIZE
	echo line >want
	status=0
	strace -qq -o /dev/null -e inject=close:error=ENOSPC:when=1 \
		-e inject="$POLL":signal=SIGHUP:when=1 \
		tee --reopen log <want >copy 2>said || status=$?
	[ "$status" = 1 ]
	[ "$(gnu_cat said)" = "tee: log: No space left on device" ]
	cmp want log
}

@test "--reopen: where the kernel refuses signalfd(2), that is told at once" {
	needs_strace
	for error in ENOSYS EPERM; do
		run -1 strace -qq -o /dev/null -e inject=signalfd4:error=$error \
			tee --reopen log <<<line
		[[ $output = "tee: --reopen: "* ]]
		[ ! -e log ]
	done
}

@test "--reopen leaves descriptors 0 to 2 alone" {
	for closed in "<&-" ">&-" "2>&-" "<&- >&- 2>&-"; do
		rm -f log
		eval "run bash -c 'echo line | { exec 5<&0; tee --reopen log <&5 \$*; }' - $closed"
		[ -e log ]
	done
	run -1 --separate-stderr bash -c 'echo line | tee --reopen log >&-'
	[ "$stderr" = "tee: $(standard_output): Bad file descriptor" ]
	[ "$(gnu_cat log)" = line ]
}

@test "--reopen goes with -p, --output-error, --lag, --retry, --debug and -g" {
	needs TEE_ERROR TEE_LAG TEE_RETRY TRACE PROGRESS
	for options in "-p --lag=64K -g" "--output-error=exit --lag=1M,skip --retry"; do
		rm -f log log.1
		mkfifo fifo
		gnu_cat fifo >got 3>&- 4>&- &
		reader=$!
		begins --debug $options log fifo
		gives "$(seq 30000)"
		renamed log
		gives "$(seq 30000)"
		exec 4>&-
		wait $pid
		pid=
		wait $reader
		same out got
		cmp want <(gnu_cat log.1 log)
		[ -s log ]
		grep "^tee: log (file) got 337786 bytes" said
		rm fifo
	done
}

@test "--reopen and --rotate: a FILE that is a link takes no memory each time" {
	needs TEE_ROTATE
	needs_off SANITIZE
	: >file
	ln -s file log
	mkfifo in
	tee --reopen --rotate=64K log <in >copy 3>&- &
	pid=$!
	exec 4>in
	awaits asleep $pid
	python -c 'import os, sys, time
for i in range(1000):
    os.kill(int(sys.argv[1]), 1)
    time.sleep(0.001)' $pid
	[ "$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$pid/status)" -lt 400 ]
	exec 4>&-
	waits 0 $pid
}

@test "--reopen and --retry: a full file goes on in a new one" {
	needs TEE_RETRY
	ln -s /dev/full log
	begins --retry log
	gives $'one\ntw'
	rm log
	kill -HUP $pid
	awaits [ -e log ]
	gives $'o\nthree\n'
	over 1 "log: No space left on device" "log: works again, 8 bytes left out"
	[ "$(gnu_cat log)" = $'tee: 8 bytes left out\nthree' ]
}

@test "--reopen and --retry: what is missing is on a line of its own in the same file" {
	needs TEE_RETRY
	needs_strace SANITIZE
	needs_tool pgrep
	by=(strace -qq -o calls -e inject=writev:error=ENOSPC:when=2)
	begins --retry log
	gives $'one\nli'
	gives $'ne\n'
	kill -HUP "$(pgrep -P $pid)"
	awaits grep -q '^openat.*O_APPEND' calls
	gives $'two\n'
	over 1 "log: No space left on device" "log: works again, 3 bytes left out"
	printf 'one\nli\ntee: 3 bytes left out\ntwo\n' | cmp - log
}

@test "--reopen and --retry: what is missing is on a line of its own in a device" {
	needs_off SANITIZE
	needs TEE_RETRY
	needs_strace
	needs_tool pgrep
	by=(strace -qq -o calls -e inject=writev:error=ENOSPC:when=2)
	begins --retry /dev/zero
	gives $'one\nli'
	kill -HUP "$(pgrep -P $pid)"
	awaits grep -q '^openat.*O_APPEND' calls
	gives $'ne\n'
	gives $'two\n'
	over 1 "/dev/zero: No space left on device" "/dev/zero: 7 bytes left out"
	grep -F '"\ntee: 7 bytes left out\n"' calls
}

# has_open PID FILE: a process has it open under that name.
has_open() {
	[ "$(readlink "/proc/$1/fd/"* | grep -cx "$PWD/$2")" != 0 ]
}

@test "--reopen: what is known of a FILE ends where another file of its name takes the bytes" {
	needs TEE_RETRY TEE_ROTATE
	mkfifo pipe
	gnu_cat pipe >between 3>&- &
	ln -s /dev/full log
	begins --retry --rotate=4K log
	gives on
	ln -sf pipe log
	kill -HUP $pid
	awaits has_open $pid pipe
	gives $'e\ntwo\n'
	rm log
	kill -HUP $pid
	awaits [ -e log ]
	gives $'three\nfour\n'
	over 1 "log: No space left on device" "log: 2 bytes left out"
	printf 'three\nfour\n' | cmp - log
	printf 'tee: 2 bytes left out\ne\ntwo\n' | cmp - between
}

@test "--reopen and --retry: what is missing is on a line of its own in another file" {
	needs TEE_RETRY
	needs_strace SANITIZE CONFINE
	needs_tool pgrep
	by=(strace -qq -o calls -e inject=writev:error=ENOSPC:when=2)
	for first in $'one\n' $'one\nli'; do
		pick 2 '' 'other' $'other\n'
		for before in "${picked[@]}"; do
			printf %s "$before" >log.new
			begins --retry log
			gives "$first"
			mv log.new log
			tee=$(pgrep -P $pid)
			kill -HUP "$tee"
			awaits has_open "$tee" log
			gives $'two\n'
			over 1 "log: No space left on device" "log: 4 bytes left out"
			[ "$before" != other ] || before+=$'\n'
			printf '%stee: 4 bytes left out\n' "$before" | cmp - log
		done
	done
}

# recipe N: that command of tee(1), LOGGING, with its files in this directory.
recipe() {
	"$LIB/readme.py" examples "$TOP/applets/tee.1" LOGGING |
		sed "${1}!d; s:/var/log:$PWD:g; s:/dev/console:$PWD/console:g"
}

# daemon LINES: a program of that name, which prints so many, and waits for ./stop.
daemon() {
	mkdir bin
	executable bin/daemon <<-END
		seq $1
		until [ -e stop ]; do
			sleep 0.01
		done
		seq $1
	END
	PATH=$PWD/bin:$PATH
	seq "$1" >want
}

@test "tee(1), LOGGING: a rotated log" {
	needs_tool /usr/sbin/logrotate
	needs_root
	needs_tool pgrep
	chmod 755 .
	daemon 1000
	sed -n '/^\.Sh LOGGING/,/^\.Sh SEE/p' "$TOP/applets/tee.1" |
		sed -n '/^\.Bd/,/^\.Ed/{/^\./!p}' | sed "s:/var/log:$PWD:" >conf
	bash -c "$(recipe 1)" 3>&- &
	whole=$!
	awaits cmp -s want daemon.log
	# It ignores one that others may write, as umask 002 lets them.
	chmod 644 conf
	/usr/sbin/logrotate -f -s "$PWD/state" conf
	awaits [ -e daemon.log.1 ]
	has_new_log() {
		pgrep -f "^tee --reopen -a $PWD/daemon.log" |
			xargs -I{} sh -c 'readlink /proc/{}/fd/*' | grep -x "$PWD/daemon.log"
	}
	awaits has_new_log
	: >stop
	wait $whole
	same daemon.log.1 daemon.log
}

@test "tee(1), LOGGING: a console that is stopped, and a log" {
	needs TEE_LAG
	daemon 100000
	"$LIB/terminal.py" unread console \
		bash -o pipefail -c "$(recipe 2)" 2>said 3>&- &
	awaits cmp -s want daemon.log
	: >stop
	waits 1 $!
	cmp daemon.log <(gnu_cat want want)
	grep "^tee: $PWD/console: late, [0-9]* bytes left out" said
}

@test "tee(1), LOGGING: several readers" {
	needs TEE_LAG TEE_ERROR
	daemon 1000
	echo "echo an error" >>bin/daemon
	: >stop
	bash -o pipefail -c "$(recipe 3)"
	awaits [ -s n ]
	awaits [ -s bad ]
	cmp log <(gnu_cat want want; echo an error)
	[ "$(tr -d ' ' <n)" = 2001 ]
	[ "$(gnu_cat bad)" = "an error" ]
}
