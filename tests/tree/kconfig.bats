# SPDX-License-Identifier: 0BSD
# Either program that reads Config.in serves: kconfig-conf and Kconfiglib.

load ../lib/helpers
load ../lib/config

setup_file() {
	export KCONF=$PATH KCONFIGLIB=$BATS_FILE_TMPDIR
	# What make calls, without kconfig-conf, and the Python with the system's modules.
	# shellcheck disable=SC2046 # names
	ln -s $(type -P sh make cat cmp cp dirname grep mkdir mv rm sed sort touch) /usr/bin/python3 \
		"$KCONFIGLIB"
}

# make_with DIR GOAL: makes it there with Kconfiglib.
make_with() {
	PATH=$KCONFIGLIB make -s -C "$TOP" O="$PWD/$1" "$2"
}

needs_both() {
	needs_tool kconfig-conf
	needs_kconfiglib
}

needs_kconfiglib() {
	needs_tool python:kconfiglib
}

# What is chosen: a file without its comments, but for those that mean n.
choices() {
	grep -e '^CONFIG_' -e ' is not set$' "$1"
}

# same GOAL: both make the same choices of it, for C and for make, and save the same differences.
same() {
	local with

	echo "$1"
	for with in KCONF KCONFIGLIB; do
		run -0 --separate-stderr env PATH="${!with}" \
			make -s -C "$TOP" O="$PWD/$with" "$1"
		[ ! "$output$stderr" ]
		run -0 --separate-stderr env PATH="${!with}" \
			"$TOP/scripts/kconfig" sync "$PWD/$with" "$PWD/$with/.config"
		[ ! "$output$stderr" ]
		choices $with/.config >$with.choices
		rm -rf $with.read
		mkdir $with.read
		cp $with/include/*.h $with.read
		grep ^CONFIG_ $with/include/config/auto.conf | sort >$with.read/make
		PATH=${!with} make -s -C "$TOP" O="$PWD/$with" savedefconfig
		choices $with/defconfig >$with.read/saved || [ "$1" = defconfig ]
	done
	[ -s KCONF.choices ]
	diff KCONF.choices KCONFIGLIB.choices
	diff -r KCONF.read KCONFIGLIB.read
}

@test "kconfig-conf and Kconfiglib make the same of a configuration" {
	needs_both
	same distro_defconfig
	[ "${WHOLE:-}" ] || return 0
	for file in "$TOP"/configs/*_defconfig; do
		same "${file##*/}"
	done
	for goal in defconfig allyesconfig allnoconfig; do
		same $goal
	done
}

@test "with either, a configuration that is not there is refused with those that are" {
	needs_both
	for with in KCONF KCONFIGLIB; do
		PATH=${!with} stops_in_one_line ": \*\*\* box: there is no configs/foo_defconfig (there are \
container_defconfig device_defconfig distro_defconfig max_defconfig safe_defconfig tiny_defconfig)." \
			make -s -C "$TOP" O="$PWD/out" foo_defconfig
		PATH=${!with} stops_in_one_line "No rule to make target 'fooconfig'" \
			make -s -C "$TOP" O="$PWD/out" fooconfig
	done
	[ ! -e out/.config ]
}

@test "with Kconfiglib what is new is asked for, or takes the default" {
	needs_kconfiglib
	for goal in olddefconfig oldconfig; do
		mkdir $goal
		echo '# CONFIG_YES is not set' >$goal/.config
		make_with $goal $goal < <(gnu_yes "") >$goal/said
		grep -qx '# CONFIG_YES is not set' $goal/.config
		grep -qx CONFIG_TEE=y $goal/.config
	done
	grep -q "tee" oldconfig/said
	[ ! -s olddefconfig/said ]
}

@test "with Kconfiglib there is a menu" {
	needs_kconfiglib
	make_with out tiny_defconfig
	# The first menu is entered, its first line turned off, and that saved.
	TERM=xterm "$LIB/terminal.py" keys $'\rnQy' \
		env PATH="$KCONFIGLIB" make -s -C "$TOP" O="$PWD/out" menuconfig
	first=$(sed -n '/^config /{s///p;q}' "$TOP/applets/Config.in")
	grep -qx "# CONFIG_$first is not set" out/.config
}

@test "a menu without a terminal is refused in one line" {
	for goal in menuconfig nconfig; do
		stops_in_one_line ": \*\*\* box: $goal needs a terminal; " \
			timeout 20 make -s -C "$TOP" O="$PWD/out" $goal </dev/null
	done
}

@test "what Kconfiglib has not names kconfig-frontends in one line" {
	needs_kconfiglib
	for goal in nconfig randconfig; do
		stops_in_one_line ": \*\*\* box: $goal needs kconfig-frontends: " make_with out $goal
	done
}

@test "without either, one line says what to install" {
	mkdir modules
	echo 'raise ImportError' >modules/kconfiglib.py
	export PYTHONPATH=$PWD/modules
	for goal in all defconfig tiny_defconfig menuconfig randconfig; do
		stops_in_one_line ": \*\*\* box: neither kconfig-conf nor Kconfiglib" make_with out $goal
		[[ $output = *"python3-kconfiglib"* ]]
	done
}
