# SPDX-License-Identifier: 0BSD
# tee --rotate: before a FILE grows beyond a size it becomes FILE.1, FILE.1 becomes
# FILE.2 and so on.

# bats file_tags=box,guest

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="TEE TEE_ROTATE"

# sizes FILE: "FILE SIZE" of each of them.
sizes() {
	stat -c '%n %s' "$1" "$1".*
}

# none_above SIZE FILE
none_above() {
	sizes "$2" | awk -v size="$1" '$2 > size { print; found = 1 } END { exit found }'
}

# all_end_lines FILE: each that it was rotated to.
all_end_lines() {
	[ ! "$(tail -qc 1 "$1".*)" ]
}

# line CHARACTER BYTES: these, without a newline.
line() {
	printf "%$2s" "" | tr ' ' "$1"
}

# bats test_tags=each
@test "--rotate: whole lines, in files of at most this size, and none is lost" {
	seq 30000 >want
	for size in 4096:4096 5000:5000 7K:7168 64K:65536 100KB:100000; do
		rm -f log*
		tee --rotate=${size%:*},99 log <want | cmp - want
		rotated log | cmp - want
		all_end_lines log
		none_above ${size#*:} log
		# None has room for another line, but the last, where a run ended within one.
		run ! awk -v size=${size#*:} '$1 ~ /[.]/ && $1 !~ /[.]1$/ && $2 + 6 <= size { print; found = 1 }
			END { exit !found }' <(sizes log)
	done
}

@test "--rotate: three old files are kept, or as many as it says" {
	seq 30000 >want
	tee --rotate=4K log <want >copy
	cmp want copy
	[ "$(echo log*)" = "log log.1 log.2 log.3" ]
	tail -c "$(rotated log | wc -c)" want | cmp - <(rotated log)
	for keep in 1 2 12; do
		rm log*
		tee --rotate=4K,$keep log <want >copy
		[ "$(sizes log | wc -l)" = $((keep + 1)) ]
		[ -e log.$keep ]
		tail -c "$(rotated log | wc -c)" want | cmp - <(rotated log)
	done
}

@test "--rotate: a hundred old files, or 999" {
	keep=${WHOLE:+999}
	: "${keep:=101}"
	for ((n = keep - 9; n; n--)); do
		echo "file $n" >log.$n
	done
	seq 10000 | tee --rotate=4K,$keep log >copy
	[ "$(sizes log | wc -l)" = $((keep + 1)) ]
	# Eleven files are new, so the oldest two were given up.
	rotated log | cmp - <(seq -f 'file %g' $((keep - 11)) -1 1; seq 10000)
}

@test "--rotate: a line that is longer than a file is cut, and the next is whole" {
	{
		seq 100
		line x 50000
		echo
		seq 2000
	} >want
	tee --rotate=8K,99 log <want | cmp - want
	rotated log | cmp - want
	none_above 8192 log
	# Bytes without a line at all.
	rm log*
	head -c 3000001 /dev/zero >want
	tee --rotate=100K,99 log <want | cmp - want
	rotated log | cmp - want
	none_above 204800 log
	[ "$(sizes log | wc -l)" -gt 14 ]
}

# cut_at "SIZE..." PIECE...: tee --rotate=4K,9 gets these pieces one after the other. Its
# files, the newest one first, have these sizes.
cut_at() {
	rm -f log*
	pieces "${@:2}" | tee --rotate=4K,9 log >copy
	rotated log | cmp - want
	sizes=$(sizes log | cut -d ' ' -f 2 | xargs)
	[ "$sizes" = "$1" ]
}

@test "--rotate: a line that comes in pieces stays whole, unless it is longer than a file" {
	# A line that began where there was room for more ends in that file.
	cut_at "2 4102 4552" "$(line a 3000)"$'\n' "$(line b 50)" "$(line c 1500)"$'\n' \
		"$(line d 90)" $'\n' "$(line e 2900)" "$(line f 1090)" "$(line g 20)"$'\n' h$'\n'
	# One that begins near the end begins a new file.
	cut_at "21 3501" "$(line a 3500)"$'\n' "$(line b 10)" "$(line c 10)"$'\n'
	cut_at "3001 3001 3809 4096 4096 6002" $'a\n' "$(line b 3000)" "$(line c 3000)" "$(line d 3000)" \
		"$(line e 9000)"$'\n' "$(line f 3000)"$'\n' "$(line g 3000)"$'\n'
}

@test "--rotate: the bytes that a file has are counted with -a" {
	line a 4000 >log
	seq 100 | tee --rotate=4K -a log >copy
	[ "$(stat -c %s log.1)" -le 4096 ]
	[ "$(head -c 4000 log.1)" = "$(line a 4000)" ]
	{ line a 4000; seq 100; } | cmp - <(rotated log)
	# A line that is there in part ends where it began.
	rm log*
	line a 3000 >log
	{ line b 1200; printf '\nnext\n'; } | tee --rotate=4K -a log >copy
	{ line b 1200; echo; } | cmp - <(tail -c +3001 log.1)
	[ "$(<log)" = next ]
	# A file that is too large already.
	rm log*
	seq 10000 >log
	seq 10 | tee --rotate=4K -a log >copy
	cmp log <(seq 10)
	cmp log.1 <(seq 10000)
	# Without -a it is emptied.
	seq 11 | tee --rotate=4K log >copy
	cmp log <(seq 11)
	cmp log.1 <(seq 10000)
}

@test "--rotate: a new file has the old one's mode and owner" {
	: >log
	umask 077
	for mode in 600 640 666 607; do
		chmod $mode log
		[ "$(id -u)" != 0 ] || chown 12:34 log
		seq 10000 | tee --rotate=4K -a log >copy
		[ "$(stat -c '%a %u %g' log)" = "$(stat -c '%a %u %g' log.2)" ]
		[ "$(stat -c %a log)" = $mode ]
		rm log.*
	done
	# Nobody may read what only its owner may, not even before the mode is set.
	needs_strace
	chmod 600 log
	umask 0
	seq 10000 | strace -o calls -e openat tee --rotate=4K -a log >copy
	grep -q 'openat.*"log", .*O_EXCL.*, 0600)' calls
	run ! grep 'openat.*"log", .*O_EXCL.*, 0[^6]' calls
}

@test "--rotate: what is no regular file by that name is left alone" {
	seq 3000 >want
	mkfifo fifo
	ln -s target link
	gnu_cat fifo >got 3>&- &
	tee --rotate=4K /dev/stderr fifo link /dev/null /dev/fd/5 <want 2>file 5>five | cmp - want
	wait $!
	same got file link target five
	[ -L link ]
	[ "$(echo *)" = "fifo file five got link target want" ]
	[ ! -e /dev/stderr.1 ]
	[ ! -e /dev/null.1 ]
	has TEE_STAMP || return 0
	fails_with 1 "tee: /dev/full: No space left on device" \
		tee --rotate=4K --stamp /dev/full <want
}

@test "--rotate: each file by itself" {
	seq 3000 >want
	line a 4000 >two
	mkdir d
	tee -a --rotate=8K,99 one two d/three <want | cmp - want
	rotated one | cmp - want
	rotated two | cmp - <(line a 4000; gnu_cat want)
	rotated d/three | cmp - want
	[ "$(stat -c %s one.1)" != "$(stat -c %s two.1)" ]
}

@test "--rotate: what is refused is told once, or is no failure, and nothing is lost" {
	needs_strace SANITIZE
	seq 10000 >want
	tee log <want >copy
	strace -qq -o calls -e trace=openat tee --rotate=4K,99 log <want >copy
	first=$(grep -n O_EXCL calls | head -n 1 | cut -d : -f 1)
	while read -r fault told; do
		rm -f log*
		status=0
		strace -qq -o calls -e trace=renameat,openat,fchmod,fchown -e inject=$fault \
			tee --rotate=4K,99 log <want >copy 2>said || status=$?
		cmp want copy
		rotated log | cmp - want
		[ "$status" = $((${#told} > 0)) ]
		[ ! "$told" ] || told="tee: log: not rotated: $told"
		[ "$(<said)" = "$told" ]
		case $fault in
		*:when=$first | *EINTR* | fch*)
			(($(sizes log | wc -l) >= 11))
			;;
		*)
			[ "$(echo log*)" = log ]
			# Twice at most for each 4 KiB of 48,894 bytes.
			(($(grep -c renameat calls) <= 24))
			;;
		esac
	done <<-END
		renameat:error=EXDEV Invalid cross-device link
		openat:error=EIO:when=$first+ Input/output error
		openat:error=EMFILE:when=$first Too many open files
		renameat:error=EINTR:when=1+2
		openat:error=EINTR:when=1+2
		fchmod:error=EPERM
		fchown:error=EPERM
	END
}

@test "--rotate: an unlink that a signal interrupts is made again" {
	needs_strace SANITIZE
	seq 10000 >want
	strace -qq -o calls -e trace=write,unlinkat -e inject=write:error=ENOSPC:when=6 \
		-e inject=unlinkat:error=EINTR:when=1 \
		tee --rotate=4K,99,free log <want >/dev/null
	grep '^unlinkat' calls | head -n 2 >first
	[ "$(grep -c EINTR first)" = 1 ]
	[ "$(cut -d , -f 2 first | uniq -c | awk '{ print $1 }')" = 2 ]
	rotated log | cmp - <(tail -c "$(rotated log | wc -c)" want)
}

@test "--rotate: a failed close of a file that is full is told" {
	needs_strace
	seq 1500 >want
	run --separate-stderr sh -c 'strace -qq -o /dev/null -P "$PWD/log" -P "$PWD/log.1" \
		-e trace=close -e inject=close:error=EIO:when=1 tee --rotate=4K log <want >copy'
	failed_with 1 "tee: log: Input/output error"
	rotated log | cmp - want
}

@test "--rotate: a folder that is closed to us" {
	seq 10000 >want
	mkdir folder
	: >folder/log
	chmod a+rw folder/log
	chmod a+rx-w folder
	run --separate-stderr as_nobody tee --rotate=4K folder/log <want
	chmod u+w folder
	failed_with 1 "tee: folder/log: not rotated: Permission denied"
	cmp want folder/log
	cmp want <(printf '%s\n' "$output")
}

# begins ARG...: tee ARG... log has read 500 of the lines of ./want.
begins() {
	mkfifo in
	seq 3000 >want
	tee "$@" log <in >copy 2>said 3>&- &
	pid=$!
	exec 4>in
	seq 500 >&4
	awaits holds log 1892
}

# over STATUS: it gets the others, and ends.
over() {
	seq 501 3000 >&4
	exec 4>&-
	waits $1 $pid
	pid=
	cmp want copy
}

@test "--rotate: a file that has taken the name is left alone" {
	begins --rotate=4K
	mv log mine
	echo theirs >log
	over 1
	[ "$(<said)" = "tee: log: not rotated: File exists" ]
	[ "$(<log)" = theirs ]
	cmp want mine
	[ ! -e log.1 ]
}

@test "--rotate: a file that cannot be told from another of its name is written on" {
	needs_strace SANITIZE
	seq 3000 >want
	# FUSE may say so of a file that is open.
	run -1 --separate-stderr strace -qq -P "$PWD/log" -o calls \
		-e inject=fstat:error=ENOENT:when=3+ sh -c 'exec tee --rotate=4K log <want >copy'
	[ "$stderr" = "tee: log: not rotated: Stale file handle" ]
	rotated log | cmp - want
	[ ! -e log.2 ]
	[ "$(stat -c %a log)" != 0 ]
	cmp want copy
}

@test "--rotate: a file that was renamed meanwhile is followed by a new one" {
	begins --rotate=4K
	mv log mine
	over 0
	{ gnu_cat mine; rotated log; } | cmp - want
	[ -e log.1 ]
}

@test "--rotate: a file that another process empties is not rotated before it is full" {
	mkfifo in
	tee -a --rotate=4K log <in >/dev/null &
	exec 5>in
	seq -w 900 >&5
	awaits [ -s log ]
	: >log
	seq -w 400 >&5
	exec 5>&-
	wait $!
	cmp log <(seq -w 400)
	[ ! -e log.1 ]
}

@test "--rotate: a gap in the numbers is closed, and nothing is given up for it" {
	for n in 1 2 4 5; do
		echo $n >log.$n
	done
	# It is rotated once.
	seq 1500 | tee --rotate=4K,5 log >copy
	cmp <(gnu_cat log.1 log) <(seq 1500)
	[ "$(<log.2)" = 1 ]
	[ "$(<log.3)" = 2 ]
	[ "$(<log.4)" = 4 ]
	[ "$(<log.5)" = 5 ]
}

@test "--rotate: a bad value is a usage error, and nothing is made" {
	for value in "" 4095 0 x "4K," 4K,0 4K,1000 4K,x "4K,3," 4K,3,x "4K,3,free," 1025G \
		99999999999999999999 4K,1K 4k -4K; do
		fails_with_usage "tee: invalid argument '$value' for '--rotate'
Valid arguments are:
  - 'SIZE'
  - 'SIZE,KEEP'
  - 'SIZE,free'
  - 'SIZE,KEEP,free'
SIZE is a number of bytes, 4K to 1024G, KEEP 1 to 999" \
			tee "--rotate=$value" log </dev/null
		[ ! -e log ]
	done
	fails_with_usage "tee: option '--rotate' needs a FILE" tee --rotate=4K </dev/null
	for value in 4K 4096 1024G 4K,999 4KiB,1 5KB,free 1M,2,free; do
		run -0 tee "--rotate=$value" log </dev/null
		[ ! "$output" ]
	done
}

@test "--rotate and --reopen: a file that is opened again is counted again" {
	needs TEE_REOPEN
	begins --rotate=8K,9 --reopen
	mv log mine
	kill -HUP $pid
	awaits [ -e log ]
	over 0
	{ gnu_cat mine; rotated log; } | cmp - want
	[ "$(stat -c %s log.1)" -gt 8180 ]
	[ ! -e log.2 ]
}

# in_full SIZE COMMAND...: where ./full is a file system of that size. "run" would take a
# skip for success.
in_full() {
	needs_root
	mkdir full
	mounted "mount -t tmpfs -o size=$1 none full" "${@:2}"
}

@test "--rotate and --retry: a full disk loses whole lines" {
	needs TEE_RETRY
	seq 100000 >want
	in_full 200k bash -c 'tee --retry --rotate=16K,99 full/log <want >copy 2>said
		echo $? >status
		cp full/log* .'
	[ "$(gnu_cat status)" = 1 ]
	cmp want copy
	rotated log >got
	size=$(stat -c %s got)
	head -c "$size" want | cmp - got
	printf 'tee: full/log: %s\n' "No space left on device" \
		"$((588895 - size)) bytes left out" | cmp - said
}

@test "--rotate and --retry: the line that counts missing bytes has its place" {
	needs TEE_RETRY
	needs_strace SANITIZE
	# From the second look on it is much later.
	run -1 strace -qq -o calls -e trace=writev,/^clock_gettime -e inject=writev:error=ENOSPC:when=2 \
		-e inject=/^clock_gettime:poke_exit=@arg2=ffffff7f00000000:when=2+ \
		sh -c 'exec tee --retry --rotate=4K log >copy' \
		< <(pieces "$(line a 2000)\n" "$(line b 100)\n" "$(line c 2080)\n")
	[ "$(head -n 1 log)" = "tee: 101 bytes left out" ]
	[ "$(sizes log | tr '\n' ' ')" = "log 2105 log.1 2001 " ]
}

@test "--rotate=SIZE,KEEP,free: a full disk loses the oldest lines alone" {
	seq 100000 >want
	for option in "" --retry; do
		[ ! "$option" ] || needs TEE_RETRY
		rm -rf full log*
		in_full 200k bash -c 'tee $1 --rotate=16K,99,free full/log <want >copy 2>said
			status=$?
			cp full/log* .
			exit $status' - "$option"
		cmp want copy
		[ ! -s said ]
		rotated log >got
		tail -c "$(stat -c %s got)" want | cmp - got
		(($(stat -c %s got) > 100000))
	done
}

@test "--rotate=SIZE,KEEP,free: files of an earlier start go first, and a folder stays" {
	seq 20000 >want
	in_full 200k bash -c 'head -c 100000 /dev/zero >full/log.7
		head -c 60000 /dev/zero >full/log.3
		mkdir full/log.9
		tee --rotate=16K,2,free full/log <want >copy 2>said
		status=$?
		echo full/log.* >names
		exit $status'
	cmp want copy
	[ ! -s said ]
	[ "$(<names)" = "full/log.1 full/log.2 full/log.3 full/log.9" ]
}

@test "--rotate=SIZE,KEEP,free: numbers above KEEP are tried once" {
	needs_strace
	seq 100000 >want
	in_full 200k bash -c 'strace -qq -o calls -e trace=/^unlink \
		tee --rotate=16K,20,free full/log <want >copy'
	cmp want copy
	[ "$(grep -c " = 0$" calls)" -gt 10 ]
	[ "$(grep -c ENOENT calls)" -lt 2000 ]
}

@test "--rotate=SIZE,free: where no old file is left, the disk is full" {
	seq 100000 >want
	in_full 40k bash -c 'tee --rotate=64K,9,free full/log <want >copy 2>said
		echo $? >status
		cp full/log* .'
	[ "$(gnu_cat status)" = 1 ]
	cmp want copy
	[ "$(<said)" = "tee: full/log: No space left on device" ]
	head -c "$(stat -c %s log)" want | cmp - log
}

@test "--rotate: packets, messages and what is read with O_DIRECT are whole near SIZE" {
	printf '%0999d\n' {0..199} >want
	for kind in packets unmarked seqpacket; do
		rm -f log*
		"$LIB/drive.py" packets $kind -- tee --rotate=64K,50 log >copy
		cmp want copy
		rotated log | cmp want -
	done
	rm log*
	direct want tee --rotate=64K,50 log >copy
	cmp want copy
	rotated log | cmp want -
}

# creates AFTER ERROR COMMAND...: the FILE "log" is opened so often, and then cannot be.
creates() {
	strace -qq -o /dev/null -P log -e trace=open,openat \
		-e inject=open,openat:error=$2:when=$(($1 + 1))+ "${@:3}"
}

@test "--rotate=SIZE,free: the file that is written stays where no new one can be made" {
	needs_strace
	seq 5000 >want
	for option in "" -a --retry; do
		[ "$option" != --retry ] || needs TEE_RETRY
		for error in ENOSPC EDQUOT; do
			rm -f log*
			# Once it is rotated, and there is an old one to remove.
			run -1 --separate-stderr creates 2 $error tee $option --rotate=4K,3,free log <want
			[[ $stderr = "tee: log: not rotated: "* ]]
			[ "$(echo log*)" = log ]
			tail -c "$(stat -c %s log)" want | cmp - log
			(($(stat -c %s log) > 15000))
			# Or another program has renamed it.
			rm log
			run -1 --separate-stderr creates 1 $error tee $option --rotate=40K,3,free log \
				< <(gnu_cat want; awaits holds log 23893; mv log log.1; gnu_cat want)
			gnu_cat want want | cmp - log.2
		done
	done
}

@test "--rotate goes with -a, -p, --output-error, --lag, --debug and --progress" {
	needs TEE_ERROR TEE_LAG TRACE PROGRESS
	seq 30000 >want
	for options in "-a -p --lag=64K" "--output-error=exit --lag=1M,skip -g"; do
		rm -f log*
		tee --rotate=8K,99 --debug $options log <want 2>said | cmp - want
		rotated log | cmp - want
		grep -x "tee: log (file) got 168894 bytes" said
	done
}

@test "--rotate and --run: a service's last lines are in the file" {
	needs TEE_RUN
	seq 30000 >want
	run -7 tee --rotate=8K,99 log --run sh -c "$(command -v seq) 30000; exit 7"
	rotated log | cmp - want
}

# last_line_is FILE BYTES: it has so many, with its newline.
last_line_is() {
	[ "$(tail -n 1 "$1" | wc -c)" = "$2" ]
}

@test "--rotate: tail -F follows" {
	mkfifo in
	tee --rotate=4K,2 log <in >copy 3>&- &
	pid=$!
	exec 4>in
	echo first >&4
	awaits holds log 6
	tail -n +1 -s 0.05 -F log >followed 2>/dev/null 3>&- 4>&- &
	follower=$!
	awaits holds followed 6
	for round in 1 2 3; do
		line a 4050 >&4
		echo >&4
		awaits last_line_is followed 4051
		echo "line $round" >&4
		awaits grep -q "^line $round" followed
	done
	exec 4>&-
	wait $pid
	pid=
	kill $follower
	cmp copy followed
}

# calls_for OPTION...: with it, how tee writes to a FILE.
calls_for() {
	: >log
	gnu_cat want | strace -qq -P "$PWD/log" -o calls -e trace=splice,write,writev \
		tee --rotate=1M,99 "$@" log | cmp - want
}

@test "--rotate: a file that nobody shares is spliced to until it is nearly full" {
	needs ZC_SPLICE TEE_LAG TEE_RETRY TEE_STAMP
	needs_strace
	# Half of the largest pipe holds it, so no reader is late.
	seq 60000 >want
	for options in "" --lag=1M,skip; do
		calls_for $options
		cmp want log
		grep -q splice calls
		# What is first is little, as far as tee knows.
		[ "$(grep -c write calls)" -le 1 ]
	done
	for options in --retry --stamp -a; do
		calls_for $options
		run ! grep splice calls
	done
	# Twelve files, and no line is cut.
	seq 200000 >want
	rm -f log*
	gnu_cat want | strace -qq -o calls -e trace=splice,write tee --rotate=100K,99 log >/dev/null
	rotated log | cmp - want
	all_end_lines log
	none_above 102400 log
	[ "$(grep -c splice calls)" -gt 24 ]
	# A line of which a part was spliced ends in that file.
	rm -f log*
	printf '%s\n' "$(line a 39999)" "$(line b 29999)" c >want
	gnu_cat want | tee --rotate=64K log >/dev/null
	rotated log | cmp - want
	[ "$(sizes log | tr '\n' ' ')" = "log 2 log.1 70000 " ]
}

@test "--rotate: a file goes on while standard output waits" {
	needs ZC_TEE
	mkfifo out
	seq $((20 * $(page_size))) >want
	# More than its pipe holds.
	ahead() { [ "$(gnu_cat log* | wc -c)" -gt $((16 * $(page_size))) ]; }
	{
		awaits ahead
		gnu_cat
	} <out >got 3>&- &
	timeout 60 tee --rotate=64K,99 log <want >out
	wait $!
	cmp want got
	rotated log | cmp - want
}

# bats test_tags=each
@test "--rotate without a file that is large is nothing" {
	random want 300001
	tee --rotate=1M one two <want >three
	[ "$(echo one* two*)" = "one two" ]
	same one two three
}
