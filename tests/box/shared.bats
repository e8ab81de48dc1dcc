# SPDX-License-Identifier: 0BSD
# Ends that others use at the same time. The simulator, the fault matrix and the adversary
# have more of them, ends where a write is a message, and what ends say when they fail.

# bats file_tags=box,emulated,guest

load ../lib/helpers
CONFIGURATION=max_defconfig

@test "two cats or tees that write one file lose nothing" {
	for command in cat "tee copy"; do
		for letter in A B; do
			gnu_yes $letter | head -c 6000000 | $command 3>&- &
		done >out
		wait
		[ "$(stat -c %s out)" = 12000000 ]
		[ "$(tr -cd A <out | wc -c)" = 3000000 ]
		[ "$(tr -cd B <out | wc -c)" = 3000000 ]
	done
}

# two COMMAND...: it runs twice at once, at the same ends.
two() {
	"$@" <&5 3>&- &
	"$@" <&5
	wait
}

# Of whole pages, and so of whole lines, is each piece.
@test "what two cats or tees read of one file each has once, and writes it to another" {
	seq -f %063.0f 60000 >lines
	for command in cat "tee copy"; do
		two $command 5<lines >out
		sort out | cmp - lines
	done
}

@test "one that is killed leaves no hole where another writes on" {
	needs CAT TEE
	needs_strace
	for source in file pipe; do
		"$LIB/shared.py" killed $source -- cat
		"$LIB/shared.py" killed $source -- tee copy
		pick 1 $(methods | grep -v copy_file_range)
		for method in "${picked[@]}"; do
			"$LIB/shared.py" killed $source -- cat "$method"
		done
	done
}

@test "one that is killed leaves no hole where a file system is above another" {
	needs CAT
	needs_root
	needs_strace
	mkdir lower upper work over
	for command in "cat" "tee copy"; do
		mounted 'mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay over && cd over' \
			"$LIB/shared.py" killed file -- $command
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
		seq -f %063.0f 60000 >lines
		{ cat lines & cat lines; wait; } >got
		sort lines lines >twice
		sort got | cmp - twice
		{ cat <&5 >one & cat <&5 >two; wait; } 5<lines
		sort one two | cmp - lines' - "$PWD"
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

@test "a file that shrinks, grows or is rewound leaves nothing that was not in it, and no hole" {
	needs CAT
	pick 2 $(methods)
	for method in -- "${picked[@]}"; do
		"$LIB/shared.py" changes -- cat $method
		"$LIB/shared.py" rewound -- cat $method
	done
}

@test "a connection that is reset is an error, and no SIGPIPE" {
	needs CAT TEE
	head -c 16M /dev/zero >want
	why="Connection reset by peer"
	for kind in reset was-reset; do
		pick 1 $(methods)
		for method in "" "${picked[@]}"; do
			run -1 "$LIB/socketed.py" $kind 1 cat $method want
			[ "$output" = "cat: write error: $why" ]
			run -1 "$LIB/socketed.py" $kind 1 cat $method < <(gnu_cat want)
			[ "$output" = "cat: write error: $why" ]
		done
		for option in "" $(! has TEE_ERROR || echo -p); do
			run -1 "$LIB/socketed.py" $kind 1 tee $option <want
			[ "$output" = "tee: $(standard_output): $why" ]
			run -1 "$LIB/socketed.py" $kind 1 tee $option < <(gnu_cat want)
			[ "$output" = "tee: $(standard_output): $why" ]
		done
	done
}

@test "a time limit of an end that blocks is an error, once" {
	needs CAT TEE
	needs_off SAFE_CALLS # it asks for no limit
	needs_native "knows no limits of 32-bit machines"
	random want 3000000
	why="Resource temporarily unavailable"
	pick 1 $(methods)
	for method in "" "${picked[@]}"; do
		run -1 timeout $HANG "$LIB/socketed.py" limited 0 cat $method <<<hello
		[ "$output" = $'hello\ncat: -: '"$why" ]
		run -1 timeout $HANG "$LIB/socketed.py" limited 1 cat $method want
		[ "$output" = "cat: write error: $why" ]
	done
	run -1 timeout $HANG "$LIB/socketed.py" limited 0 tee copy <<<hello
	[ "$output" = $'hello\ntee: read error: '"$why" ]
	run -1 timeout $HANG "$LIB/socketed.py" limited 1 tee copy <want
	[ "$output" = "tee: $(standard_output): $why" ]
	cmp want copy
}

@test "a message arrives whole, as it is, formatted, and at several outputs" {
	needs CAT TEE
	needs_off SAFE_CALLS # it tells no message from a stream
	random want 300000
	for command in cat "tee copy" $(! has CAT_FORMAT || echo cat_-v); do
		"$LIB/drive.py" whole 60000 6 -- ${command/_/ }
	done
	[ "$(wc -c <copy)" = 60006 ]
	# A stream goes out in messages of 64 KiB.
	python - cat want <<-'END'
		import socket, subprocess, sys
		theirs, sink = socket.socketpair(type=socket.SOCK_SEQPACKET)
		child = subprocess.Popen(sys.argv[1:], stdout=sink)
		sink.close()
		got = list(iter(lambda: theirs.recv(1 << 20), b""))
		assert b"".join(got) == open("want", "rb").read()
		assert max(map(len, got)) == 65536 and child.wait() == 0
	END
}
