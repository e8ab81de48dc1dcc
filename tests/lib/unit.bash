# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# How the programs of tests/c are built and run.

# library CONFIG: builds libcore as that says, default, one of configs/ or libzc, for
# programs: $LIBRARIES/CONFIG has libcore.a and config.h. UNIT_FLAGS are more flags, and
# UNIT_DIR is where it is built then.
library() {
	local goal archive=libcore.a dir include=include

	goal=$(script_function goal "$1")
	[ "$1" != libzc ] || archive=libzc-parts.a
	if [ "${UNIT_DIR:-}" ]; then
		dir=$UNIT_DIR/$1
		make -s -C "$TOP" O="$dir" "$goal"
		make -s -j2 -C "$TOP" O="$dir" CFLAGS="-Werror ${UNIT_FLAGS:-}" CC=cc \
			$archive
	else
		dir=$(built "$(built "$goal")" "$archive")
	fi
	include=$dir/include
	[ "$1" != libzc ] || include=$TOP/libcore/lib
	mkdir -p "$LIBRARIES/$1"
	ln -s "$dir/$archive" "$LIBRARIES/$1/libcore.a"
	ln -s "$include" "$LIBRARIES/$1/include"
}

# program CONFIG NAME [FLAG...]: builds tests/c/NAME.c with that libcore. What it calls
# __wrap_zc_sys_X is called in place of zc_sys_X. What no case of it calls is left out:
# libcore may lack that.
program() {
	local wraps dir=$LIBRARIES/$1

	cc -std=gnu11 -fms-extensions -pthread -ffunction-sections -Wall -Wextra \
		-Werror -Wno-unused-function -Wno-unused-parameter -I"$dir/include" -I"$TOP/libcore" -c \
		"$TOP/tests/c/$2.c" "${@:3}" ${UNIT_FLAGS:-}
	wraps=$(nm --defined-only "$2.o" |
		sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
	cc -pthread -Wl,--gc-sections -o "$2" "$2.o" "$dir/libcore.a" $wraps "${@:3}" \
		${UNIT_FLAGS:-}
}

# holds_in "CONFIG..." NAME [SYMBOL]: the cases of that program pass in each of these
# configurations, or in those of CONFIG, unless they lack a part.
holds_in() {
	local config chosen=

	for config in ${CONFIG:-$1}; do
		if [ "${3:-}" ] && ! grep -q "^#define CONFIG_$3 1$" \
			"$LIBRARIES/$config/include/config.h"; then
			continue
		fi
		chosen=$config
		echo "$config:"
		program "$config" "$2"
		passes "$2"
	done
	[ "$chosen" ] || skip "$CONFIG lacks $3"
}

# passes PROGRAM [CASE]: prints the cases that fail, and why.
passes() {
	timeout 3000 "./$1" "${@:2}" >cases || {
		grep -v '^ok ' cases
		return 1
	}
	grep -c '^ok ' cases
}
