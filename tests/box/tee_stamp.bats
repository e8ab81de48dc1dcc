# SPDX-License-Identifier: 0BSD
# tee --stamp: each line in a FILE begins with the time at which it came.

# bats file_tags=box,guest

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="TEE TEE_STAMP"

iso='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z '
tai64n='[@]4[0-9a-f]{23} '

# unstamped [FILE]: its lines without their stamps, each of which has to be there. The last
# line may have no newline.
unstamped() {
	perl -pe '/^(?:'"$iso|$tai64n"')/ or die "no stamp: $_"; s///' "$@"
}

# at SECONDS NANOSECONDS ARG...: the clock says that time, little-endian in memory.
at() {
	local big little='' i

	printf -v big %016x%016x "$2" "$1"
	for ((i = 30; i >= 0; i -= 2)); do
		little+=${big:i:2}
	done
	strace -qq -o calls -e trace=read,/^clock_gettime \
		-e inject=/^clock_gettime:poke_exit=@arg2=$little tee "${@:3}"
}

@test "--stamp: each line in a file begins with the time, and standard output stays" {
	seq 30000 >want
	date -u +%FT%T.%3NZ >before
	tee --stamp one two <want | cmp - want
	date -u +%FT%T.%3NZ >after
	unstamped one | cmp - want
	cut -d ' ' -f 1 one >times
	gnu_cat before times after | sort -c
	cmp one two
	tee --stamp=tai64n one <want | cmp - want
	unstamped one | cmp - want
	run ! grep -vE "^${tai64n}[0-9]+$" one
	sort -c <(cut -d ' ' -f 1 one)
	tee --stamp=iso one <want | cmp - want
	unstamped one | cmp - want
	run ! grep -vE "^${iso}[0-9]+$" one
}

@test "--stamp: the time is right on each day" {
	needs_strace
	[ "$(python -c 'import sys; print(sys.byteorder)')" = little ] || skip "the clock is little-endian"
	dates=(1970-01-01T00:00:00 1972-02-29T23:59:59 1999-12-31T23:59:59
		2000-02-29T12:00:00 2000-03-01T00:00:00 2023-02-28T23:59:59
		2023-03-01T00:00:00 2024-02-29T01:02:03 2024-12-31T23:59:59
		2026-11-28T16:20:00 2038-01-19T03:14:08 2100-02-28T23:59:59
		2100-03-01T00:00:00 2106-02-07T06:28:16 2200-10-31T10:20:30)
	mapfile -t seconds < <(printf '%sZ\n' "${dates[@]}" | date -u -f - +%s)
	for i in "${!dates[@]}"; do
		echo line | at "${seconds[i]}" 123999999 --stamp log >copy
		[ "$(<log)" = "${dates[i]}.123Z line" ]
		echo line | at "${seconds[i]}" 999 --stamp=tai64n log >copy
		[ "$(<log)" = "$(printf '@%016x%08x line' $(((1 << 62) + 10 + seconds[i])) 999)" ]
	done
}

@test "--stamp: the clock is read once a read(2), for all files" {
	needs_strace
	seq 30000 >want
	for how in file pipe; do
		if [ $how = file ]; then
			strace -qq -o calls -e trace=read,splice,/^clock_gettime \
				tee --stamp one two <want >copy
		else
			gnu_cat want | strace -qq -o calls -e trace=read,splice,/^clock_gettime \
				tee --stamp one two >copy
		fi
		cmp want copy
		unstamped one | cmp - want
		cmp one two
		looks=$(grep -c '^clock_gettime.*CLOCK_REALTIME' calls)
		reads=$(grep -cE '^(read|splice)\(0, .* = [1-9]' calls)
		((looks >= 1 && looks <= reads))
	done
}

@test "--stamp and --retry: missing lines are missing with their stamps" {
	needs TEE_RETRY TRACE TEE_LAG
	needs_strace SANITIZE
	: >copy
	status=0
	strace -qq -o calls -e trace=writev,/^clock_gettime -e inject=writev:error=ENOSPC:when=2 \
		-e inject=/^clock_gettime:poke_exit=@arg2=ffffff7f00000000:when=4+ \
		tee --retry --stamp log < <(pieces $'one\n' $'two\n' $'three\n') \
		>copy 2>said || status=$?
	[ "$status" = 1 ]
	cmp want copy
	printf 'one\ntee: 29 bytes left out\nthree\n' | cmp - <(unstamped log)
	# What a file got is counted without stamps.
	run -1 tee --retry --stamp --debug /dev/full log <want
	[[ $output = *"tee: /dev/full (file) got 0 bytes"* ]]
	[[ $output = *"tee: log (file) got 14 bytes"* ]]
}

@test "--stamp and --reopen, -a, -p, --lag, --output-error, -g and --run" {
	needs TEE_ERROR TEE_LAG PROGRESS TEE_REOPEN TEE_RUN
	seq 30000 >want
	for options in "--reopen -p -g" "--lag=1M,skip --output-error=exit"; do
		echo before >log
		tee --stamp -a $options log <want | cmp - want
		[ "$(head -n 1 log)" = before ]
		tail -n +2 log | unstamped | cmp - want
	done
	# A line that is there in part has its stamp.
	printf 'be' | tee --stamp log >copy
	printf 'gun\nnext\n' | tee --stamp -a log >copy
	printf 'begun\nnext\n' | cmp - <(unstamped log)
	run -7 tee --stamp log --run sh -c "$(command -v seq) 30000; exit 7"
	unstamped log | cmp - want
}

@test "--stamp: what is no file gets none" {
	seq 3000 >want
	mkfifo fifo
	gnu_cat fifo >got 3>&- &
	tee --stamp fifo /dev/null log <want | cmp - want
	wait $!
	cmp want got
	unstamped log | cmp - want
}

@test "--stamp: a wrong format is a usage error, and nothing is made" {
	for value in "" x is iso8601 ISO tai64; do
		fails_with_usage "tee: invalid argument '$value' for '--stamp'
Valid arguments are:
  - 'iso'
  - 'tai64n'" \
			tee "--stamp=$value" log </dev/null
		[ ! -e log ]
	done
}

# bats test_tags=each
@test "--stamp without a file changes nothing" {
	random want 300001
	tee --stamp <want | cmp - want
}
