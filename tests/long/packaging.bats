# SPDX-License-Identifier: 0BSD
# Packages and releases, by the tools of those that they are for: "make
# check-all".

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V CC CFLAGS LDFLAGS CROSS_COMPILE
	unset "${!GIT_@}"
	export LC_ALL=C
	cd "$BATS_FILE_TMPDIR"
	copy_tree clone
	git -C clone init -q
	git -C clone add -A
	git -C clone -c user.name=a -c user.email=a@b commit -qm all
	make -s -C clone O="$PWD/out" dist
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	dist=$BATS_FILE_TMPDIR/out/dist
	version=$(sed -n 's/^VERSION := //p' "$TOP/Makefile")
}

needs_commands() {
	local name

	for name; do
		command -v "$name" >/dev/null || skip "no $name"
	done
}

@test "Debian's package builds, and lintian finds nothing in it" {
	needs_commands dpkg-buildpackage dh lintian hardening-check
	tar -xf "$dist/box-$version.tar.gz"
	cp "$dist/box-$version.tar.gz" "box_$version.orig.tar.gz"
	cp -r "box-$version/packaging/debian" "box-$version/"
	env -C "box-$version" dpkg-buildpackage -us -uc >log 2>&1
	# The distribution's flags have reached each compilation.
	grep -- ' -c -o ' log >compilations
	run ! grep -v -e '-ffile-prefix-map=.*-Werror=format-security' compilations
	run -0 lintian -I --fail-on error,warning,info ./*.changes
	[[ $output != *": box"* ]]
	dpkg-deb -x box_"$version"-1_*.deb installed
	for name in cat tee yes; do
		[ "$(realpath "installed/usr/lib/box/bin/$name")" = \
			"$PWD/installed/usr/bin/box" ]
	done
	[ "$(echo hello | installed/usr/lib/box/bin/cat)" = hello ]
	run hardening-check installed/usr/bin/box
	[[ $output = *"Read-only relocations: yes"* ]]
	[[ $output = *"Immediate binding: yes"* ]]
	# What is in the debug package is of this box, and names its sources.
	dpkg-deb -x box-dbgsym_*.deb debug
	id=$(readelf -n installed/usr/bin/box | sed -n 's/.*Build ID: //p')
	nm "debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" >symbols
	grep -q ' cat_main$' symbols
	run ! grep -qF "$PWD" installed/usr/bin/box
	run ! grep -qF "$PWD" "debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
}

@test "Nix reads its files" {
	needs_commands nix-instantiate
	for file in "$TOP"/packaging/nix/*.nix; do
		nix-instantiate --parse "$file" >parsed
		[ -s parsed ]
	done
}

@test "the release's document is valid SPDX" {
	needs_commands pyspdxtools
	pyspdxtools -i "$dist/box-$version.spdx.json"
	# It would say so if it were not.
	sed 's/"SPDX-2.3"/"SPDX-0"/' "$dist/box-$version.spdx.json" >wrong.spdx.json
	run ! pyspdxtools -i wrong.spdx.json
}
