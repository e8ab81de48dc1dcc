# SPDX-License-Identifier: 0BSD
# What distributions build with: their flags of November 2026, written out, but for
# those that no compiler but theirs knows. The package's configuration, in two
# directories: it is the same box, and it runs.

load ../lib/helpers
load ../lib/config
CONFIGURATION=

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
