# SPDX-License-Identifier: 0BSD
# The invariants of libcore under other configurations: "make check-all".

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
}

setup() {
	common_setup
	mkdir out
}

# Builds what out/.config says, and runs the tests of the invariants, cat and tee on it.
holds() {
	make -s -C "$TOP" O="$PWD/out" CFLAGS=-Werror >&2
	BOX=$PWD/out/box BOX_CONFIG=$PWD/out/include/config/auto.conf \
		outside bats --tap "$TOP"/tests/box/{libcore,cat,tee}.bats
}

# alone [METHOD]: no method but that one, and rw.
alone() {
	local symbol

	make -s -C "$TOP" O="$PWD/out" max_defconfig
	for symbol in $(sed -n 's/^CONFIG_\(ZC_[A-Z_]*\)=y$/\1/p' out/.config); do
		[ "$symbol" = "ZC_$1" ] || sed -i \
			"s/^CONFIG_$symbol=y\$/# CONFIG_$symbol is not set/" \
			out/.config
	done
	holds
}

@test "the invariants hold in tiny_defconfig" {
	make -s -C "$TOP" O="$PWD/out" tiny_defconfig
	holds
}

@test "the invariants hold in max_defconfig" {
	make -s -C "$TOP" O="$PWD/out" max_defconfig
	holds
}

@test "the invariants hold with read and write alone" {
	alone
}

@test "the invariants hold with each other method alone" {
	for method in COPY_FILE_RANGE SENDFILE SPLICE TEE VMSPLICE MMAP IO_URING; do
		echo $method
		alone $method
	done
}
