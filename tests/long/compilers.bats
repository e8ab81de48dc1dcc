# SPDX-License-Identifier: 0BSD
# The Makefile with other compilers, linkers and kernel headers.

load ../lib/helpers
load ../lib/config
CONFIGURATION=

# compiler NAME: a compiler of that name here, which does what standard input
# says and is musl-gcc from there on.
compiler() {
	{
		echo '#!/bin/bash'
		gnu_cat
		echo 'exec musl-gcc "$@"'
	} >"$BATS_TEST_TMPDIR/$1"
	chmod +x "$BATS_TEST_TMPDIR/$1"
}

@test "STRIP=n leaves what debug packages need, and the same program" {
	for goal in defconfig distro_defconfig; do
		mkdir $goal
		make -s -C "$TOP" O="$PWD/$goal" $goal
		make -s -C "$TOP" O="$PWD/$goal" -j2 all >/dev/null
		mv $goal/box stripped
		make -s -C "$TOP" O="$PWD/$goal" -j2 STRIP=n \
			install PREFIX=/ DESTDIR="$PWD/image" >/dev/null
		cmp image/bin/box $goal/box
		readelf -SW $goal/box >sections
		grep -q ' \.debug_info ' sections
		grep -q ' \.symtab ' sections
		readelf -n $goal/box >notes
		grep -q 'Build ID: ' notes
		nm $goal/box >symbols
		grep -q ' cat_main$' symbols
		# The note moves all addresses. Without it all is as it was.
		make -s -C "$TOP" O="$PWD/$goal" -j2 STRIP=n \
			LDFLAGS=-Wl,--build-id=none all >/dev/null
		for box in stripped $goal/box; do
			objcopy -O binary $box program
			mv program $box.program
		done
		[ -s stripped.program ]
		cmp stripped.program $goal/box.program
		strip -o box $goal/box
		[ "$(echo hello | ./box cat)" = hello ]
	done
}

@test "what is tried of a compiler is written below the build's directory" {
	export LOG=$PWD/log
	compiler removing <<-'END'
		# Like tcc it removes what it is to write.
		for ((i = 1; i <= $#; i++)); do
			case ${!i} in
			-o) i=$((i + 1)) out=${!i} ;;
			-o?*) out=${!i#-o} ;;
			*) continue ;;
			esac
			echo "$out" >>"$LOG"
			[[ $out = "$BUILD"/* ]] || exit 1
			rm -f "$out"
		done
	END
	export BUILD=$PWD/new/out
	make -j2 -C "$TOP" O="$BUILD" CC="$PWD/removing" >/dev/null
	[ "$(echo hello | new/out/box cat)" = hello ]
	run -1 grep -v "^$BUILD/" log
	make -C "$TOP" O="$BUILD" CC="$PWD/removing" clean
	make -j2 -C "$TOP" O="$BUILD" CC="$PWD/removing" >/dev/null
	run -1 grep -v "^$BUILD/" log
}

@test "a compiler that is neither gcc nor clang is refused in one line" {
	compiler lesser <<-'END'
		[[ " $* " != *" -E "* ]] || { echo '#define __TINYC__ 927'; exit; }
		exit 1
	END
	cd "$TOP"
	stops_in_one_line "box: $BATS_TEST_TMPDIR/lesser cannot build box*gcc*clang" \
		make -j2 O="$BATS_TEST_TMPDIR/out" CC="$BATS_TEST_TMPDIR/lesser"
}

@test "a compiler that makes unwind tables unasked is told not to" {
	compiler unwinding <<-'END'
		# As zig cc.
		set -- -funwind-tables "$@"
	END
	for cc in musl-gcc "$PWD/unwinding"; do
		make -s -j2 -C "$TOP" O="$PWD/out" CC="$cc" olddefconfig all >/dev/null
		mv out/box "${cc##*/}.box"
	done
	cmp musl-gcc.box unwinding.box
}

@test "box is compiled where the kernel has no fcntl(2) but fcntl64(2)" {
	gnu_cat >calls.h <<-'END'
		#include <sys/syscall.h>
		#undef SYS_fcntl
		#define SYS_fcntl64 __NR_fcntl
	END
	make -j2 -C "$TOP" O="$PWD/out" CFLAGS="-include $PWD/calls.h" >/dev/null
	[ "$(echo hello | out/box cat)" = hello ]
}

@test "the host's headers are for the host alone" {
	export LOG=$PWD/log
	mkdir out
	make -s -C "$TOP" O="$PWD/out" defconfig
	switch ZC_IO_URING out
	make -j2 -C "$TOP" O="$PWD/out" >/dev/null
	[ "$(echo hello | out/box cat --method=io_uring,rw)" = hello ]
	compiler foreign <<-'END'
		printf '%s\n' "$*" >>"$LOG"
		[ "$*" != -dumpmachine ] || { echo aarch64-linux-musl; exit; }
	END
	cd "$TOP"
	stops_in_one_line "linux/io_uring.h is missing*aarch64-linux-musl" \
		make -j2 O="$BATS_TEST_TMPDIR/out" CC="$BATS_TEST_TMPDIR/foreign"
	run ! grep /usr/include "$LOG"
}
