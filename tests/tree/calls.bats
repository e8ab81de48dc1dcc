# SPDX-License-Identifier: 0BSD
# The table of system calls of tests/calls.def, which the model of the kernel, the
# tracer and the fault matrix read.

load ../lib/helpers

setup() {
	common_setup
	[ "$(uname -m)" = x86_64 ] || skip "the table is that of x86-64"
	needs_tool objdump
	echo '#include <sys/syscall.h>' | cc -E -dM - |
		sed -nE 's/^#define __NR_([a-z0-9_]+) ([0-9]+)$/\2 \1/p' | sort >numbers
	# What it may do for others, and in tests, is not what it calls.
	named=$(find "$TOP/applets" "$TOP/libcore" "$TOP/scripts/link" -name '*.[ch]' \
		! -name confine.c)
}

# in_source FILE...: the calls that they name, and this machine has.
in_source() {
	gnu_cat "$@" | grep -ohE '\bSYS_[a-z0-9_]+' | sed 's/^SYS_//' | sort -u |
		grep -xFf <(cut -d' ' -f2 numbers)
}

# in_program BOX: the calls whose number is in it, before a syscall instruction of the C
# library's.
in_program() {
	objdump -d "$1" | awk '
		/mov +\$0x[0-9a-f]+,%eax/ { sub(/.*\$/, ""); sub(/,.*/, ""); number = $0 }
		/[[:space:]]syscall/ { if (number != "") print number; number = "" }
		/[[:space:]]ret/ { number = "" }' | while read -r number; do
		echo $((number))
	done | sort -u | join - numbers | cut -d' ' -f2
}

in_table() {
	sed -nE 's/^CALL\(([a-z0-9_]+),.*/\1/p' "$1" | sort
}

@test "each system call of box and libzc is in the table, and no other" {
	in_source $named >called
	for config in defconfig max_defconfig; do
		in_program "$(built $config)/box" >part
		[ "$(wc -l <part)" -ge 8 ]
		cat part >>called
	done
	in_table "$TOP/tests/calls.def" >table
	sort -u called | comm -23 - table >lacking
	gnu_cat lacking
	[ ! -s lacking ]
	# A function of the C library's may make it, too.
	for name in $(sort -u called | comm -13 - table); do
		name=${name%64}
		grep -qE "\b(posix_)?${name%[4e]}" $named || echo "$name"
	done >idle
	gnu_cat idle
	[ ! -s idle ]
}

@test "a call that has no line in the table is found" {
	echo 'long f(void) { return syscall(SYS_getrandom, 0, 0, 0); }' >new.c
	[ "$(in_source new.c)" = getrandom ]
	run ! grep -x getrandom <(in_table "$TOP/tests/calls.def")
	cat >new.S <<-'END'
		.globl _start
		_start: mov $318, %eax
		syscall
	END
	cc -nostdlib -static -o new new.S
	[ "$(in_program new)" = getrandom ]
}
