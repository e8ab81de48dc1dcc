# SPDX-License-Identifier: 0BSD
# The invariants of libcore with few methods: "make check-all". tests/long/config.bats has
# each of configs/.

load ../lib/helpers
CONFIGURATION=

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
