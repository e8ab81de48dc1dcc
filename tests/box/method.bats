# SPDX-License-Identifier: 0BSD
# --method, and the methods that are off by default: mmap, io_uring, dontcache.

# bats file_tags=box,emulated,guest

load ../lib/helpers
CONFIGURATION=max_defconfig NEEDS="METHOD CAT TEE YES"

setup_file() {
	share_box
	random "$BATS_FILE_TMPDIR/want" 3000001
	(gnu_cat "$BATS_FILE_TMPDIR/want"; echo end) >"$BATS_FILE_TMPDIR/want_end"
}

setup() {
	common_setup
	for method in $new; do
		[[ $BATS_TEST_DESCRIPTION != $method:* ]] || needs "ZC_${method^^}"
	done
	ln "$BATS_FILE_TMPDIR"/want{,_end} .
}

teardown() {
	say_why
	[ ! -d "$BATS_TEST_TMPDIR/lies" ] || ! mountpoint -q "$BATS_TEST_TMPDIR/lies" ||
		umount -l "$BATS_TEST_TMPDIR/lies"
}

# own_want BYTES: a ./want of this test alone. The other is of all, and none writes to it.
own_want() {
	rm want
	random want "$1"
}

all="copy_file_range sendfile splice tee vmsplice mmap io_uring dontcache rw"
new="mmap io_uring dontcache"

needs_new() {
	needs ZC_MMAP ZC_IO_URING ZC_DONTCACHE
}

# Those of all that this box has.
built_in() {
	local method

	for method in $all; do
		[ $method != rw ] && ! has "ZC_${method^^}" || echo $method
	done
}

# Where io_uring is turned off, that is a refusal, which has tests of its own.
works() {
	[ "$1" = io_uring ] || return 0
	[[ $(box --probe | grep "^$1: ") = "$1: works "* ]]
}

# moved_by METHOD APPLET ARG...: that method alone has moved what there was.
moved_by() {
	"$2" --debug "--method=$1" "${@:3}" 2>said
	works "$1" || return 0
	[ "$(grep -oE '[:;] [a-z_]+ moved' said | cut -c 3- | sort -u)" = "$1 moved" ]
}

from_socket() {
	"$LIB/drive.py" sockets in -- "$LINKS/cat" "$@"
}

# A command whose calls of a name fail, and in what way. Unlike refuse(), it
# can fail single ones.
inject() {
	strace -f -qq -o log -e "inject=$1" "${@:2}"
}

# What the applets do without --method, they do with it, and positions follow.
copies() {
	{ "$@" cat "--method=$method" want; echo end; } >file
	cmp file want_end
	"$@" cat "--method=$method" want | cmp want -
	{ "$@" cat "--method=$method" >file; gnu_cat >rest; } <want
	cmp want file
	[ ! -s rest ]
	gnu_cat want | "$@" cat "--method=$method" | cmp want -
	: >append
	"$@" cat "--method=$method" want >>append
	cmp want append
}

@test "each method is known to each applet, and leaves lines and bytes as they are" {
	repeated hello 600000 >hellos
	for method in $(built_in); do
		copies env
		tee "--method=$method" one two <want >three
		same one two three
		left yes "--method=$method" hello | head -c 600000 | cmp - hellos
	done
}

# A read that is short there fills all of a buffer that a ring has registered, by
# what the kernel says (Linux 6.18), and not with the file's bytes. A map shows zeros from
# where the file ends to the end of the page.
@test "each method reads a file of FUSE whose reads are short, or which ends before its size" {
	needs_new
	needs_tool fusermount3 python:fusepy
	[ -c /dev/fuse ] || skip "no /dev/fuse"
	needs_root
	seq -f %07.0f 0 37499 >lines
	mkdir lies
	for lie in pieces long; do
		"$LIB/lying_fs.py" lies $lie 3>&- &
		awaits mountpoint -q lies
		pick 2 $(methods)
		for method in --method={mmap,io_uring} "${picked[@]}"; do
			cat "$method" lies/$lie >file
			cmp lines file
			cat "$method" lies/$lie | cmp lines -
			tee "$method" copy <lies/$lie >file
			cmp lines copy
			cmp lines file
		done
		umount lies
		wait
	done
}

@test "a method that is not there is an error that lists what there is" {
	needs HELP
	run -1 --separate-stderr cat --method=splice,sendfil want
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "cat: invalid argument 'splice,sendfil' for '--method'" ]
	[ "${stderr_lines[1]}" = "Valid arguments are:" ]
	[ "$(sed -n "s/^  - '\(.*\)'$/\1/p" <<<"$stderr" | sort)" = "$(built_in | sort)" ]
	[ "${stderr_lines[-1]}" = "Try 'cat --help' for more information." ]
	for names in "" "," "splice," ",splice" x "splice rw" SPLICE splicer splic; do
		run ! tee "--method=$names" </dev/null
		run ! yes "--method=$names"
	done
	fails_with_usage "cat: option '--method' requires an argument" cat --method
}

@test "only the methods that are named are tried, in their order, each once, and then rw" {
	needs_new
	needs TRACE
	# rw is last wherever it is named; the last of several options counts.
	while read -r options moved; do
		options=${options/+/ --method=}
		cat --debug --method=$options want 2>said >file
		cmp want file
		grep -xE "cat: want \(file\) to file: $moved moved 3000001 bytes in [0-9]+ calls?" said
	done <<-END
		mmap,copy_file_range mmap
		copy_file_range,mmap copy_file_range
		splice splice
		vmsplice vmsplice passed over: file; rw
		rw,mmap,mmap mmap
		mmap+rw rw
	END
	: >append
	cat --debug --method=splice,mmap want 2>said >>append
	cmp want append
	# More often than there are methods.
	cat "--method=$(printf 'splice,%.0s' {1..15000})rw" want | cmp want -
}

@test "each method moves by itself between the ends that it is for" {
	needs_new
	needs TRACE
	for method in copy_file_range mmap dontcache rw; do
		moved_by $method cat want >file
		cmp want file
	done
	for method in splice $new; do
		moved_by $method cat want | cmp want -
	done
	# From a pipe to another rw begins, for it may be packets.
	for method in splice io_uring; do
		gnu_cat want | cat --debug --method=$method 2>said | cmp want -
		works $method || continue
		grep ": rw moved .*; $method moved" said
		[ "$(grep -o ' moved ' said | wc -l)" = 2 ]
	done
	# It takes no lock on the position of a file.
	cat --debug --method=io_uring want 2>said >file
	grep ': io_uring passed over: file; ' said
	gnu_cat want | moved_by dontcache cat >file
	cmp want file
	moved_by dontcache from_socket >file
	cmp want file
	moved_by splice from_socket | cmp want -
	# A map begins at a page.
	exec 4<want
	head -c 4097 <&4 >file
	moved_by mmap cat <&4 >>file
	cmp want file
	exec 4<&-
	# Whichever of the two files was made first.
	cp want newer
	moved_by mmap cat newer 1<>file
	: >append
	moved_by mmap cat want >>append
	cmp want append
	for method in sendfile splice $new; do
		moved_by $method cat want >/dev/null
	done
	moved_by dontcache tee one <want >two
	same one two
	moved_by tee tee one <want | cmp want -
	cmp want one
	# Little is not left to rw where a method for more is named first.
	echo line | tee --debug --method=tee,dontcache one 2>said >two
	grep "[:;] dontcache moved 5 bytes" said
	grep "one (file) got 5 bytes" said
}

@test "box --probe gives each method ends that it is for" {
	needs_new
	needs PROBE
	box --probe >said
	grep -x "mmap: works by copying" said
	run ! grep -E ': (Bad file descriptor|Invalid argument)$' said
}

@test "a terminal is typed to by mmap, and left alone by io_uring" {
	needs_new
	head -c 1500 /dev/urandom | base64 -w 70 >text
	for method in $new; do
		"$LIB/terminal.py" other own "$LINKS/cat" --method=$method text | cmp text -
	done
}

@test "what /dev/zero has no end of is copied until the reader leaves" {
	needs_new
	head -c 5000000 /dev/zero >zeros
	for method in splice io_uring; do
		left cat --method=$method /dev/zero 2>said |
			head -c 5000000 | cmp zeros -
		[ ! -s said ]
	done
}

@test "what cannot be mapped is not, and nobody notices" {
	needs ZC_MMAP
	: >empty
	cat --method=mmap empty empty >file
	[ ! -s file ]
	cat --method=mmap /proc/self/status | grep '^Pid:'
	gnu_cat want | cat --method=mmap | cmp want -
	fails_with 1 "cat: /: Is a directory" cat --method=mmap /
	needs_strace SANITIZE
	pick 1 ENODEV EACCES ENOMEM EAGAIN EPERM EIO EOVERFLOW
	for err in "${picked[@]}"; do
		for when in 1 2 1+; do
			method=mmap
			copies inject "/^mmap:error=$err:when=$when"
		done
	done
}

@test "a block device is copied" {
	needs_new
	needs_root
	own_want 2999808
	device=$(losetup --find --show --read-only want 2>/dev/null) ||
		skip "no loop device to be had"
	for method in $new; do
		cat --method=$method "$device" | cmp want - || bad=$method
		cat --method=$method "$device" >file
		cmp want file || bad=$method
	done
	losetup --detach "$device"
	[ -z "${bad:-}" ]
}

@test "a file is copied inside the kernel only where extents are shared" {
	needs CAT ZC_COPY_FILE_RANGE
	needs_calls
	own_want 300001
	# The file system is asked once. It blames the offset where it shares extents.
	for error in EOPNOTSUPP EXDEV ENOTTY EPERM ENOSYS EBADF; do
		strace -qq -o log -e trace=ioctl,lseek,copy_file_range \
			-e inject=ioctl:error=$error cat want >file
		cmp want file
		[ "$(grep -c FICLONERANGE log)" = 1 ]
		run ! grep -E "lseek.1,|^copy_file_range" log
	done
	strace -qq -o log -e trace=ioctl,copy_file_range "${sharing_fs[@]}" \
		cat want >file
	cmp want file
	[ "$(grep -c FICLONERANGE log)" = 1 ]
	[ "$(grep -c '^copy_file_range(.* = [1-9]' log)" -ge 5 ]
	# Never more at once than may become a hole.
	sed -n 's/^copy_file_range(.*, \([0-9]*\), 0) .*/\1/p' log >lengths
	[ "$(sort -n lengths | tail -n 1)" = 65536 ]
}

# has_no_range COMMAND...: cat --method=copy_file_range by it copies ./want, and no range is
# taken of a file.
has_no_range() {
	strace -qq -o log -e trace=copy_file_range,lseek "$@" cat --method=copy_file_range want
	run ! grep -E "lseek.1,|^copy_file_range.* = [1-9]" log
}

@test "copy_file_range that is named is tried everywhere but where it must not be, as with O_DIRECT" {
	needs CAT ZC_COPY_FILE_RANGE METHOD
	needs_calls
	own_want 300001
	strace -qq -o log -e trace=ioctl,copy_file_range \
		cat --method=copy_file_range want >file
	cmp want file
	run ! grep FICLONERANGE log
	[ "$(grep -c '^copy_file_range(.* = [1-9]' log)" -ge 5 ]
	# What is appended, may not grow for ever, or could not be filled, has no range.
	: >append
	has_no_range >>append
	cmp want append
	(
		ulimit -f 1000
		has_no_range >file
	)
	cmp want file
	has_no_range -e trace=pwrite64,copy_file_range,lseek -e inject=pwrite64:error=ESPIPE >file
	cmp want file
	# Nor is it for a source that wants whole blocks.
	direct want strace -qq -o log \
		-e trace=copy_file_range cat --method=copy_file_range >got
	cmp want got
	run ! grep '^copy_file_range(.* = [1-9]' log
}

@test "a file is spliced in runs that begin with a whole page" {
	needs CAT ZC_SPLICE METHOD
	needs_calls
	own_want 9000001
	{
		dd bs=1 count=1 of=/dev/null status=none
		strace -qq -o log -e trace=splice cat --method=splice
	} <want | cmp - <(tail -c +2 want)
	# "splice(0, [at], 6, NULL, 65536, ...) = len"
	sed -n 's/^splice([0-9]*, \[\([0-9]*\)\].* = [1-9].*$/\1/p' log >runs
	[ "$(wc -l <runs)" -ge 9 ]
	# All but the first one.
	[ "$(head -n 1 runs)" = 1 ]
	awk 'NR > 1 && $1 % 4096 { bad = 1 } END { exit bad }' runs
}

@test "what is appended is read and written from the first byte, in whole buffers" {
	needs CAT ZC_SPLICE ZC_TEE METHOD
	needs_calls
	for method in copy_file_range $(built_in | grep io_uring) splice tee splice,tee; do
		: >append
		strace -qq -o log -e trace=splice,pipe2,write \
			cat --method=$method want >>append
		cmp want append
		run ! grep 'splice(\|pipe2(' log
		# All but the last one.
		[ "$(sed '$d' log | sed 's/.*= //' | sort -u | wc -l)" -eq 1 ]
	done
}

@test "a file is written twice as much at a time as a pipe" {
	needs CAT ZC_RANGE METHOD
	needs_calls SANITIZE
	own_want 3000000
	strace -qq -o log -e trace=read cat --method=rw want >file
	cmp want file
	strace -qq -o log.pipe -e trace=read cat --method=rw want | cmp want
	# How much the first read(2) asks for.
	to_file=$(sed -n '1s/.*, \([0-9]*\)) = .*/\1/p' log)
	to_pipe=$(sed -n '1s/.*, \([0-9]*\)) = .*/\1/p' log.pipe)
	[ "$to_file" -eq $((2 * to_pipe)) ]
}

@test "a socket is sent a part of what it holds, so that its reader need not wait" {
	needs CAT ZC_SPLICE ZC_SENDFILE METHOD
	needs_calls
	own_want 5000000
	for method in splice sendfile; do
		"$LIB/drive.py" sockets out -- strace -qq -o log \
			-e trace=splice,sendfile "$LINKS/cat" --method=$method want
		is_part_of_socket "$(sed -n 's/^[a-z]*(.* = //p' log | sort -n |
			tail -n 1)"
	done
}

@test "what another socket holds is taken whole" {
	needs CAT ZC_SPLICE METHOD
	needs_calls
	own_want 120000
	python -c 'import socket, subprocess, sys
full, source = socket.socketpair()
sink, reader = socket.socketpair()
full.sendall(open("want", "rb").read())
full.close()
box = subprocess.Popen(sys.argv[1:], stdin=source, stdout=sink)
sink.close()
sys.stdout.buffer.write(reader.makefile("rb").read())
sys.exit(box.wait())' strace -qq -o log -e trace=splice \
		"$LINKS/cat" --method=splice | cmp want
	run ! is_part_of_socket \
		"$(sed -n 's/^splice(.* = //p' log | sort -n | tail -n 1)"
}

@test "mmap: a source cut short under the map is a short copy or an error, not a crash" {
	"$LIB/shared.py" cut -- cat --method=mmap in
}

@test "a file is moved within itself, by a few bytes and by each method" {
	needs CAT
	random before 3000000
	pick 1 1 5
	for by in "${picked[@]}" 70000; do
		tail -c +$((by + 1)) before >after
		tail -c $by before >>after
		for method in "" $(methods); do
			gnu_cat before >file
			# The second reader goes on where the first one stopped.
			{
				dd bs=$by count=1 of=/dev/null status=none
				cat $method
			} <file 1<>file
			cmp after file
		done
	done
}

@test "mmap: reading by it is an access" {
	if ! touch -a -d 2001-01-01 want || ! gnu_cat want >/dev/null ||
		[ "$(stat -c %X want)" -lt 1000000000 ]; then
		skip "access times are not kept here"
	fi
	for method in mmap rw; do
		touch -a -d 2001-01-01 want
		cat --method=$method want | cmp - want
		[ "$(stat -c %X want)" -gt 1000000000 ]
		touch -a -d 2001-01-01 want
		cat --method=$method want >file
		[ "$(stat -c %X want)" -gt 1000000000 ]
	done
}

@test "mmap: a window that is no multiple of a page is not built" {
	needs_off SANITIZE  # musl has none
	cp -r "${BOX%/*}/include" . 2>/dev/null || skip "box was not built here"
	sed -i 's/\(CONFIG_ZC_MMAP_KB\) .*/\1 100/' include/config.h
	run -1 env -C "$TOP" $(sed "s|-I|-fsyntax-only -I$PWD/include &|" "${BOX%/*}/flags") \
		libcore/methods/mmap.c
	[[ "$output" == *"ZC_MMAP_KB must be a multiple of 64"* ]]
}

@test "io_uring: where it is turned off, nobody notices" {
	needs_strace
	method=io_uring
	pick 1 ENOSYS EPERM ENOMEM EMFILE
	for err in "${picked[@]}"; do
		copies inject "io_uring_setup:error=$err"
	done
	pick 1 ENOMEM EPERM EBUSY EINVAL
	for err in "${picked[@]}"; do
		copies inject "io_uring_register:error=$err"
	done
	inject io_uring_setup:error=EPERM box --probe >said
	grep -qx "io_uring: Operation not permitted" said
}

@test "io_uring: what flies lands, whichever call of io_uring_enter fails" {
	needs_strace
	method=io_uring
	pick 2 EINTR:when=1+2 {EAGAIN,EPERM,EBUSY,ENOMEM,EBADF}{,:when={1,2,3,5,2+}}
	for fault in "${picked[@]}"; do
		copies inject "io_uring_enter:error=$fault"
	done
	# It says that all has been submitted, and none was.
	copies inject io_uring_enter:retval=16:when=2
	copies inject io_uring_enter:signal=SIGCONT
	copies inject io_uring_enter:delay_exit=1000:when=1+3
	# The second file's batch has none of the first one's requests.
	inject io_uring_enter:error=EPERM:when=1 cat --method=io_uring want want |
		cmp - <(gnu_cat want want)
}

@test "mmap: where fstat(2) is refused on the way, a read tells whether the file is as long" {
	needs ZC_MMAP METHOD
	needs_strace
	# The 14th is at the end, behind which there is nothing to read.
	for when in 4 6 14 4+; do
		strace -qq -o calls -e inject=fstat:error=EPERM:when=$when \
			cat --debug --method=mmap want 2>said >file
		cmp want file
		grep -q 'mmap moved' said
		grep -q INJECTED calls
	done
}

@test "io_uring: memory that may not be locked is a refusal" {
	needs_root
	(
		ulimit -l 0
		as_nobody cat --method=io_uring want | cmp - want
	)
}

@test "io_uring: worker threads that may not be started are a refusal" {
	needs_root
	[ "$(printf '%s\n' 6.8 "$(uname -r)" | sort -V | head -n 1)" = 6.8 ] ||
		skip "Linux before 6.8 tries for ever"
	(
		ulimit -u 1
		as_nobody cat --method=io_uring want | cmp want
	)
	gnu_cat want | (
		ulimit -u 1
		as_nobody cat --method=io_uring | cmp want
	)
}

@test "io_uring: descriptors 0 to 2 are never its own" {
	needs_strace
	works io_uring || skip "io_uring is turned off here"
	cat --method=io_uring want <&- | cmp want
	strace -qq -f -o log -e trace=io_uring_enter \
		"$LINKS/cat" --method=io_uring want <&- 2>&- | cmp want
	grep 'io_uring_enter([0-9]' log
	run ! grep 'io_uring_enter([012],' log
}

@test "io_uring: a file that has failed half-way holds what came before, and no more" {
	run --separate-stderr bash -c "ulimit -f 1000
		trap '' XFSZ
		cat --method=io_uring want >file"
	failed_with 1 "cat: write error: File too large"
	cmp -n 1024000 want file
	[ "$(stat -c %s file)" = 1024000 ]
}

@test "failures are the right end's, whichever method is forced" {
	needs_new
	for method in $new; do
		fails_with 1 "cat: write error: No space left on device" \
			sh -c "cat --method=$method want >/dev/full"
		fails_with 1 "cat: missing: No such file or directory" \
			sh -c "cat --method=$method want missing >/dev/null"
		cat want >both
		fails_with 1 "cat: both: input file is output file" \
			sh -c "cat --method=$method both >>both"
	done
}

@test "a file that cannot be read is no success, whatever else would go on" {
	needs_calls SANITIZE
	run -1 --separate-stderr strace -qq -o log \
		-e inject=splice,sendfile,pread64,read:error=EIO "$LINKS/cat" want
	[ ! "$output" ]
	[ "$stderr" = "cat: want: Input/output error" ]
}

# cached FILE...: how many bytes of each are in the page cache.
cached() {
	fincore -rnbo RES "$@"
}

# drop FILE...: nothing of them is in the page cache then.
drop() {
	sync "$@"
	for file; do
		dd if="$file" iflag=nocache count=0 status=none
	done
}

# uncached BEGINS FILE...: each has BEGINS and ./want, and next to none of it is in the page
# cache. Nothing is, of ./want, when the next command begins.
uncached() {
	sync "${@:2}"
	[ "$(cached "${@:2}" | sort -n | tail -n 1)" -le 65536 ]
	for file in "${@:2}"; do
		[ $file = want ] || cmp $file <(printf %s "$1"; gnu_cat want)
	done
	drop want
}

@test "dontcache: an error that the kernel tells once is told" {
	local call when status

	needs_strace
	[ "$(stat -f -c %T .)" != tmpfs ] || skip "no page cache to look into"
	for call in preadv2 pwritev2; do
		for when in 1 2; do
			status=0
			inject "$call:error=EIO:when=$when" cat --method=dontcache want 2>said >file ||
				status=$?
			[ $status = 1 ]
			[ $call = preadv2 ] && end=want || end="write error"
			[ "$(<said)" = "cat: $end: Input/output error" ]
		done
	done
}

@test "dontcache: what has been copied is not left in the page cache" {
	needs_strace
	needs_tool fincore
	drop want
	[ "$(cached want)" = 0 ] || skip "no page cache to look into"
	for under in env "inject preadv2,pwritev2:error=EOPNOTSUPP"; do
		$under cat --method=dontcache want >file
		uncached "" file want
		$under cat --method=dontcache <want >file
		uncached "" file want
		$under tee --method=dontcache other <want >file
		uncached "" file other want
		gnu_cat want | $under cat --method=dontcache >file
		uncached "" file
	done
	# What is appended has no range of its own.
	for under in env "inject pwritev2:error=EOPNOTSUPP"; do
		printf first >file
		$under cat --method=dontcache want >>file
		uncached first file
		printf first | gnu_tee other >file
		$under tee --method=dontcache -a other <want >>file
		uncached first file other
	done
	# One small file after another.
	head -c 200000 want | split -b 20000 - small.
	drop small.*
	cat --method=dontcache small.* | cmp - <(head -c 200000 want)
	[ "$(cached small.* | sort -u)" = 0 ]
	# What is behind is dropped on the way, and not at the end alone.
	gnu_cat want{,,,,,,} >large
	inject pwritev2:error=EOPNOTSUPP cat --method=dontcache large >file
	[ "$(cached file)" -le 65536 ]
	# Other ways leave it there.
	cat want >file
	[ "$(cached want)" -ge 2900000 ]
	[ "$(cached file)" -ge 2900000 ]
}

@test "dontcache: what is there already stays in the page cache" {
	needs_strace
	needs_tool fincore
	drop want
	[ "$(cached want)" = 0 ] || skip "no page cache to look into"
	gnu_cat want >/dev/null
	strace -qq -o log cat --method=dontcache want >file
	! grep EOPNOTSUPP log || skip "the kernel has no RWF_DONTCACHE here"
	[ "$(cached want)" -ge 2900000 ]
}

@test "dontcache: where all of it is refused, nobody notices" {
	needs_strace
	all=preadv2,pwritev2,sync_file_range,fadvise64
	# The hints alone may fail by an I/O error.
	for refusals in "$all:error=ENOSYS" "$all:error=EPERM" "$all:error=EOPNOTSUPP" \
		"preadv2,pwritev2:error=EINVAL -e inject=sync_file_range,fadvise64:error=EIO"; do
		set -- strace -f -qq -o log -e inject=$refusals
		"$@" cat --method=dontcache want >file
		cmp want file
		gnu_cat want | "$@" tee --method=dontcache one >two
		same one two
	done
	inject "pwritev2:error=EINTR:when=1+2" cat --method=dontcache want >file
	cmp want file
}

@test "dontcache: a file of many pieces is whole, or its failure is told" {
	needs_strace
	random large 12000001
	inject pwritev2:error=EOPNOTSUPP cat --method=dontcache large >file
	cmp large file
	run -1 strace -qq -o log -e inject=pwritev2:error=EOPNOTSUPP \
		-e inject=write:error=ENOSPC:when=3 \
		sh -c "exec cat --method=dontcache large >part"
	[ "$output" = "cat: write error: No space left on device" ]
	[ -s part ]
	cmp -n "$(stat -c %s part)" large part
}

@test "dontcache: what is in a queue goes out first when another sink has failed" {
	random large 9000001
	mkfifo gone
	"$LIB/drive.py" behind large gone -- "$LINKS/tee" -p --method=dontcache gone
}

@test "mmap: a write of nothing is a full disk, and one of no memory is none" {
	needs_strace
	inject write:error=EFAULT:when=1 cat --method=mmap want >file
	cmp want file
	run -1 strace -qq -o log -e inject=write:retval=0:when=1 \
		sh -c "exec cat --method=mmap want >file"
	[ "$output" = "cat: write error: No space left on device" ]
}

@test "dontcache: it is not used unless it is named" {
	needs TRACE
	: >append
	cat --debug want 2>said >>append
	cmp want append
	cat --debug want 2>>said >file
	gnu_cat want | cat --debug 2>>said >file
	run ! grep 'dontcache moved' said
}
