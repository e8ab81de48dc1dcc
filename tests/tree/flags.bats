#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What distributions build with: Debian's flags of November 2026, and what all of them
# want. tests/long/flags.bats has the flags of others.

load ../lib/helpers
load ../lib/config

setup_file() {
	without_flags
}

@test "Debian's flags" {
	builds_twice "-g -O2 -ffile-prefix-map=@=. -fstack-protector-strong \
		-Wformat -Werror=format-security -Wdate-time -D_FORTIFY_SOURCE=2" \
		"-Wl,-z,relro -Wl,-z,now"
}

@test "where the C library knows of it, relocations take the short form" {
	echo '#include <elf.h>' | gcc -E -dM - | grep 'DT_RELR ' ||
		skip "this glibc is older than 2.36"
	make -s -C "$TOP" O="$PWD/out" distro_defconfig
	make -s -C "$TOP" O="$PWD/out" -j2 CC=gcc
	readelf -dW out/box | grep '(RELR)'
	[ "$(echo hello | out/box cat -n)" = "     1	hello" ]
}

# level CONFIGURATION: what is left of -O2 in CFLAGS, which others are in its commands.
level() {
	make -s -C "$TOP" O="$PWD/$1" "$1"
	make -C "$TOP" O="$PWD/$1" V=1 CFLAGS=-O2 "$PWD/$1/applets/cat.o" >command
	grep ' -c .*cat\.c$' command | grep -oE -- ' -O[0-9a-z]+' | tr -d ' \n'
}

@test "a package has box's own -O level, other configurations that of CFLAGS" {
	[ "$(level distro_defconfig)" = -Os-Oz ]
	[ "$(level defconfig)" = -Os-Oz-O2 ]
	# What the configuration says itself is heard.
	echo 'CONFIG_EXTRA_CFLAGS="-O3"' >>distro_defconfig/.config
	make -C "$TOP" O="$PWD/distro_defconfig" V=1 \
		"$PWD/distro_defconfig/applets/cat.o" >command
	grep -e ' -O3 .* -c .*cat\.c$' command
}
