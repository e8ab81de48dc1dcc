# SPDX-License-Identifier: 0BSD
# What becomes of the flags that distributions build with, which tests/long/flags.bats has.

load ../lib/helpers
CONFIGURATION=

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
