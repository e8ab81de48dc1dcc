# SPDX-License-Identifier: 0BSD
# The recipes of README, word for word, as root of a bare Debian 13 and a bare Debian 12, and
# packages that are installed with box in the place of cat, tee and yes: "make check-all". Each
# figure that README gives is true within a factor of two; times are of one processor.
# tests/tree/readme.bats looks closer at what the recipes make.

load ../lib/helpers

suites="trixie bookworm"
get="apt-get -qy --no-install-recommends install"

setup_file() {
	unset "${!GIT_@}"
	file_needs debootstrap git || return 0
	[ "$(id -u)" = 0 ] || return 0
	cd "$BATS_FILE_TMPDIR"
	copy_tree box
	git -C box init -q
	git -C box add -A
	git -C box -c user.name=a -c user.email=a@b commit -qm all
	for suite in $suites; do
		debootstrap --variant=minbase $suite $suite >log || {
			tail log
			return 1
		}
		# The network is this machine's. Nobody is asked.
		cp /etc/resolv.conf $suite/etc/
		[ ! "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$suite/root/certificates"
		echo 'APT::Get::Assume-Yes "true";' >$suite/etc/apt/apt.conf.d/yes
		cp -a box $suite/root/
	done
}

setup() {
	needs_root
	common_setup
}

# system SUITE: that system alone, as ./root, with a clone in /root/box.
system() {
	rm -rf root
	cp -a "$BATS_FILE_TMPDIR/$1" root
}

# inside COMMAND...: in ./root, in the clone. The system has processes, mounts and terminals
# of its own.
inside() {
	outside unshare -m -p --kill-child --propagation private sh -ec '
		mount --bind root root
		cd root
		mount -t proc proc proc
		mount -t sysfs -o ro sysfs sys
		mount -t tmpfs tmpfs tmp
		mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
		pivot_root . mnt
		umount -l /mnt
		cd /root/box
		exec env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			BUILDAH_ISOLATION=chroot DEBIAN_FRONTEND=noninteractive \
			${PIP_CERT:+PIP_CERT=/root/certificates} "$@"' - "$@"
}

# commands PAGE HEADING PATTERN: the block below that heading which has the pattern, in
# /root/block there.
commands() {
	PAGE=$TOP/$1 "$LIB/readme.py" commands "$2" | awk -v RS= -v what="$3" '$0 ~ what' \
		>root/root/block
	[ -s root/root/block ]
}

# follow: runs that block, which says /root/said. Sets seconds, of processor time.
follow() {
	inside bash -eo pipefail -c 'TIMEFORMAT="%U %S"
		time bash -eo pipefail /root/block >/root/said 2>&1 || {
			tail -n 20 /root/said
			exit 1
		}' 2>root/time
	seconds=$(tail -n 1 root/time | awk '{ print $1 + $2 }')
}

# provide SET...: what the recipe needs comes before its time is taken.
provide() {
	inside scripts/install-packages "$@"
}

# row NAME COLUMN: that cell of README's table of images.
row() {
	awk -F ' *[|] *' -v name="$1" -v column="$2" '
		index($2, "[" name "](") { print $column; exit }' "$TOP/README.md" | grep .
}

# number TEXT: the last number in it that has a unit.
number() {
	grep -Eo '[0-9.]+ (s|seconds|KiB|MB)\b' <<<"$1" | tail -n 1 | grep -Eo '^[0-9.]+'
}

# is_near WHAT VALUE TEXT: README's text has that number, within a factor of two.
is_near() {
	echo "# $suite: $1: $2; README has: $3" >&3
	awk -v value="$2" -v claim="$(number "$3")" \
		'BEGIN { exit !(value <= 2 * claim && claim <= 2 * value) }'
}

# kib PATH...: what these files hold, in KiB.
kib() {
	find "${@/#/root/root/box/}" -type f -printf '%s\n' |
		awk '{ n += $1 } END { print n / 1024 }'
}

# sentence PATTERN: the words of README that match.
sentence() {
	tr '\n' ' ' <"$TOP/README.md" | grep -Eo "$1"
}

# makes NAME FILE PATTERN: the block with the pattern, below the heading that is NAME, makes
# that image. Its first line brings the tools. The table says in what time the rest is done,
# and how large FILE is.
makes() {
	commands README.md "${1^}" "$3"
	# shellcheck disable=SC2046 # words
	inside $(head -n 1 root/root/block)
	follow
	is_near "$1" "$seconds" "$(row "$1" 3)"
	is_near "$2" "$(kib "$2")" "$(row "$1" 4)"
}

@test "the first screen makes an image" {
	for suite in $suites; do
		system $suite
		commands README.md box 'DESTDIR=image/root'
		follow
		is_near "image" "$(kib image/root)" "$(sentence 'makes an image of [0-9]+ KiB')"
	done
}

@test "box is built, installed and uninstalled" {
	for suite in $suites; do
		system $suite
		provide build >log
		is_near "fetched" "$(sed -n 's/^box: \(.*\) MB to fetch$/\1/p' log)" \
			"$(sentence 'bare system [0-9]+ MB are fetched')"
		commands README.md 'Get it' 'make install'
		follow
		is_near "get it" "$seconds" "$(sentence 'takes [0-9]+ seconds')"
		[ "$(inside /root/.local/bin/cat LICENSE)" = "$(<"$TOP/LICENSE")" ]
		sentence 'make uninstall [^`]*' >root/root/block
		follow
		[ ! "$(find root/root/.local ! -type d)" ]
	done
}

@test "it is tried, and checked" {
	for suite in $suites; do
		system $suite
		commands README.md 'Try it' scripts/try
		follow
		grep -qx "All copies are identical.*" root/root/said
		grep -q "^box: .* to fetch$" root/root/said
		tail -n 1 root/root/said | grep -E '^[0-9]+ passed, 0 failed'
		commands README.md 'Try it' PATH=
		echo 'command -v cat' >>root/root/block
		follow
		[ "$(tail -n 1 root/root/said)" = /root/box/_install/bin/cat ]
	done
}

@test "a container from scratch" {
	for suite in $suites; do
		system $suite
		makes container build/oci scripts/oci
		[ -x root/root/box/build/image/container/box ]
		inside buildah images >images
		grep -w localhost/new images
	done
}

@test "an initramfs, and one to append" {
	for suite in $suites; do
		system $suite
		provide build
		echo 'int main(void) { return 0; }' >root/root/my-init.c
		inside musl-gcc -static -o my-init /root/my-init.c
		makes initramfs build/initramfs.cpio INIT=
		inside cpio -t -F build/initramfs.cpio | grep -x init
		head -c 5 /dev/urandom >root/root/box/initrd
		commands README.md Initramfs image/initrd
		follow
		printf '\0\0\0' | gnu_cat root/root/box/initrd - root/root/box/build/initramfs.cpio |
			cmp - root/root/box/image/initrd
	done
}

@test "a tree of one's own, packed" {
	for suite in $suites; do
		system $suite
		makes tree image/root.cpio 'DESTDIR=image/root'
		inside cpio -t -F image/root.cpio | grep -x usr/bin/tee
	done
}

# Debian has no such compiler with musl: one with glibc takes its name.
@test "another processor" {
	for suite in $suites; do
		system $suite
		provide build
		inside apt-get install -q --no-install-recommends gcc-aarch64-linux-gnu \
			libc6-dev-arm64-cross
		ln -s ../../bin/aarch64-linux-gnu-gcc \
			root/usr/local/bin/aarch64-linux-musl-gcc
		commands README.md Tree CROSS_COMPILE
		follow
		readelf -h root/root/box/image/arm64/usr/bin/box | grep -w AArch64
	done
}

@test "another processor, without a cross compiler" {
	for suite in $suites; do
		system $suite
		commands README.md Tree scripts/cross
		follow
		readelf -h root/root/box/image/mips/usr/bin/box | grep -w MIPS
		# It was built once.
		run ! grep -E '^  (CC|LD) ' root/root/said
		inside make -s O=build/cross/zig/mips/device -q
	done
}

@test "a Debian package" {
	for suite in $suites; do
		system $suite
		commands packaging/README.md Debian dpkg-buildpackage
		follow
		is_near "package" "$seconds" "$(row 'Debian package' 3)"
		[ "$(inside /usr/lib/box/bin/cat LICENSE)" = "$(<"$TOP/LICENSE")" ]
	done
}

# left: what is in the system, except what tells of times, and keys: the names, kinds, rights
# and sums of files.
left() {
	(
		cd root
		set -- \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/log \
			-o -path ./var/cache -o -path ./var/lib/apt -o -path ./root/build \
			-o -path ./root/box -o -path ./usr/bin/cat -o -path ./usr/bin/tee \
			-o -path ./usr/bin/yes -o -path ./usr/bin/box \
			-o -path './etc/ssh/ssh_host_*' \) -prune
		find . -xdev "$@" -o -printf '%p %y %m %l\n'
		find . -xdev "$@" -o -type f -print0 | xargs -0 md5sum
	) | sort
}

@test "packages are installed, and a program is built, with box as with GNU's cat, tee and yes" {
	local steps=(
		"sed 's/^deb /deb-src /' /etc/apt/sources.list >/etc/apt/sources.list.d/src.list
		apt-get update
		$get man-db git openssh-server cron ca-certificates dictionaries-common wamerican"
		"$get initramfs-tools linux-base busybox- zstd
		mkdir -p /lib/modules/0.0 /boot
		: >/lib/modules/0.0/modules.order
		: >/lib/modules/0.0/modules.builtin
		printf 'CONFIG_RD_%s=y\n' GZIP ZSTD >/boot/config-0.0
		update-initramfs -c -k 0.0
		lsinitramfs /boot/initrd.img-0.0 | sort >/root/initramfs
		rm /boot/initrd.img-0.0"
		"mandb -cq && man -P cat git >/root/man
		man -P cat sshd | tee /root/man2 | wc -c; [ -s /root/man2 ]"
		"cd /root && git init -q a && cd a
		export GIT_AUTHOR_DATE='@0 +0000' GIT_COMMITTER_DATE='@0 +0000'
		yes line | head -n 100000 | tee many >/dev/null
		git config user.name a && git config user.email a@b
		git add many && GIT_EDITOR=tee EDITOR=cat git commit -qm many
		GIT_PAGER=cat git log -p >/root/log
		git clone -q . ../b && git -C ../b fsck && cmp many ../b/many
		rm -rf .git ../b/.git"
		"$get build-essential debhelper autoconf automake libtool gettext texinfo
		mkdir /root/build && cd /root/build && apt-get -q source gzip
		cd gzip-*/ && ./configure --prefix=/root/gzip && make && make check
		make install >/dev/null
		yes | head -c 3000000 | /root/gzip/bin/gzip | /root/gzip/bin/zcat | wc -c"
		"apt-get -qy purge man-db cron wamerican git
		apt-get -qy autoremove && dpkg --audit"
	)

	for kind in gnu box; do
		system bookworm
		if [ $kind = box ]; then
			install -m 755 "$(built defconfig)/box" root/usr/bin/
			ln -sf box root/usr/bin/cat
			ln -sf box root/usr/bin/tee
			ln -sf box root/usr/bin/yes
			inside cat --version | grep '^cat (box) '
		fi
		for i in "${!steps[@]}"; do
			inside sh -ec "export LC_ALL=C.UTF-8; ${steps[i]}" >log 2>&1 || {
				tail -n 30 log
				false
			}
			left >$kind.$i
		done
	done
	for i in "${!steps[@]}"; do
		diff gnu.$i box.$i
	done
}
