#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What distributions build with: their flags of November 2026, written out, but for
# those that no compiler but theirs knows. The package's configuration, in two
# directories: it is the same box, and it runs.

load ../lib/helpers
load ../lib/config

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS CPPFLAGS LDFLAGS CROSS_COMPILE
	export LC_ALL=C
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# builds_twice FLAGS LDFLAGS: the tree in two directories; @ stands for the
# directory. Debug information, build id and program are the same, and no path is in
# them.
builds_twice() {
	local dir

	for dir in first second/longer; do
		copy_tree $dir
		make -s -C $dir distro_defconfig
		make -C $dir -j2 STRIP=n CFLAGS="${1//@/$PWD/$dir}" \
			LDFLAGS="${2//@/$PWD/$dir}" >log 2>&1 || {
			gnu_cat log
			false
		}
		run ! grep -i warning log
		run ! grep -F "$PWD" $dir/build/box
		[ "$(echo hello | $dir/build/box cat -n)" = "     1	hello" ]
	done
	cmp first/build/box second/longer/build/box
	seq 100000 >lines
	first/build/box cat lines | first/build/box tee copy | cmp - lines
	cmp copy lines
}

@test "Debian's flags" {
	builds_twice "-g -O2 -ffile-prefix-map=@=. -fstack-protector-strong \
		-Wformat -Werror=format-security -Wdate-time -D_FORTIFY_SOURCE=2" \
		"-Wl,-z,relro -Wl,-z,now"
}

# Fedora builds each package in one directory, and rewrites what names it.
@test "Fedora's flags" {
	builds_twice "-O2 -flto=auto -ffat-lto-objects -fexceptions -g \
		-grecord-gcc-switches -pipe -Wall -Werror=format-security \
		-Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS \
		-fstack-protector-strong -m64 -march=x86-64 -mtune=generic \
		-fasynchronous-unwind-tables -fstack-clash-protection \
		-fcf-protection -fno-omit-frame-pointer \
		-mno-omit-leaf-frame-pointer -ffile-prefix-map=@=/usr/src/debug" \
		"-Wl,-z,relro -Wl,--as-needed -Wl,-z,pack-relative-relocs -Wl,-z,now \
		-Wl,--build-id=sha1"
}

@test "Arch's flags" {
	builds_twice "-march=x86-64 -mtune=generic -O2 -pipe -fno-plt -fexceptions \
		-Wp,-D_FORTIFY_SOURCE=3 -Wformat -Werror=format-security \
		-fstack-clash-protection -fcf-protection -fno-omit-frame-pointer \
		-mno-omit-leaf-frame-pointer -g -ffile-prefix-map=@=/usr/src/debug/box \
		-flto=auto" \
		"-Wl,-O1 -Wl,--sort-common -Wl,--as-needed -Wl,-z,relro -Wl,-z,now \
		-Wl,-z,pack-relative-relocs -flto=auto"
}

@test "OpenWrt's flags" {
	builds_twice "-Os -pipe -g3 -fno-caller-saves -fno-plt \
		-ffile-prefix-map=@=box -Wformat -Werror=format-security \
		-fstack-protector -D_FORTIFY_SOURCE=1 -Wl,-z,now -Wl,-z,relro" \
		"-fuse-ld=bfd -znow -zrelro -Wl,-z,pack-relative-relocs"
}

# The second -O2 is in CC there.
@test "Yocto's flags" {
	builds_twice "-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -Wformat \
		-Wformat-security -Werror=format-security -O2 -g \
		-ffile-prefix-map=@=/usr/src/debug/box/0.1 -pipe" \
		"-Wl,-O1 -Wl,--hash-style=gnu -Wl,--as-needed -Wl,-z,relro,-z,now"
}

@test "where the C library knows of it, relocations take the short form" {
	echo '#include <elf.h>' | gcc -E -dM - | grep 'DT_RELR ' ||
		skip "this glibc is older than 2.36"
	make -s -C "$TOP" O="$PWD/out" distro_defconfig
	make -s -C "$TOP" O="$PWD/out" -j2 CC=gcc
	readelf -dW out/box | grep '(RELR)'
	[ "$(echo hello | out/box cat -n)" = "     1	hello" ]
}

@test "a package has box's own -O level, other configurations that of CFLAGS" {
	for goal in distro_defconfig defconfig; do
		for level in '' -O2; do
			make -s -C "$TOP" O="$PWD/$goal$level" $goal
			make -s -C "$TOP" O="$PWD/$goal$level" -j2 CFLAGS=$level
		done
	done
	cmp distro_defconfig/box distro_defconfig-O2/box
	run ! cmp -s defconfig/box defconfig-O2/box
	# What the configuration says itself is heard.
	echo 'CONFIG_EXTRA_CFLAGS="-O2"' >>distro_defconfig/.config
	make -s -C "$TOP" O="$PWD/distro_defconfig" -j2
	run ! cmp -s distro_defconfig/box distro_defconfig-O2/box
}
