# SPDX-License-Identifier: 0BSD
# Configurations: each is built without a warning, and the applets' tests are
# run on it: "make check-all".

load ../lib/helpers
load ../lib/config
CONFIGURATION=

@test "each of configs/ passes all of tests/box, which skip what it lacks" {
	for file in "$TOP"/configs/*_defconfig; do
		dir=$(built "${file##*/}")
		outside env -u BOX_CONFIG BOX="$dir/box" O="$BATS_FILE_TMPDIR/check" \
			"$TOP/scripts/check" tests/box >log || {
			grep -v '# skip' log
			return 1
		}
		tail -n 1 log | grep ' 0 failed'
	done
}

@test "a device's box holds little of a pipeline that stands still" {
	local applet dir

	dir=$(built device_defconfig)
	for applet in cat tee; do
		[ "$("$LIB/stalled.py" within -- "$dir/box" $applet)" -le $((256 << 10)) ]
	done
	# A box whose pipes are large holds more.
	dir=$(built defconfig)
	[ "$("$LIB/stalled.py" within -- "$dir/box" cat)" -gt $((512 << 10)) ]
}

@test "everything that can be chosen passes all of the applets' tests" {
	works allyesconfig $all_applet_tests
	diff <("$(built allyesconfig)/box" --list) <(every_applet | sed 's/.* //')
}

@test "a box with nothing in it works" {
	works allnoconfig
}

@test "random configurations work" {
	needs_tool kconfig-conf
	for seed in {1..7}; do
		dir=$PWD/$seed
		echo "KCONFIG_SEED=$seed"
		make -s -C "$TOP" O="$dir" KCONFIG_SEED="$seed" randconfig
		# musl-gcc has no sanitizers.
		sed -i 's/^CONFIG_SANITIZE=y/# CONFIG_SANITIZE is not set/' \
			"$dir/.config"
		builds "$dir"
		passes_applet_tests "$dir" $all_applet_tests
	done
}

# alone METHOD: with no method but that one, and rw, the tests of the invariants, cat and
# tee pass.
alone() {
	local symbol

	make -s -C "$TOP" O="$PWD/out" max_defconfig
	for symbol in $(sed -n 's/^CONFIG_\(ZC_[A-Z_]*\)=y$/\1/p' out/.config); do
		[ "$symbol" = "ZC_$1" ] || sed -i \
			"s/^CONFIG_$symbol=y\$/# CONFIG_$symbol is not set/" \
			out/.config
	done
	make -s -C "$TOP" O="$PWD/out" CFLAGS=-Werror >&2
	BOX=$PWD/out/box BOX_CONFIG=$PWD/out/include/config/auto.conf \
		outside bats --tap "$TOP"/tests/box/{libcore,cat,tee}.bats
}

@test "the invariants hold with read and write alone, and with each other method" {
	for method in NONE COPY_FILE_RANGE SENDFILE SPLICE TEE VMSPLICE MMAP IO_URING; do
		echo $method
		alone $method
	done
}

@test "numbers at the ends of their ranges work" {
	for numbers in "4 0" "16384 4096"; do
		dir=$PWD/${numbers// /-}
		# shellcheck disable=SC2086 # two numbers
		set -- $numbers
		make -s -C "$TOP" O="$dir" defconfig
		sed -i -e "s/^CONFIG_ZC_PIPE_KB=.*/CONFIG_ZC_PIPE_KB=$1/" \
			-e "s/^CONFIG_ZC_YIELDS=.*/CONFIG_ZC_YIELDS=$2/" \
			"$dir/.config"
		builds "$dir"
		grep -q "^CONFIG_ZC_PIPE_KB=$1\$" "$dir/.config"
		passes_applet_tests "$dir" cat tee
	done
}

@test "box is linked anew for whatever is switched" {
	copy_tree tree
	cd tree
	make -s defconfig
	# The others are seen by their flags.
	symbols=$(sed -n 's/^# CONFIG_\([A-Z_]*\) is not set/\1/p
			s/^CONFIG_\([A-Z_]*\)=y/\1/p' .config |
		grep -vE '^(STATIC.*|HARDEN|DEBUG|SHOW_CONFIG)$')
	# It would have something compiled each time.
	switch SHOW_CONFIG
	# So both compiler and linker are quick.
	flags='CFLAGS=-fno-lto -O0'
	make -j2 "$flags" >/dev/null
	cp .config first
	cp build/box first.box
	for symbol in $symbols; do
		echo "$symbol"
		switch "$symbol"
		make -j2 "$flags" >/dev/null
		cp build/box second.box
		rm build/box
		make "$flags" >/dev/null
		cmp build/box second.box
		cp first .config
		make -j2 "$flags" >/dev/null
		cmp build/box first.box
	done
}
