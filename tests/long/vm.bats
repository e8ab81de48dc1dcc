# SPDX-License-Identifier: 0BSD
# scripts/vm with a kernel of this system. "make check-vm" boots others.

load ../lib/helpers

setup() {
	common_setup
	export CONSOLE=$PWD/console
}

# The kernel of the system that this is.
own_kernel() {
	local arch suite

	[ "$(uname -m)" = x86_64 ] || skip "one kernel is for x86_64"
	command -v apt-get dpkg-deb || skip "no packages of Debian here"
	needs_tool cpio file
	needs_tool qemu-system-x86_64
	arch=$(dpkg --print-architecture)
	suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	directory=$(LIMIT=120 "$TOP/scripts/fetch" "$suite" "$arch" kernel \
		linux-image-cloud-"$arch") ||
		skip "linux-image-cloud-$arch of $suite cannot be had"
}

@test "box is the cat, tee and yes of an initramfs that a kernel boots" {
	own_kernel
	# A path is of the directory that scripts/vm is in.
	BOX_ALL=$(realpath --relative-to "$TOP" "$BOX") LIMIT=300 \
		run "$TOP/scripts/vm" "$directory/kernel" bare
	[[ $output != *"box: no packages of "* ]] ||
		skip "the guest's packages cannot be had"
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[-1]} =~ ^[1-9][0-9]*\ passed,\ 0\ failed,\ 0\ skipped$ ]]
	planned=$(grep -c '^case_' "$TOP/tests/guest/bare")
	[ "${lines[-1]%% *}" = "$planned" ]
}

@test "tee --run is the first process of an initramfs" {
	own_kernel
	needs_tool make
	BOX=$(built max_defconfig)/box
	mkdir -p root/usr/bin
	install -m 755 "$BOX" root/usr/bin/tee
	cc -static -o root/service "$TOP/tests/c/service.c"
	"$TOP/scripts/initramfs" "$PWD/root" "$PWD/cpio"
	# The end of init is the end of the kernel, which says how it ended.
	timeout 120 qemu-system-x86_64 -accel tcg -m 256 -nodefaults -nographic \
		-no-reboot -serial stdio -monitor none -kernel "$directory/kernel" \
		-initrd cpio -append "console=ttyS0 panic=-1 rdinit=/usr/bin/tee -- \
/log --stderr --run /service kill" </dev/null >console
	tr -d '\r' <console >said
	grep -x "ready, child of 1" said
	grep -x "warning" said
	grep -x "reaped" said
	[ "$(grep -x 'last [0-9]*' said)" = "$(seq -f 'last %g' 0 1999)" ]
	grep 'Attempted to kill init! exitcode=0x00000900' said
}
