# SPDX-License-Identifier: 0BSD
# tee --retry: a FILE for which there was no space goes on once there is.

# bats file_tags=box,guest

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="TEE TEE_RETRY"

# retry CLOCK FAULT ARG...: tee --retry ARG... reads what pieces gives. strace(1) has
# FAULT befall calls, which are in ./calls: a writev(2) is one to the file log or a
# message. The clock stands still, is refused, or is from the second look on a minute later.
retry() {
	local fault=$2 clock=poke_exit=@arg2=00000000000000000000000000000000

	[ $1 != refused ] || clock=error=EPERM
	[ $1 != later ] || clock=poke_exit=@arg2=$(python -c 'import time
print((int(time.monotonic()) + 60).to_bytes(8, "little").hex())'):when=2+
	status=0
	strace -qq -o calls -e trace=writev,openat,/^clock_gettime -e inject=$fault \
		-e inject=/^clock_gettime:$clock tee --retry "${@:3}" >copy 2>said ||
		status=$?
}

# says LINE...: all that tee has said, after its name and that of the file log.
says() {
	printf 'tee: log: %s\n' "$@" | cmp - said
	[ "$status" = 1 ]
	cmp want copy
}

# leaves LOG CLOCK FAULT PIECES LINE...: with these pieces, the file log is that, and tee has
# said the lines.
leaves() {
	retry $2 $3 log < <(pieces $4)
	printf %b "$1" | cmp - log
	says "${@:5}"
}

@test "--retry: lines are missing, the file says how many bytes, and is tried once a second, and in the end" {
	needs_strace SANITIZE
	full="No space left on device"
	for fault in "ENOSPC=$full" "EDQUOT=Disk quota exceeded" "EROFS=Read-only file system"; do
		leaves 'one\ntwo\ntee: 11 bytes left out\nfive\nsix\n' \
			later writev:error=${fault%%=*}:when=2 \
			'one\ntwo\n three\nfo ur\nfive\n six\n' \
			"${fault#*=}" "works again, 11 bytes left out"
	done
	# One that works, one that fails, and the last one.
	leaves 'one\ntee: 20 bytes left out\n' stopped writev:error=ENOSPC:when=2 \
		'one\n two\n three\n four\n five\n' "$full" "20 bytes left out"
	[ "$(grep -c 'writev([^2]' calls)" = 3 ]
	# At once where the clock is refused.
	leaves 'one\ntee: 4 bytes left out\nthree\n' refused writev:error=ENOSPC:when=2 \
		'one\n two\n three\n' "$full" "works again, 4 bytes left out"
	# No bytes are none that were left out.
	leaves '' later openat:error=EROFS:when=1 '' "Read-only file system"
}

@test "--retry: a file that cannot be opened for want of space is tried again" {
	needs_strace SANITIZE
	for error in EROFS ENOSPC EDQUOT; do
		for option in "" -a; do
			echo before >log
			retry later openat:error=$error:when=1 $option log \
				< <(pieces $'one\n' $'two\n')
			{
				[ ! "$option" ] || echo before
				gnu_cat want
			} | cmp - log
			grep "^tee: log: " said
			[ "$(wc -l <said)" = 2 ]
		done
	done
	retry later openat:error=EACCES:when=1 log < <(pieces $'one\n' $'two\n')
	says "Permission denied"
	retry later openat:error=EROFS:when=1..2 log < <(pieces $'one\n' $'two\n' $'three\n')
	echo 'tee: 14 bytes left out' | cmp - log
	says "Read-only file system" "14 bytes left out"
}

# told_in BEFORE WANTED ARG...: retry ARG... -a finds BEFORE in the file log, and leaves
# WANTED.
told_in() {
	printf %b "$1" >log
	retry "${@:3}" -a log < <(pieces $'one\n' $'two\n')
	printf %b "$2" | cmp - log
}

@test "--retry: what is missing is on a line of its own after one that had no end" {
	needs_strace SANITIZE
	told='tee: 8 bytes left out\n'
	full=writev:error=ENOSPC:when=1
	told_in '' "$told" stopped $full
	told_in 'a line' "a line\n$told" stopped $full
	told_in 'a line\n' "a line\n$told" stopped $full
	told_in 'a line\nand' "a line\nand\n$told" stopped $full
	told_in '\n' "\n$told" stopped $full
	# Of a file that may only be written it is not known.
	told_in 'a line\n' "a line\n\n$told" stopped \
		"$full -e inject=openat:error=EACCES:when=2"
	# A file that is opened late, which a confined box cannot read.
	full=openat:error=EROFS:when=1
	told_in '' "$told" stopped $full
	told_in 'a line' "a line\n$told" stopped $full
	has CONFINE || told_in 'a line\n' "a line\n$told" stopped $full
}

# in_full COMMAND...: where ./full is a file system of 1 MiB, most of which is taken by
# the file full/taken.
in_full() {
	needs_root
	mkdir -p full
	mounted 'mount -t tmpfs -o size=1m none full &&
		head -c 900000 /dev/zero >full/taken' "$@"
}

# Lines until tee has said that there is no space, and on while there is some again.
log_on='lines() {
		seq 40000
		until grep "No space left on device" said >&2; do
			sleep 0.01
		done
		seq 1000
		rm full/taken
		until grep "works again" said >&2; do
			echo a line
			sleep 0.05
		done
		seq -w 1000
	}
	: >said
	lines | "$1" want | '

@test "--retry: a file system that was full loses whole lines, and others nothing" {
	needs_mounts
	# Alone, and with other outputs.
	for to in ">/dev/null" "copy >copy2"; do
		run -1 in_full bash -c "$log_on
			tee --retry full/log $to 2>said
			status=\$?
			cp full/log log
			exit \$status" - "$system_tee"
		missing=$(sed -n 's/^tee: \(.*\) bytes left out$/\1/p' log | paste -sd+)
		missing=$((missing))
		[ "$missing" -gt 3893 ]
		printf 'tee: full/log: %s\n' "No space left on device" \
			"works again, $missing bytes left out" | cmp - said
		# A line may be cut, and gets an end.
		grep -v '^tee: [0-9]* bytes left out$' log >got
		[ "$(diff want got | grep -c '^>')" -le 1 ]
		cut=$(($(stat -c %s got) + missing - $(stat -c %s want)))
		[ $cut = 0 ] || [ $cut = 1 ]
	done
	same copy copy2
}

# cut_after BYTES: tee --retry with a file on a full disk, which has room for so many bytes
# of the line that says what is missing, and later for all. It tries at once, as the clock is
# refused. ./got has its last three lines.
cut_after() {
	# One read(2) of tee gets these.
	head -c 60000 /dev/zero | tr '\0' '\n' >newlines
	# Of a page that has more.
	run -1 in_full bash -c '
		head -c 100000 /dev/zero >>full/taken
		lines() {
			"$1" newlines
			until grep "No space left on device" said >&2; do
				sleep 0.01
			done
			had=$(stat -c %s full/log)
			left="tee: $((60000 - had)) bytes left out"
			truncate -s $((had - '"$1"')) full/log
			echo first
			until [ "$(($(stat -c %s full/log) % 4096))" = 0 ]; do
				sleep 0.01
			done
			rm full/taken
			echo second
		}
		: >said
		lines "$1" | strace -qq -o calls -e inject=/^clock_gettime:error=EPERM \
			tee --retry -a full/log >/dev/null 2>said
		status=$?
		tail -n 3 full/log >got
		exit $status' - "$system_cat"
	missing=$(sed -n 's/.*again, \(.*\) bytes left out$/\1/p' said)
}

@test "--retry: a line that says what is missing may be cut, and is said again" {
	needs_mounts
	needs_strace
	cut_after 10
	# The newlines that the file had are not counted.
	printf 'tee: %.5s\ntee: %s bytes left out\nsecond\n' \
		"$((missing - 6))" "$missing" | cmp - got
	# Without its end alone, it has said it.
	cut_after '${#left}'
	printf 'tee: %s bytes left out\ntee: 6 bytes left out\nsecond\n' \
		"$((missing - 6))" | cmp - got
}

@test "--retry: a full device is told, and the others get all" {
	random want 3000001
	run -1 --separate-stderr sh -c 'tee --retry /dev/full 2 <want >3'
	[ "$stderr" = "tee: /dev/full: No space left on device
tee: /dev/full: 3000001 bytes left out" ]
	same 2 3
	run -0 --separate-stderr sh -c \
		'tee --retry /dev/full </dev/null >3; tee --retry 4 <want'
	[ ! "$stderr" ]
	cmp want 4
}

@test "--retry: what is missing is told, too, where the FILE then fails otherwise" {
	needs_strace SANITIZE
	random log 2048
	# From the second look on it is much later.
	run -1 --separate-stderr strace -qq -o calls -e inject=writev:error=ENOSPC:when=1 \
		-e inject=/^clock_gettime:poke_exit=@arg2=ffffff7f00000000:when=2+ \
		sh -c "trap '' XFSZ; ulimit -f 2; exec tee -a --retry log >/dev/null" \
		< <(echo one; sleep 0.3; echo two)
	[ "$stderr" = "tee: log: No space left on device
tee: log: 4 bytes left out
tee: log: File too large" ]
}

@test "--retry: what is missing is told, too, where SIGHUP opens what is no file" {
	needs TEE_REOPEN
	mkfifo in fifo
	for to in /dev/null fifo; do
		rm -f log
		tee --retry --reopen log <in >copy 2>said 3>&- &
		pid=$!
		exec 4>in
		printf z >&4
		awaits [ -s log ]
		ln -sf /dev/full log
		kill -HUP $pid
		awaits bash -c "readlink /proc/$pid/fd/* | grep -qx /dev/full"
		echo ero >&4
		awaits grep -q 'No space' said
		ln -sf $to log
		exec 5<>fifo
		kill -HUP $pid
		awaits grep -qx 'tee: log: 4 bytes left out' said
		echo two >&4
		exec 4>&-
		waits 1 $pid
		[ "$(wc -l <said)" = 2 ]
		printf 'zero\ntwo\n' | cmp - copy
	done
	printf 'tee: 4 bytes left out\ntwo\n' | cmp - <(head -n 2 <&5)
	exec 5<&-
}

@test "--retry goes with -a, -p, --output-error, --lag, --debug and --progress" {
	needs TEE_ERROR TEE_LAG TRACE PROGRESS
	random in 3000001
	for options in "-a -p --lag=64K" "-a --output-error=exit -g"; do
		echo before >log
		gnu_cat log in >want
		mkfifo fifo
		gnu_cat fifo >got 3>&- &
		reader=$!
		gnu_cat in | { tee --retry --debug $options log fifo /dev/full && echo 0 || echo $?; } \
			>copy 2>said
		wait $reader
		cmp want log
		cmp in got
		cmp copy <(gnu_cat in; echo 1)
		grep -x "tee: /dev/full: No space left on device" said
		grep -x "tee: /dev/full: 3000001 bytes left out" said
		grep -x "tee: log (file) got 3000001 bytes" said
		grep -x "tee: /dev/full (file) got 0 bytes" said
		rm fifo
	done
}

@test "--retry: pipes are given what is in other pipes, as without it" {
	needs TRACE ZC_TEE
	random want 3000001
	mkfifo fifo
	gnu_cat fifo >got 3>&- &
	reader=$!
	tee --retry --debug log fifo <want 2>said | cmp - want
	wait $reader
	same log got
	grep "[:;] tee moved" said
}

# bats test_tags=each
@test "--retry without a file that has failed is nothing" {
	random want 300001
	tee --retry one two <want >three
	same one two three
	tee --retry <want | cmp - want
}
