# SPDX-License-Identifier: 0BSD
# yes: what is repeated, and that it is repeated in whole lines.

# bats file_tags=box,emulated,guest

load ../lib/helpers
NEEDS=YES

# repeats [BYTES]: checks that standard input is nothing but the line that is in
# the file "line", over and over, though the last one may be cut. It is read in
# odd pieces, so that yes is left in the middle of lines.
repeats() {
	"$LIB/streams.py" repeats line "$@"
}

# Where no line of a broken yes ends, head -n would fill the disk: so it is head -c here.

# line STRING: makes the file "line".
line() {
	printf '%s\n' "$1" >line
}

@test "a y is repeated" {
	run -0 bash -c 'yes | head -c 6'
	[ "$output" = $'y\ny\ny' ]
	line y
	left yes | repeats 3000001
}

@test "a reader that takes a line and goes is served before all is prepared" {
	needs_strace
	left strace -qq -o log yes | head -c 2 >got
	[ "$(<got)" = y ]
	grep -m 1 -E '^(write|pipe2|socketpair|tee|vmsplice)' log >first
	[[ $(<first) =~ ^write\(1,.*\ =\ ([0-9]+)$ ]]
	[ "${BASH_REMATCH[1]}" -le 8192 ]
}

# prints LINE ARG...: yes ARG... repeats that line.
prints() {
	line "$1"
	left yes "${@:2}" | repeats
}

@test "strings are joined by spaces, and an empty one is an empty line" {
	run -0 bash -c 'yes a "b c" "" d | head -c 18'
	[ "$output" = $'a b c  d\na b c  d' ]
	prints "a b c  d" a "b c" "" d
	prints "" ""
	prints "  " "" "" ""
}

@test "strings that begin with a dash come after --" {
	prints "-x --help -" -- -x --help -
	prints - -
	prints "a -x" a -- -x
	prints -- -- --
}

# bats test_tags=each
@test "an unknown option is an error" {
	fails_with_usage "yes: invalid option -- 'x'" yes -x
	[ ! "$output" ]
	fails_with_usage "yes: unrecognized option '--nosuch'" yes a --nosuch
	[ ! "$output" ]
}

@test "options end at the first string with POSIXLY_CORRECT" {
	POSIXLY_CORRECT=1 prints "a -x" a -x
}

@test "the environment is not part of the line" {
	line "a b"
	left env -i NEXT=door "$LINKS/yes" a b | repeats 1000
	left env -i "$LINKS/box" yes a b | repeats 1000
}

# bats test_tags=each
@test "lines of every awkward length stay whole, however they are read" {
	for length in 2 3 7 4094 4095 4096 4097 65534 65535 65536 100003; do
		line "$(head -c "$((length))" /dev/zero | tr '\0' x)"
		left yes "$(head -c -1 line)" | repeats
	done
}

@test "two megabytes of strings are no deadlock" {
	string=$(head -c 131000 /dev/zero | tr '\0' x)
	set --
	for i in {1..15}; do
		set -- "$@" "$string"
	done
	env -i true "$@" || skip "the system does not pass on as much"
	line "$*"
	left timeout $HANG env -i "$LINKS/yes" "$@" | repeats
}

@test "lines longer than any buffer stay whole where no memory is to be had" {
	needs_no_memory
	random bytes 98250
	string=$(base64 -w 0 bytes)
	set -- "$string" short "" "$string" "$string"
	line "$*"
	left without_memory yes "$@" | repeats 3000000
	# One of just what the buffer holds, and those beside it.
	for length in 131069 131070 131071 131072; do
		set -- "$(head -c $((length / 2)) /dev/zero | tr '\0' x)" \
			"$(head -c $((length - length / 2)) /dev/zero | tr '\0' y)"
		line "$*"
		left without_memory yes "$@" | repeats 1000000
	done
}

@test "a file gets whole lines up to its limit" {
	run --separate-stderr bash -c \
		"trap '' XFSZ; ulimit -f 1000; yes abcd >got"
	failed_with 1 "yes: standard output: File too large"
	[ "$(stat -c %s got)" = 1024000 ]
	[ "$(head -c 1023995 got | sort -u)" = abcd ]
}

# bats test_tags=each
@test "a full disk, and a standard output that is closed or for reading, is an error" {
	full="yes: standard output: No space left on device"
	fails_with 1 "$full" sh -c 'yes >/dev/full'
	for line in "$(seq 20000)" "$(printf '%0100000d' 0)"; do
		fails_with 1 "$full" sh -c 'yes "$0" "$0" >/dev/full' "$line"
	done
	: >out
	for output in ">&-" "1<out"; do
		fails_with 1 "yes: standard output: Bad file descriptor" sh -c "yes $output"
	done
}

@test "closed standard input and error are none of yes's business" {
	line y
	left yes <&- 2>&- | repeats
}

@test "the end of the reader ends yes quietly, and is an error where SIGPIPE is ignored" {
	# Also lines that are longer than any buffer.
	long=$(head -c 100000 /dev/zero | tr '\0' x)
	export long
	for words in "" '"$long" "$long"'; do
		for reader in "head -c 200002" true; do
			command="yes $words | $reader"' >/dev/null; exit ${PIPESTATUS[0]}'
			fails_with 141 "" bash -c "$command"
			fails_with 1 "yes: standard output: Broken pipe" \
				bash -c "trap '' PIPE; $command"
		done
	done
}

@test "a slot of the pipe holds more than a page, where a socket can be had" {
	needs_strace
	needs ZC_TEE
	page=$(page_size)
	[ "$page" -le 16384 ] || skip "a page holds as much"
	line "a line"
	left strace -qq -o calls -e trace=tee yes a line | repeats
	# Of its sixteen slots the first lines may still have three.
	to_pipe=$(sed -n '/^tee([0-9]*, 1, /{s/.* = //p;q}' calls)
	[ "$to_pipe" -ge $((13 * 32000)) ]
	left strace -qq -o calls -e trace=tee,socketpair \
		-e inject=socketpair:error=EPERM \
		yes a line | repeats
	to_pipe=$(sed -n '/^tee([0-9]*, 1, /{s/.* = //p;q}' calls)
	[ "$to_pipe" -ge $((13 * page - 10)) ]
	[ "$to_pipe" -le $((16 * page)) ]
}

@test "where no pipe can be spliced to, two pages are written at a time" {
	needs_strace
	needs ZC_PIPE_BUFFERS
	for words in a "hello world" "$(printf %9000s x)"; do
		line "$words"
		for calls in splice socketpair; do
			left strace -qq -o calls \
				-e trace=write,tee,vmsplice,$calls \
				-e inject=tee,vmsplice,$calls:error=EPERM \
				yes "$words" | repeats 3000000
			# One is larger, which was to go another way.
			sed -n 's/^write(1, .* = //p' calls |
				awk '$1 > 8192 && !large++ { next } { print }' \
					>written
			[ "$(wc -l <written)" -gt 100 ]
			[ "$(sort -n written | tail -n 1)" = 8192 ]
		done
	done
}

@test "a socket is sent a part of what it holds, which may end within a line" {
	needs_strace
	needs ZC_TEE
	needs_off SAFE_CALLS
	"$LIB/drive.py" sockets out -- strace -qq -o calls -e trace=write \
		yes abcd
	is_part_of_socket "$(sed -n 's/^write(1, .*, \([0-9]*\)) = .*/\1/p' calls |
		sort -n | tail -n 1)"
}

@test "a socket of messages gets a line in each" {
	needs_off SAFE_CALLS
	"$LIB/drive.py" messages abc -- yes abc
	"$LIB/drive.py" messages "$(head -c 9000 /dev/zero | tr '\0' x)" -- \
		yes "$(head -c 9000 /dev/zero | tr '\0' x)"
}
