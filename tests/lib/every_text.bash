# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# What the tests of cat's formatting of all texts share.

setup_file() {
	export B
	B=$(built defconfig)
}

# every_text TREE FLAG...: builds it with the cat_format.c of that tree.
every_text() {
	cc -std=gnu11 -fms-extensions -Wall -Wextra -Werror -Wno-psabi -I"$B/include" \
		-I"$1/applets" -I"$1/libcore" -o every_text \
		"$1/tests/c/every_text.c" "${@:2}"
}
