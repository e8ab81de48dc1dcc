# SPDX-License-Identifier: 0BSD
# The Makefile: what tells less often than tests/tree/build.bats: "make check-all".

load ../lib/helpers
load ../lib/config
load ../lib/build

@test "clang finds nothing to warn of" {
	make -s -j2 -C "$TOP" O="$PWD/out" CC=clang CFLAGS="$CFLAGS -Werror" >messages 2>&1
	[ ! -s messages ] || { gnu_cat messages; false; }
	[ "$(echo hello | out/box cat)" = hello ]
}

# tests/tree/size.bats has a static-pie that is hardened.
@test "a hardened box has all that HARDEN says" {
	make -s -C "$TOP" O="$PWD/out" defconfig
	switch HARDEN out
	make -s -j2 -C "$TOP" O="$PWD/out" CFLAGS="$CFLAGS -Werror" all "$PWD/out/box.symbols"
	nm out/box.symbols >symbols
	grep -q " T __stack_chk_fail$" symbols
	readelf -lW out/box >segments
	# The headers' page is not code.
	grep -q "LOAD  *0x000000 .* R   " segments
	# Nothing is relocated, and so nothing need be protected.
	run ! grep GNU_RELRO segments
}

# Processors that have no instruction to make bits of a vector.
@test "cat formats as GNU's where bits are made by multiplying" {
	make -s -j2 -C "$TOP" O="$PWD/out" \
		CFLAGS="-Werror -fno-lto -U__SSE2__" >/dev/null
	passes_applet_tests "$PWD/out" cat_format
}

@test "on 32-bit ARM segments are apart enough for pages of 64 KiB" {
	make -s -j2 -C "$TOP" O="$PWD/out" CFLAGS="$CFLAGS -D__arm__" >/dev/null
	readelf -lW out/box >segments
	grep -q "LOAD.* 0x10000$" segments
	run ! grep "LOAD.* 0x1000$" segments
	[ "$(echo hello | out/box cat)" = hello ]
}

@test "a build by glibc says once how much larger it is" {
	needs_tool gcc
	make -s -C "$TOP" O="$PWD/glibc" tiny_defconfig
	echo 'int main(void) { return 0; }' |
		gcc -static -x c -o /dev/null - || skip "glibc is not there"
	run -0 make -C "$TOP" O="$PWD/glibc" CC=gcc
	[ "$(grep -c "is glibc" <<<"$output")" = 1 ]
	[[ $output = *"box: most of $PWD/glibc/box is glibc: "* ]]
	run -0 make -C "$TOP" O="$PWD/glibc" CC=gcc
	[[ $output != *"is glibc"* ]]
	make -s -C "$TOP" O="$PWD/musl" tiny_defconfig
	run -0 make -C "$TOP" O="$PWD/musl"
	[[ $output != *"is glibc"* ]]
	more=$(($(stat -c %s glibc/box) - $(stat -c %s musl/box)))
	((600000 < more && more < 800000))
}

@test "the build needs no readelf" {
	PATH=$(path_without readelf)
	make -s -C "$TOP" O="$PWD/out" tiny_defconfig
	make -j2 -C "$TOP" O="$PWD/out" >/dev/null
	[ "$(echo hello | out/box cat)" = hello ]
}

@test "a box that cannot start is not built, but for another machine" {
	echo '__attribute__((constructor)) void end(void) { *(volatile int *)0 = 0; }' \
		>end.c
	musl-gcc -c end.c
	make -s -C "$TOP" O="$PWD/out" allnoconfig
	for goal in all install; do
		stops_in_one_line "box: $PWD/out/box ends by SIGSEGV as it starts: see " \
			make -s -C "$TOP" O="$PWD/out" LDFLAGS="$PWD/end.o" DESTDIR="$PWD/to" $goal
		[ ! -e out/box ]
		[ ! -e to ]
	done
	executable foreign <<-'END'
		[ "$*" = -dumpmachine ] && echo s390x-linux-musl || exec musl-gcc "$@"
	END
	make -s -C "$TOP" O="$PWD/out" CC="$PWD/foreign" LDFLAGS="$PWD/end.o"
	[ -e out/box ]
}

@test "standalone makes a program of each applet, and that one knows no other" {
	unset CFLAGS
	O=$PWD/out "$TOP/scripts/standalone"
	cd out/standalone
	for name in cat tee yes; do
		dir=build-$name
		make -s -C "$TOP" O="$PWD/$dir"
		[ "$($dir/box --list)" = "$name" ]
		for other in cat tee yes; do
			[ $other = $name ] || [ ! -e $dir/applets/$other.o ]
		done
		[ "$(./$name --version)" = "$($dir/box $name --version)" ]
		[ "$(stat -c %s $name)" -lt "$(stat -c %s "$(built defconfig)/box")" ]
		run --separate-stderr ./$name -z
		[ "$status" = 1 ]
		[ "${stderr_lines[0]}" = "$name: invalid option -- 'z'" ]
	done
	[ "$(echo hello | ./cat)" = hello ]
	[ "$(echo hello | ./tee copy)" = hello ]
	[ "$(./yes hello | head -n 1)" = hello ]
	# Its name is not looked at.
	mv cat ../tee
	[ "$(echo hello | ../tee - -)" = hello ]
}

@test "constructors run: the start-up code is musl's" {
	mkdir out
	cp "$(built defconfig)/.config" out
	musl-gcc -c -o began.o -x c - <<-'END'
		#include <unistd.h>
		__attribute__((constructor)) static void begin(void)
		{
			if (write(1, "began\n", 6) != 6)
				_exit(1);
		}
	END
	make -s -j2 -C "$TOP" O="$PWD/out" LDFLAGS="$PWD/began.o"
	[ "$(echo hello | out/box cat)" = $'began\nhello' ]
}

@test "on a 32-bit machine that refuses statx(2) an output that is input is seen" {
	needs_strace
	built_for_32_bits defconfig
	seq 10000 >file
	for error in ENOSYS EPERM; do
		run -1 --separate-stderr bash -c "ulimit -f 1000
			strace -f -o log -e inject=statx:error=$error \
			b/box cat file >>file"
		[ "$stderr" = "cat: file: input file is output file" ]
		seq 10000 | cmp file -
	done
}

@test "on a 32-bit machine without clock_gettime64(2) lines have the right time" {
	needs_strace
	built_for_32_bits container_defconfig
	echo line | strace -f -o log -e inject=clock_gettime64:error=ENOSYS \
		b/box tee --stamp file
	grep -E "^$(date -u +%Y)-.* line$" file
}

@test "box is linked anew when what finishes it has changed" {
	built_tree
	sed -i 's/^CONFIG_SECTION_HEADERS=y/# & is not set/; s/=y is/ is/' .config
	make >/dev/null
	# Later than box by more than a clock tick of the file system.
	sleep 0.1
	touch scripts/link/drop-sections
	run -0 make
	[[ $output = *"LD "* ]]
	[[ $output != *"CC "* ]]
}
