#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What box weighs, and what it takes to start, of other builds than those of
# tests/tree/size.bats: "make check-all".

load ../lib/helpers

setup_file() {
	without_flags
	export DEFAULT
	DEFAULT=$(built defconfig)
}

@test "each program of its own is smaller than box" {
	O=$DEFAULT "$TOP/scripts/standalone" >/dev/null
	for name in cat tee yes; do
		size=$(stat -c %s "$DEFAULT/standalone/$name")
		echo "$name $size"
		[ "$size" -lt "$(stat -c %s "$DEFAULT/box")" ]
	done
}

@test "constructors run: the start-up code is musl's" {
	mkdir theirs
	cp "$DEFAULT/.config" theirs
	read -r cc _ <"$DEFAULT/flags"
	$cc -c -o began.o -x c - <<-'END'
		#include <unistd.h>
		__attribute__((constructor)) static void begin(void)
		{
			if (write(1, "began\n", 6) != 6)
				_exit(1);
		}
	END
	make -s -j2 -C "$TOP" O="$PWD/theirs" LDFLAGS="$PWD/began.o" >/dev/null
	[ "$(echo hello | theirs/box cat)" = $'began\nhello' ]
}
