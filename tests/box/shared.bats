# SPDX-License-Identifier: 0BSD
# Ends that others use at the same time, ends where a write is a message, and
# what ends say when they fail, by every method that box has.

# bats file_tags=box,emulated,guest

load ../lib/helpers

setup_file() {
	share_box_with_all
}

setup() {
	common_setup
	needs_tool /usr/bin/python3
	shared=$LIB/shared.py
}

# each ARG... -- APPLET [ARG...]: shared.py finds nothing wrong, by the usual methods and
# by each of three. `splice' gives up second writers.
each() {
	local all

	all=$(methods)
	[[ $1 != @(writers|room) ]] || all=$(printf '%s\n' $all | grep -vx -e --method=splice)
	# shellcheck disable=SC2086 # words
	pick 3 $all
	METHODS=${picked[*]} "$shared" "$@"
}

# both_write COMMAND...: each of two writes 6,000,000 bytes.
both_write() {
	{ gnu_yes A | head -c 6000000 | "$@"; } 3>&- &
	{ gnu_yes B | head -c 6000000 | "$@"; } 3>&- &
	wait
}

@test "two cats or tees that write one file lose nothing" {
	for command in cat "tee copy"; do
		# shellcheck disable=SC2086 # words of a command
		both_write $command >out
		[ "$(stat -c %s out)" = 12000000 ]
		[ "$(tr -cd A <out | wc -c)" = 3000000 ]
		[ "$(tr -cd B <out | wc -c)" = 3000000 ]
	done
}

@test "several that write one file lose nothing and keep the order, with write(2), too" {
	needs CAT
	each writers 0 pipe pipe -- cat
	each writers 0 file file -- cat
	# What is there before stays.
	each writers 12345 file write pipe -- cat
}

@test "several tees that write one file lose nothing and keep the order" {
	needs TEE
	each writers 12345 pipe write file -- tee copy@
}

@test "one that is killed leaves no hole where another writes on" {
	needs CAT TEE
	needs_strace
	for source in file pipe; do
		"$shared" killed $source -- cat
		"$shared" killed $source -- tee copy
		# shellcheck disable=SC2046 # words
		pick 2 $(methods | grep -v copy_file_range)
		for method in "${picked[@]}"; do
			"$shared" killed $source -- cat "$method"
		done
	done
}

@test "one that is killed leaves no hole where a file system is above another" {
	needs CAT
	needs_root
	needs_strace
	mkdir lower upper work over
	for command in "cat" "tee copy"; do
		# shellcheck disable=SC2086 # words of a command
		mounted 'mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay over && cd over' \
			"$shared" killed file -- $command
	done
}

# on_btrfs COMMAND...: runs it in a new file system that shares extents.
on_btrfs() {
	needs CAT ZC_COPY_FILE_RANGE TRACE
	needs_root
	needs_tool /usr/sbin/mkfs.btrfs
	truncate -s 200M image
	/usr/sbin/mkfs.btrfs -q image
	mkdir -p btrfs
	mounted 'mount -t btrfs -o loop image btrfs && cd btrfs' "$@"
}

@test "what shares extents is exact, beside others too" {
	needs METHOD
	random want 9000001
	on_btrfs bash -c '
		set -e
		cp "$1"/want .
		cat --debug want 2>said >got
		cmp want got
		grep "to file: copy_file_range moved 9000001 bytes" said
		# Behind what is no whole block nothing is shared.
		cat --debug want want 2>said >got
		cat want want | cmp - got
		grep "to file: copy_file_range moved 65536 bytes in .* moved 8934465 bytes" said
		cat --debug --method=copy_file_range want want 2>said >got
		cat want want | cmp - got
		[ "$(grep -c "to file: copy_file_range moved 9000001 bytes" said)" = 2 ]
		cat --debug want 2>said >>got
		grep "copy_file_range refused: EBADF; .* moved 9000001 bytes" said
		tee copy <want >/dev/null
		cmp want copy
		"$0" writers 0 file file -- cat
		"$0" writers 12288 file write file -- cat
		"$0" readers file file read -- cat' \
		"$shared" "$PWD"
}

# What another finds behind one that is killed: at most 64 KiB of zeros.
small_hole='
	set -e
	yes | head -c 1000000 >want
	for call in copy_file_range lseek; do
		for n in 2 3 4 5 6; do
			{
				strace -qq -o /dev/null \
					-e inject=$call:signal=KILL:when=$n \
					cat $0 want || [ $? = 137 ]
				echo END
			} >got
			[ "$(tail -c 4 got)" = END ]
			[ "$(tr -dc "\\0" <got | wc -c)" -le 65536 ]
		done
	done'

@test "one that is killed while it shares extents leaves a hole of 64 KiB" {
	needs_strace
	on_btrfs bash -c "$small_hole" ""
}

@test "one that is killed in copy_file_range leaves a hole of 64 KiB" {
	needs CAT METHOD ZC_COPY_FILE_RANGE
	needs_strace
	bash -c "$small_hole" --method=copy_file_range
}

@test "several that read one file get each byte once, beside read(2), too" {
	needs CAT
	each readers file file -- cat
	each readers pipe pipe read -- cat
	each readers null pipe -- cat
}

@test "several tees that read one file get each byte once" {
	needs TEE
	"$shared" readers file pipe null -- tee
	each readers file pipe -- tee
}

@test "a sink that fails leaves what it has not had to the next reader" {
	needs CAT
	each rest full "cat: write error: No space left on device" -- cat
	each rest gone "cat: write error: Broken pipe" -- cat
}

@test "a file that may not grow further holds a prefix, and is as long as told" {
	needs CAT
	each room "" file "cat: write error: File too large" -- cat
	each room "" pipe "cat: write error: File too large" -- cat
}

@test "a full file system holds a prefix, and no more" {
	needs CAT
	needs_root
	needs_mounts
	mkdir full
	for source in file pipe; do
		METHODS=$(methods) unshare -m sh -c '
			mount -t tmpfs -o size=1m none full && exec "$@"' - \
			"$shared" room full $source \
			"cat: write error: No space left on device" -- cat
	done
}

@test "a file that shrinks, grows or is rewound leaves nothing that was not in it, and no hole" {
	needs CAT
	each changes -- cat
	each rewound -- cat
}

@test "xargs -P: a small file is never torn by other writers" {
	needs CAT
	mkdir d
	python -c '
import random
for i in range(2000):
    with open(f"d/{i:04d}", "w") as f:
        print(f"{i:04d}" * random.randint(75, 200), file=f)'
	gnu_cat d/* >want
	find d -type f | xargs -P4 -n100 cat | "$LIB/streams.py" slowly >got
	sort got | cmp - want
}

@test "what comes from two operands is two messages" {
	needs CAT
	for sink in dgram seqpacket packets; do
		each operands $sink -- cat
	done
}

@test "what comes as packets is read by a few bytes, and none is lost" {
	needs CAT TEE
	each packets -- cat
	each packets -- tee
	each packets -- tee copy
}

@test "cat: a message of up to 256 KiB arrives whole" {
	needs CAT
	# As much as a socket takes by default.
	for ends in "dgram pipe" "seqpacket file" "dgram dgram" "seqpacket seqpacket"; do
		pick 1 4096 65537 200000
		for size in "${picked[@]}"; do
			# shellcheck disable=SC2086 # two words
			each message $size $ends -- cat
		done
	done
	# What comes before tells nothing of standard input.
	: >empty
	each message 200000 seqpacket seqpacket -- cat empty -
	! has DESCRIPTOR ||
		each message 200000 seqpacket seqpacket -- cat empty /dev/stdin
}

@test "cat: a message of up to 64 KiB stays one when its text is formatted" {
	needs CAT CAT_FORMAT
	needs_off SAFE_CALLS # a socket gets messages of 8 KiB
	for sink in dgram seqpacket; do
		"$shared" message 65535 dgram $sink -- cat -v
	done
}

@test "tee: a message of up to 208 KiB arrives whole, and of 256 KiB at one output" {
	needs TEE
	for ends in "seqpacket pipe" "dgram dgram"; do
		pick 1 4096 65537 131072 200000 212992
		for size in "${picked[@]}"; do
			# shellcheck disable=SC2086 # two words
			"$shared" message $size $ends -- tee copy
			[ "$(stat -c %s copy)" = $((size + 5)) ]
		done
	done
	pick 1 4096 65537 131072 200000 262144
	for size in "${picked[@]}"; do
		each message $size dgram seqpacket -- tee
	done
}

@test "cat, tee: a longer message is an error, and no part of it is passed on" {
	needs CAT TEE
	needs_off SAFE_CALLS
	for kind in dgram seqpacket; do
		each cut 262145 $kind "cat: -: Message too long" -- cat
		"$shared" cut 212993 $kind "tee: read error: Message too long" -- \
			tee copy
		cmp copy <(echo short)
		! has CAT_FORMAT ||
			"$shared" cut 131073 $kind "cat: -: Message too long" -- cat -u -v
	done
}

@test "cat, tee: a file goes to a datagram socket in messages of 8 to 64 KiB" {
	needs CAT TEE
	for sink in dgram udp; do
		pick 1 file pipe
		for source in "${picked[@]}"; do
			for command in cat tee "tee copy"; do
				# shellcheck disable=SC2086 # words
				"$shared" blocks $source $sink -- $command
			done
		done
	done
}

@test "cat, tee: a file that one datagram can have goes as one" {
	needs CAT TEE
	for sink in dgram udp; do
		pick 1 8193 20000 65507
		for size in "${picked[@]}"; do
			for command in cat tee "tee copy"; do
				# shellcheck disable=SC2086 # words
				each blocks file $sink $size -- $command
			done
		done
	done
}

@test "cat: a time limit of an end that blocks is an error, once" {
	needs_off SAFE_CALLS # it asks for no limit
	needs CAT
	needs_native "knows no limits of 32-bit machines"
	needs_strace
	for kind in stream inet dgram; do
		each timeout in $kind \
			"cat: -: Resource temporarily unavailable" -- cat
		each timeout out $kind \
			"cat: write error: Resource temporarily unavailable" -- cat
	done
}

@test "tee: a time limit of an end that blocks is an error, once" {
	needs_off SAFE_CALLS # it asks for no limit
	needs TEE
	needs_native "knows no limits of 32-bit machines"
	needs_strace
	for kind in stream inet dgram; do
		pick 1 "" copy
		for copies in "${picked[@]}"; do
			# shellcheck disable=SC2086 # a word a file
			each timeout in $kind \
				"tee: read error: Resource temporarily unavailable" \
				-- tee $copies
			# shellcheck disable=SC2086 # a word a file
			each timeout out $kind \
				"tee: $(standard_output): Resource temporarily unavailable" \
				-- tee $copies
			[ ! "$copies" ] || cmp in copy
		done
	done
}

# toggled METHODS COMMAND...: for each kind of end, by the usual methods and so many more.
toggled() {
	for end in out in; do
		for kind in pipe socket pty; do
			# shellcheck disable=SC2046 # words
			pick "$1" $(methods)
			[ $end$kind = inpty ] ||
				METHODS=${picked[*]} "$shared" toggled $kind $end -- "${@:2}"
		done
	done
}

@test "nothing is lost where another process sets O_NONBLOCK and clears it" {
	! has CAT || toggled 2 cat
	! has TEE || toggled 0 tee copy
	! has TEE_LAG || WHOLE='' toggled 0 tee --lag=64K copy
}

@test "a connection that is reset is an error, and no SIGPIPE" {
	needs CAT TEE
	for when in before middle; do
		pick 1 file pipe
		for source in "${picked[@]}"; do
			each reset $when $source \
				"cat: write error: Connection reset by peer" -- cat
			each reset $when $source \
				"tee: $(standard_output): Connection reset by peer" -- tee
		done
	done
}

@test "tee -p: a connection that is reset is no reader that has gone" {
	needs TEE_ERROR
	needs_native "has the errno of this machine in SO_ERROR"
	for source in file pipe; do
		each reset before $source \
			"tee: $(standard_output): Connection reset by peer" \
			-- tee -p copy
	done
}

@test "tee -p: a reader of the same machine has gone, whatever it left unread" {
	needs TEE_ERROR
	each unread -- tee -p copy
	each unread -- tee --output-error=exit-nopipe copy
}

@test "a port that nobody reads is an error, with several operands" {
	needs CAT
	each refused "cat: write error: Connection refused" -- cat
}
