# SPDX-License-Identifier: 0BSD
# The command line of an applet that has more options than any of ours: all of
# cat's, and as many as there are letters.

# bats file_tags=box,emulated

load ../lib/helpers

letters=$(printf '%s ' {A..Z} {a..z} {0..9} | sed 's/u //')

# A part of cat's that ignores what it is asked for.
many() {
	local letter comma=
	printf '#include "applet.h"\n'
	printf 'static int set(const struct option *o, const char *v)\n'
	printf '{ (void)o; (void)v; return 0; }\n'
	printf 'const struct option_group many_options = { .applies_to = FORMATS, .set = set,\n'
	printf 'OPTION_LIST(\n'
	for letter in $letters; do
		printf '%s{ %s, 0, "alike-%s-0123456", "" }\n' \
			"$comma" "'$letter'" "$letter"
		comma=,
	done
	printf ') };\n'
}

@test "a small build names all the options that one may have, and those that have no letter" {
	cp -a "$TOP"/{Makefile,Config.in,applets,libcore,scripts} .
	sed -i '/^options-$(CONFIG_CAT_FORMAT)/a options-y += many' applets/files.mk
	many >applets/many.c
	make -s O=b allnoconfig
	for symbol in CAT TEE LONG_OPTS; do
		sed -i "s/^# CONFIG_$symbol is not set/CONFIG_$symbol=y/" b/.config
	done
	echo '# CONFIG_HELP is not set' >>b/.config
	make -s CFLAGS="-Werror -O0 -fno-lto" O=b
	run -1 --separate-stderr b/box cat --alike
	want="cat: option '--alike' is ambiguous; possibilities:"
	for letter in $letters; do
		want="$want '--alike-$letter-0123456'"
	done
	[ "${stderr_lines[0]}" = "$want" ]
	b/box cat --alike-Q /dev/null
	b/box cat -uQ9 /dev/null
	fails_with 1 "cat: invalid option -- '%'
Options of this small build:$(printf ' -%s' {0..9} {A..Z} {a..z}) --method --debug --version" \
		b/box cat -%
	run -1 --separate-stderr b/box tee --wrong
	[ "${stderr_lines[0]}" = "tee: unrecognized option '--wrong'" ]
	[[ ${stderr_lines[1]} = "Options of this small build: -a "*" --output-error --method --debug --version" ]]
	run --separate-stderr b/box --wrong
	[[ $stderr = *"Options of this small build: --list --list-full --version" ]]
}
