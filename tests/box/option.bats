# SPDX-License-Identifier: 0BSD
# The command line of an applet that has more options than any of ours: all of
# cat's, and as many as there are letters.

# bats file_tags=box,emulated

load ../lib/helpers

setup_file() {
	copy_sources "$BATS_FILE_TMPDIR/tree"
	cd "$BATS_FILE_TMPDIR/tree"
	sed -i '/^options-$(CONFIG_CAT_FORMAT)/a options-y += many' applets/files.mk
	many >applets/many.c
}

setup() {
	common_setup
	cd "$BATS_FILE_TMPDIR/tree"
}

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

# build SYMBOL...: a box of cat with these, in b.
build() {
	local symbol

	make -s O=b allnoconfig
	for symbol in CAT "$@"; do
		sed -i "s/^# CONFIG_$symbol is not set/CONFIG_$symbol=y/" b/.config
	done
	echo '# CONFIG_HELP is not set' >>b/.config
	make -s CFLAGS="-Werror -O0 -fno-lto" O=b
}

@test "long options of a small build: all that one may be, and those that have no letter" {
	build LONG_OPTS TEE
	run -1 --separate-stderr b/box cat --alike
	want="cat: option '--alike' is ambiguous; possibilities:"
	for letter in $letters; do
		want="$want '--alike-$letter-0123456'"
	done
	[ "${stderr_lines[0]}" = "$want" ]
	b/box cat --alike-Q /dev/null
	run --separate-stderr b/box tee --wrong
	fails_with 1 "tee: unrecognized option '--wrong'
Options of this small build: -a -g -i -p --output-error --method --debug --version"
	run --separate-stderr b/box --wrong
	[[ $stderr = *"Options of this small build: --list --list-full --version" ]]
}

@test "a small build without long options answers with all the letters that there are" {
	build
	b/box cat -uQ9 /dev/null
	run --separate-stderr b/box cat -%
	want="cat: invalid option -- '%'
Options of this small build:"
	for letter in {0..9} {A..Z} {a..z}; do
		want="$want -$letter"
	done
	fails_with 1 "$want"
}
