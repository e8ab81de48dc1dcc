# SPDX-License-Identifier: 0BSD
# What box weighs, in whole pages, and what it takes to start. The limits are for
# boxes that are stripped and static, of the compilers that are named below.

load ../lib/helpers

setup_file() {
	export DEFAULT TINY DISTRO
	DEFAULT=$(built defconfig)
	TINY=$(built tiny_defconfig)
	DISTRO=$(built distro_defconfig)
}

# What builds box here: "gcc 12, musl, x86_64".
toolchain() {
	local cc compiler=gcc version libc=musl machine

	read -r cc _ <"$DEFAULT/flags"
	$cc -E -dM -include features.h -x c /dev/null >macros
	! grep -q __clang__ macros || compiler=clang
	! grep -q __GLIBC__ macros || libc=glibc
	version=$($cc -dumpversion)
	machine=$($cc -dumpmachine)
	echo "$compiler ${version%%.*}, $libc, ${machine%%-*}"
}

# Skips the test unless the limits are for what builds box here.
needs_limits() {
	case $(toolchain) in
	"gcc 12, musl, x86_64" | "gcc 13, musl, x86_64" | "gcc 14, musl, x86_64") ;;
	*) skip "the limits are for gcc 12 to 14 with musl on x86_64, not $(toolchain)" ;;
	esac
}

@test "no configuration is larger than README says" {
	needs_limits
	# The next table has those of other processors.
	sed -n '/^## Choose/,/^| max/p' "$TOP/README.md" |
		grep -oE '^\| (tiny|safe|device|default|container|max|distro) \| [0-9]+' |
		tr -d '|' >sizes
	[ "$(wc -l <sizes)" = 7 ]
	while read -r name kib; do
		config=${name}_defconfig
		[ "$name" != default ] || config=defconfig
		size=$(stat -c %s "$(built "$config")/box")
		echo "$name: $size of $((kib * 1024)) bytes"
		[ "$size" -le $((kib * 1024)) ]
	done < <(sed 's/^ *//' sizes)
}

@test "a tiny box writes to a single sink what it has read, at once" {
	needs_strace
	random want 3000001
	for applet in cat tee; do
		strace -qq -o log -e trace=read,write "$TINY/box" $applet <want |
			cmp want -
		sed -n 's/^read(.* = //p' log | sed '/^0$/d' >read
		sed -n 's/^write(.* = //p' log >written
		[ "$(wc -l <read)" -ge 20 ]
		cmp read written
	done
}

@test "a tiny yes writes whole lines, of two pages at most, if they are short" {
	needs_strace
	for words in y "hello world" "$(printf %3000s x)"; do
		head -c 100000 >said < <(strace -qq -o log -e trace=write \
			"$TINY/box" yes "$words")
		# strace has then written its log.
		wait $! || true
		head -c 100000 >want < <(yes "$words")
		cmp said want
		len=$((${#words} + 1))
		sed -n 's/^write(.* = //p' log | head -n 5 | sort -u >written
		[ "$(gnu_cat written)" -eq $((8192 / len * len)) ]
	done
}

@test "a distribution's box is a static-pie, hardened, for every tool" {
	needs_tool python:elftools
	run -0 readelf -dW "$DISTRO/box"
	[[ $output = *"FLAGS_1"*"NOW"*"PIE"* ]]
	run -0 readelf -lW "$DISTRO/box"
	[[ $output = *" GNU_RELRO "* ]]
	[[ $output != *" INTERP "* ]]
	# The headers' page is not code.
	grep "LOAD  *0x000000 .* R   " <<<"$output"
	run -0 readelf -SW "$DISTRO/box"
	[[ $output = *" .text "* ]]
	# The stack protector compares a random value, which has a place of its own on x86-64. The C
	# library may do so once.
	if [ "$(uname -m)" = x86_64 ]; then
		[ "$(objdump -d "$DISTRO/box" | grep -c 'fs:0x28')" -ge 20 ]
	else
		built "$DISTRO" "$DISTRO/box.symbols"
		nm "$DISTRO/box.symbols" | grep ' T __stack_chk_fail'
	fi
	# proc(5): its memory once main() runs.
	mkfifo fifo
	"$DISTRO/box" cat fifo >echoed &
	exec 5>fifo
	echo hello >&5
	awaits [ -s echoed ]
	gnu_cat /proc/$!/maps >maps
	exec 5>&-
	"$LIB/elf.py" relro "$DISTRO/box" maps
}

@test "no memory is both written to and executed" {
	for box in "$DEFAULT/box" "$TINY/box" "$DISTRO/box"; do
		readelf -lW "$box" | grep -E 'LOAD|GNU_STACK' >segments
		run ! grep 'RWE' segments
		grep -q 'GNU_STACK.* RW ' segments
	done
}

@test "no page of the file is copied at a start: what is written to is empty" {
	needs_limits
	for box in "$DEFAULT/box" "$TINY/box"; do
		readelf -lW "$box" | grep 'LOAD.* RW ' >written
		gnu_cat written
		grep -q 'LOAD *0x[0-9a-f]* 0x[0-9a-f]* 0x[0-9a-f]* 0x0* ' written
	done
}

# What is to be zeros counts against RLIMIT_DATA before main() can say anything.
@test "box starts where 400 KiB of data are all that is allowed" {
	seq 1000 >lines
	for box in "$DEFAULT/box" "$TINY/box" "$DISTRO/box"; do
		bash -c 'ulimit -d 400; "$@"' - "$box" cat lines | cmp lines -
	done
	bash -c 'ulimit -d 400; "$@"' - "$DEFAULT/box" cat -n lines >numbered
	cat -n lines | cmp numbered -
}

@test "the section headers are there for every tool, and left out by choice" {
	run -0 readelf -SW "$DEFAULT/box"
	[[ $output = *" .text "* ]]
	strip -o box-stripped "$DEFAULT/box"
	[ "$(echo hello | ./box-stripped cat)" = hello ]
	objcopy "$DEFAULT/box" box-copied
	[ "$(echo hello | ./box-copied cat)" = hello ]
	run -0 readelf -SW "$TINY/box"
	[[ $output = *"There are no sections"* ]]
	[ "$(echo hello | "$TINY/box" cat)" = hello ]
}
