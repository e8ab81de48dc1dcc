# SPDX-License-Identifier: 0BSD
# Other systems' images boot with box as their cat, tee and yes: those to which "make
# initramfs" is appended, and those that initramfs-tools and dracut build, in systems
# of their own, with the hooks in packaging/.

load ../lib/helpers

setup() {
	needs_root
	needs_tool debootstrap
	common_setup
	root=$PWD/root
	export CONSOLE=$PWD/console
	suite=bookworm
	arch=$(dpkg --print-architecture)
	directory=$("$TOP/scripts/fetch" $suite "$arch" kernel \
		linux-image-cloud-"$arch")
	version=$(basename "$directory"/lib/modules/*)
}

# system PACKAGE...: a small Debian in ./root, with box, and with a kernel's files.
system() {
	local IFS=,

	debootstrap --variant=minbase --include="$*" $suite root >log ||
		{ tail -n 20 log; return 1; }
	mkdir -p root/lib/modules
	cp -r "$directory/lib/modules/$version" root/lib/modules/
	cp "$directory/boot"/* root/boot/
	install -m 755 "$BOX" root/usr/local/bin/box
}

# inside COMMAND...: in the system, with a /proc and mounts that none else sees.
inside() {
	unshare -m -p --kill-child sh -c 'mount -t proc proc "$1/proc" && root=$1 && shift &&
		exec env -u TMPDIR chroot "$root" "$@"' - "$root" "$@"
}

# report FILE: what the image's own start runs, by the image's own shell.
report() {
	executable "$1" <<-'END'
	[ "$1" != prereqs ] || exit 0
	passed=0 failed=0
	check() {
		if [ "$2" = "$3" ]; then
			passed=$((passed + 1)) what=ok
		else
			failed=$((failed + 1)) what="not ok"
		fi
		echo "$what $((passed + failed)) $1" >/dev/console
	}
	for name in cat tee yes; do
		check "$name is box" "$(readlink /usr/bin/$name)" box
		check "$name is found first" \
			"$($name --version | sed -n 1p)" "$(/usr/bin/box $name --version | sed -n 1p)"
	done
	check "cat reads /proc" "$(cat /proc/sys/kernel/ostype)" Linux
	check "tee writes" "$(echo a | tee /run/a)$(cat /run/a)" aa
	echo "box: guest: $passed passed, $failed failed, 0 skipped" >/dev/console
	# Until that has been sent, for which not every image has an stty.
	sleep 2
	echo b >/proc/sysrq-trigger
	END
}

boots() {
	INITRD=$PWD/root/image LIMIT=600 run -0 \
		"$TOP/scripts/vm" "$directory/kernel" bare
	[ "${lines[-1]}" = "8 passed, 0 failed, 0 skipped" ]
}

# other_image [usr]: ./initrd, an odd_archive, with a cat of its own in /bin, or with
# /bin as a link to usr/bin.
other_image() {
	local shell

	shell=$("$TOP/scripts/fetch" $suite "$arch" packages bash-static)
	rm -rf other
	mkdir -p "other/${1:-.}/bin"
	[ ! "${1:-}" ] || ln -s usr/bin other/bin
	cp "$shell/bin/bash-static" other/bin/sh
	executable other/bin/cat <<<'echo other'
	executable other/init <<-'END'
	passed=0 failed=0
	for path in /bin:/usr/bin /usr/bin:/bin; do
		PATH=$path
		if [ "$(echo bytes | cat)" = bytes ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
	done
	printf '\nbox: guest: %s passed, %s failed, 0 skipped\n' $passed $failed
	# Until that has been sent: with this process the kernel ends.
	SECONDS=0
	until [ $SECONDS = 2 ]; do :; done
	END
	odd_archive other initrd
}

@test "scripts/initramfs: appended as README says, it takes the place of cat" {
	copy_tree tree
	(cd tree; "$LIB/readme.py" commands 'Initramfs' |
		awk -v RS= '/scripts\/initramfs/') |
		grep -v -e INIT= -e install-packages >commands
	[ "$(wc -l <commands)" = 3 ]
	for usr in '' usr; do
		other_image $usr
		# The image's own cat is none of box.
		INITRD=$PWD/initrd LIMIT=300 run -1 \
			"$TOP/scripts/vm" "$directory/kernel" bare
		[ "${lines[-1]}" = "0 passed, 2 failed, 0 skipped" ]
		cp initrd tree/
		(cd tree; unset BOX; outside bash -eo pipefail ../commands)
		INITRD=$PWD/tree/image/initrd LIMIT=300 run -0 \
			"$TOP/scripts/vm" "$directory/kernel" bare
		[ "${lines[-1]}" = "2 passed, 0 failed, 0 skipped" ]
	done
}

@test "initramfs-tools: its hook puts box into an image that boots" {
	system initramfs-tools busybox kmod udev
	cp "$TOP/packaging/initramfs-tools/hooks/box" \
		root/etc/initramfs-tools/hooks/
	report root/etc/initramfs-tools/scripts/init-premount/report
	inside mkinitramfs -o /image "$version"
	boots
}

@test "dracut: its module puts box into an image that boots" {
	system dracut-core kmod udev
	cp -r "$TOP/packaging/dracut/90box" root/usr/lib/dracut/modules.d/
	mkdir root/usr/lib/dracut/modules.d/99report
	report root/usr/lib/dracut/modules.d/99report/report.sh
	gnu_cat >root/usr/lib/dracut/modules.d/99report/module-setup.sh <<-'END'
	check() { return 0; }
	install() {
		inst_multiple sed readlink
		inst_hook cmdline 00 "$moddir/report.sh"
	}
	END
	inside depmod "$version"
	inside dracut --no-hostonly --kver "$version" /image
	boots
}
